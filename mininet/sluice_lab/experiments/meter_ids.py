# SPDX-License-Identifier: EPL-2.0
"""METER-IDS: meters come and go by the thousand, the controller is killed, and none may stay.

``python -m sluice_lab.sandbox python -m sluice_lab.experiments.meter_ids``. An application whose
flows have a meter each registers and takes itself back, again and again; then the controller is
killed by SIGKILL amid a registration, started again, and the application takes itself back. Half of
the kills come when a part of the meters is on the switch, the others when a part of the flows goes
through theirs.

Leaked is a meter that a switch holds when no flow is configured, and a number of a meter that is
not among the smallest when flows are: the controller then takes others for used. What the switch
holds is read from it by ovs-ofctl.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import dataclasses
import logging
import pathlib
import random
import re
import time
from collections.abc import Mapping, Sequence

from sluice_lab import campaign, entries, ovs, steering, topologies, trial
from sluice_lab.bandwidth import Allocation, LimitedFlow
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.controller import Controller
from sluice_lab.multipath import Strategy
from sluice_lab.net import Endpoint, Net, Settings, wait_for
from sluice_lab.ovs import LabError
from sluice_lab.program import Program
from sluice_lab.restconf import ControllerError
from sluice_lab.topology import MEGABIT

_POLICY = "sluice"
_VARIANT = "switch"
_TENANT, _APPLICATION = "lab-meter", "ids"
_ANSWER_S = 300
_NEW_S = 120  # a controller waits a minute at most for what it has not seen yet
_LEFT_S = 120  # what an earlier controller has left goes after a minute
_LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class MeterIds:
    """In each run ``flows`` are created and deleted ``rounds`` times, then comes a kill.

    100 kbit/s for each of a thousand are a tenth of what the ports carry.
    """

    id: str = "METER-IDS"
    flows: int = 1_000
    rounds: int = 10
    limit_bps: int = 100_000
    runs: int = 10


DEFAULT = MeterIds()


def numbers_of(dump: str, own_bits: int) -> list[int]:
    """Return the numbers of the meters of flows in what ``dump-meters`` prints."""
    found = re.findall(r"\bmeter=(\d+)", dump)
    owned = (entries.meter_owner(int(meter), own_bits) for meter in found)
    return sorted(number for owner, number in owned if owner == entries.METERS_FLOWS)


def meters_by_port(dump: str) -> dict[int, int]:
    """Return each metered flow's meter by its port, from what ``dump-flows`` prints."""
    lines = re.findall(r"tp_dst=(\d+) actions=meter:(\d+)", dump)
    return {int(port): int(meter) for port, meter in lines}


def strange(numbers: Sequence[int], flows: int) -> list[int]:
    """Return the numbers that are not among the smallest ``flows``."""
    return [number for number in numbers if number >= flows]


class Bed:
    """A switch with two hosts, and a controller of its own."""

    def __init__(self, experiment: MeterIds, net: Net, program: Program) -> None:
        self._net = net
        self._program = program
        program.start(clean=True)
        self.controller = Controller(program.url, password=program.password(), timeout_s=_ANSWER_S)
        endpoint = Endpoint(port=program.openflow_port)
        steering.attach(net, self.controller, Strategy.JOINT, endpoint)
        self._bridge = net.bridge(net.topology.hosts[0].port.switch)
        self._own_bits = entries.meter_bits(ovs.largest_meter(self._bridge))
        client, server = (host.address for host in net.topology.hosts)
        self._flows = [
            LimitedFlow(
                name=f"f{port}",
                source=client,
                destination=server,
                protocol="udp",
                port=port,
                limit_bps=experiment.limit_bps,
            )
            for port in range(1, experiment.flows + 1)
        ]

    def create(self) -> None:
        """Register the application, and wait until each flow is metered as it should be.

        A new controller meters those that the earlier one had not come to when it has seen all.
        """
        given = self.controller.register_application(_TENANT, _APPLICATION, self._flows)
        if not self._are_metered(given):
            wait_for(
                lambda: self._are_metered(self.controller.allocations(_TENANT)),
                "all flows to be metered",
                _NEW_S,
            )

    def _are_metered(self, given: Mapping[str, Allocation]) -> bool:
        return all(f.name in given and given[f.name].is_in_place(f.limit_bps) for f in self._flows)

    def delete(self) -> None:
        """Take the application back."""
        self.controller.unregister_application(_TENANT, _APPLICATION)

    def is_configured(self) -> bool:
        """Tell whether the application is in the configuration."""
        return bool(self.controller.applications(_TENANT))

    def numbers(self) -> list[int]:
        """Return the numbers of the flows' meters that the switch holds."""
        return numbers_of(ovs.ofctl(self._bridge, ["dump-meters"]), self._own_bits)

    def meters(self) -> dict[int, int]:
        """Return each metered flow's meter by its port."""
        return meters_by_port(ovs.ofctl(self._bridge, ["--no-names", "dump-flows"], "table=0"))

    def kill(self) -> None:
        """End the controller."""
        self._program.kill()

    def restart(self) -> None:
        """Start the controller again, and wait until it knows the network."""
        self._program.start()
        self.controller.wait_ready()
        self.controller.wait_fabric(self._net.topology)
        self.controller.wait_hosts(self._net.topology, self._net.announce_hosts)


