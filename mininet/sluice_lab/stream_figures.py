# SPDX-License-Identifier: EPL-2.0
"""Figures 8 to 12 of Aljoby et al. 2019, from stored runs: ours and the paper's in the same axes.

The paper tells its gains over TCP in numbers, its absolute values only in bars: those are compared.
"""

from __future__ import annotations

import pathlib
import statistics
from collections.abc import Callable, Sequence
from typing import Any

from sluice_lab import plots
from sluice_lab.campaign import RAW, RESULTS, Cell, Outcome
from sluice_lab.experiments import stream_rows, streams
from sluice_lab.experiments.streams import MULTIHOP, UPLINK, Sharing, Streams
from sluice_lab.plots import pyplot

_WIDTH = 0.8
_PAPER = {"marker": "D", "color": "black", "linestyle": "", "zorder": 3}
_PLACES = {UPLINK: "hosts' cables are the bottleneck", MULTIHOP: "7 switches, cables between them"}
_Axes = Any


class Drawn:
    """The stored runs of an experiment for one place of the bottleneck."""

    def __init__(self, experiment: Streams, where: str, outcomes: dict[Cell, Outcome]) -> None:
        self.experiment = experiment
        self.row = stream_rows.row_of(experiment, where)
        self.outcomes = outcomes
        self.variants = [
            variant
            for variant in experiment.variants
            if variant.startswith(where) and any(cell.variant == variant for cell in outcomes)
        ]
        self.policies = [
            policy for policy in Sharing if any(cell.policy == policy for cell in outcomes)
        ]

    def ticks(self, axes: _Axes) -> None:
        """Name the groups of bars by the paper's rates."""
        names = [variant.partition("-")[2] for variant in self.variants]
        axes.set_xticks(range(len(names)), names)
        scale = self.experiment.scale
        here = "" if scale == 1 else f"; here times {scale:g}"
        axes.set_xlabel(f"bottleneck [Mbit/s]{here}")

    def bars(
        self,
        axes: _Axes,
        policies: Sequence[Sharing],
        values: Callable[[str, Sharing], Sequence[float]],
    ) -> None:
        """Draw the median over runs, with their range, for each variant and policy."""
        width = _WIDTH / max(1, len(policies))
        for number, policy in enumerate(policies):
            for at, variant in enumerate(self.variants):
                found = values(variant, policy)
                if not found:
                    continue
                middle = statistics.median(found)
                axes.bar(
                    at + (number - (len(policies) - 1) / 2) * width,
                    middle,
                    width,
                    yerr=[[middle - min(found)], [max(found) - middle]],
                    capsize=2,
                    color=f"C{list(Sharing).index(policy)}",
                    label=None if at else policy,
                )
        self.ticks(axes)

    def runs(self, key: str) -> Callable[[str, Sharing], list[float]]:
        """Return what gives the values of all runs of a variant under a policy."""

        def values(variant: str, policy: Sharing) -> list[float]:
            return [
                outcome[key]
                for cell, outcome in self.outcomes.items()
                if (cell.variant, cell.policy) == (variant, policy) and outcome[key] is not None
            ]

        return values

    def over_tcp(self, key: str, sign: int) -> Callable[[str, Sharing], list[float]]:
        """Return what gives the gains over TCP in percent, or with sign -1 what was saved."""
        return lambda variant, policy: [
            100 * sign * gain for gain in stream_rows.gains(self.outcomes, variant, policy, key)
        ]

    def paper(self, axes: _Axes, claims: dict[str, tuple[float, ...]]) -> None:
        """Draw what the paper claims beside the bars."""
        rates = dict(zip(streams.RATES, claims.get(self.row, ()), strict=False))
        points = {
            at: 100 * rates[rate]
            for at, variant in enumerate(self.variants)
            if (rate := variant.split("-")[1]) in rates
        }
        if points:
            axes.plot(list(points), list(points.values()), label="paper, app-aware", **_PAPER)


def _throughput(axes: _Axes, drawn: Drawn) -> None:
    drawn.bars(axes, drawn.policies, drawn.runs("throughput"))
    axes.set(title="throughput (figures 8, 9)", ylabel="completed [tuples/s]")


