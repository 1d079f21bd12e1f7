# SPDX-License-Identifier: EPL-2.0
"""REGENERATION: a server dies while a client gathers what it holds (Guillen et al., section 3.1).

An object lies in four pieces on four servers; any three regenerate the fourth. A client gathers all
four at once over HTTP. When it has half of the last piece, that piece's server loses its cable and
its process is killed. The client notices silence and says so; three surviving servers send their
pieces to a new node, which regenerates the lost one and offers it; the client fetches the bytes it
misses from there. All pieces and the object are verified.

With a code of which any three pieces regenerate the fourth, any three give the object too. The
client wants all four nevertheless, as the paper's does.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import logging
import operator
import pathlib
import random
import subprocess
import sys
import tempfile
import threading
import time

from sluice_lab import campaign, erasure, instruments, traffic
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.erasure import Manifest
from sluice_lab.experiments import completion
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Policy, Request, Steered, compared, steered
from sluice_lab.topology import Topology
from sluice_lab.traffic import PAYLOAD_SHARE

_LOG = logging.getLogger(__name__)
_FIRST_PORT = 8001
_LONGEST_S = 300.0

_ROWS = {"resumed_s": "REGENERATION", "total_s": "REGENERATION-total"}
_MOMENTS = ("begun", "failed", "lost", "recovering", "recovered", "resumed", "done")
PHASES = (
    "gathering",
    "failure not noticed",
    "finding recovery paths",
    "recovery transfer",
    "regenerating, finding a path",
    "gathering the rest",
)
"""What lies between two moments of a run, in order."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Regeneration:
    """Sizes in bytes, times in seconds; piece i is on server i, and the last server dies.

    It dies when the client has ``fail_at`` of its piece. The client gives a server up after
    ``silence_s`` without a byte.
    """

    id: str = "REGENERATION"
    piece_bytes: int = 6_250_000
    client: str = "h1"
    servers: tuple[str, ...] = ("h9", "h11", "h13", "h15")
    new_node: str = "h5"
    fail_at: float = 0.5
    silence_s: float = 2.0
    runs: int = 5
    policies: tuple[str, ...] = (Policy.SLUICE, Policy.ECMP, Policy.SINGLE)

    @property
    def needed(self) -> int:
        """How many pieces regenerate one: all others."""
        return len(self.servers) - 1

    @property
    def lost(self) -> int:
        """The piece whose server dies, from 0."""
        return len(self.servers) - 1


DEFAULT = Regeneration()


def topology() -> Topology:
    """Return M4's augmented fat-tree: no host shares its edge switch with another of these."""
    return completion.topology_of(completion.AUGMENTED)


def gathering(experiment: Regeneration) -> Request:
    """Return the client's wish for all pieces."""
    return _request(experiment.client, "lab-gather", experiment.servers)


def recovery(experiment: Regeneration) -> Request:
    """Return the new node's wish for the pieces that survive."""
    survivors = experiment.servers[: experiment.lost]
    return _request(experiment.new_node, "lab-recover", survivors)


def resumption(experiment: Regeneration) -> Request:
    """Return the client's wish for the piece that the new node offers."""
    port = _FIRST_PORT + experiment.lost
    return _request(experiment.client, "lab-resume", (experiment.new_node,), port)


def _request(
    client: str, service: str, servers: tuple[str, ...], first_port: int = _FIRST_PORT
) -> Request:
    return Request(
        client=client,
        service=service,
        candidates=servers,
        pieces=len(servers),
        first_port=first_port,
        spread=True,
    )


def lower_bounds_s(experiment: Regeneration) -> dict[str, float]:
    """Return what ``resumed_s`` and ``total_s`` can't be below, whatever steers.

    A connection has one path, and every path crosses a cable between switches: no piece comes
    faster than that carries. The lost piece is moved once whole to the new node and, in two parts,
    once to the client; in between lies the silence.
    """
    rate_bps = min(cable.rate_bps or float("inf") for cable in topology().cables)
    piece_s = experiment.piece_bytes * 8 / (rate_bps * PAYLOAD_SHARE)
    return {
        "resumed_s": experiment.silence_s + piece_s,
        "total_s": experiment.silence_s + 2 * piece_s,
    }