def one_run(experiment: MeterIds, bed: Bed, seed: int) -> Outcome:
    """Create and delete, kill and restart; return what leaked, and how long creations took."""
    leaked: list[int] = []
    seconds = []
    for number in range(1, experiment.rounds + 1):
        begin = time.monotonic()
        bed.create()
        seconds.append(time.monotonic() - begin)
        held = bed.numbers()
        if len(held) < experiment.flows:
            raise LabError(f"the switch holds {len(held)} meters of {experiment.flows} flows")
        leaked += strange(held, experiment.flows)
        bed.delete()
        leaked += bed.numbers()
        _LOG.info(
            "%d of %d: %.1f s, leaked %d", number, experiment.rounds, seconds[-1], len(leaked)
        )
    part = random.Random(seed).randint(1, experiment.flows)
    step = "metered flows" if seed % 2 else "meters"
    killed = kill_amid(bed, step, part)
    left = bed.numbers()
    if bed.is_configured():
        bed.delete()
    with contextlib.suppress(LabError):
        wait_for(lambda: not bed.numbers(), "the switch to hold no meter", _LEFT_S)
    leaked += strange(left, experiment.flows) + bed.numbers()
    return {
        "leaked": leaked,
        "cycles": experiment.flows * experiment.rounds,
        "create_s": seconds,
        "killed from": f"{part} {step}",
        **killed,
    }


def kill_amid(bed: Bed, step: str, part: int) -> Outcome:
    """Kill the controller when so many of a registration's meters or metered flows are there.

    It is started again. Return how many flows were metered at the kill, and how many of them got
    another meter.
    """
    there = {"meters": bed.numbers, "metered flows": bed.meters}[step]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        creation = pool.submit(bed.create)
        try:
            wait_for(lambda: len(there()) >= part, f"{part} {step}", _ANSWER_S)
        finally:
            bed.kill()  # it also ends the creation
        with contextlib.suppress(ControllerError):  # it may have been just in time
            creation.result()
    before = bed.meters()
    bed.restart()
    configured = bed.is_configured()
    if configured:
        bed.create()  # the same once more, which waits until all have their meters
    after = bed.meters()
    moved = [port for port, meter in before.items() if configured and after.get(port) != meter]
    return {"metered at the kill": len(before), "configured": configured, "other meter": moved}


def measurement(experiment: MeterIds, outcomes: Mapping[Cell, Outcome]) -> Outcome:
    """Return what bench/record.py is told; the spread is over runs."""
    leaks = [len(outcome["leaked"]) for outcome in outcomes.values()]

    def total(key: str) -> int:
        found = [outcome[key] for outcome in outcomes.values()]
        return sum(x if isinstance(x, int) else len(x) for x in found)

    if not total("metered at the kill"):
        raise LabError(f"{experiment.id} says nothing: no kill found a flow that was metered")
    return {
        "id": experiment.id,
        "value": sum(leaks),
        "command": "make bench-bandwidth",
        "parameters": {
            **campaign.as_json(experiment),
            "cycles": total("cycles"),
            "kills": len(outcomes),
            "metered at the kills": total("metered at the kill"),
            "that got another meter": total("other meter"),
        },
        "spread": campaign.spread(leaks),
        "peers": {},
    }


def measure(experiment: MeterIds, folder: pathlib.Path, raw: pathlib.Path) -> dict[Cell, Outcome]:
    """Do all runs that ``raw`` does not hold yet; the controller lives in ``folder``."""
    cells = campaign.interleaved([_VARIANT], [_POLICY], range(1, experiment.runs + 1))
    rates = topologies.LayerRates(host=1_000 * MEGABIT, edge=1_000 * MEGABIT)
    with Net(topologies.leaf_spine(1, 1, 2, rates=rates), Settings(prefix="mi")) as net:
        bed = Bed(experiment, net, Program(folder))
        return campaign.run(
            experiment.id, experiment, cells, lambda cell: one_run(experiment, bed, cell.seed), raw
        )


def main() -> int:
    """Measure, and say whether the figure is 0."""
    parser = argparse.ArgumentParser(prog="meter_ids", description=__doc__)
    parser.add_argument("--runs", type=int, default=DEFAULT.runs, help="runs (%(default)s)")
    parser.add_argument("--rounds", type=int, default=DEFAULT.rounds, help="of each (%(default)s)")
    parser.add_argument("--fresh", action="store_true", help="drop stored samples first")
    parser.add_argument(
        "--trial", type=pathlib.Path, metavar="FOLDER", help="keep all there and record nothing"
    )
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    experiment = MeterIds(runs=options.runs, rounds=options.rounds)
    raw = options.trial or campaign.RAW
    if options.fresh:
        campaign.forget(experiment.id, raw)
    folder = raw / "controllers" / experiment.id
    return trial.conclude(
        experiment.id,
        lambda: measurement(experiment, measure(experiment, folder, raw)),
        recorded=not options.trial,
    )


if __name__ == "__main__":
    raise SystemExit(main())
