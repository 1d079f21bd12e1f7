# SPDX-License-Identifier: EPL-2.0
"""The YANG models keep the project's rules, take valid documents and refuse invalid ones with the right message.

An invalid document stands beside what its refusal must contain: `{"refused": [...], "document": {...}}`.
"""

import json
import pathlib
import re
import subprocess
import sys

import pytest
import yangson
from yangson.enumerations import ContentType
from yangson.exceptions import YangsonException
from yangson.schemanode import NotificationNode, RpcActionNode

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


def library_entry(path: pathlib.Path, conformance: str) -> dict[str, str]:
    text = path.read_text()
    return {
        "name": re.search(r"^module ([\w-]+)", text, re.M).group(1),
        "revision": re.search(r"^\s*revision \"?([\d-]+)", text, re.M).group(1),
        "namespace": re.search(r"^\s*namespace\s+\"([^\"]+)", text, re.M).group(1),
        "conformance-type": conformance,
    }


@pytest.fixture(scope="module")
def data_model() -> yangson.DataModel:
    ietf = STANDARD_MODELS / "ietf"
    modules = [library_entry(path, "implement") for path in MODELS.glob("*.yang")]
    modules += [library_entry(ietf / f"ietf-{name}-types.yang", "import") for name in ("inet", "yang")]
    library = {"ietf-yang-library:modules-state": {"module-set-id": "sluice", "module": modules}}
    return yangson.DataModel(json.dumps(library), [str(MODELS), str(ietf)])


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
    return ""


def test_lint_finds_nothing():
    command = ["pyang", "--strict", "--lint", "--lint-modulename-prefix=sluice", "--lint-ensure-hyphenated-names"]
    command += ["--canonical", "--max-line-length=72", "-p", str(MODELS), *map(str, MODELS.glob("*.yang"))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


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


@pytest.mark.parametrize("path", documents("invalid"), ids=title)
def test_invalid_document_is_refused(data_model, path):
    case = json.loads(path.read_text())
    message = refusal(data_model, case["document"])
    for part in case["refused"]:
        assert part in message


@pytest.mark.parametrize("module", module_names())
def test_each_must_and_pattern_has_an_invalid_document(module):
    text = re.sub(r'"\s*\+\s*"', "", (MODELS / f"{module}.yang").read_text())
    refused = [part for path in documents("invalid") for part in json.loads(path.read_text())["refused"]]
    for message in re.findall(r'error-message "([^"]+)"', text):
        assert message in refused
    assert len(re.findall(r"\b(?:must \"|pattern ')", text)) == text.count("error-message")
