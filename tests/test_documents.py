# SPDX-License-Identifier: EPL-2.0
"""Documents tell the truth: their commands run as they stand, and what they name is there."""

import functools
import pathlib
import re
import subprocess
import tomllib
from collections.abc import Iterator

import pytest
from documents import BASH, COMMANDS, NOT_RUN, ROOT, Document, documents, matches, project

ALL = documents()
FOLLOWED_ELSEWHERE = {"docs/openflow-tls.md": "test_openflow_tls.py"}
FRONT_PAGE = ALL[0]
# in another terminal a network stays up: first those that build their own
RUN = sorted((one for one in ALL[1:] if one.is_run()), key=lambda one: bool(one.terminals()))
MODELS = ROOT / "models" / "src" / "main" / "yang"
PROGRAM = re.compile(
    r"(make|mvn|meson|curl|git|java|pip|pyang|pytest|python3?|ovs-\w+|mn|sluice:\S+|sluice-lab|tools/\S*) "
)
SOURCE = re.compile(r"[\w.*-]+\.(c|h|py|md|toml|yang|java)")
CLASS = re.compile(r"\bio\.sluice(?:\.[a-z]\w*)+\.[A-Z]\w*")
FOREIGN_SOURCES = {"dpdk-telemetry.py"}
SHELL_LANGUAGES = ("", "bash", "shell", "console", "shell-session")

every_document = pytest.mark.parametrize("document", ALL, ids=repr)


@functools.cache
def tracked() -> list[str]:
    """Paths of all files, beginning with a slash."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [f"/{name}" for name in names if (ROOT / name).exists()]


def spans(document: Document) -> list[str]:
    """What stands between backticks in prose, each on one line."""
    return [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", document.prose)]


def command_lines(document: Document) -> list[str]:
    """The commands in blocks, without comments and each on one line, and those in prose."""
    blocks = "\n".join("\n".join(block.lines) for block in document.commands())
    lines = re.sub(r"\\\n\s*", " ", blocks).splitlines()
    return [re.sub(r"(^|\s)#.*", "", line) for line in lines] + spans(document)


def calls(document: Document) -> Iterator[tuple[str, list[str]]]:
    """Programs with their words, up to the first quote; settings of variables before them are left out."""
    for line in command_lines(document):
        for part in re.split(r"[|;&()]|\$\(", line):
            words = part.split("'")[0].split()
            while words and re.fullmatch(r"\w+=\S*", words[0]):
                words.pop(0)
            if words:
                yield words[0], words[1:]


@functools.cache
def make_targets() -> set[str]:
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M))


def source(program: str, document: Document) -> str:
    """The text in which the options of one of our programs stand; empty for programs of others."""
    scripts = tomllib.loads((ROOT / "mininet" / "pyproject.toml").read_text())["project"]["scripts"]
    if program in scripts:
        return (ROOT / "mininet" / f"{scripts[program].partition(':')[0].replace('.', '/')}.py").read_text()
    file_in_c = {"sluice-forwarder": "src/options.c", "sluice-bus": "bus/main.c"}.get(pathlib.PurePath(program).name)
    if file_in_c:
        return (ROOT / "forwarder-dpdk" / file_in_c).read_text()
    for file in (ROOT / program, document.path.parent / program):
        if file.is_file() and f"/{file.relative_to(ROOT)}" in tracked():
            text = file.read_text()
            return text + "".join(java_source(name).read_text() for name in CLASS.findall(text))
    return ""


def java_source(name: str) -> pathlib.Path:
    """File of a Java class by its full name."""
    found = [path for path in tracked() if path.endswith(f"/java/{name.replace('.', '/')}.java")]
    assert found, f"there is no class {name}"
    return ROOT / found[0][1:]


def slugs(path: pathlib.Path) -> set[str]:
    """Anchors of a document's headings."""
    headings = re.findall(r"^#+ (.*)", path.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_file_name(name: str, document: Document) -> bool:
    """True of paths that begin with a folder of the project or the document, and of names that only sources have."""
    folder, slash, _ = name.partition("/")
    if folder and slash:
        return re.fullmatch(r"[\w./*-]+", name) is not None and any(
            (place / folder).is_dir() and not is_ignored(f"{place / folder}/") for place in (ROOT, document.path.parent)
        )
    return SOURCE.fullmatch(name) is not None and name not in FOREIGN_SOURCES


@functools.cache
def is_ignored(path: str) -> bool:
    """True of what is built or measured, and not kept; folders end with a slash."""
    return subprocess.run(["git", "check-ignore", "-q", path], cwd=ROOT, check=False).returncode == 0


def is_there(name: str, document: Document) -> bool:
    """True if a path, in which `*` stands for anything, leads somewhere in the project, or to what git ignores."""
    pattern = re.escape("/" + name.rstrip("/")).replace(r"\*", "[^/]*") + "(/|$)"
    return any(re.search(pattern, path) for path in tracked()) or any(
        is_ignored(f"{place}/{name}") for place in (ROOT, document.path.parent)
    )


@every_document
def test_commands_stand_in_blocks_that_are_run_or_say_why_not(document):
    for block in document.blocks:
        assert block.language not in SHELL_LANGUAGES, f"{document}:{block.line}: commands begin with ```{COMMANDS}"
        if block.language == COMMANDS and not block.is_run:
            reason = block.notes.removeprefix(NOT_RUN)
            assert reason not in ("", block.notes), f"{document}:{block.line}: {NOT_RUN}and a reason, or nothing"
    for line in document.prose.splitlines():
        assert not re.match(rf"    +{PROGRAM.pattern}", line), f"{document}: commands stand in blocks: {line}"


@every_document
def test_commands_are_bash(document):
    for block in document.commands():
        text = "\n".join(block.lines)
        done = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{document}:{block.line}: {done.stderr}"


@every_document
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)\s]+)\)", document.prose):
        file, _, anchor = target.partition("#")
        if "://" in file:
            continue
        path = document.path.parent / file if file else document.path
        assert path.exists(), f"{document}: {target}"
        assert not anchor or anchor in slugs(path), f"{document}: {target}"


