# SPDX-License-Identifier: EPL-2.0
"""Figures 8 to 12 of Aljoby et al. 2019, from stored runs: ours and the paper's in the same axes.

The paper tells its gains over TCP in numbers, its absolute values only in bars: those are compared.
What it has no figure of, intervals and placements, has one here.
"""

from __future__ import annotations

import itertools
import pathlib
import statistics
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from sluice_lab import panels, plots
from sluice_lab.campaign import RAW, RESULTS, Cell, Outcome
from sluice_lab.experiments import stream_rows, streams
from sluice_lab.experiments.streams import MULTIHOP, UPLINK, Setting, Sharing, Streams
from sluice_lab.plots import pyplot

_WIDTH = 0.8
_ROOM = 1.1  # of an axis, for what is drawn
_PLACES = {UPLINK: "hosts' cables are the bottleneck", MULTIHOP: "7 switches, cables between them"}
_Axes = Any
Panel: TypeAlias = Callable[[_Axes, "Drawn"], None]


def _name(policy: Sharing) -> str:
    return f"{policy} (cubic)" if policy is Sharing.TCP else policy


def _colour(policy: Sharing) -> str:
    return f"C{list(Sharing).index(policy)}"


class Drawn:
    """The stored runs of an experiment for one place of the bottleneck."""

    def __init__(self, experiment: Streams, where: str, outcomes: dict[Cell, Outcome]) -> None:
        self.experiment = experiment
        self.row = stream_rows.row_of(experiment, where)
        self._where = where
        self.variants = [
            variant
            for variant in experiment.variants
            if variant.startswith(where) and any(cell.variant == variant for cell in outcomes)
        ]
        self.outcomes = {
            cell: outcome for cell, outcome in outcomes.items() if cell.variant in self.variants
        }
        self.policies = [
            policy for policy in Sharing if any(cell.policy == policy for cell in self.outcomes)
        ]

    def part(self, *, is_free: bool) -> Drawn:
        """Return the runs without a bottleneck alone, or those with one."""
        kept = {
            cell: outcome
            for cell, outcome in self.outcomes.items()
            if (Setting.of(cell.variant, self.experiment).rate_mbps is None) == is_free
        }
        return Drawn(self.experiment, self._where, kept)

    def ticks(self, axes: _Axes) -> None:
        """Name the groups of bars by the paper's rates."""
        names = [variant.partition("-")[2] for variant in self.variants]
        axes.set_xticks(range(len(names)), names)
        scale = self.experiment.scale
        here = "" if scale == 1 else f"; here times {scale:g}"
        interval = "-interval [s]" if any("-" in name for name in names) else ""
        axes.set_xlabel(f"bottleneck [Mbit/s]{interval}{here}")

    def bars(
        self,
        axes: _Axes,
        policies: Sequence[Sharing],
        values: Callable[[str, Sharing], Sequence[float]],
    ) -> None:
        """Draw the median over runs, with their range, for each variant and policy."""
        width = _WIDTH / max(1, len(policies))
        for number, policy in enumerate(policies):
            label: str | None = _name(policy)
            for at, variant in enumerate(self.variants):
                found = values(variant, policy)
                if not found:
                    continue
                axes.bar(
                    [at + (number - (len(policies) - 1) / 2) * width],
                    **panels.median_and_range([[one] for one in found]),
                    width=width,
                    color=_colour(policy),
                    label=label,
                )
                label = None
        self.ticks(axes)

    def runs(self, key: str) -> Callable[[str, Sharing], list[float]]:
        """Return what gives the values of all runs of a variant under a policy."""
        return lambda variant, policy: stream_rows.values(self.outcomes, variant, policy, key)

    def on_two_scales(
        self,
        axes: _Axes,
        values: Callable[[str, Sharing], Sequence[float]],
        what: str,
    ) -> None:
        """Draw bars where there is a bottleneck, and where there is none by an axis at the right.

        There is so much more, or less, there that one axis would hide what the others differ by.
        """
        free = self.part(is_free=True).variants
        bottled = [variant for variant in self.variants if variant not in free]
        for those, name in ((bottled, what), (free, f"free: {what}")):
            if those:
                here = axes if those is bottled or not bottled else axes.twinx()
                self.bars(here, self.policies, _of(those, values))
                here.set_ylabel(name)

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
            axes.plot(list(points), list(points.values()), label="paper, app-aware", **panels.PAPER)


