# SPDX-License-Identifier: EPL-2.0
"""The YANG models keep the project's rules, take valid documents and refuse invalid ones with the right message.

What is invalid stands in a module's folder in one of two ways:
- `invalid/*.json`, a document beside what its refusal must contain: `{"refused": [...], "document": {...}}`;
- `changes.json`, by what the refusal must contain, rows of a valid document's name, the place (RFC 6901, within its one
  member) and the value that is put there; without a value the place is removed.

Each constraint of the models is needed: without it, one of the invalid documents would be taken, or be refused by
another.
"""

import copy
import dataclasses
import functools
import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest
import yangson
from yangson.enumerations import ContentType
from yangson.exceptions import YangsonException
from yangson.schemanode import NotificationNode, RpcActionNode
from yangson.statement import ModuleParser, Statement

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ROOT / "models" / "src" / "main" / "yang"
DOCUMENTS = ROOT / "models" / "src" / "test" / "resources"
STANDARD_MODELS = pathlib.Path(sys.prefix) / "share" / "yang" / "modules"


def module_names() -> list[str]:
    return sorted(path.stem for path in MODELS.glob("*.yang"))


def documents(kind: str) -> list[pathlib.Path]:
    return sorted(DOCUMENTS.glob(f"*/{kind}/*.json"))


def title(path: pathlib.Path) -> str:
    return f"{path.parent.parent.name}-{path.stem}"


@dataclasses.dataclass(frozen=True)
class Invalid:
    """A document of a module that must be refused with a message that contains all of `refused`."""

    module: str
    title: str
    refused: list[str]
    document: dict

    def __str__(self) -> str:
        return f"{self.module}-{self.title}"


def changed(document: dict, place: str, *value: object) -> dict:
    """A copy with a value at a place within its one member, or without what is there."""
    document = copy.deepcopy(document)
    *parents, last = [int(step) if step.isdigit() else step for step in place.split("/")[1:]]
    around = functools.reduce(lambda node, step: node[step], parents, next(iter(document.values())))
    if value:
        around[last] = value[0]
    else:
        del around[last]
    return document


@functools.cache
def invalid() -> list[Invalid]:
    found = []
    for path in documents("invalid"):
        found.append(Invalid(path.parent.parent.name, path.stem, **json.loads(path.read_text())))
    for path in sorted(DOCUMENTS.glob("*/changes.json")):
        for reason, rows in json.loads(path.read_text()).items():
            for name, place, *value in rows:
                valid = json.loads((path.parent / "valid" / f"{name}.json").read_text())
                leaf = re.sub(r"/\d+$", "", place).rpartition("/")[2]
                text = " ".join([name, place, *map(str, value)])
                found.append(Invalid(path.parent.name, text, [reason, leaf], changed(valid, place, *value)))
    return found


def library_entry(path: pathlib.Path, conformance: str) -> dict[str, str]:
    text = path.read_text()
    return {
        "name": re.search(r"^module ([\w-]+)", text, re.M).group(1),
        "revision": re.search(r"^\s*revision \"?([\d-]+)", text, re.M).group(1),
        "namespace": re.search(r"^\s*namespace\s+\"([^\"]+)", text, re.M).group(1),
        "conformance-type": conformance,
    }


@functools.cache
def needed(module: str) -> frozenset[str]:
    """A module, and those of ours that it imports, directly or not."""
    imported = re.findall(r"^  import (sluice-[\w-]+)", (MODELS / f"{module}.yang").read_text(), re.M)
    return frozenset({module}).union(*map(needed, imported))


def load(names: list[str], *folders: pathlib.Path) -> yangson.DataModel:
    """The model of some of our modules; a module is taken from the first folder that has it."""
    ietf = STANDARD_MODELS / "ietf"
    modules = [library_entry(MODELS / f"{name}.yang", "implement") for name in names]
    modules += [library_entry(ietf / f"ietf-{name}-types.yang", "import") for name in ("inet", "yang")]
    library = {"ietf-yang-library:modules-state": {"module-set-id": "sluice", "module": modules}}
    return yangson.DataModel(json.dumps(library), [*map(str, folders), str(MODELS), str(ietf)])


@pytest.fixture(scope="module")
def data_model() -> yangson.DataModel:
    return load(module_names())


def refusal(data_model: yangson.DataModel, document: dict) -> str:
    """Why a document is refused, empty if it is valid: configuration, an RPC with its input, or a notification."""
    name, body = next(iter(document.items()))
    module, _, local = name.partition(":")
    try:
        if isinstance(data_model.schema.get_child(local, module), (RpcActionNode, NotificationNode)):
            instance = data_model.from_raw({f"{module}:{member}": value for member, value in body.items()}, name)
        else:
            instance = data_model.from_raw(document)
        instance.validate(ctype=ContentType.all)
    except YangsonException as error:
        return str(error)
    except TypeError:  # yangson 1.7.9 fails to tell of a mandatory choice that is absent
        return "missing-data"
    return ""


