# SPDX-License-Identifier: EPL-2.0
"""What the figures show: each function draws the runs of one variant into matplotlib axes.

Where a figure follows one of L. Guillen et al., "SDN-based Network Control Method for Distributed
Storage Systems" (2018), it says which. All policies share a panel, each with one colour throughout.
"""

from __future__ import annotations

import dataclasses
import functools
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy

from sluice_lab.campaign import Outcome
from sluice_lab.experiments import completion, fairness, regeneration
from sluice_lab.steering import Policy
from sluice_lab.traffic import PAYLOAD_SHARE

_LINE_BPS = 10e6  # of a fabric link, in every experiment whose flows are drawn one by one
_BOUND = {"color": "black", "linewidth": 0.8, "linestyle": "--"}
PAPER = {"marker": "D", "color": "black", "linestyle": "", "zorder": 3}
"""How points of a paper are drawn beside our own."""
_POINTS = 400


@dataclasses.dataclass(frozen=True)
class Runs:
    """The stored runs of one variant: outcomes by policy and seed, and the parameters of all."""

    variant: str
    parameters: Outcome
    by_policy: dict[str, dict[int, Outcome]] = dataclasses.field(default_factory=dict)

    def each(self) -> Iterable[tuple[str, list[Outcome]]]:
        """Yield every policy with its outcomes; ours first, peers after it."""
        order = list(Policy)
        for policy in sorted(self.by_policy, key=lambda name: order.index(Policy(name))):
            yield policy, list(self.by_policy[policy].values())

    @functools.cached_property
    def makespan_bounds_s(self) -> list[float]:
        """Lower bounds of M4's makespan, for every seed that any policy has run."""
        experiment = completion.CompletionTime(**self.parameters)
        seeds = sorted({seed for runs in self.by_policy.values() for seed in runs})
        return [completion.lower_bound_s(experiment, self.variant, seed) for seed in seeds]


Panel: TypeAlias = Callable[[Any, Runs], None]


def _colour(policy: str) -> str:
    return f"C{list(Policy).index(Policy(policy))}"


def _explain(axes: Any, columns: int = 5) -> None:  # noqa: ANN401
    """Put the legend above the panel, where it hides nothing."""
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.08), ncols=columns, fontsize="small")


def _median(samples: Iterable[Sequence[float]]) -> list[float]:
    """Return the medians of equally long samples, place by place."""
    return [statistics.median(values) for values in zip(*samples, strict=True)]


def _bars_by_flow(axes: Any, groups: dict[str, list[float]]) -> None:  # noqa: ANN401
    """Draw a group of bars for each flow, one bar for each policy."""
    width = 0.8 / len(groups)
    for place, (policy, values) in enumerate(groups.items()):
        positions = [flow + (place - (len(groups) - 1) / 2) * width for flow in range(len(values))]
        axes.bar(positions, values, width, label=policy, color=_colour(policy))
    flows = range(max(map(len, groups.values())))
    axes.set_xticks(flows, [str(flow + 1) for flow in flows])
    axes.set_xlabel("flow")


