# SPDX-License-Identifier: EPL-2.0
"""SPLIT: how the flows of one service are shared out over four uplinks of unlike capacity.

The uplinks of figure 10's switch a are declared to carry 4, 3, 2 and 1 Mbit/s, so that the weights
are 0.4, 0.3, 0.2 and 0.1; nothing is shaped that way, as single datagrams need no rate. The peer is
Open vSwitch's hashed group with the same weights.
"""

from __future__ import annotations

import dataclasses
import sys

from sluice_lab import baselines, campaign, instruments, ovs, topologies, traffic
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.net import Net
from sluice_lab.steering import Lab, Policy, Request, need_controller, steered
from sluice_lab.topology import MEGABIT, Port, Topology

_UPLINKS = (Port("a", 1), Port("a", 2), Port("a", 3), Port("a", 4))
_PORT = 7001
_FRAME_BYTES = 64 + traffic.UDP_OVERHEAD_BYTES


@dataclasses.dataclass(frozen=True, kw_only=True)
class Split:
    """``weights`` are the declared capacities in Mbit/s of a_1 to a_4."""

    id: str = "SPLIT"
    flows: int = 10_000
    flows_per_second: int = 500
    weights: tuple[int, ...] = (4, 3, 2, 1)
    runs: int = 3
    policies: tuple[str, ...] = (Policy.SLUICE, Policy.ECMP)


DEFAULT = Split()


def run(experiment: Split, lab: Lab) -> None:
    """Measure and record the largest deviation of a share from its weight."""
    policies = [Policy(policy) for policy in experiment.policies]
    need_controller(policies, lab)
    cells = campaign.interleaved(["figure10"], experiment.policies, range(1, experiment.runs + 1))
    outcomes = campaign.run(
        experiment.id, experiment, cells, lambda cell: measure(experiment, lab, cell)
    )
    campaign.record_by_policy(
        experiment, outcomes, lambda outcome: outcome["deviation"], peer="hashed group ({})"
    )


def weighted(experiment: Split) -> Topology:
    """Return figure 10 with the declared capacities; host links are wide enough for all."""
    topology = topologies.figure10()
    rates = dict(zip(_UPLINKS, experiment.weights, strict=True))
    cables = tuple(
        dataclasses.replace(cable, rate_bps=rates[cable.a] * MEGABIT) if cable.a in rates else cable
        for cable in topology.cables
    )
    return dataclasses.replace(topology, cables=cables)


def measure(experiment: Split, lab: Lab, cell: Cell) -> Outcome:
    """Send all flows of a cell and count what each uplink carried."""
    request = Request(
        client="h1",
        service="lab-split",
        candidates=("h8",),
        pieces=len(_UPLINKS),
        first_port=_PORT,
        transport="udp",
        one_port=True,
    )
    policy = Policy(cell.policy)
    with steered(weighted(experiment), policy, lab, [request]) as network:
        net = network.net
        if policy is Policy.ECMP:
            _install_weights(net, experiment)
        before = instruments.read_counters(net).bytes
        numbers = (_PORT, experiment.flows, cell.seed, experiment.flows_per_second)
        net.run(
            "h1",
            [sys.executable, "-m", "sluice_lab.spray", net.topology.host("h8").address]
            + [str(number) for number in numbers],
            timeout_s=experiment.flows / experiment.flows_per_second + 120,
        )
        after = instruments.read_counters(net).bytes
    carried = [(after[port][1] - before[port][1]) / _FRAME_BYTES for port in _UPLINKS]
    total = sum(experiment.weights)
    shares = [count / sum(carried) for count in carried]
    return {
        "shares": shares,
        "datagrams": sum(carried),
        "deviation": max(
            abs(share - weight / total)
            for share, weight in zip(shares, experiment.weights, strict=True)
        ),
    }


def _install_weights(net: Net, experiment: Split) -> None:
    groups, flows = baselines.entries(net.topology, baselines.Baseline.ECMP)["a"]
    for port, weight in zip(_UPLINKS, experiment.weights, strict=True):
        groups = [
            group.replace(
                f"bucket_id={port.number},weight=1", f"bucket_id={port.number},weight={weight}"
            )
            for group in groups
        ]
    ovs.replace_entries(net.bridge("a"), groups, flows)
