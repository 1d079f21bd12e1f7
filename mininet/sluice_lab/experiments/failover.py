# SPDX-License-Identifier: EPL-2.0
"""M3: every fabric cable of figure 10 is cut in turn, under numbered probes both ways.

*M3* takes the switches off their controller first: what reacts is in the switches alone. For the
data plane that is a stopped controller; the process itself may go on. *M3-optimum* leaves it there
and asks how long until three flows of 9 Mbit/s, whose cables carry 10, lose nothing any more.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Sequence

from sluice_lab import campaign, topologies, traffic
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.net import Net
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Placement, Policy, Request, compared, steered
from sluice_lab.topology import Cable
from sluice_lab.traffic import Probe

_LOG = logging.getLogger(__name__)
_PAIRS = (("h1", "h8"), ("h3", "h5"))
_LOAD_BYTES = 1_083  # of payload; 1,000 such frames a second are 9 Mbit/s


@dataclasses.dataclass(frozen=True, kw_only=True)
class Failover:
    """Times in seconds, from the start of the probes of one cable."""

    id: str = "M3"
    cut_after_s: float = 1.0
    mend_after_s: float = 2.0
    duration_s: float = 3.0
    runs: int = 3


@dataclasses.dataclass(frozen=True, kw_only=True)
class Optimum:
    """One cut a run, on the path of the first of three flows."""

    id: str = "M3-optimum"
    cut_after_s: float = 2.0
    duration_s: float = 10.0
    runs: int = 10


LOCAL_REPAIR = Failover()
NEW_OPTIMUM = Optimum()


def _requests(pairs: Sequence[tuple[str, str]], pieces: int) -> list[Request]:
    return [
        Request(
            client=client,
            service=f"lab-m3-{client}",
            candidates=(server,),
            pieces=pieces,
            first_port=7001,
            transport="udp",
        )
        for client, server in pairs
    ]


def run_local_repair(experiment: Failover, lab: Lab) -> None:
    """Measure and record M3: the longest gap over all cables is a run's figure."""
    cells = campaign.interleaved(["figure10"], [Policy.SLUICE], range(1, experiment.runs + 1))
    outcomes = compared(experiment, lab, cells, lambda _: measure_local_repair(experiment, lab))
    uncovered = sorted({c for outcome in outcomes.values() for c in outcome["uncovered"]})
    campaign.record_figure(
        experiment,
        [outcome["longest_ms"] for outcome in outcomes.values()],
        notes={"cables not probed": uncovered},
    )


def measure_local_repair(experiment: Failover, lab: Lab) -> Outcome:
    """Cut each cable that a placed flow uses; the longest gap and each cable's own are returned."""
    topology = topologies.figure10()
    requests = _requests(_PAIRS, 4)
    with steered(topology, Policy.SLUICE, lab, requests) as network:
        placements = [placed for request in requests for placed in network.place(request)]
        if not all(placed.hops for placed in placements):
            raise LabError("the controller did not say which ports its paths use")
        _remember_neighbours(network.net, placements)
        network.net.detach_controller()
        gaps = {}
        for cable in topology.cables:
            users = [placed for placed in placements if placed.crosses(topology, cable)]
            if users:
                gaps[_name(cable)] = _cut_and_mend(experiment, network.net, cable, users)
                _LOG.info("cut %s: %.1f ms", _name(cable), gaps[_name(cable)])
        network.net.attach_controller(lab.endpoint)
    uncovered = [_name(cable) for cable in topology.cables if _name(cable) not in gaps]
    return {"longest_ms": max(gaps.values()), "gaps_ms": gaps, "uncovered": uncovered}


def _remember_neighbours(net: Net, placements: Sequence[Placement]) -> None:
    """Spare the hosts address resolution: what is measured are paths."""
    hosts = {host.name: host for host in net.topology.hosts}
    for placed in placements:
        ends = (hosts[placed.flow.client], hosts[placed.flow.server])
        for here, there in (ends, ends[::-1]):
            device = f"{here.name}-eth0"
            entry = [there.address, "lladdr", there.mac, "dev", device, "nud", "permanent"]
            net.run(here.name, ["ip", "neigh", "replace", *entry])


def _name(cable: Cable) -> str:
    ends = (f"{end.switch}_{end.number}" for end in (cable.a, cable.b))
    return "-".join(ends)


def _cut_and_mend(
    experiment: Failover, net: Net, cable: Cable, users: Sequence[Placement]
) -> float:
    """Return the longest time in ms without a probe, over all users and both ways."""
    probes = [Probe(net, placed.flow, duration_s=experiment.duration_s) for placed in users]
    start_ns = probes[0].start_ns
    traffic.wait_until(start_ns + round(experiment.cut_after_s * 1e9))
    net.set_carrier(cable, up=False)
    traffic.wait_until(start_ns + round(experiment.mend_after_s * 1e9))
    net.set_carrier(cable, up=True)
    seen = [arrivals for probe in probes for arrivals in probe.finish()]
    if not all(arrivals.received for arrivals in seen):
        raise LabError(f"a probe over {_name(cable)} never arrived")
    return max(arrivals.longest_us for arrivals in seen) / 1_000


def run_optimum(experiment: Optimum, lab: Lab) -> None:
    """Measure and record M3-optimum."""
    cells = campaign.interleaved(["figure10"], [Policy.SLUICE], range(1, experiment.runs + 1))
    outcomes = compared(experiment, lab, cells, lambda cell: measure_optimum(experiment, lab, cell))
    campaign.record_figure(experiment, [outcome["seconds"] for outcome in outcomes.values()])


def measure_optimum(experiment: Optimum, lab: Lab, cell: Cell) -> Outcome:
    """Cut one cable under load; return seconds from the cut to the last probe lost because of it.

    Which cable of the first flow's path is cut goes round with the repetitions.
    """
    topology = topologies.figure10()
    requests = _requests(_PAIRS[:1], 3)
    with steered(topology, Policy.SLUICE, lab, requests) as network:
        placements = network.place(requests[0])
        path = [cable for cable in topology.cables if placements[0].crosses(topology, cable)]
        cable = path[cell.seed % len(path)]
        probes = [
            Probe(
                network.net,
                placed.flow,
                duration_s=experiment.duration_s,
                size=_LOAD_BYTES,
                one_way=True,
            )
            for placed in placements
        ]
        traffic.wait_until(probes[0].start_ns + round(experiment.cut_after_s * 1e9))
        cut_ns = time.monotonic_ns()
        network.net.set_carrier(cable, up=False)
        lost_ns = [
            probe.sent_at_ns(last)
            for probe in probes
            for _, last in probe.finish()[0].losses
            if probe.sent_at_ns(last) >= cut_ns
        ]
    return {
        "seconds": max(0.0, (max(lost_ns, default=cut_ns) - cut_ns) / 1e9),
        "cable": _name(cable),
    }
