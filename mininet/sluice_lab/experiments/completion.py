# SPDX-License-Identifier: EPL-2.0
"""M4: eight transfers of fixed size on a k=4 fat-tree under background traffic.

As in Guillen et al. 2018, section 4.3: H1 and H5 each move four pieces, H1 with the servers of pod
3, H5 with those of pod 4, while every host of pods 1 and 2 sends a random constant rate of UDP to
its counterpart in pods 3 and 4. Data goes from the clients to the servers, as iperf sends it there.
Everything is a tenth of the paper's rates. A baseline takes one piece from each server in turn.
"""

from __future__ import annotations

import dataclasses
import random
import statistics

from sluice_lab import bounds, campaign, instruments, topologies, traffic
from sluice_lab.bounds import Commodity
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.steering import Lab, Policy, Request, Steered, compared, steered
from sluice_lab.topology import MEGABIT, Topology
from sluice_lab.traffic import PAYLOAD_SHARE, Flow, Mover

AUGMENTED = "augmented"
PLAIN = "plain"
_PIECES = 4
_FIRST_PORT = 6001
_BACKGROUND_PORT = 9000
_LONGEST_S = 240.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class CompletionTime:
    """Sizes in bytes of payload; background rates (whole frames) are uniform in their range."""

    id: str = "M4"
    size_bytes: int = 12_500_000
    background_bps: tuple[int, int] = (100_000, 1_000_000)
    seeds: int = 20
    variants: tuple[str, ...] = (AUGMENTED, PLAIN)
    policies: tuple[str, ...] = (
        Policy.SLUICE,
        Policy.GREEDY,
        Policy.ECMP,
        Policy.SINGLE,
        Policy.MPTCP,
        Policy.RANDOM,
        Policy.LEAST_LOADED,
    )


DEFAULT = CompletionTime()


def topology_of(variant: str) -> Topology:
    """Return the fat-tree: augmented has 2 parallel edge links and host links of 4 times theirs."""
    if variant == PLAIN:
        return topologies.fat_tree(4, 1)
    return topologies.fat_tree(4, 2, topologies.LayerRates(host=40 * MEGABIT))


def requests() -> list[Request]:
    """Return what the two clients ask for."""
    clients = {"h1": range(9, 13), "h5": range(13, 17)}
    return [
        Request(
            client=client,
            service=f"lab-m4-{client}",
            candidates=tuple(f"h{i}" for i in servers),
            pieces=_PIECES,
            first_port=_FIRST_PORT,
        )
        for client, servers in clients.items()
    ]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Background:
    """One constant-rate flow."""

    flow: Flow
    rate_bps: float


def background(experiment: CompletionTime, seed: int) -> list[Background]:
    """Return the eight background flows of a seed: h1 to h9, h2 to h10, and so on."""
    rng = random.Random(seed)
    return [
        Background(
            flow=Flow(client=f"h{i}", server=f"h{i + 8}", port=_BACKGROUND_PORT + i),
            rate_bps=rng.uniform(*experiment.background_bps),
        )
        for i in range(1, 9)
    ]


def lower_bound_s(experiment: CompletionTime, variant: str, seed: int) -> float:
    """Return a time that no steering can beat: fluid, servers freely chosen, background routed."""
    transfers = [
        Commodity(sources=(r.client,), targets=r.candidates, weight=r.pieces) for r in requests()
    ]
    noise = [
        Commodity(
            sources=(b.flow.client,), targets=(b.flow.server,), weight=0, fixed_bps=b.rate_bps
        )
        for b in background(experiment, seed)
    ]
    return bounds.makespan_bound_s(
        topology_of(variant), transfers, noise, experiment.size_bytes, PAYLOAD_SHARE
    )


def run(experiment: CompletionTime, lab: Lab) -> None:
    """Measure every cell and record the results."""
    cells = campaign.interleaved(
        experiment.variants, experiment.policies, range(1, experiment.seeds + 1)
    )
    outcomes = compared(experiment, lab, cells, lambda cell: measure(experiment, lab, cell))
    record(experiment, outcomes)