def test_lint_finds_nothing():
    command = ["pyang", "--strict", "--lint", "--lint-modulename-prefix=sluice", "--lint-ensure-hyphenated-names"]
    command += ["--canonical", "--max-line-length=72", "-p", str(MODELS), *map(str, MODELS.glob("*.yang"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize("module", module_names())
def test_the_kept_tree_is_the_models(module):
    """So that a change of a model shows what changes for its clients."""
    command = ["pyang", "-f", "tree", "-p", str(MODELS), str(MODELS / f"{module}.yang")]
    tree = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    kept = ROOT / "models" / "trees" / f"{module}.tree"
    assert kept.exists() and kept.read_text() == tree, f"make it again: {' '.join(command)} > {kept}"


@pytest.mark.parametrize("module", module_names())
def test_names_follow_the_rules(module):
    text = (MODELS / f"{module}.yang").read_text()
    area = module.removeprefix("sluice-")
    prefix = re.search(r"^  prefix ([\w-]+);", text, re.M).group(1)
    assert library_entry(MODELS / f"{module}.yang", "")["namespace"] == f"urn:sluice:{area}"
    assert prefix.startswith("sl-")
    assert len(prefix.removeprefix("sl-")) <= 8


def test_each_notification_is_documented_and_in_the_documented_stream():
    request = json.loads((ROOT / "docs" / "sluice-stream.json").read_text())
    page = (ROOT / "docs" / "notifications.md").read_text()
    wanted = set()
    for path in MODELS.glob("*.yang"):
        module = library_entry(path, "")
        for name in re.findall(r"^  notification ([\w-]+)", path.read_text(), re.M):
            wanted.add(f"({module['namespace']}?revision={module['revision']}){name}")
            assert f"| `{name}` |" in page
    assert sorted(request["input"]["notifications"]) == sorted(wanted)


@pytest.mark.parametrize("path", documents("valid"), ids=title)
def test_valid_document_is_taken(data_model, path):
    assert refusal(data_model, json.loads(path.read_text())) == ""


@pytest.mark.parametrize("case", invalid(), ids=str)
def test_invalid_document_is_refused(data_model, case):
    message = refusal(data_model, case.document)
    for part in case.refused:
        assert part in message


CONSTRAINTS = ("range", "length", "pattern", "must", "mandatory", "min-elements")
# They and their blocks, laid out as in all our models.
CONSTRAINT = re.compile(
    r"^( *)(?:(?:range|length) \"(?P<bounds>[^\"]+)\"|pattern '|must \"|mandatory true|min-elements \d)"
    r".*?(?:;|\{\n.*?^\1\})\n",
    re.DOTALL | re.MULTILINE,
)
# What an unsigned type does not exceed anyway.
NO_BOUND = {"0", "min", "max", *(str(2**bits - 1) for bits in (16, 32, 64))}


@dataclasses.dataclass(frozen=True)
class Relaxed:
    """A module's text without one constraint, or without one end of it."""

    module: str
    constraint: str
    text: str

    def __str__(self) -> str:
        return f"{self.module}-{self.constraint}"


def widened(bounds: str) -> Iterator[str]:
    """A range or length without its lower end, and without its upper one, where these refuse anything."""
    low = re.match(r"(\w+)(?:\.\.(\w+))?", bounds)
    if low[1] not in NO_BOUND:
        yield f"min..{low[2] or low[1]}{bounds[low.end() :]}"
    high = re.search(r"(\w+)(?:\.\.(\w+))?$", bounds)
    if (high[2] or high[1]) not in NO_BOUND:
        yield f"{bounds[: high.start()]}{high[1]}..max"


def relaxed(module: str) -> Iterator[Relaxed]:
    text = (MODELS / f"{module}.yang").read_text()
    for found in CONSTRAINT.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        name = f"line {line}: {found[0].splitlines()[0].strip(' ;{')}"
        if found["bounds"]:
            start, end = found.span("bounds")
            for bounds in widened(found["bounds"]):
                yield Relaxed(module, f"{name}, {bounds}", text[:start] + bounds + text[end:])
        else:
            yield Relaxed(module, name, text[: found.start()] + text[found.end() :])


def statements(parent: Statement) -> Iterator[Statement]:
    yield parent
    for child in parent.substatements:
        yield from statements(child)


@pytest.mark.parametrize("module", module_names())
def test_constraints_are_found_and_each_must_and_pattern_has_a_message(module):
    text = (MODELS / f"{module}.yang").read_text()
    revision = library_entry(MODELS / f"{module}.yang", "")["revision"]
    model = ModuleParser(text, module, revision).parse()
    constraints = [one for one in statements(model) if one.keyword in CONSTRAINTS]
    assert len(constraints) == len(CONSTRAINT.findall(text))
    for one in constraints:
        assert one.keyword not in ("must", "pattern") or one.find1("error-message"), one.argument


@pytest.fixture(scope="module")
def refusals(data_model) -> list[tuple[Invalid, str]]:
    return [(case, refusal(data_model, case.document)) for case in invalid()]


@pytest.mark.parametrize("without", [one for name in module_names() for one in relaxed(name)], ids=str)
def test_each_constraint_refuses_a_document(refusals, without, tmp_path):
    (tmp_path / f"{without.module}.yang").write_text(without.text)
    users = [name for name in module_names() if without.module in needed(name)]
    model = load(sorted(set().union(*map(needed, users))), tmp_path)
    assert any(refusal(model, case.document) != reason for case, reason in refusals if case.module in users)
