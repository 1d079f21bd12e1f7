# SPDX-License-Identifier: EPL-2.0
"""M1 and M2: four TCP flows from one client over the paper's figure 10, to one server or four."""

from __future__ import annotations

import dataclasses

from sluice_lab import bounds, campaign, instruments, topologies, traffic
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Policy, Request, compared, steered
from sluice_lab.traffic import PAYLOAD_SHARE

_PIECES = 4


@dataclasses.dataclass(frozen=True, kw_only=True)
class Throughput:
    """Long flows; ``servers`` is where they go: one host for M1, four for M2."""

    id: str
    servers: tuple[str, ...]
    client: str = "h1"
    duration_s: int = 60
    cut_s: int = 5
    runs: int = 5
    policies: tuple[str, ...] = (Policy.SLUICE, Policy.ECMP, Policy.SINGLE)


ONE_TO_ONE = Throughput(id="M1", servers=("h8",))
ONE_TO_MANY = Throughput(id="M2", servers=("h5", "h6", "h7", "h8"))


def run(experiment: Throughput, lab: Lab) -> None:
    """Measure every cell and record the result."""
    policies = [Policy(policy) for policy in experiment.policies]
    if Policy.MPTCP in policies:
        raise LabError("iperf3 does not speak multipath TCP; M4 compares with it")
    cells = campaign.interleaved(["figure10"], experiment.policies, range(1, experiment.runs + 1))
    outcomes = compared(experiment, lab, cells, lambda cell: measure(experiment, lab, cell))
    record(experiment, outcomes)


def requests(experiment: Throughput) -> list[Request]:
    """Return one request for four pieces; with four servers each holds the piece of its turn."""
    return [
        Request(
            client=experiment.client,
            service=f"lab-{experiment.id.lower()}",
            candidates=experiment.servers,
            pieces=_PIECES,
            spread=len(experiment.servers) > 1,
        )
    ]


def measure(experiment: Throughput, lab: Lab, cell: Cell) -> Outcome:
    """Run the flows of one cell."""
    topology = topologies.figure10()
    wanted = requests(experiment)
    with steered(topology, Policy(cell.policy), lab, wanted) as network:
        placements = network.place(wanted[0])
        cpu = instruments.CpuMeter()
        results = traffic.measure_tcp(
            network.net,
            [placement.flow for placement in placements],
            experiment.duration_s,
            experiment.cut_s,
        )
        busy = cpu.read()
    return {
        "flows": [dataclasses.asdict(result) for result in results],
        "cpu": busy,
    }


def figure(experiment: Throughput, outcome: Outcome) -> float:
    """Return M1's sum of goodput over the bound, or M2's smallest flow over its max-min share."""
    goodputs = [flow["goodput_bps"] for flow in outcome["flows"]]
    topology = topologies.figure10()
    flows = [
        bounds.Commodity(
            sources=(experiment.client,), targets=(experiment.servers[i % len(experiment.servers)],)
        )
        for i in range(_PIECES)
    ]
    shares = [PAYLOAD_SHARE * rate for rate in bounds.max_min_rates_bps(topology, flows)]
    if experiment.id == "M1":
        return float(sum(goodputs) / sum(shares))
    return float(min(g / s for g, s in zip(goodputs, shares, strict=True)))


def record(experiment: Throughput, outcomes: dict[Cell, Outcome]) -> None:
    """Write the result of the first policy, with the others as its peers."""
    campaign.record_by_policy(experiment, outcomes, lambda outcome: figure(experiment, outcome))
