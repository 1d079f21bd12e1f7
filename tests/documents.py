# SPDX-License-Identifier: EPL-2.0
"""The project's documents as scripts, and a sandbox in which their commands run as they stand.

The blocks of a document that begin with ```sh are one bash script, typed in the project's folder. One that can't be
run says why behind `not-run:`. A block of ```text right behind one of commands is what these print; `...` in it stands
for anything. A document may ask for `COMMAND` in another terminal, which has to give a prompt once it is ready.
"""

import contextlib
import dataclasses
import functools
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS, OUTPUT = "sh", "text"
NOT_RUN = "not-run: "
BASH = ["bash", "-eEu", "-o", "pipefail"]
LIMIT_S = 400  # for all commands of a document; 300 of it are the longest start of a controller
PRINT_LIMIT_S = 10  # for what a command in the background prints

# Arguments: a folder to mount on, and one for the controller's files. Reads names of scripts, prints exit statuses.
SHELL = f"""
set -eu
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work"
mount -t overlay -o "lowerdir=$PWD,upperdir=$1/upper,workdir=$1/work" overlay "$PWD"
cd "$PWD"
mkdir -p .tools/controller-0
mount --bind "$2" .tools/controller-0
while read -r script; do
    timeout --kill-after=5 {LIMIT_S} {" ".join(BASH)} "$script" < /dev/null > /dev/null 2>&1 && echo 0 || echo $?
done
"""


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block. `line` is that of its opening fence, from 1; `notes` say why its commands are not run."""

    line: int
    language: str
    notes: str
    lines: tuple[str, ...]

    @property
    def is_run(self) -> bool:
        return self.language == COMMANDS and not self.notes

    @property
    def end(self) -> int:
        """Line of the closing fence."""
        return self.line + len(self.lines) + 1


class Document:
    """A Markdown file of the project, by its path from the project's folder."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.path = ROOT / name
        self.text = self.path.read_text()

    def __repr__(self) -> str:
        return self.name

    @functools.cached_property
    def blocks(self) -> list[Block]:
        """All fenced blocks, in order."""
        blocks, opened = [], None
        for number, line in enumerate(self.text.splitlines(), 1):
            if not line.strip().startswith("```"):
                continue
            if opened is None:
                opened = number
                continue
            language, _, notes = self.text.splitlines()[opened - 1].strip().removeprefix("```").partition(" ")
            blocks.append(Block(opened, language, notes, tuple(self.text.splitlines()[opened : number - 1])))
            opened = None
        assert opened is None, f"{self}:{opened}: the block does not end"
        return blocks

    @functools.cached_property
    def prose(self) -> str:
        """The text with empty lines instead of fenced blocks."""
        lines = self.text.splitlines()
        for block in self.blocks:
            lines[block.line - 1 : block.end] = [""] * (block.end - block.line + 1)
        return "\n".join(lines)

    def commands(self) -> list[Block]:
        return [block for block in self.blocks if block.language == COMMANDS]

    def is_run(self) -> bool:
        return any(block.is_run for block in self.blocks)

    def terminals(self) -> list[str]:
        """Commands that it asks for in other terminals."""
        return [" ".join(words.split()) for words in re.findall(r"`([^`]+)`\sin\sanother\sterminal", self.prose)]

    def script(self, output: pathlib.Path) -> str:
        """Its commands at their own lines; what those of the block at line N print goes to file N in `output`.

        Line 1, which is the licence in every document, gets ready.
        """
        lines = [""] * self.text.count("\n")
        failed = f'"{self}:$LINENO: exit status $? of: $BASH_COMMAND"'
        lines[0] = f". .tools/env; trap 'echo {failed} >&2' ERR"
        for block in self.commands():
            if block.is_run:
                lines[block.line - 1] = f'exec > "{output}/{block.line}" 2>&1'
                lines[block.line : block.end - 1] = block.lines
        return "\n".join(lines) + "\n"

    def printed(self) -> Iterator[tuple[Block, str]]:
        """Blocks of commands with what they have to print."""
        for block, following in zip(self.blocks, self.blocks[1:], strict=False):
            if block.is_run and following.language == OUTPUT and following.line == block.end + 1:
                yield block, "\n".join(following.lines)


def documents() -> list[Document]:
    """All of the project, new ones too; the front page, on which the others stand, first."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    names = set(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())
    return [Document(name) for name in sorted(names, key=lambda name: ("/" in name, name)) if (ROOT / name).exists()]


class Sandbox:
    """The project as it is after the set-up; what a command does to it, and what it starts, goes with the sandbox."""

    def __init__(self, shell: subprocess.Popen, folder: pathlib.Path) -> None:
        self._shell = shell
        self._folder = folder
        self._terminals: set[str] = set()

    def follow(self, document: Document) -> None:
        """Runs a document's commands; AssertionError if one fails or prints something else."""
        for command in document.terminals():
            self.open_terminal(command)
        output = pathlib.Path(tempfile.mkdtemp(prefix=document.name.replace("/", "_"), dir=self._folder))
        status = self._run(output / "script", document.script(output))
        shown = {int(file.name): file.read_text() for file in output.iterdir() if file.name.isdigit()}
        assert status == 0, f"{document}: exit status {status}\n{shown[max(shown)] if shown else ''}"
        for block, expected in document.printed():
            seen = _settled(output / str(block.line), expected)
            assert matches(expected, seen), f"{document}:{block.end + 1}: prints\n{seen}instead of\n{expected}"

    def bash(self, script: str) -> str:
        """Runs commands in the project's folder; returns what they print, or fails with it."""
        output = self._folder / "printed"
        status = self._run(self._folder / "script", f'. .tools/env; exec > "{output}" 2>&1\n{script}\n')
        assert status == 0, f"exit status {status} of: {script}\n{output.read_text()}"
        return output.read_text().strip()

    def open_terminal(self, command: str) -> None:
        """Starts a command that stays until the sandbox ends, unless it runs; waits for its prompt."""
        if command in self._terminals:
            return
        output = self._folder / f"terminal-{len(self._terminals)}"
        self.bash(
            'export SLUICE_PASSWORD="$(tools/controller password)"\n'
            f'sleep infinity | {command} > "{output}" 2>&1 &\n'
            f'until grep -q "> $" "{output}"; do kill -0 $! || {{ cat "{output}"; exit 1; }}; sleep 0.2; done'
        )
        self._terminals.add(command)

    def _run(self, file: pathlib.Path, script: str) -> int:
        file.write_text(script)
        print(file, file=self._shell.stdin, flush=True)
        return int(self._shell.stdout.readline() or "-1")


def matches(expected: str, seen: str) -> bool:
    """True if a text is what is expected, in which `...` stands for anything."""
    pattern = re.escape(expected.strip()).replace(re.escape("..."), ".*")
    return re.fullmatch(pattern, seen.strip(), re.DOTALL) is not None


def _settled(file: pathlib.Path, expected: str) -> str:
    """What a file holds, after what is expected had some time to come."""
    end = time.monotonic() + PRINT_LIMIT_S
    while not matches(expected, file.read_text()) and time.monotonic() < end:
        time.sleep(0.1)
    return file.read_text()


@contextlib.contextmanager
def project(folder: pathlib.Path) -> Iterator[Sandbox]:
    """A sandbox in which no controller was started yet; `folder` gets what is printed and the controller's files."""
    for name in ("mount", "controller"):
        (folder / name).mkdir()
    words = ["bash", "-c", SHELL, "shell", str(folder / "mount"), str(folder / "controller")]
    command = [sys.executable, "-m", "sluice_lab.sandbox", *words]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shell:
        yield Sandbox(shell, folder)
