# SPDX-License-Identifier: EPL-2.0
"""KILLS: the controller is killed again and again, under numbered probes; nothing may be lost.

``python -m sluice_lab.sandbox python -m sluice_lab.experiments.kills FOLDER``. In figure 10 eight
placed flows carry numbered probes, both ways. A round ends a controller by SIGKILL and starts it
again, and is over when that controller serves: the one that the switches belong to when it knows
all links again and finds all switches as declared. Each such round is followed by a control round
of the same length, in which a second controller, without switches, is killed and started the same
way beside the same entries and probes. Open vSwitch is pinned to a core, the controllers are nice.

What each switch holds is compared after every round with what it held before the first kill.
"""

from __future__ import annotations

import argparse
import dataclasses
import logging
import os
import pathlib
import time
from collections.abc import Iterator, Mapping, Sequence

from sluice_lab import campaign, lifetimes, steering, topologies, traffic
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.controller import Controller, ControllerError, Strategy
from sluice_lab.instruments import CpuMeter
from sluice_lab.lifetimes import Entries
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.ovs import LabError
from sluice_lab.program import Program
from sluice_lab.steering import Policy, Request, Steered
from sluice_lab.traffic import Arrivals, Flow, Probe

KILLED = "killed"
CONTROL = "control"
_VARIANT = "figure10"
_PAIRS = (("h1", "h8"), ("h3", "h5"))
_PIECES = 4
_FIRST_PORT = 7001
_SPARE_OFFSET = 100
_ROUND_LIMIT_S = 900.0
_SWITCHD_PID = pathlib.Path("/run/openvswitch/ovs-vswitchd.pid")
_LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Kills:
    """Each of eight flows sends a probe every ``interval_us``, each way."""

    id: str = "KILLS"
    interval_us: int = 10_000
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

    def total(key: str, policy: str) -> int:
        found = [out[key] for cell, out in outcomes.items() if cell.policy == policy]
        return sum(x if isinstance(x, int) else len(x) for x in found)

    sums = {
        key: total(key, KILLED) + total(key, CONTROL)
        for key in ("missing", "stale", "added anew", "disagreements")
    }
    return {**sums, "lost": total("lost", KILLED), "lost in the control": total("lost", CONTROL)}


def value(sums: Mapping[str, int]) -> int:
    """Return the figure of the row; a controller that did not come up, or agree, counts as one."""
    entries_wrong = sums["missing"] + sums["stale"] + sums["disagreements"]
    return entries_wrong + max(0, sums["lost"] - sums["lost in the control"])


def measurement(experiment: Kills, outcomes: Mapping[Cell, Outcome]) -> Outcome:
    """Return what bench/record.py is told; the spread is over pairs of a round and its control."""
    sums = figures(outcomes)
    by_round: dict[int, dict[Cell, Outcome]] = {}
    for cell, outcome in outcomes.items():
        by_round.setdefault(cell.seed, {})[cell] = outcome
    probes = sum(out["probes"] for cell, out in outcomes.items() if cell.policy == KILLED)
    return {
        "id": experiment.id,
        "value": value(sums),
        "command": "make soak-fabric",
        "parameters": {
            **campaign.as_json(experiment),
            "topology": _VARIANT,
            "flows": len(_PAIRS) * _PIECES,
            "probes a second, each flow and way": round(1e6 / experiment.interval_us),
            "probes sent under kills": probes,
            "entries": max(out["entries"] for out in outcomes.values()),
        },
        "spread": campaign.spread([value(figures(pair)) for pair in by_round.values()]),
        "peers": {key: sums[key] for key in ("lost", "lost in the control", "added anew")},
    }


