# SPDX-License-Identifier: EPL-2.0
"""KILLS: controllers are killed again and again, under numbered probes; nothing may be lost.

``python -m sluice_lab.sandbox python -m sluice_lab.experiments.kills FOLDER``. Figure 10 stands
twice, each with a controller of its own; in each eight placed flows carry numbered probes, both
ways. A round ends one controller by SIGKILL, the two in turn, and starts it again; it is over when
that controller serves: when it knows all links again and finds all switches as declared. The fabric
whose controller was left alone is the control: the same probes at the same time, beside the same
load. Open vSwitch, which plays both, is pinned to a core, the controllers are nice.

What each switch holds is compared after every round with what it held before the first kill.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import itertools
import logging
import os
import pathlib
import time
from collections.abc import Iterator, Mapping, Sequence

from sluice_lab import campaign, lifetimes, steering, topologies, traffic, trial
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.controller import Controller
from sluice_lab.instruments import CpuMeter
from sluice_lab.lifetimes import Entries
from sluice_lab.multipath import Strategy
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.ovs import LabError
from sluice_lab.program import Program
from sluice_lab.restconf import ControllerError
from sluice_lab.steering import Policy, Request, Steered
from sluice_lab.traffic import Arrivals, Probe

_POLICY = "killed"
_VARIANT = "figure10"
_PAIRS = (("h1", "h8"), ("h3", "h5"))
_PIECES = 4
_FIRST_PORT = 7001
_OFFSETS = (0, 100)
_ROUND_LIMIT_S = 900.0
_SWITCHD_PID = pathlib.Path("/run/openvswitch/ovs-vswitchd.pid")
_COUNTED = (
    "missing",
    "stale",
    "added anew",
    "disagreements",
    "lost",
    "lost in the control",
)
_LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Kills:
    """Each of a fabric's eight flows sends a probe every ``interval_us``, each way."""

    id: str = "KILLS"
    interval_us: int = 40_000
    niceness: int = 19
    runs: int = 100


@dataclasses.dataclass(frozen=True, kw_only=True)
class Way:
    """One direction of a probe: what was due when, and what its receiver saw."""

    name: str
    start_ns: int
    interval_us: int
    sent: int
    arrivals: Arrivals


def account(ways: Sequence[Way], killed_ns: int) -> Outcome:
    """Return probes sent and lost; of the losses numbers, and when they were due after the kill."""

    def seconds(way: Way, number: int) -> float:
        return round((way.start_ns + number * way.interval_us * 1_000 - killed_ns) / 1e9, 3)

    silent = [way.name for way in ways if not way.arrivals.received]
    if silent:
        raise LabError(f"no probe ever arrived: {', '.join(silent)}")
    return {
        "probes": sum(way.sent for way in ways),
        "lost": sum(way.arrivals.lost for way in ways),
        "losses": [
            {"way": way.name, "numbers": [a, b], "after_s": [seconds(way, a), seconds(way, b)]}
            for way in ways
            for a, b in way.arrivals.losses
        ],
    }


def figures(outcomes: Mapping[Cell, Outcome]) -> dict[str, int]:
    """Return the sums over all rounds that the result is made of."""

    def total(key: str) -> int:
        found = [outcome[key] for outcome in outcomes.values()]
        return sum(x if isinstance(x, int) else len(x) for x in found)

    return {key: total(key) for key in _COUNTED}


def value(outcomes: Mapping[Cell, Outcome]) -> int:
    """Return the figure of the row; a controller that did not come up, or agree, counts as one.

    Losses count beyond those of the control in the same round: no round makes up for another.
    """
    return sum(
        sum(len(outcome[key]) for key in ("missing", "stale", "disagreements"))
        + max(0, outcome["lost"] - outcome["lost in the control"])
        for outcome in outcomes.values()
    )


def measurement(experiment: Kills, outcomes: Mapping[Cell, Outcome]) -> Outcome:
    """Return what bench/record.py is told; the spread is over rounds."""
    sums = figures(outcomes)
    return {
        "id": experiment.id,
        "value": value(outcomes),
        "command": "make soak-fabric",
        "parameters": {
            **campaign.as_json(experiment),
            "topology": _VARIANT,
            "flows": len(_PAIRS) * _PIECES,
            "probes a second": round(2 * len(_PAIRS) * _PIECES * 1e6 / experiment.interval_us),
            "probes sent under kills": sum(out["probes"] for out in outcomes.values()),
            "entries": max(out["entries"] for out in outcomes.values()),
        },
        "spread": campaign.spread([value({cell: outcomes[cell]}) for cell in outcomes]),
        "peers": {key: sums[key] for key in ("lost", "lost in the control", "added anew")},
    }


