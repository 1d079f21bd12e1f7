# SPDX-License-Identifier: EPL-2.0
"""A real Apache Storm on a network: topologies are submitted to it, and it tells of them."""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import http.client
import json
import pathlib
import subprocess
import urllib.request
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from sluice_lab import instruments, storm_client, storm_daemons
from sluice_lab.net import Net, wait_for
from sluice_lab.ovs import LabError
from sluice_lab.storm_daemons import Daemons
from sluice_lab.storm_keys import REPORT_PORT, Engine

_SUBMIT = "io.sluice.engine.storm.workloads.Submit"
_TOPOLOGY = "lab"
_COMMAND_LIMIT_S = 240
_KILL_LIMIT_S = 60


@dataclasses.dataclass(frozen=True)
class Second:
    """What a sink completed in a second since 1970, and the mean latency in microseconds."""

    second: int
    completed: int
    mean_us: int


class Storm(contextlib.AbstractContextManager["Storm"]):
    """Storm on a net, from its start until its end; its files are in ``folder``."""

    def __init__(self, net: Net, folder: pathlib.Path, engine: Engine) -> None:
        self._net = net
        self._folder = folder
        self._daemons = Daemons(net, folder, engine)
        self._submitted = 0

    def __enter__(self) -> Self:
        self._daemons.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._daemons.stop()

    def submit(
        self, application: str, options: Mapping[str, object] | None = None, **values: object
    ) -> None:
        """Start ``trending-topics`` or ``trucking-iot``; values are those of its README.

        Options are Storm's keys for the topology. Before the next one is submitted it has to be
        killed.
        """
        self._submitted += 1
        self._results.mkdir(parents=True)
        told = {"name": self._name, "results": self._results, **values}
        self._command(
            f"{application} is not submitted",
            _SUBMIT,
            application,
            *(f"{key.replace('_', '-')}={value}" for key, value in told.items()),
            options=options or {},
        )

    def kill(self) -> None:
        """End the topology that was submitted last; return when nothing of it runs."""
        self._command(f"{self._name} is not killed", *storm_client.kill_words(self._name))
        wait_for(
            lambda: not self.flows() and not self._workers(),
            f"{self._name} to end",
            _KILL_LIMIT_S,
        )

    @property
    def _name(self) -> str:
        return f"{_TOPOLOGY}-{self._submitted}"

    @property
    def _results(self) -> pathlib.Path:
        return self._folder / "results" / self._name

    def _command(
        self, fault: str, *words: str, options: Mapping[str, object] | None = None
    ) -> None:
        """Run a class of the workloads as Storm's commands are run; LabError if it fails."""
        told = [f"{key}={json.dumps(value)}" for key, value in (options or {}).items()]
        try:
            done = subprocess.run(
                storm_client.command(self._folder, storm_client.WORKLOADS, words, told),
                capture_output=True,
                text=True,
                timeout=_COMMAND_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise LabError(
                f"{fault}: no answer within {_COMMAND_LIMIT_S} s; see logs in {self._folder}"
            ) from None
        if done.returncode:
            raise LabError(f"{fault}: {done.stderr[-500:]}; see logs in {self._folder}")

    def flows(self) -> dict[str, Any]:
        """Return the map of flows, by topology; nothing if it is not there yet."""
        url = f"http://{storm_daemons.MASTER}:{REPORT_PORT}/flows"
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except (OSError, http.client.HTTPException):
            return {}

    def completed(self) -> list[Second]:
        """Return what the sink has completed so far, second by second."""
        for file in self._results.glob("*.csv"):
            with file.open() as lines:
                rows = list(csv.DictReader(lines))
            return [
                Second(int(row["second"]), int(row["completed"]), int(row["mean_us"]))
                for row in rows
                if row["most_us"] is not None
            ]
        return []

    def workers_cpu_s(self) -> dict[str, float]:
        """Return how many seconds of a processor the workers of each host have taken."""
        taken = dict.fromkeys((host.name for host in self._net.topology.hosts), 0.0)
        for file in self._workers():
            with contextlib.suppress(OSError):  # the worker has just ended
                taken[file.relative_to(self._folder).parts[0]] += instruments.cpu_s(int(file.name))
        return taken

    def _workers(self) -> list[pathlib.Path]:
        """Return a file for each worker, under its host's name, that has its process's number."""
        return list(self._folder.glob("*/local/workers/*/pids/*"))