def run(experiment: Regeneration, lab: Lab) -> None:
    """Measure every cell, show the medians and record them."""
    cells = campaign.interleaved(["fattree"], experiment.policies, range(1, experiment.runs + 1))
    outcomes = compared(experiment, lab, cells, lambda cell: measure(experiment, lab, cell))
    for line in table(experiment, outcomes):
        _LOG.info("%s", line)
    for key, row in _ROWS.items():
        limits = {"bound": lower_bounds_s(experiment)[key]}
        figure = operator.itemgetter(key)
        campaign.record_by_policy(experiment, outcomes, figure, row=row, limits=limits)


def _times(outcomes: dict[Cell, Outcome], policy: str, key: str) -> list[float]:
    return [out[key] for cell, out in outcomes.items() if cell.policy == policy]


def table(experiment: Regeneration, outcomes: dict[Cell, Outcome]) -> list[str]:
    """Return median and range of both times, for each policy, and the bounds."""
    bounds = lower_bounds_s(experiment)
    lines = [f"{'policy':<10}{'failure to resumed':>28}{'total':>28}"]
    for policy in experiment.policies:
        columns = []
        for key in bounds:
            spread = campaign.spread(_times(outcomes, policy, key))
            columns.append("{median:.2f} s ({min:.2f} to {max:.2f})".format(**spread))
        lines.append(f"{policy:<10}{columns[0]:>28}{columns[1]:>28}")
    shown = [f"{seconds:.2f} s" for seconds in bounds.values()]
    return [*lines, f"{'bound':<10}{shown[0]:>28}{shown[1]:>28}"]


def measure(experiment: Regeneration, lab: Lab, cell: Cell) -> Outcome:
    """Let a server die once; return the moments, the phases between them, and what they add up to.

    ``resumed_s`` runs from the failure to the first byte from the new node, ``total_s`` from before
    the client's first request for paths to the verified object; ``false_losses`` counts silences of
    living servers.
    """
    size_bytes = experiment.piece_bytes * experiment.needed
    content = random.Random(cell.seed).randbytes(size_bytes)
    manifest, pieces = erasure.encode(content, experiment.needed, len(experiment.servers))
    wanted = [gathering(experiment), recovery(experiment)]
    with (
        tempfile.TemporaryDirectory(prefix="sluice-lab-") as name,
        steered(topology(), Policy(cell.policy), lab, wanted) as network,
    ):
        scene = _Scene(experiment, network, pathlib.Path(name), manifest)
        scene.serve(pieces)
        cpu = instruments.CpuMeter()
        try:
            outcome = scene.play()
        finally:
            network.withdraw([resumption(experiment)])
        return {**outcome, "cpu": cpu.read()}


