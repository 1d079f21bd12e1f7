# SPDX-License-Identifier: EPL-2.0
"""Throughput of forwarders over memif: beside Open vSwitch on DPDK, and figure 7 of Switchboard.

``python -m sluice_lab.sandbox python -m sluice_lab.experiments.forwarding``. Every forwarder has
the same packets of 64 bytes inside, from the same program, on the same processor (memif.py).
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import logging
import pathlib
import statistics
import tempfile
from collections.abc import Iterator

from sluice_lab import campaign, memif, overlay_figure
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.contenders import CONTENDERS, OURS
from sluice_lab.ovs import LabError

_COMMAND = "make bench-peers"
_HUGE_PAGES = pathlib.Path("/proc/sys/vm/nr_hugepages")
_PAGES = 2_000  # of 2 MiB
_PAPER_FLOWS = 50
_LOSS = 1e-4  # a direction that goes nowhere loses ten times as much


@dataclasses.dataclass(frozen=True, kw_only=True)
class Comparison:
    """Connections of a chain go through one of four instances and on, and all the way back.

    Ours and Open vSwitch have the same document, labels and tunnels: Open vSwitch with connection
    tracking, with groups that hash the connection, and with groups that take the datapath's hash.
    Those that are *plain* only balance the connections over four instances and two forwarders
    behind them, by rewriting the destination. ``settle_s`` passes after all connections were
    opened, then ``duration_s`` are measured.
    """

    id: str = "S1-vs"
    policies: tuple[str, ...] = tuple(CONTENDERS["S1-vs"])
    flows: tuple[int, ...] = (1_024, 131_072)
    settle_s: int = 5
    duration_s: int = 10
    runs: int = 5


@dataclasses.dataclass(frozen=True, kw_only=True)
class Overlay:
    """What an instance sends goes out to the next forwarder, and answers come back, half each.

    By Open vSwitch as a plain bridge, with both labels and VXLAN, with flow affinity besides, and
    by the forwarder on DPDK, which does all of it.
    """

    id: str = "S2"
    policies: tuple[str, ...] = tuple(CONTENDERS["S2"])
    flows: tuple[int, ...] = (1, 2, 5, 10, 20, 30, 40, _PAPER_FLOWS, 1_000, 10_000, 100_000)
    settle_s: int = 5
    duration_s: int = 5
    runs: int = 5


def run(experiment: Comparison | Overlay) -> dict[Cell, Outcome]:
    """Measure all cells of an experiment."""
    variants = {f"flows-{flows}": flows for flows in experiment.flows}
    runs = range(1, experiment.runs + 1)
    cells = campaign.interleaved(list(variants), experiment.policies, runs)
    return campaign.run(
        experiment.id,
        experiment,
        cells,
        lambda cell: measure(experiment, cell.policy, variants[cell.variant]),
    )


def measure(experiment: Comparison | Overlay, policy: str, flows: int) -> Outcome:
    """Return what one forwarder carries; LabError if it loses packets or mixes connections up."""
    contender = CONTENDERS[experiment.id][policy]
    times = experiment.settle_s, experiment.duration_s
    with tempfile.TemporaryDirectory() as place, contextlib.ExitStack() as afterwards:
        folder = pathlib.Path(place)
        with contender.start(folder):
            counted = memif.load(afterwards, folder, contender.mode, flows, contender.queues, times)
    is_lossy = counted["lost"] > _LOSS * sum(counted["mpps"]) * 1e6
    if is_lossy or (counted["strayed"] and contender.keeps):
        raise LabError(f"{policy}, {flows} flows: packets were lost or strayed: {counted}")
    return counted


def throughputs(
    experiment: Comparison | Overlay, outcomes: dict[Cell, Outcome], policy: str, flows: int
) -> list[float]:
    """Return millions of packets a second, run by run."""
    return [
        statistics.median(outcomes[Cell(variant=f"flows-{flows}", policy=policy, seed=run)]["mpps"])
        for run in range(1, experiment.runs + 1)
    ]


def peer_rows(experiment: Comparison, outcomes: dict[Cell, Outcome]) -> list[Outcome]:
    """Return ours over each peer, run by run."""

    def row(name: str, peer: str, flows: int) -> Outcome:
        each = {
            policy: throughputs(experiment, outcomes, policy, flows)
            for policy in experiment.policies
        }
        ratios = [ours / theirs for ours, theirs in zip(each[OURS], each[peer], strict=True)]
        figures = {f"{policy}, Mpps": statistics.median(each[policy]) for policy in each}
        return _row(experiment, outcomes, name, ratios, figures)

    few, many = experiment.flows
    return [
        row("S1-vs-ct", "ct", few),
        row("S1-vs-group", "group", few),
        row("S1-vs-group-131k", "group", many),
    ]


def overhead_rows(experiment: Overlay, outcomes: dict[Cell, Outcome]) -> list[Outcome]:
    """Return what labels take of a bridge's throughput, and affinity of what labels leave."""

    def overheads(policy: str, base: str) -> dict[int, list[float]]:
        return {
            flows: [
                1 - mine / theirs
                for mine, theirs in zip(
                    throughputs(experiment, outcomes, policy, flows),
                    throughputs(experiment, outcomes, base, flows),
                    strict=True,
                )
            ]
            for flows in experiment.flows
        }

    rows = []
    for name, policy, base in (
        ("S2-labels", "labels", "bridge"),
        ("S2-affinity", "affinity", "labels"),
    ):
        by_flows = overheads(policy, base)
        few = [values for flows, values in by_flows.items() if flows <= _PAPER_FLOWS]
        medians = [statistics.median(run) for run in zip(*few, strict=True)]
        peers = {
            f"{flows} flows": statistics.median(by_flows[flows])
            for flows in by_flows
            if flows >= _PAPER_FLOWS
        }
        rows.append(_row(experiment, outcomes, name, medians, peers))
    return rows