def goodputs(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Goodput of each flow, median over runs, and what a link can carry (their figure 11)."""
    _bars_by_flow(
        axes,
        {
            policy: _median([flow["goodput_bps"] / 1e6 for flow in run["flows"]] for run in group)
            for policy, group in runs.each()
        },
    )
    axes.set(ylabel="goodput [Mbit/s]", ylim=(0, 10.5))
    axes.axhline(_LINE_BPS * PAYLOAD_SHARE / 1e6, label="bound", **_BOUND)
    _explain(axes)


def round_trips(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Mean round-trip time of each flow, median over runs (their figure 12).

    It is the sender's own estimate under load, queues included. Multipath TCP gives no single one
    and is left out.
    """
    groups = {
        policy: _median([_rtt_ms(flow) for flow in run["flows"]] for run in group)
        for policy, group in runs.each()
    }
    _bars_by_flow(axes, {policy: values for policy, values in groups.items() if any(values)})
    axes.set(ylabel="mean round-trip time [ms]")
    _explain(axes)


def _rtt_ms(flow: Outcome) -> float:
    """Return what iperf3 (M1, M2) or the transfer client (M4) saw."""
    rtt_us: float = flow["mean_rtt_us"] if "mean_rtt_us" in flow else flow["rtt_us"]
    return rtt_us / 1e3


def makespans(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Time until the last transfer ends: all seeds, a box for each policy."""
    groups = {policy: [run["makespan_s"] for run in group] for policy, group in runs.each()}
    axes.boxplot(list(groups.values()))
    axes.set_xticks(range(1, len(groups) + 1), list(groups))
    axes.axhline(statistics.median(runs.makespan_bounds_s), label="bound (median)", **_BOUND)
    axes.set(ylabel="time until the last transfer ends [s]", ylim=(0, None))
    _explain(axes)


def completions(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Time of the first, second ... last transfer to end: median and range (their figure 15)."""
    for place, (policy, group) in enumerate(runs.each()):
        times = [
            sorted((flow["end_ns"] - run["begin_ns"]) / 1e9 for flow in run["flows"])
            for run in group
        ]
        middle = numpy.median(times, axis=0)
        reach = [middle - numpy.min(times, axis=0), numpy.max(times, axis=0) - middle]
        shift = 0.08 * (place - (len(runs.by_policy) - 1) / 2)
        axes.errorbar(
            numpy.arange(1, len(middle) + 1) + shift,
            middle,
            yerr=reach,
            marker="o",
            markersize=4,
            linewidth=1,
            capsize=2,
            label=policy,
            color=_colour(policy),
        )
    bound_s = statistics.median(runs.makespan_bounds_s)
    axes.axhline(bound_s, label="bound of the last (median)", **_BOUND)
    axes.set(xlabel="flow, in order of completion", ylabel="completion time [s]", ylim=(0, None))
    _explain(axes)


def throughputs(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Size over duration of each flow, median over seeds (their figure 16).

    No policy can raise the smallest flow above the bound.
    """
    _bars_by_flow(
        axes,
        {
            policy: _median([rate for _, _, rate in _activity(runs, run)] for run in group)
            for policy, group in runs.each()
        },
    )
    bits = runs.parameters["size_bytes"] * 8 / 1e6
    bound = bits / statistics.median(runs.makespan_bounds_s)
    axes.axhline(bound, label="bound of the smallest (median)", **_BOUND)
    axes.set(ylabel="mean throughput [Mbit/s]", ylim=(0, None))
    _explain(axes)


def _activity(runs: Runs, run: Outcome) -> list[tuple[float, float, float]]:
    """Return start and end (s) and mean rate (Mbit/s) of each flow of a run."""
    megabits = runs.parameters["size_bytes"] * 8 / 1e6
    spans = [
        ((flow["start_ns"] - run["begin_ns"]) / 1e9, (flow["end_ns"] - run["begin_ns"]) / 1e9)
        for flow in run["flows"]
    ]
    return [(start, end, megabits / (end - start)) for start, end in spans]


def aggregates(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Sum of all throughputs until the last flow ends, mean over seeds (their figure 17).

    Each flow counts with its mean rate from its start to its end: no finer grain is stored.
    """
    last_s = max(run["makespan_s"] for _, group in runs.each() for run in group)
    times = numpy.linspace(0, last_s * 1.02, _POINTS)
    for policy, group in runs.each():
        flows = [flow for run in group for flow in _activity(runs, run)]
        total = sum(rate * ((start <= times) & (times < end)) for start, end, rate in flows)
        axes.plot(times, total / len(group), label=policy, color=_colour(policy))
    bound_s = statistics.median(runs.makespan_bounds_s)
    count = max(len(run["flows"]) for _, group in runs.each() for run in group)
    level = count * runs.parameters["size_bytes"] * 8 / 1e6 / bound_s
    axes.plot([0, 0, bound_s, bound_s], [0, level, level, 0], label="bound (median)", **_BOUND)
    axes.set(
        xlabel="time [s]",
        ylabel="aggregated throughput [Mbit/s]\n(each flow by its mean rate)",
        ylim=(0, None),
    )
    _explain(axes)


def loads(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Load of the network, cumulated until the last flow ends (their figure 18, after their (3)).

    Only the mean load of a transfer is stored, so a line is straight: its slope is that mean, its
    end the time and the total, each a median over seeds.
    """
    for policy, group in runs.each():
        end_s = statistics.median(run["makespan_s"] for run in group)
        total = statistics.median(run["makespan_s"] * run["load"] for run in group)
        axes.plot(
            [0, end_s], [0, total], marker="o", markevery=[1], label=policy, color=_colour(policy)
        )
    axes.set(xlabel="time [s]", ylabel="cumulated network load [s]", xlim=(0, None), ylim=(0, None))
    _explain(axes)


def gaps(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Longest gap for each cable that was cut, worst over runs."""
    found = [run["gaps_ms"] for _, group in runs.each() for run in group]
    cables = sorted({cable for run in found for cable in run})
    axes.bar(cables, [max(run.get(cable, 0) for run in found) for cable in cables])
    axes.axhline(50, **_BOUND)
    axes.tick_params(axis="x", rotation=90)
    axes.set(ylabel="longest gap between probes [ms]")


def phases(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Mean time of each phase for a client whose server died, a bar for each policy."""
    experiment = regeneration.Regeneration(**runs.parameters)
    for row, (_, group) in enumerate(runs.each()):
        left = 0.0
        for number, phase in enumerate(regeneration.PHASES):
            seconds = statistics.fmean(run["phases_s"][phase] for run in group)
            label = phase if row == 0 else None
            axes.barh(row, seconds, left=left, height=0.6, color=f"C{number}", label=label)
            left += seconds
    axes.axvline(regeneration.lower_bounds_s(experiment)["total_s"], label="bound", **_BOUND)
    axes.set_yticks(range(len(runs.by_policy)), [policy for policy, _ in runs.each()])
    axes.invert_yaxis()
    axes.set(xlabel="time since the client began [s]")
    _explain(axes, columns=3)


def shares(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Draw what passes of each application (figure 13 of Aljoby et al. 2019): median and range.

    Behind the applications, by the axis on the right: Jain's index, and what the paper has of it.
    """
    width = 0.8 / len(runs.by_policy)
    indices = axes.twinx()
    indices.set(ylabel="Jain's index", ylim=(0, 1.05))
    paper: dict[float, float] = {}
    for place, (policy, found) in enumerate(sorted(runs.by_policy.items(), key=_by_number)):
        values = numpy.array([run["shares_bps"] for run in found.values()]) / 1e6
        fair = numpy.array([[fairness.jain(run["shares_bps"])] for run in found.values()])
        label = f"{policy}: Jain's index {numpy.median(fair):.3f}"
        shift = (place - (len(runs.by_policy) - 1) / 2) * width
        last = 1 + values.shape[1]
        at = numpy.arange(1, last) + shift
        axes.bar(at, **median_and_range(values), width=width, label=label, color=f"C{place}")
        hatched = {"color": f"C{place}", "hatch": "//", "edgecolor": "white"}
        indices.bar([last + shift], **median_and_range(fair), width=width, **hatched)
        if policy in fairness.PAPER_INDEX:
            paper[last + shift] = fairness.PAPER_INDEX[policy]
    axes.set_xticks(range(1, last + 1), [*map(str, range(1, last)), "index"])
    idle = min(run["cpu"]["idle"] for found in runs.by_policy.values() for run in found.values())
    axes.set(
        xlabel=f"flows of the application (cubic); machine idle {100 * idle:.0f} % at least",
        ylabel="throughput [Mbit/s]",
    )
    axes.plot([], [], label="paper: Jain's index", **PAPER)
    indices.plot(list(paper), list(paper.values()), **PAPER)
    _explain(axes, columns=2)


def _by_number(named: tuple[str, Any]) -> tuple[str, int]:
    """Order app-fair-25 before app-fair-100."""
    name, _, number = named[0].rpartition("-")
    return (name, int(number)) if number.isdecimal() else (named[0], 0)


def median_and_range(runs: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return what bars say of values by run and place: medians, whiskers from least to most."""
    middle = numpy.median(runs, axis=0)
    reach = [middle - numpy.min(runs, axis=0), numpy.max(runs, axis=0) - middle]
    return {"height": middle, "yerr": reach, "capsize": 2}


def reading_times(axes: Any, runs: Runs) -> None:  # noqa: ANN401
    """Time to read the object, for each policy."""
    bars = sorted(
        ((group[0]["seconds"], group[0]["goodput_bps"], policy) for policy, group in runs.each()),
        reverse=True,
    )
    policies = [policy for *_, policy in bars]
    colours = [_colour(policy) for policy in policies]
    drawn = axes.bar(policies, [seconds for seconds, *_ in bars], color=colours)
    axes.bar_label(drawn, [f"{goodput_bps / 1e6:.1f} Mbit/s" for _, goodput_bps, _ in bars])
    axes.set(ylabel="time to read the object [s]")