class _Scene:
    """One run in a network that is up; what host h serves is in the folder of that name."""

    def __init__(
        self, experiment: Regeneration, network: Steered, folder: pathlib.Path, manifest: Manifest
    ) -> None:
        self._experiment = experiment
        self._network = network
        self._folder = folder
        self._manifest = folder / "manifest.json"
        self._manifest.write_text(manifest.to_json())
        self._servers: list[subprocess.Popen[str]] = []
        self._urls: list[str] = []
        self._moments: dict[str, int] = {}
        self._false_losses = 0

    def serve(self, pieces: list[bytes]) -> None:
        """Start all servers; the new node has nothing to offer yet."""
        experiment = self._experiment
        for index, server in enumerate((*experiment.servers, experiment.new_node)):
            (self._folder / server).mkdir()
            if index < len(pieces):
                self._file(server).write_bytes(pieces[index])
            port = _FIRST_PORT + min(index, experiment.lost)
            self._servers.append(self._spawn(server, "piece_server", self._file(server), port))
            self._network.net.wait_listening(server, port)

    def play(self) -> Outcome:
        """Run from the first request for paths to the verified object."""
        experiment = self._experiment
        target = self._file(experiment.new_node)
        spare = self._spawn(
            experiment.new_node, "regenerate", self._manifest, experiment.lost, target
        )
        mark = round(experiment.piece_bytes * experiment.fail_at)
        client = self._spawn(
            experiment.client, "gather", self._manifest, experiment.silence_s, mark
        )
        for child in (spare, client):
            _expect_ready(child)
        limit = threading.Timer(_LONGEST_S, client.kill)
        limit.start()
        try:
            self._moments["begun"] = time.monotonic_ns()
            self._urls = self._place(gathering(experiment))
            _tell(client, self._urls)
            for line in client.stdout or ():
                self._react(json.loads(line), client, spare)
        finally:
            limit.cancel()
        if client.wait():
            raise LabError(f"{experiment.client}: {client.communicate()[1].strip() or 'no end'}")
        return self._outcome()

    def _react(
        self, event: Outcome, client: subprocess.Popen[str], spare: subprocess.Popen[str]
    ) -> None:
        lost = self._experiment.lost
        fragment = event.get("fragment", lost)
        if event["event"] == "mark" and fragment == lost:
            self._fail()
        elif event["event"] == "lost":
            if fragment == lost and "failed" in self._moments and "lost" not in self._moments:
                self._moments["lost"] = event["at_ns"]
                self._urls[lost] = self._recover(spare)
            else:
                self._false_losses += 1
            _tell(client, {"fragment": fragment, "url": self._urls[fragment]})
        elif event["event"] in _MOMENTS and fragment == lost:
            self._moments.setdefault(event["event"], event["at_ns"])

    def _fail(self) -> None:
        lost = self._experiment.lost
        self._moments["failed"] = time.monotonic_ns()
        self._network.net.set_host_carrier(self._experiment.servers[lost], up=False)
        self._servers[lost].kill()

    def _recover(self, spare: subprocess.Popen[str]) -> str:
        """Have the piece regenerated; return where it is to be had now."""
        urls = self._place(recovery(self._experiment))
        what = f"{self._experiment.new_node}: regenerate"
        out = traffic.finish(spare, what, _LONGEST_S, json.dumps([*urls, None]) + "\n")
        report = json.loads(out)
        self._moments["recovering"] = report["begun_ns"]
        self._moments["recovered"] = report["fetched_ns"]
        again = resumption(self._experiment)
        self._network.declare([again])
        return self._place(again)[0]

    def _place(self, request: Request) -> list[str]:
        """Ask for paths; return the pieces' URLs in order."""
        topology = self._network.net.topology
        return [
            f"http://{topology.host(placed.server).address}:{placed.port}/"
            for placed in sorted(self._network.place(request), key=lambda placed: placed.port)
        ]

    def _spawn(self, host: str, module: str, *words: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", f"sluice_lab.{module}", *map(str, words)]
        return self._network.net.spawn(host, command)

    def _file(self, host: str) -> pathlib.Path:
        return self._folder / host / "piece"

    def _outcome(self) -> Outcome:
        if missing := [name for name in _MOMENTS if name not in self._moments]:
            raise LabError(f"the object came without: {', '.join(missing)}")
        at_s = [self._moments[name] / 1e9 for name in _MOMENTS]
        spans_s = [after - before for before, after in itertools.pairwise(at_s)]
        when = dict(zip(_MOMENTS, at_s, strict=True))
        return {
            "resumed_s": when["resumed"] - when["failed"],
            "total_s": when["done"] - when["begun"],
            "phases_s": dict(zip(PHASES, spans_s, strict=True)),
            "moments_ns": {name: self._moments[name] for name in _MOMENTS},
            "false_losses": self._false_losses,
        }


def _expect_ready(child: subprocess.Popen[str]) -> None:
    if child.stdout is None or child.stdout.readline().strip() != "ready":
        raise LabError(f"a program did not start: {child.communicate()[1]}")


def _tell(child: subprocess.Popen[str], news: object) -> None:
    assert child.stdin is not None
    child.stdin.write(json.dumps(news) + "\n")
    child.stdin.flush()
