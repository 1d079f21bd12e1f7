#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Draws the planner's sweeps from their stored points: figures 12 and 13 of the Switchboard paper.

    python bench/plot_planner.py [--points FOLDER] [--to FOLDER] [ROW ...]

writes ROW.svg for each row that has a figure, without ROW for all; equal points give equal files.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import pathlib
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "sluice"

from matplotlib import pyplot  # noqa: E402  (the backend is chosen before)

BENCH = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True, kw_only=True)
class Sweep:
    """What is drawn over what: keys of a point and their titles.

    ``points`` names the file, ``over`` what a figure is divided by; a point that lacks a curve's key is left out of it,
    and so is a curve that no point has.
    """

    points: str
    x: str
    title: str
    y: str
    curves: dict[str, str]
    over: str | None = None
    logarithmic: bool = False


_SCHEMES = {"sb-lp": "SB-LP", "sb-dp": "SB-DP", "compute-aware": "COMPUTE-AWARE", "anycast": "ANYCAST"}
_THROUGHPUT = "throughput / offered traffic"

SWEEPS = {
    "S8-dp-alpha": Sweep(
        points="S8-scale",
        x="coverage-percent",
        title="coverage (%)",
        y=_THROUGHPUT,
        curves=_SCHEMES,
    ),
    "S8-dp-cpu": Sweep(
        points="S8-cpu",
        x="cycles-per-kilobyte",
        title="CPU (cycles/kB)",
        y=_THROUGHPUT,
        curves=_SCHEMES,
        logarithmic=True,
    ),
    "S8-dp-load": Sweep(
        points="S8-load",
        x="load-percent",
        title="load (% of SB-LP's largest)",
        y="mean latency (ms)",
        curves=_SCHEMES,
    ),
    "S8-onehop": Sweep(
        points="S8-scale",
        x="coverage-percent",
        title="coverage (%)",
        y=_THROUGHPUT,
        curves={"sb-dp": "SB-DP", "onehop": "ONEHOP", "dp-latency": "DP-LATENCY"},
    ),
    "S9-capacity": Sweep(
        points="S9-capacity",
        x="added-percent",
        title="additional compute (%)",
        y="throughput / throughput now",
        curves={"planned": "Switchboard", "uniform": "uniform", "random": "random"},
        over="present",
    ),
    "S9-placement": Sweep(
        points="S9-placement",
        x="new-sites",
        title="new sites of each VNF",
        y="latency / latency now",
        curves={"hints": "Switchboard", "random": "random", "bound": "no choice is below"},
        over="present",
    ),
}


def draw(name: str, points: pathlib.Path, to: pathlib.Path) -> pathlib.Path:
    """Draw one sweep, a panel for each graph; return the file."""
    sweep = SWEEPS[name]
    stored = [json.loads(line) for line in (points / f"{sweep.points}.jsonl").read_text().splitlines()]
    graphs = list(dict.fromkeys(point["graph"] for point in stored))
    figure, panels = pyplot.subplots(1, len(graphs), figsize=(4 * len(graphs), 3), sharey=True, squeeze=False)
    for panel, graph in zip(panels[0], graphs, strict=True):
        _draw_panel(panel, sweep, [point for point in stored if point["graph"] == graph])
        panel.set_title(pathlib.PurePath(graph).name)
    panels[0][0].set_ylabel(sweep.y)
    panels[0][0].set_ylim(bottom=0)
    panels[0][0].legend()
    figure.tight_layout()
    path = to / f"{name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return path


def _draw_panel(panel: Any, sweep: Sweep, points: list[dict[str, Any]]) -> None:
    ticks = [point[sweep.x] for point in points]
    if sweep.logarithmic:
        panel.set_xscale("log")
        panel.minorticks_off()
    for key, label in sweep.curves.items():
        found = [point for point in points if key in point]
        if not found:
            continue
        panel.plot(
            [point[sweep.x] for point in found],
            [point[key] / (point[sweep.over] if sweep.over else 1) for point in found],
            marker="o",
            linestyle=":" if key == "bound" else "-",
            label=label,
        )
    panel.set_xlabel(sweep.title)
    panel.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    panel.grid(True, alpha=0.3)


def main() -> None:
    """Draw the rows that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"of these have one: {', '.join(SWEEPS)}")
    parser.add_argument("--points", type=pathlib.Path, default=BENCH / "raw" / "planner", help="default: %(default)s")
    parser.add_argument("--to", type=pathlib.Path, default=BENCH / "results" / "planner", help="default: %(default)s")
    options = parser.parse_args()
    for row in options.rows or SWEEPS:
        if row in SWEEPS:
            print(draw(row, options.points, options.to))


if __name__ == "__main__":
    main()
