# SPDX-License-Identifier: EPL-2.0
"""B4: how evenly applications share a link, though they have one to five flows.

Figure 13 of Aljoby et al. 2019. The shapers' queues go by marks (net.Settings), the same under TCP,
where nothing is marked. Rates are of layer-2 frames.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Sequence

from sluice_lab import campaign, instruments, topologies
from sluice_lab.bandwidth import LimitedFlow
from sluice_lab.campaign import Outcome
from sluice_lab.net import Net
from sluice_lab.steering import Lab, Policy, need_controller, steered
from sluice_lab.topology import MEGABIT, Topology
from sluice_lab.traffic import PAYLOAD_SHARE, Flow, measure_tcp

TCP = "tcp"
_APP_FAIR = "app-fair"
_VARIANT = "one-link"
_TENANT = "lab-fair"
_PORT = 5201
_CODE_POINTS = (10, 12, 14, 18, 20, 22, 26, 28)
_MILLION = 1_000_000
# Jain's index in Aljoby et al. 2019, section VII, by policy.
PAPER_INDEX = {
    TCP: 0.84,
    f"{_APP_FAIR}-25": 0.98,
    f"{_APP_FAIR}-50": 0.99,
    f"{_APP_FAIR}-75": 0.99,
    f"{_APP_FAIR}-100": 0.98,
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fairness:
    """Application i has i flows (cubic), each with something to send for ``duration_s``.

    All flows pass one link. ``alphas`` weigh what has passed before against the last interval; the
    first interval, before anything is known, is cut.
    """

    id: str = "B4"
    applications: int = 5
    rate_mbps: int = 10
    alphas: tuple[float, ...] = (0.25, 0.5, 0.75, 1.0)
    interval_s: int = 10
    duration_s: int = 600
    runs: int = 3


DEFAULT = Fairness()


def jain(shares: Sequence[float]) -> float:
    """Return Jain's index: 1 if all shares are alike, 1/n if one of n has all."""
    squares = sum(share**2 for share in shares)
    return sum(shares) ** 2 / (len(shares) * squares) if squares else 1


def flows_of(experiment: Fairness, topology: Topology) -> dict[str, list[Flow]]:
    """Return the flows of each application, all from one host to one behind the link."""
    hosts = [host.name for host in topology.hosts]
    count = experiment.applications
    return {
        f"app-{number}": [
            Flow(client=hosts[number - 1], server=hosts[count + number - 1], port=_PORT + place)
            for place in range(number)
        ]
        for number in range(1, count + 1)
    }


def run(experiment: Fairness, lab: Lab) -> None:
    """Measure every alpha and TCP; record the best alpha."""
    need_controller([Policy.SLUICE], lab)
    policies = [*(f"{_APP_FAIR}-{round(alpha * 100)}" for alpha in experiment.alphas), TCP]
    alphas = dict(zip(policies, experiment.alphas, strict=False))
    cells = campaign.interleaved([_VARIANT], policies, range(1, experiment.runs + 1))
    outcomes = campaign.run(
        experiment.id,
        experiment,
        cells,
        lambda cell: measure(experiment, lab, alphas.get(cell.policy)),
    )
    found = {
        policy: [outcome for cell, outcome in outcomes.items() if cell.policy == policy]
        for policy in policies
    }
    record(experiment, found)


def record(experiment: Fairness, found: dict[str, list[Outcome]]) -> None:
    """Record the index of the best alpha, with those of the others, and TCP's, beside it."""
    indices = {policy: [jain(one["shares_bps"]) for one in runs] for policy, runs in found.items()}
    medians = {policy: statistics.median(values) for policy, values in indices.items()}
    ours = {policy: value for policy, value in medians.items() if policy != TCP}
    best = max(ours, key=lambda policy: ours[policy])
    used = {
        policy: statistics.median(sum(one["shares_bps"]) / one["link_bps"] for one in runs)
        for policy, runs in found.items()
    }
    idle = min(one["cpu"]["idle"] for runs in found.values() for one in runs)
    campaign.record_figure(
        experiment,
        indices[best],
        peers={policy: value for policy, value in medians.items() if policy != best},
        notes={"best": best, "link used": used, "machine idle": round(idle, 3)},
    )


def measure(experiment: Fairness, lab: Lab, alpha: float | None) -> Outcome:
    """Return what passes of each application; under TCP without an alpha."""
    link_bps = experiment.rate_mbps * MEGABIT
    rates = topologies.LayerRates(host=4 * link_bps, edge=link_bps)
    topology = topologies.leaf_spine(2, 1, experiment.applications, rates=rates)
    queues = dataclasses.replace(lab.settings, queues=_CODE_POINTS)
    controller = lab.controller()
    controller.delete_tenant(_TENANT)  # of a run that was killed
    with steered(topology, Policy.SLUICE, dataclasses.replace(lab, settings=queues), []) as network:
        applications = flows_of(experiment, network.net.topology)
        try:
            if alpha is not None:
                controller.share_links(
                    _APP_FAIR, experiment.interval_s, round(alpha * _MILLION), _CODE_POINTS
                )
                for name, flows in applications.items():
                    told = [_told(network.net, flow) for flow in flows]
                    controller.register_application(_TENANT, name, told)
            cpu = instruments.CpuMeter()
            shares = _shares(experiment, network.net, applications)
            busy = cpu.read()
        finally:
            controller.delete_tenant(_TENANT)
            controller.share_links()
    return {"shares_bps": shares, "link_bps": link_bps, "cpu": busy}


def _shares(experiment: Fairness, net: Net, applications: dict[str, list[Flow]]) -> list[float]:
    """Return what passes of each application, in bit/s of layer-2 frames."""
    flows = [flow for of_one in applications.values() for flow in of_one]
    seen = iter(measure_tcp(net, flows, experiment.duration_s, experiment.interval_s))
    return [
        sum(next(seen).goodput_bps / PAYLOAD_SHARE for _ in of_one)
        for of_one in applications.values()
    ]


def _told(net: Net, flow: Flow) -> LimitedFlow:
    return LimitedFlow(
        name=f"f{flow.port}",
        source=net.topology.host(flow.client).address,
        destination=net.topology.host(flow.server).address,
        protocol="tcp",
        port=flow.port,
    )