def _of(
    variants: Sequence[str], values: Callable[[str, Sharing], Sequence[float]]
) -> Callable[[str, Sharing], Sequence[float]]:
    return lambda variant, policy: values(variant, policy) if variant in variants else []


def _throughput(axes: _Axes, drawn: Drawn) -> None:
    drawn.on_two_scales(axes, drawn.runs("throughput"), "completed [tuples/s]")
    axes.set(title="throughput (figures 8, 9)")


def _gain(axes: _Axes, drawn: Drawn) -> None:
    others = [policy for policy in drawn.policies if policy is not Sharing.TCP]
    drawn.bars(axes, others, drawn.over_tcp("throughput", 1))
    drawn.paper(axes, stream_rows.PAPER_GAIN)
    axes.set(title="throughput over TCP", ylabel="gain [%]")


def _latency(axes: _Axes, drawn: Drawn) -> None:
    def seconds(variant: str, policy: Sharing) -> list[float]:
        return [latency_ms / 1e3 for latency_ms in drawn.runs("latency_ms")(variant, policy)]

    drawn.on_two_scales(axes, seconds, "mean, from source to sink [s]")
    axes.set(title="latency (figures 10, 11)")


def latency_saved(axes: _Axes, drawn: Drawn) -> None:
    """Draw the latency saved over TCP where there is a bottleneck.

    Elsewhere tuples wait for processors, and what that makes of it would stretch the axis.
    """
    throttled = drawn.part(is_free=False)
    others = [policy for policy in throttled.policies if policy is not Sharing.TCP]
    throttled.bars(axes, others, throttled.over_tcp("latency_ms", -1))
    throttled.paper(axes, stream_rows.PAPER_SAVED)
    axes.set(title="latency saved over TCP", ylabel="saved [%]")


def _used(axes: _Axes, drawn: Drawn) -> None:
    throttled = drawn.part(is_free=False)

    def values(variant: str, policy: Sharing) -> list[float]:
        cells = [c for c in throttled.outcomes if (c.variant, c.policy) == (variant, policy)]
        found = [stream_rows.bottlenecks_used(throttled.outcomes, cell) for cell in cells]
        return [100 * share for share in found if share is not None]

    throttled.bars(axes, throttled.policies, values)
    claim = stream_rows.PAPER_USED.get(drawn.experiment.id)
    if claim:
        axes.axhline(100 * claim, color="black", linewidth=0.8, label="paper, app-aware: used")
    axes.set(title="bottlenecks used (figure 12)", ylabel="of capacity [%]", ylim=(0, 105))


def processors(axes: _Axes, drawn: Drawn) -> None:
    """Draw what workers took; tell the machine's least idle share, and its busiest worker."""

    def cores(variant: str, policy: Sharing) -> list[float]:
        found = drawn.runs("worker_cores")(variant, policy)
        return [sum(by_host.values()) for by_host in found]

    drawn.bars(axes, drawn.policies, cores)
    lines = [axes.get_xlabel()]
    for name, is_free in (("throttled", False), ("free", True)):
        if runs := drawn.part(is_free=is_free).outcomes:
            idle = 100 * stream_rows.least_idle(runs)
            busiest = max(max(outcome["worker_cores"].values()) for outcome in runs.values())
            lines.append(
                f"{name}: machine idle {idle:.0f} % at least, busiest worker {busiest:.2f}"
            )
    axes.set(
        title="the instrument: processors",
        xlabel="\n".join(lines),
        ylabel="all workers [processors]",
    )


