# SPDX-License-Identifier: EPL-2.0
"""Rows B1-*: what is told of the runs of :mod:`sluice_lab.experiments.streams`."""

from __future__ import annotations

import dataclasses
import logging
import statistics
from collections.abc import Mapping, Sequence

from sluice_lab import campaign
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.experiments import streams
from sluice_lab.experiments.streams import MULTIHOP, RATES, UPLINK, Sharing, Streams
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab

PAPER_GAIN = {
    "B1-tt": (0.25, 0.27, 0.15),
    "B1-ti": (0.3093, 0.3027, 0.3080),
    "B1-tt-multihop": (0.1921, 0.1952, 0.1569),
    "B1-ti-multihop": (0.2209, 0.2309, 0.2398),
}
"""Throughput over TCP at 10, 15 and 20 Mbit/s, by row: figures 8 and 9."""
PAPER_SAVED = {
    "B1-tt": (0.1427, 0.2624, 0.5017),
    "B1-ti": (0.0572, 0.1010, 0.1728),
    "B1-tt-multihop": (0.1120, 0.1590, 0.6089),
    "B1-ti-multihop": (0.0, 0.0, 0.0),
}
"""Latency saved over TCP: figures 10 and 11; of the last the text says that they look alike."""
PAPER_USED = {"B1-tt": 0.99, "B1-ti": 0.97}
"""Mean utilisation of bottlenecks: figure 12."""

_IDLE_ENOUGH = 0.1  # of the machine, for links to be what holds tuples back
_NAMED = 5  # of what a row waits for
_LOG = logging.getLogger(__name__)


def row_of(experiment: Streams, where: str) -> str:
    """Return the row of an application's gain."""
    return experiment.id if where == UPLINK else f"{experiment.id}-{where}"


def variants_of(where: str) -> list[str]:
    """Return the variants with a bottleneck there."""
    return [f"{where}-{rate}" for rate in RATES]


def run(experiment: Streams, lab: Lab) -> None:
    """Measure every cell and record the rows that all their cells are stored of."""
    outcomes = streams.measure_all(experiment, lab)
    for where in (UPLINK, MULTIHOP):
        record_gain(experiment, outcomes, where)
    if experiment.id == streams.TRUCKING_IOT.id:
        record_rounds(experiment, outcomes)


def is_whole(row: str, missing: Sequence[object]) -> bool:
    """Tell whether a row lacks nothing of what it is made of; say what it waits for."""
    if missing:
        named, others = map(str, missing[:_NAMED]), len(missing) - _NAMED
        more = f" and {others} more" if others > 0 else ""
        _LOG.info("%s waits for %s%s", row, ", ".join(named), more)
    return not missing


def gains(outcomes: dict[Cell, Outcome], variant: str, policy: str, key: str) -> list[float]:
    """Return how much more than under TCP there was under a policy, run by run."""
    return [
        outcome[key] / tcp[key] - 1
        for cell, outcome, tcp in _pairs(outcomes, policy)
        if cell.variant == variant and outcome[key] is not None and tcp[key]
    ]


def _pairs(outcomes: dict[Cell, Outcome], policy: str) -> list[tuple[Cell, Outcome, Outcome]]:
    """Return each run under a policy with the one of its variant and seed under TCP."""
    return [
        (cell, outcome, tcp)
        for cell, outcome in outcomes.items()
        if cell.policy == policy
        and (tcp := outcomes.get(dataclasses.replace(cell, policy=Sharing.TCP)))
    ]


def bound_links(outcomes: dict[Cell, Outcome], variant: str, seed: int) -> list[str]:
    """Return the links that are bottlenecks, as Sluice's run of the same placement has found."""
    cell = Cell(variant=variant, policy=Sharing.SLUICE, seed=seed)
    found = outcomes[cell]["bound"] if cell in outcomes else []
    return [link for link in found if link in outcomes[cell]["utilisation"]]