def measure(experiment: CompletionTime, lab: Lab, cell: Cell) -> Outcome:
    """Run the transfers of one cell.

    ``makespan_s`` counts from before the first request to the controller until the last byte of
    the last transfer is with its receiver.
    """
    topology = topology_of(cell.variant)
    policy = Policy(cell.policy)
    noise = background(experiment, cell.seed)
    with steered(topology, policy, lab, requests()) as network:
        net = network.net
        mptcp = policy is Policy.MPTCP
        listening = range(_FIRST_PORT, _FIRST_PORT + _PIECES)
        for server in sorted({name for request in requests() for name in request.candidates}):
            traffic.serve_bulk(net, server, listening, mptcp=mptcp)
        for item in noise:
            traffic.background(net, item.flow, item.rate_bps, _LONGEST_S)
        rng = random.Random(cell.seed)
        source_ports = iter(rng.sample(range(33_000, 60_000), 2 * _PIECES))
        movers = {
            request.client: [
                Mover(
                    net,
                    request.client,
                    experiment.size_bytes,
                    mptcp=mptcp,
                    source_port=0 if mptcp else next(source_ports),
                )
                for _ in range(request.pieces)
            ]
            for request in requests()
        }
        return _transfer(network, movers)


def _transfer(network: Steered, movers: dict[str, list[Mover]]) -> Outcome:
    net = network.net
    cpu = instruments.CpuMeter()
    before = instruments.read_counters(net)
    for request in requests():
        for mover, placement in zip(movers[request.client], network.place(request), strict=True):
            address = net.topology.host(placement.server).address
            mover.start(placement.server, address, placement.port)
    done = [mover.finish(_LONGEST_S) for group in movers.values() for mover in group]
    after = instruments.read_counters(net)
    begin_ns = round(before.at_s * 1e9)
    times_s = [(completion.end_ns - begin_ns) / 1e9 for completion in done]
    return {
        "makespan_s": max(times_s),
        "mean_s": statistics.fmean(times_s),
        "load": instruments.network_load(net.topology.cables, before, after),
        "begin_ns": begin_ns,
        "flows": [dataclasses.asdict(completion) for completion in done],
        "cpu": cpu.read(),
    }


def record(experiment: CompletionTime, outcomes: dict[Cell, Outcome]) -> None:
    """Write the ratios of the rows M4-*, each formed seed by seed and given as a median."""
    for variant, label in ((AUGMENTED, "M4"), (PLAIN, "M4-plain")):
        if variant in experiment.variants:
            _record_variant(experiment, outcomes, variant, label)


def _record_variant(
    experiment: CompletionTime, outcomes: dict[Cell, Outcome], variant: str, label: str
) -> None:
    seeds = range(1, experiment.seeds + 1)
    ours, *others = experiment.policies

    def figures(policy: str, key: str) -> list[float]:
        cells = [Cell(variant=variant, policy=policy, seed=seed) for seed in seeds]
        return [outcomes[cell][key] for cell in cells]

    bound = [lower_bound_s(experiment, variant, seed) for seed in seeds]
    to_bound = {
        policy: _ratios(bound, figures(policy, "makespan_s")) for policy in experiment.policies
    }
    peers = {policy: statistics.median(to_bound[policy]) for policy in others}
    campaign.record_figure(experiment, to_bound[ours], row=f"{label}-bound", peers=peers)
    means = {policy: statistics.median(figures(policy, "mean_s")) for policy in others}
    campaign.record_figure(experiment, figures(ours, "mean_s"), row=f"{label}-mean", peers=means)
    for policy in others:
        if policy in DEFAULT.policies:
            ratios = _ratios(figures(policy, "makespan_s"), figures(ours, "makespan_s"))
            campaign.record_figure(experiment, ratios, row=f"{label}-{policy}")
    if variant == AUGMENTED and Policy.ECMP in others:
        loads = _ratios(figures(ours, "load"), figures(Policy.ECMP, "load"))
        times = _ratios(figures(ours, "makespan_s"), figures(Policy.ECMP, "makespan_s"))
        work = statistics.median(load * time for load, time in zip(loads, times, strict=True))
        peers = {"load times makespan": work}  # the same bytes in half the time are twice the load
        campaign.record_figure(experiment, loads, row="M4-load", peers=peers)


def _ratios(above: list[float], below: list[float]) -> list[float]:
    return [a / b for a, b in zip(above, below, strict=True)]