class Rig:
    """Figure 10 under controller ``owner``, with its flows placed; ``spare`` has no switches."""

    def __init__(self, experiment: Kills, net: Net, owner: Program, spare: Program) -> None:
        self._experiment = experiment
        self._net = net
        self._owner = owner
        self._spare = spare
        owner.start(clean=True)
        spare.start(clean=True)
        self._api = Controller(owner.url, password=owner.password())
        endpoint = Endpoint(port=owner.openflow_port)
        steering.attach(net, self._api, Strategy.JOINT, endpoint)
        network = Steered(net, Policy.SLUICE, self._api)
        network.declare(_requests())
        self._flows = [placed.flow for wish in _requests() for placed in network.place(wish)]
        net.set_neighbours()  # address resolution needs the controller
        self._api.wait_agreement(net.topology)
        self._first = self._last = self._read()

    def round(self, cell: Cell, length_s: float) -> Outcome:
        """Kill and start a controller under probes, which go on for ``length_s`` at least."""
        cpu = CpuMeter()
        probes = [self._probe(flow) for flow in self._flows]
        traffic.wait_until(probes[-1].start_ns)
        killed_ns = time.monotonic_ns()
        victim = self._owner if cell.policy == KILLED else self._spare
        disagreements = _restart(victim)
        started_s = _seconds_since(killed_ns)
        disagreements += self._disagreements()
        agreed_s = _seconds_since(killed_ns)
        traffic.wait_until(killed_ns + round(length_s * 1e9))
        held = self._compare()
        for probe in probes:
            probe.stop()
        return {
            **account([way for probe in probes for way in _ways(probe)], killed_ns),
            **held,
            "disagreements": disagreements,
            "started_s": started_s,
            "agreed_s": agreed_s,
            "length_s": _seconds_since(killed_ns),
            "cpu": cpu.read(),
        }

    def _probe(self, flow: Flow) -> Probe:
        interval_us = self._experiment.interval_us
        return Probe(self._net, flow, duration_s=_ROUND_LIMIT_S, interval_us=interval_us)

    def _disagreements(self) -> list[str]:
        try:
            self._api.wait_agreement(self._net.topology)
        except ControllerError as error:
            return [str(error)]
        return []

    def _read(self) -> dict[str, Entries]:
        switches = self._net.topology.switches
        return {switch.name: lifetimes.read(self._net.bridge(switch.name)) for switch in switches}

    def _compare(self) -> Outcome:
        before, self._last = self._last, self._read()
        found: Outcome = {"missing": [], "stale": [], "added anew": []}
        for switch, now in self._last.items():
            difference = lifetimes.compare(self._first[switch], now)
            found["missing"] += [f"{switch}: {text}" for text in difference.missing]
            found["stale"] += [f"{switch}: {text}" for text in difference.stale]
            anew = lifetimes.added_anew(before[switch], now)
            found["added anew"] += [f"{switch}: {text}" for text in anew]
        return {**found, "entries": sum(map(len, self._last.values()))}


def _restart(victim: Program) -> list[str]:
    """Kill and start; return why it did not come up, if it took a second kill and start."""
    victim.kill()
    try:
        victim.start()
    except LabError as error:
        victim.kill()
        victim.start()
        return [str(error)]
    return []


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
    cells = campaign.interleaved([_VARIANT], [KILLED, CONTROL], range(1, experiment.runs + 1))
    owner = Program(folder / "owner", niceness=experiment.niceness)
    spare = Program(folder / "spare", _SPARE_OFFSET, experiment.niceness)
    pin_switches()
    with Net(topologies.figure10(), Settings(prefix="ki")) as net:
        rig = Rig(experiment, net, owner, spare)

        def one_round(cell: Cell) -> Outcome:
            before = campaign.load(name, cells, raw)
            partner = before.get(dataclasses.replace(cell, policy=KILLED), {"length_s": 0.0})
            outcome = rig.round(cell, partner["length_s"])
            sums = figures({**before, cell: outcome})
            text = ", ".join(f"{key} {count}" for key, count in sums.items())
            _LOG.info("%s %d/%d so far: %s", name, cell.seed, experiment.runs, text)
            return outcome

        return campaign.run(name, experiment, cells, one_round, raw)


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
    try:
        raw = options.folder / "raw" if options.trial else campaign.RAW
        result = measurement(experiment, measure(experiment, options.folder, raw))
        if not options.trial:
            campaign.record(result)
    except (LabError, ControllerError) as error:
        print(f"kills: {error}")
        return 1
    _LOG.info("%s = %d, of %s", experiment.id, result["value"], result["peers"])
    return 0 if result["value"] == 0 else 1


if __name__ == "__main__":
    raise SystemExit(main())