def bottlenecks_used(outcomes: dict[Cell, Outcome], cell: Cell) -> float | None:
    """Return the mean utilisation of the bottlenecks in a run."""
    found = bound_links(outcomes, cell.variant, cell.seed)
    used = outcomes[cell]["utilisation"]
    return statistics.fmean(used[link] for link in found) if found else None


def _medians(
    outcomes: dict[Cell, Outcome], variants: Sequence[str], policy: str, key: str
) -> dict[str, float]:
    """Return the median gain of each variant that both have runs of."""
    found = {variant: gains(outcomes, variant, policy, key) for variant in variants}
    return {variant: statistics.median(those) for variant, those in found.items() if those}


def record_gain(experiment: Streams, outcomes: dict[Cell, Outcome], where: str) -> None:
    """Record the smallest gain of throughput over TCP, of the medians by rate, with its spread."""
    row, variants = row_of(experiment, where), variants_of(where)
    by_policy = {
        policy: _medians(outcomes, variants, policy, "throughput")
        for policy in experiment.policies
        if policy != Sharing.TCP
    }
    ours = by_policy.get(Sharing.SLUICE, {})
    if not is_whole(row, [variant for variant in variants if variant not in ours]):
        return
    weakest = min(ours, key=lambda variant: ours[variant])
    runs = {cell: outcome for cell, outcome in outcomes.items() if cell.variant in variants}
    campaign.record_figure(
        dataclasses.replace(experiment, variants=tuple(variants)),
        gains(outcomes, weakest, Sharing.SLUICE, "throughput"),
        row=row,
        peers={
            policy: min(found.values())
            for policy, found in by_policy.items()
            if policy != Sharing.SLUICE and len(found) == len(variants)
        },
        notes={
            "weakest": weakest,
            "by variant": ours,
            "tuples/s": medians(experiment, outcomes, variants, "throughput"),
            "machine idle": least_idle(runs),
            **notes_of(row, {experiment.id: runs}),
        },
    )


def least_idle(outcomes: dict[Cell, Outcome]) -> float:
    """Return the least part of the processors that had nothing to do during a run."""
    return round(min(outcome["cpu"]["idle"] for outcome in outcomes.values()), 3)


def notes_of(row: str, runs: Mapping[str, dict[Cell, Outcome]]) -> Outcome:
    """Return the notes that every row has of its runs, which are given by experiment."""
    return {
        **_largest_sum(runs),
        **_lost_messages(runs),
        **_busy(row, runs),
        **_unlike_pairs(row, runs),
    }


def _largest_sum(runs: Mapping[str, dict[Cell, Outcome]]) -> Outcome:
    """Return the note of the largest sum of meters to a link's capacity; LabError above 1."""
    largest, where = max(
        (outcome["meters_of_capacity"], f"{name} {cell}")
        for name, outcomes in runs.items()
        for cell, outcome in outcomes.items()
    )
    if largest > 1:
        raise LabError(
            f"not recorded: meters summed to {largest} times a link's rate in {where}; "
            "find out why, delete its sample and run it again"
        )
    return {"largest sum of meters to capacity": largest}


def _lost_messages(runs: Mapping[str, dict[Cell, Outcome]]) -> Outcome:
    """Return the note of the messages that were lost in all runs together, if any were."""
    told = [
        outcome.get("lost_messages") for outcomes in runs.values() for outcome in outcomes.values()
    ]
    lost = sum(number for number in told if number)
    return {"lost messages": lost} if lost else {}


def _busy(row: str, runs: Mapping[str, dict[Cell, Outcome]]) -> Outcome:
    """Return the note of how many runs the processors may have held back, if any."""
    busy = [
        f"{name} {cell}"
        for name, outcomes in runs.items()
        for cell, outcome in outcomes.items()
        if outcome["cpu"]["idle"] < _IDLE_ENOUGH
    ]
    if not busy:
        return {}
    _LOG.warning(
        "%s: less than %g of the processors was idle in %s; measure these runs on a faster machine",
        row,
        _IDLE_ENOUGH,
        ", ".join(busy),
    )
    return {"runs with busy processors": len(busy)}


