# SPDX-License-Identifier: EPL-2.0
"""Figure 7 of the Switchboard paper: what labels and affinity cost Open vSwitch, flow by flow."""

from __future__ import annotations

import pathlib
import statistics

from sluice_lab import plots
from sluice_lab.plots import pyplot

CURVES = {
    "bridge": "Open vSwitch, (c) bridge",
    "labels": "Open vSwitch, (b) + labels",
    "affinity": "Open vSwitch, (a) + affinity",
    "sluice": "DPDK forwarder",
}
_PAPER_FLOWS = 50


def draw(mpps: dict[str, dict[int, list[float]]], file: pathlib.Path) -> None:
    """Draw throughput by policy and flows, median and range over runs.

    On the left as in the paper, up to 50 flows; on the right all.
    """
    figure, (paper, whole) = pyplot.subplots(1, 2, figsize=(12, 4), layout="constrained")
    try:
        for axes, most in ((paper, _PAPER_FLOWS), (whole, None)):
            for policy, label in CURVES.items():
                points = {f: runs for f, runs in mpps[policy].items() if most is None or f <= most}
                middles = [statistics.median(runs) for runs in points.values()]
                below = [m - min(r) for m, r in zip(middles, points.values(), strict=True)]
                above = [max(r) - m for m, r in zip(middles, points.values(), strict=True)]
                axes.errorbar(
                    list(points), middles, yerr=[below, above], marker="o", capsize=2, label=label
                )
            axes.set(xlabel="concurrent flows", ylabel="throughput [Mpps]", ylim=(0, None))
            axes.grid(True, alpha=0.3)
        whole.set_xscale("log")
        paper.legend()
        plots.save(figure, file)
    finally:
        pyplot.close(figure)
