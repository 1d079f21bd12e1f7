# SPDX-License-Identifier: EPL-2.0
"""Java programs of the benchmarks as processes: told a line, they answer with one."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import select
import subprocess
import time
from collections.abc import Sequence

from sluice_lab import campaign, ovs
from sluice_lab.campaign import Outcome
from sluice_lab.ovs import LabError

_TARGET = campaign.ROOT / "bench" / "java" / "target"
_ANSWER_LIMIT_S = 120
_DRAIN_LIMIT_S = 120
_QUIET_S = 3

MORTAL = ("setpriv", "--pdeathsig", "KILL")
"""Before a command: it dies with whoever starts it."""
Process = subprocess.Popen[str]


def java(main: str, *words: str, heap: str = "1g") -> list[str]:
    """Return the command line of a class of ``io.sluice``; it dies with whoever starts it."""
    program = str(pathlib.Path(os.environ["SLUICE_JAVA_HOME"]) / "bin" / "java")
    classes = f"{_TARGET / 'classes'}:{_TARGET / 'lib'}/*"
    return [*MORTAL, program, f"-Xmx{heap}", "-cp", classes, f"io.sluice.{main}", *words]


def run(main: str, *words: str) -> None:
    """Run a class to its end; LabError if it fails."""
    ovs.call(java(main, *words))


def start(command: Sequence[str], log: pathlib.Path) -> Process:
    """Start a process; its standard error is added to the log."""
    with log.open("a") as errors:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            bufsize=1,
        )


def mortal(stack: contextlib.ExitStack, child: Process) -> Process:
    """Return the process, which is killed when the stack is left."""
    stack.callback(child.wait)
    stack.callback(child.kill)
    return child


def tell(child: Process, line: str) -> None:
    """Give a process a line."""
    assert child.stdin
    child.stdin.write(line + "\n")
    child.stdin.flush()


def answer(child: Process, limit_s: float = _ANSWER_LIMIT_S) -> str:
    """Return the next line of a process; LabError if there is none in time."""
    assert child.stdout
    if not select.select([child.stdout], [], [], limit_s)[0]:
        raise LabError(f"a process said nothing for {limit_s:g} s")
    line = child.stdout.readline().strip()
    if not line:
        raise LabError("a process has ended; see its log")
    return line


def hear(children: Sequence[Process]) -> list[Outcome]:
    """Return what each process reports now."""
    for child in children:
        tell(child, "report")
    return [json.loads(answer(child)) for child in children]


def footprint(child: Process) -> Outcome:
    """Return how much memory a process has, and how many files and sockets."""
    place = pathlib.Path("/proc") / str(child.pid)
    pages = int((place / "statm").read_text().split()[1])
    return {
        "resident_mb": pages * os.sysconf("SC_PAGE_SIZE") // 2**20,
        "open_files": len(list((place / "fd").iterdir())),
    }


def final_reports(children: Sequence[Process]) -> list[Outcome]:
    """Return what each process reports when nothing has changed for some seconds."""
    end = time.monotonic() + _DRAIN_LIMIT_S
    reports = hear(children)
    while time.monotonic() < end:
        time.sleep(_QUIET_S)
        before, reports = reports, hear(children)
        if before == reports:
            return reports
    raise LabError(f"messages still come after {_DRAIN_LIMIT_S} s")