def _unlike_pairs(row: str, runs: Mapping[str, dict[Cell, Outcome]]) -> Outcome:
    """Return the note of how many runs and TCP's beside them are of two commits or machines."""
    pairs = [
        (f"{name} {cell}", campaign.are_alike(run, tcp))
        for name, outcomes in runs.items()
        for policy in sorted({cell.policy for cell in outcomes} - {Sharing.TCP})
        for cell, run, tcp in _pairs(outcomes, policy)
    ]
    unlike = [where for where, is_alike in pairs if not is_alike]
    if not unlike:
        return {}
    _LOG.info(
        "%s: %d of %d pairs were measured at two commits or on two machines, those of %s",
        row,
        len(unlike),
        len(pairs),
        ", ".join(unlike),
    )
    return {"pairs of two commits or machines": len(unlike)}


def medians(
    experiment: Streams, outcomes: dict[Cell, Outcome], variants: Sequence[str], key: str
) -> dict[str, dict[str, float]]:
    """Return the medians by variant and policy."""
    return {
        variant: {
            policy: statistics.median(found)
            for policy in experiment.policies
            if (found := values(outcomes, variant, policy, key))
        }
        for variant in variants
    }


def values(outcomes: dict[Cell, Outcome], variant: str, policy: str, key: str) -> list[float]:
    """Return a figure of all runs of a variant under a policy that have it."""
    return [
        outcome[key]
        for cell, outcome in outcomes.items()
        if (cell.variant, cell.policy) == (variant, policy) and outcome[key] is not None
    ]


def record_rounds(experiment: Streams, outcomes: dict[Cell, Outcome]) -> None:
    """Record how long a round takes to decide, at the uplinks; until it is enforced beside it."""
    row, variants = "B3-storm", variants_of(UPLINK)
    taken = {
        variant: [
            means
            for cell, outcome in outcomes.items()
            if (cell.variant, cell.policy) == (variant, Sharing.SLUICE)
            and (means := outcome.get("round_ms"))
        ]
        for variant in variants
    }
    if not is_whole(row, [variant for variant in variants if not taken[variant]]):
        return
    runs = [means for found in taken.values() for means in found]
    campaign.record_figure(
        dataclasses.replace(experiment, variants=tuple(variants), policies=(Sharing.SLUICE,)),
        [one["deciding"] for one in runs],
        row=row,
        peers={"until enforced": statistics.median(one["enforcing"] for one in runs)},
    )


def run_placements(experiment: Streams, lab: Lab) -> None:
    """Measure placements; record the gains over TCP, of which the least is the worst.

    The row waits until all placements are stored.
    """
    outcomes = streams.measure_all(experiment, lab)
    if not is_whole(experiment.id, [x for x in streams.PLACEMENTS.cells() if x not in outcomes]):
        return
    (variant,) = experiment.variants
    found = gains(outcomes, variant, Sharing.SLUICE, "throughput")
    notes = notes_of(experiment.id, {experiment.id: outcomes})
    campaign.record_figure(experiment, found, notes=notes)


def run_intervals(experiment: Streams, lab: Lab) -> None:
    """Measure intervals; record by how much throughput differs from the best of them.

    The row waits until all intervals are stored.
    """
    outcomes = streams.measure_all(experiment, lab)
    variants = streams.INTERVALS.variants
    by_variant = medians(experiment, outcomes, variants, "throughput")
    missing = [name for name, found in by_variant.items() if Sharing.SLUICE not in found]
    if not is_whole(experiment.id, missing):
        return
    ours = [found[Sharing.SLUICE] for found in by_variant.values()]
    runs = [
        value
        for variant in variants
        for value in values(outcomes, variant, Sharing.SLUICE, "throughput")
    ]
    campaign.record_figure(
        experiment,
        [value / max(ours) for value in runs],
        value=min(ours) / max(ours),
        notes={"tuples/s": by_variant, **notes_of(experiment.id, {experiment.id: outcomes})},
    )
