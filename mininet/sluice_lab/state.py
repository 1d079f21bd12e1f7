# SPDX-License-Identifier: EPL-2.0
"""What each run made on this machine, written down before it is made.

A run that dies leaves its record; :func:`clean` removes what the record lists and nothing else.
Processes are known by the run's mark in their environment, which their children inherit.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import time
import uuid
from collections.abc import Iterator, Sequence

from sluice_lab import ovs
from sluice_lab.ovs import LabError

FOLDER = pathlib.Path("/run/sluice-lab")
MARK = "SLUICE_LAB_RUN"
_KILL_TIMEOUT_S = 10.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class Record:
    """One run: who owns it, and the names that it takes in the root namespace."""

    run: str
    prefix: str
    owner_pid: int
    owner_start: int  # clock ticks after boot: tells the owner from a later process of its pid
    bridges: tuple[str, ...]
    interfaces: tuple[str, ...]

    @property
    def path(self) -> pathlib.Path:
        """Where the record is kept."""
        return FOLDER / f"{self.prefix}.json"

    def is_alive(self) -> bool:
        """Tell whether the process that owns the run still exists."""
        return _start_of(self.owner_pid) == self.owner_start


def claim(prefix: str, bridges: Sequence[str], interfaces: Sequence[str]) -> Record:
    """Write the record of a new run; what a dead run of this prefix left is removed first.

    LabError if a living run has the prefix, or if a name is taken by somebody else.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in records():
        if old.prefix == prefix:
            if old.is_alive():
                raise LabError(
                    f"prefix {prefix!r} is in use by process {old.owner_pid}; choose another"
                )
            remove(old)
    _refuse_taken(bridges, interfaces)
    record = Record(
        run=uuid.uuid4().hex,
        prefix=prefix,
        owner_pid=os.getpid(),
        owner_start=_start_of(os.getpid()),
        bridges=tuple(bridges),
        interfaces=tuple(interfaces),
    )
    whole = _written(record)
    try:
        record.path.hardlink_to(whole)  # fails if another run was faster
    except FileExistsError:
        raise LabError(f"prefix {prefix!r} was taken just now; choose another") from None
    finally:
        whole.unlink()
    return record


def extend(record: Record, interfaces: Sequence[str]) -> Record:
    """Add interfaces to the record of a run before they are made; LabError if a name is taken."""
    _refuse_taken((), interfaces)
    longer = dataclasses.replace(record, interfaces=(*record.interfaces, *interfaces))
    _written(longer).replace(longer.path)
    return longer


def records() -> list[Record]:
    """Return the records of all runs, alive or dead."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        fields = json.loads(path.read_text())
        lists = {key: tuple(fields[key]) for key in ("bridges", "interfaces")}
        found.append(Record(**(fields | lists)))
    return found


def clean(*, also_alive: bool = False) -> list[Record]:
    """Remove what dead runs left, of living ones too if asked, and return their records."""
    gone = [record for record in records() if also_alive or not record.is_alive()]
    for record in gone:
        remove(record)
    return gone


def remove(record: Record) -> None:
    """Stop the processes of a run, delete its bridges and interfaces, then its record."""
    _kill(record.run)
    ovs.delete_bridges(record.bridges)
    for name in sorted(_interfaces() & set(record.interfaces)):
        with contextlib.suppress(LabError):  # the other end of a pair that went just now
            ovs.call(["ip", "link", "delete", name])
    record.path.unlink(missing_ok=True)


def processes(run: str) -> Iterator[int]:
    """Yield the processes that bear the mark of a run."""
    mark = f"{MARK}={run}".encode()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)


def _refuse_taken(bridges: Sequence[str], interfaces: Sequence[str]) -> None:
    taken = (ovs.bridges() & set(bridges)) | (_interfaces() & set(interfaces))
    if taken:
        raise LabError(f"in use by somebody else: {', '.join(sorted(taken))}; choose a prefix")


def _written(record: Record) -> pathlib.Path:
    """Write a record beside its place; return where."""
    whole = record.path.with_suffix(f".{record.run}")
    whole.write_text(json.dumps(dataclasses.asdict(record)))
    return whole


def _kill(run: str) -> None:
    deadline = time.monotonic() + _KILL_TIMEOUT_S
    while pids := [pid for pid in processes(run) if pid != os.getpid()]:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if time.monotonic() > deadline:
            raise LabError(f"processes do not end: {', '.join(map(str, pids))}")
        time.sleep(0.02)  # a killed process leaves /proc when the kernel is done with it


def _interfaces() -> set[str]:
    return {path.name for path in pathlib.Path("/sys/class/net").iterdir()}


def _start_of(pid: int) -> int:
    """Return when a process started, in clock ticks after boot; 0 if there is no such process."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0
    return int(stat.rpartition(")")[2].split()[19])