def _row(
    experiment: Comparison | Overlay,
    outcomes: dict[Cell, Outcome],
    name: str,
    values: list[float],
    peers: dict[str, float],
) -> Outcome:
    return {
        "id": name,
        "value": statistics.median(values),
        "command": _COMMAND,
        "parameters": {
            **campaign.as_json(experiment),
            "inner frame bytes": 64,
            "median by policy and flows": _table(experiment, outcomes),
        },
        "spread": campaign.spread(values),
        "peers": peers,
    }


def _table(experiment: Comparison | Overlay, outcomes: dict[Cell, Outcome]) -> Outcome:
    """Return throughput, packets lost, time to open, and how busy the traffic's program was."""

    def median(policy: str, flows: int, key: str) -> float:
        variant = f"flows-{flows}"
        return statistics.median(
            out[key]
            for cell, out in outcomes.items()
            if (cell.policy, cell.variant) == (policy, variant)
        )

    return {
        policy: {
            str(flows): {
                "Mpps": statistics.median(throughputs(experiment, outcomes, policy, flows)),
                "lost packets": median(policy, flows, "lost"),
                "seconds to open": median(policy, flows, "opening_s"),
                "busy share of the traffic's processor": median(policy, flows, "busy"),
            }
            for flows in experiment.flows
        }
        for policy in experiment.policies
    }


@contextlib.contextmanager
def huge_pages(count: int = _PAGES) -> Iterator[None]:
    """Have so many huge pages for the time; LabError if there is no room for them."""
    before = _HUGE_PAGES.read_text()
    _HUGE_PAGES.write_text(str(max(count, int(before))))
    try:
        if int(_HUGE_PAGES.read_text()) < count:
            raise LabError(f"{count} huge pages of 2 MiB are needed: there is no room for them")
        yield
    finally:
        _HUGE_PAGES.write_text(before)


def compare_peers(experiment: Comparison) -> list[Outcome]:
    """Measure beside Open vSwitch; return the rows."""
    return peer_rows(experiment, run(experiment))


def compare_layers(experiment: Overlay) -> list[Outcome]:
    """Measure layer on layer, draw the figure, and return the rows."""
    outcomes = run(experiment)
    overlay_figure.draw(
        {
            policy: {
                flows: throughputs(experiment, outcomes, policy, flows)
                for flows in experiment.flows
            }
            for policy in experiment.policies
        },
        campaign.RESULTS / "forwarder" / "S2.svg",
    )
    return overhead_rows(experiment, outcomes)


def main() -> int:
    """Measure what was asked for, and record its rows."""
    parser = argparse.ArgumentParser(prog="forwarding", description=__doc__)
    parser.add_argument(
        "experiments",
        nargs="*",
        default=list(CONTENDERS),
        metavar="EXPERIMENT",
        help=f"which to measure, of {', '.join(CONTENDERS)} (all)",
    )
    parser.add_argument("--runs", type=int, default=5, help="repetitions (%(default)s)")
    parser.add_argument("--fresh", action="store_true", help="measure anew what is stored")
    options = parser.parse_args()
    if unknown := set(options.experiments) - CONTENDERS.keys():
        parser.error(f"no such experiment: {', '.join(sorted(unknown))}")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        with huge_pages():
            for experiment, rows in ((Comparison, compare_peers), (Overlay, compare_layers)):
                asked = experiment(runs=options.runs)
                if asked.id not in options.experiments:
                    continue
                if options.fresh:
                    campaign.forget(asked.id)
                for row in rows(asked):
                    campaign.record(row)
    except LabError as error:
        print(f"forwarding: {error}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