class Fabric:
    """Figure 10 under a controller of its own, with its flows placed."""

    def __init__(self, experiment: Kills, net: Net, program: Program) -> None:
        self._experiment = experiment
        self._net = net
        self._program = program
        program.start(clean=True)
        self._api = Controller(program.url, password=program.password())
        steering.attach(net, self._api, Strategy.JOINT, Endpoint(port=program.openflow_port))
        network = Steered(net, Policy.SLUICE, self._api)
        network.declare(_requests())
        self._flows = [placed.flow for wish in _requests() for placed in network.place(wish)]
        net.set_neighbours()  # address resolution needs the controller
        self._api.wait_agreement(net.topology)
        self._first = self._last = self._read()

    def probe(self) -> list[Probe]:
        """Start numbered probes in all flows."""
        interval_us = self._experiment.interval_us
        return [
            Probe(self._net, flow, duration_s=_ROUND_LIMIT_S, interval_us=interval_us)
            for flow in self._flows
        ]

    def restart(self) -> Outcome:
        """Kill the controller, start it and wait until it serves; return when, and why it did not.

        A controller that does not come up gets a second kill and start.
        """
        begin_ns = time.monotonic_ns()
        disagreements = []
        self._program.kill()
        try:
            self._program.start()
        except LabError as error:
            disagreements.append(str(error))
            self._program.kill()
            self._program.start()
        started_s = _seconds_since(begin_ns)
        try:
            self._api.wait_agreement(self._net.topology)
        except ControllerError as error:
            disagreements.append(str(error))
        agreed_s = _seconds_since(begin_ns)
        return {"disagreements": disagreements, "started_s": started_s, "agreed_s": agreed_s}

    def compare(self) -> Outcome:
        """Return how the switches' entries differ from the first, and those younger than that."""
        before, self._last = self._last, self._read()
        found: Outcome = {"missing": [], "stale": [], "added anew": []}
        for switch, now in self._last.items():
            bridge = self._net.bridge(switch)
            difference = lifetimes.compare(self._first[switch], now)
            found["missing"] += [f"{bridge}: {text}" for text in difference.missing]
            found["stale"] += [f"{bridge}: {text}" for text in difference.stale]
            anew = lifetimes.added_anew(before[switch], now)
            found["added anew"] += [f"{bridge}: {text}" for text in anew]
        return {**found, "entries": sum(map(len, self._last.values()))}

    def _read(self) -> dict[str, Entries]:
        switches = self._net.topology.switches
        return {switch.name: lifetimes.read(self._net.bridge(switch.name)) for switch in switches}


def one_round(victim: Fabric, control: Fabric) -> Outcome:
    """Kill and start the victim's controller under probes in both fabrics."""
    cpu = CpuMeter()
    fabrics = (victim, control)
    probes = [fabric.probe() for fabric in fabrics]
    traffic.wait_until(max(probe.start_ns for started in probes for probe in started))
    killed_ns = time.monotonic_ns()
    restarted = victim.restart()
    held = [fabric.compare() for fabric in fabrics]
    for probe in itertools.chain.from_iterable(probes):
        probe.stop()
    seen, unharmed = (
        account([way for probe in started for way in _ways(probe)], killed_ns) for started in probes
    )
    return {
        **seen,
        "lost in the control": unharmed["lost"],
        "losses in the control": unharmed["losses"],
        **{key: held[0][key] + held[1][key] for key in held[0]},
        **restarted,
        "length_s": _seconds_since(killed_ns),
        "cpu": cpu.read(),
    }


def _requests() -> list[Request]:
    return [
        Request(
            client=client,
            service=f"lab-kills-{client}",
            candidates=(server,),
            pieces=_PIECES,
            first_port=_FIRST_PORT,
            transport="udp",
        )
        for client, server in _PAIRS
    ]


def _ways(probe: Probe) -> Iterator[Way]:
    at_server, at_client = probe.finish()
    client, server = probe.flow.client, f"{probe.flow.server}:{probe.flow.port}"
    for name, sent, arrivals in (
        (f"{client} to {server}", at_client.sent, at_server),
        (f"{server} to {client}", at_server.sent, at_client),
    ):
        yield Way(
            name=name,
            start_ns=probe.start_ns,
            interval_us=probe.interval_us,
            sent=sent,
            arrivals=arrivals,
        )


def _seconds_since(moment_ns: int) -> float:
    return round((time.monotonic_ns() - moment_ns) / 1e9, 3)


def pin_switches() -> None:
    """Keep Open vSwitch, all its threads, on the last core that we may use."""
    core = max(os.sched_getaffinity(0))
    for task in pathlib.Path(f"/proc/{_SWITCHD_PID.read_text().strip()}/task").iterdir():
        os.sched_setaffinity(int(task.name), {core})


def measure(experiment: Kills, folder: pathlib.Path, raw: pathlib.Path) -> dict[Cell, Outcome]:
    """Run all rounds that ``raw`` does not hold yet; the controllers live in ``folder``."""
    name = experiment.id
    cells = campaign.interleaved([_VARIANT], [_POLICY], range(1, experiment.runs + 1))
    pin_switches()
    with contextlib.ExitStack() as standing:
        fabrics = []
        for offset in _OFFSETS:
            net = Net(topologies.figure10(), Settings(prefix=f"k{len(fabrics)}"))
            program = Program(folder / str(offset), offset, experiment.niceness)
            fabrics.append(Fabric(experiment, standing.enter_context(net), program))

        def next_round(cell: Cell) -> Outcome:
            victim = cell.seed % len(fabrics)
            outcome = one_round(fabrics[victim], fabrics[1 - victim])
            sums = figures({**campaign.load(name, cells, raw), cell: outcome})
            text = ", ".join(f"{key} {count}" for key, count in sums.items())
            _LOG.info("%s %d/%d so far: %s", name, cell.seed, experiment.runs, text)
            return outcome

        return campaign.run(name, experiment, cells, next_round, raw)


def main() -> int:
    """Measure, and say whether the figure is 0."""
    parser = argparse.ArgumentParser(prog="kills", description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="settings, data and logs of controllers")
    parser.add_argument("--runs", type=int, default=Kills.runs, help="kills (%(default)s)")
    parser.add_argument(
        "--trial", action="store_true", help="keep samples in the folder too, and record nothing"
    )
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    experiment = Kills(runs=options.runs)
    raw = options.folder / "raw" if options.trial else campaign.RAW
    return trial.conclude(
        experiment.id,
        lambda: measurement(experiment, measure(experiment, options.folder, raw)),
        recorded=not options.trial,
    )


if __name__ == "__main__":
    raise SystemExit(main())