def _gain(axes: _Axes, drawn: Drawn) -> None:
    others = [policy for policy in drawn.policies if policy is not Sharing.TCP]
    drawn.bars(axes, others, drawn.over_tcp("throughput", 1))
    drawn.paper(axes, stream_rows.PAPER_GAIN)
    axes.set(title="throughput over TCP", ylabel="gain [%]")


def _latency(axes: _Axes, drawn: Drawn) -> None:
    def seconds(variant: str, policy: Sharing) -> list[float]:
        return [latency_ms / 1e3 for latency_ms in drawn.runs("latency_ms")(variant, policy)]

    drawn.bars(axes, drawn.policies, seconds)
    axes.set(title="latency (figures 10, 11)", ylabel="mean, from source to sink [s]")


def _saved(axes: _Axes, drawn: Drawn) -> None:
    others = [policy for policy in drawn.policies if policy is not Sharing.TCP]
    drawn.bars(axes, others, drawn.over_tcp("latency_ms", -1))
    drawn.paper(axes, stream_rows.PAPER_SAVED)
    axes.set(title="latency saved over TCP", ylabel="saved [%]")


def _used(axes: _Axes, drawn: Drawn) -> None:
    def values(variant: str, policy: Sharing) -> list[float]:
        cells = [c for c in drawn.outcomes if (c.variant, c.policy) == (variant, policy)]
        found = [stream_rows.bottlenecks_used(drawn.outcomes, cell) for cell in cells]
        return [100 * share for share in found if share is not None]

    drawn.bars(axes, drawn.policies, values)
    claim = stream_rows.PAPER_USED.get(drawn.experiment.id)
    if claim:
        axes.axhline(100 * claim, color="black", linewidth=0.8, label="paper, app-aware: used")
    axes.set(title="bottlenecks used (figure 12)", ylabel="of capacity [%]", ylim=(0, 105))


def _processors(axes: _Axes, drawn: Drawn) -> None:
    def cores(variant: str, policy: Sharing) -> list[float]:
        found = drawn.runs("worker_cores")(variant, policy)
        return [sum(by_host.values()) for by_host in found]

    def idle(variant: str, policy: Sharing) -> list[float]:
        return [cpu["idle"] for cpu in drawn.runs("cpu")(variant, policy)]

    drawn.bars(axes, drawn.policies, cores)
    least = [min(found) for v in drawn.variants for p in drawn.policies if (found := idle(v, p))]
    axes.set(
        title=f"the instrument: machine idle {100 * min(least):.0f} % at least",
        ylabel="all workers [processors]",
    )


_PANELS = (_throughput, _latency, _used, _gain, _saved, _processors)


def draw(
    experiment: Streams, raw: pathlib.Path = RAW, out: pathlib.Path | None = None
) -> list[pathlib.Path]:
    """Draw a figure for each place of the bottleneck, SVG, and PNG too in ``out``."""
    outcomes = {
        Cell(variant=runs.variant, policy=policy, seed=seed): outcome
        for runs in plots.read(experiment.id, raw)
        for policy, by_seed in runs.by_policy.items()
        for seed, outcome in by_seed.items()
    }
    folder = out or RESULTS / "bandwidth"
    files = []
    for where, place in _PLACES.items():
        drawn = Drawn(experiment, where, outcomes)
        if drawn.variants:
            files += _draw(drawn, place, folder, ("svg", "png") if out else ("svg",))
    return files


def _draw(
    drawn: Drawn, place: str, folder: pathlib.Path, kinds: Sequence[str]
) -> list[pathlib.Path]:
    figure, grid = pyplot.subplots(2, 3, figsize=(15, 8), layout="constrained")
    try:
        for axes, panel in zip(grid.flat, _PANELS, strict=True):
            panel(axes, drawn)
        handles = {}
        for axes in grid.flat:
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
                handles.setdefault(label, handle)
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=6)
        figure.suptitle(f"{drawn.experiment.application}: {place}")
        files = [folder / f"{drawn.row}.{kind}" for kind in kinds]
        for file in files:
            plots.save(figure, file)
    finally:
        pyplot.close(figure)
    return files