def _by_interval(key: str, share: float) -> Panel:
    def panel(axes: _Axes, drawn: Drawn) -> None:
        seconds = {name: Setting.of(name, drawn.experiment).interval_s for name in drawn.variants}
        most = 0.0
        for policy in drawn.policies:
            intervals, found = [], []
            for variant in drawn.variants:
                if values := drawn.runs(key)(variant, policy):
                    intervals.append(seconds[variant])
                    found.append([value * share for value in values])
                    most = max(most, *found[-1])
            seen = [panels.median_and_range([[value] for value in values]) for values in found]
            axes.errorbar(
                intervals,
                [one["height"][0] for one in seen],
                yerr=[[one["yerr"][end][0] for one in seen] for end in (0, 1)],
                label=_name(policy),
                **{"marker": "o", "capsize": 2, "color": _colour(policy)},
            )
        axes.set_xscale("log")
        axes.set_xticks(list(seconds.values()), map(str, seconds.values()))
        axes.minorticks_off()
        axes.set(xlabel="interval between two allocations [s]", ylim=(0, _ROOM * most or None))

    return panel


def _throughput_by_interval(axes: _Axes, drawn: Drawn) -> None:
    _by_interval("throughput", 1)(axes, drawn)
    axes.set(title="throughput", ylabel="completed [tuples/s]")


def latency_by_interval(axes: _Axes, drawn: Drawn) -> None:
    """Draw the latency of each policy by the seconds between two allocations."""
    _by_interval("latency_ms", 1e-3)(axes, drawn)
    axes.set(title="latency", ylabel="mean, from source to sink [s]")


def gain_by_placement(axes: _Axes, drawn: Drawn) -> None:
    """Draw Sluice's gain over TCP for each placement, in the order of the gains."""
    gains = sorted(drawn.over_tcp("throughput", 1)(drawn.variants[0], Sharing.SLUICE))
    axes.bar(range(1, len(gains) + 1), gains, color=_colour(Sharing.SLUICE), label=Sharing.SLUICE)
    if gains:
        middle = statistics.median(gains)
        label = f"median {middle:.0f} %, worst {gains[0]:.0f} %"
        axes.axhline(middle, color="black", linewidth=0.8, label=label)
    axes.set(
        title="throughput over TCP",
        xlabel="random placements, by gain",
        ylabel="gain [%]",
    )
    axes.locator_params(axis="x", integer=True)


def _throughput_by_placement(axes: _Axes, drawn: Drawn) -> None:
    placements = range(1, drawn.experiment.runs + 1)
    for policy in drawn.policies:
        found = {
            cell.seed: outcome["throughput"]
            for cell, outcome in drawn.outcomes.items()
            if cell.policy == policy
        }
        axes.plot(
            [seed for seed in placements if seed in found],
            [found[seed] for seed in placements if seed in found],
            marker="o",
            linestyle="",
            color=_colour(policy),
            label=_name(policy),
        )
    axes.set(
        title="throughput",
        xlabel="random placement, by its seed",
        ylabel="completed [tuples/s]",
        ylim=(0, None),
    )
    axes.locator_params(axis="x", integer=True)


_PANELS: tuple[tuple[Panel, ...], ...] = (
    (_throughput, _latency, _used),
    (_gain, latency_saved, processors),
)
_OWN_PANELS: dict[str, tuple[tuple[Panel, ...], ...]] = {
    streams.INTERVALS.id: ((_throughput_by_interval, latency_by_interval, processors),),
    streams.PLACEMENTS.id: ((gain_by_placement, _throughput_by_placement, processors),),
}
"""Panels of experiments that the paper has no figure of, row by row."""


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
    wanted = _OWN_PANELS.get(drawn.experiment.id, _PANELS)
    rows, columns = len(wanted), len(wanted[0])
    figure, grid = pyplot.subplots(
        rows, columns, figsize=(5 * columns, 4 * rows), layout="constrained", squeeze=False
    )
    try:
        for axes, panel in zip(grid.flat, itertools.chain(*wanted), strict=True):
            panel(axes, drawn)
        handles = {}
        for axes in grid.flat:
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
                handles.setdefault(label, handle)
        figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=6)
        title = f"{drawn.experiment.application}: {place}"
        figure.suptitle(f"{title}\nmedians of runs, whiskers from the least to the most")
        files = [folder / f"{drawn.row}.{kind}" for kind in kinds]
        for file in files:
            plots.save(figure, file, title)
    finally:
        pyplot.close(figure)
    return files