@every_document
def test_make_targets_are_there(document):
    for program, words in calls(document):
        if program == "make":
            targets = [word for word in words if re.fullmatch(r"[a-z-]+", word)]
            assert set(targets) <= make_targets(), f"{document}: make {' '.join(targets)}"


@every_document
def test_modules_of_maven_are_there(document):
    for program, words in calls(document):
        if program == "mvn" and "-pl" in words:
            assert (ROOT / words[words.index("-pl") + 1] / "pom.xml").exists(), f"{document}: mvn {' '.join(words)}"


@every_document
def test_named_files_are_there(document):
    for name in [*spans(document), *(program for program, _ in calls(document))]:
        assert not is_file_name(name, document) or is_there(name, document), f"{document}: {name}"
    for name in CLASS.findall(document.text):
        java_source(name)


@every_document
def test_options_of_our_programs_are_there(document):
    for program, words in calls(document):
        text = source(program, document)
        own = words[words.index("--") + 1 :] if "--" in words else words  # DPDK's come before
        for option in set(re.findall(r"(?<!\S)--[a-z][\w-]*", " ".join(own))) - {"--help"}:
            assert not text or option in text, f"{document}: {program} {option}"
        if re.fullmatch(r"--[a-z][\w-]*", program):
            found = subprocess.run(["git", "grep", "-qF", "-e", program, "--", ":!*.md"], cwd=ROOT, check=False)
            assert found.returncode == 0, f"{document}: nothing has an option {program}"


@every_document
def test_commands_of_the_shell_are_in_the_models(document):
    for area, name, words in re.findall(r"sluice:([a-z]+)-([a-z-]+)([^'`;\n]*)", document.text):
        if (area, name) == ("solver", "check"):
            continue
        model = (MODELS / f"sluice-{area}.yang").read_text()
        assert f"rpc {name} " in model, f"{document}: sluice:{area}-{name}"
        for option in set(re.findall(r"--([\w-]+)", words)) - {"json", "help", "input"}:
            assert re.search(rf"\b(leaf|leaf-list|list|container) {option} ", model), f"{document}: --{option}"


@every_document
def test_names_with_a_model_are_in_it(document):
    for model, name in re.findall(r"\b(sluice-[a-z-]+):([a-z][a-z-]*)", document.text):
        if (MODELS / f"{model}.yang").exists():
            text = (MODELS / f"{model}.yang").read_text()
            assert re.search(rf"^ *([a-z-]+ )?{name} \{{", text, re.M), f"{document}: {model}:{name}"


def test_documents_that_are_followed_elsewhere_are():
    for document, test in FOLLOWED_ELSEWHERE.items():
        assert document in (ROOT / "tests" / test).read_text()


def test_a_failure_is_told_with_line_and_command(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- SPDX -->\n```sh\nX=nothing\n```\nthen\n```sh\necho first\ncat $X\necho last\n```\n")
    script = Document(str(page)).script(tmp_path)
    done = subprocess.run([*BASH, "-c", script], cwd=ROOT, check=False)
    assert done.returncode == 1
    told = (tmp_path / "6").read_text().splitlines()
    assert (told[0], told[2:]) == ("first", [f"{page}:8: exit status 1 of: cat $X"])


@pytest.mark.parametrize(
    ("expected", "seen", "is_so"),
    [("a\n...\nd", "a\nb\nc\nd\n", True), ("a", "a\nb", False), ("a...", "b", False), ("(a.c)", "(abc)", False)],
)
def test_dots_stand_for_anything(expected, seen, is_so):
    assert matches(expected, seen) == is_so


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    """Where the front page was followed: with a controller."""
    with project(tmp_path_factory.mktemp("documents")) as sandbox:
        sandbox.follow(FRONT_PAGE)
        yield sandbox


@pytest.mark.net
@pytest.mark.parametrize("document", [one for one in RUN if one.name not in FOLLOWED_ELSEWHERE], ids=repr)
def test_commands_do_what_the_document_says(sandbox, document):
    sandbox.follow(document)


@pytest.mark.net
def test_metrics_that_are_named_are_served(sandbox, wait_until):
    named = set(re.findall(r"\bsluice_(?!forwarder)[a-z]+(?:_[a-z]+)+", Document("docs/prometheus.md").text))

    def are_served() -> bool:
        served = sandbox.bash('curl -fsS -u "admin:$(tools/controller password)" http://127.0.0.1:8181/metrics/')
        return all(f"# TYPE {metric}" in served for metric in named)

    sandbox.open_terminal("sluice-lab up figure10")
    sandbox.follow(Document("docs/rates.md"))
    wait_until(are_served, 60)
