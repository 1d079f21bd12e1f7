# SPDX-License-Identifier: EPL-2.0
"""Rows that both stream applications have a part in: B1-free, B1-latency, B2."""

from __future__ import annotations

import dataclasses
import logging
import statistics
from collections.abc import Sequence
from typing import Self

from sluice_lab import campaign
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.experiments import stream_rows, streams
from sluice_lab.experiments.stream_rows import variants_of
from sluice_lab.experiments.streams import MULTIHOP, UPLINK, Sharing, Streams
from sluice_lab.steering import Lab

APPLICATIONS = (streams.TRENDING_TOPICS, streams.TRUCKING_IOT)
_FREE = tuple(f"{where}-{streams.FREE}" for where in (UPLINK, MULTIHOP))
_LOG = logging.getLogger(__name__)


def run(experiment: Streams, lab: Lab) -> None:
    """Measure an application; record its rows, and those of both if the other is stored, too."""
    stream_rows.run(experiment, lab)
    record(experiment.policies)


def record(policies: Sequence[str]) -> None:
    """Record the rows that all runs are stored of; these policies stand in them."""
    uplinks, hops = variants_of(UPLINK), variants_of(MULTIHOP)
    bottled = (*uplinks, *hops)
    _record_least("B1-free", Both.of(policies, _FREE, _FREE), "throughput", "tuples/s")
    _record_least("B1-latency", Both.of(policies, bottled, uplinks), "latency_ms", "ms", sign=-1)
    _record_used(Both.of(policies, bottled, bottled))


@dataclasses.dataclass(frozen=True)
class Both:
    """What is stored of the applications, of the variants that a row is made of."""

    stored: tuple[tuple[Streams, dict[Cell, Outcome]], ...]

    @classmethod
    def of(cls, policies: Sequence[str], *variants: Sequence[str]) -> Self:
        """Read the variants of each application."""
        experiments = [
            dataclasses.replace(one, policies=tuple(policies), variants=tuple(names))
            for one, names in zip(APPLICATIONS, variants, strict=True)
        ]
        return cls(tuple((one, campaign.load(one.id, one.cells())) for one in experiments))

    def missing(self, *policies: str) -> list[str]:
        """Return the runs under these policies that are not stored."""
        return [
            f"{one.id} {cell}"
            for one, outcomes in self.stored
            for cell in dataclasses.replace(one, policies=policies).cells()
            if cell not in outcomes
        ]

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies that stand in a row."""
        return self.stored[0][0].policies

    def medians(self, name: str, variant: str, key: str) -> dict[str, float]:
        """Return the medians of an application's variant by policy."""
        (one,) = (of for of in self.stored if of[0].id == name)
        found = stream_rows.medians(*one, [variant], key)[variant]
        return {policy: round(median, 1) for policy, median in found.items()}

    def is_whole(self, row: str) -> bool:
        """Tell whether a row has all its runs of Sluice and of TCP; say if some are missing."""
        return stream_rows.is_whole(row, self.missing(Sharing.SLUICE, Sharing.TCP))

    def record(
        self,
        row: str,
        values: Sequence[float],
        *,
        value: float | None = None,
        notes: Outcome | None = None,
        peers: dict[str, float] | None = None,
    ) -> None:
        """Record a row, unless meters have overfilled a link."""
        first, *others = (experiment for experiment, _ in self.stored)
        runs = {one.id: outcomes for one, outcomes in self.stored}
        campaign.record_figure(
            first,
            values,
            row=row,
            value=value,
            peers=peers,
            notes={**(notes or {}), **stream_rows.notes_of(row, runs)},
            beside=others,
        )


def _record_least(row: str, both: Both, key: str, unit: str, sign: int = 1) -> None:
    """Record the least gain (or loss, if the sign is -1) of the medians by application, variant."""
    if not both.is_whole(row):
        return
    found = {
        policy: {
            (one.id, variant): [
                sign * gain for gain in stream_rows.gains(outcomes, variant, policy, key)
            ]
            for one, outcomes in both.stored
            for variant in one.variants
        }
        for policy in both.policies
        if policy != Sharing.TCP and not both.missing(policy)
    }
    ours = found[Sharing.SLUICE]
    silent = [f"{name} {variant}" for (name, variant), gains in ours.items() if not gains]
    if silent:
        _LOG.warning("%s is not recorded: nothing was completed in %s", row, ", ".join(silent))
        return
    medians = {where: statistics.median(gains) for where, gains in ours.items()}
    weakest = min(medians, key=lambda where: medians[where])
    both.record(
        row,
        ours[weakest],
        notes={
            "weakest": " ".join(weakest),
            "by variant": {f"{name} {variant}": gain for (name, variant), gain in medians.items()},
            f"there, {unit}": both.medians(*weakest, key),
            "latency, ms": {
                f"{name} {variant}": both.medians(name, variant, "latency_ms")
                for name, variant in ours
            },
        },
        peers={
            policy: min(statistics.median(gains) for gains in gained.values())
            for policy, gained in found.items()
            if policy != Sharing.SLUICE and all(gained.values())
        },
    )


def _record_used(both: Both) -> None:
    """Record B2: the mean utilisation of bottlenecks, beside that of peers with the same runs."""
    if not both.is_whole("B2"):
        return
    runs = [(one.id, outcomes, cell) for one, outcomes in both.stored for cell in outcomes]
    used: dict[str, list[float]] = {}
    by_application: dict[str, list[float]] = {}
    for name, outcomes, cell in runs:
        share = stream_rows.bottlenecks_used(outcomes, cell)
        if share is None:
            _LOG.warning(
                "B2 is not recorded: in %s %s no link kept flows short in most looks", name, cell
            )
            return
        used.setdefault(cell.policy, []).append(share)
        if cell.policy == Sharing.SLUICE:
            by_application.setdefault(name, []).append(share)
    ours = used.pop(Sharing.SLUICE)
    peers = {
        policy: statistics.fmean(shares)
        for policy, shares in used.items()
        if not both.missing(policy)
    }
    means = {name: statistics.fmean(shares) for name, shares in by_application.items()}
    notes = {"by application": means}
    both.record("B2", ours, value=statistics.fmean(ours), notes=notes, peers=peers)
