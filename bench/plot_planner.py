#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Draws the planner's sweeps from their stored rows: figures 13 b and c of the Switchboard paper.

    python bench/plot_planner.py [ID ...]

reads bench/raw/planner/<ID>.jsonl and writes bench/results/planner/<ID>.svg; equal rows give equal files.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import sys
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "sluice"

from matplotlib import pyplot  # noqa: E402  (the backend is chosen before)

BENCH = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass(frozen=True)
class Sweep:
    """What is drawn over what, relative to what is there already: keys of a row and their titles."""

    x: str
    title: str
    y: str
    curves: dict[str, str]


SWEEPS = {
    "S9-capacity": Sweep(
        "added-percent",
        "additional compute (%)",
        "throughput / throughput now",
        {"planned": "Switchboard", "uniform": "uniform", "random": "random"},
    ),
    "S9-placement": Sweep(
        "new-sites",
        "new sites of each VNF",
        "latency / latency now",
        {"hints": "Switchboard", "random": "random", "bound": "no choice is below"},
    ),
}


def draw(name: str, bench: pathlib.Path = BENCH) -> pathlib.Path:
    """Draw one sweep, a panel for each graph; return the file."""
    sweep = SWEEPS[name]
    rows = [json.loads(line) for line in (bench / "raw" / "planner" / f"{name}.jsonl").read_text().splitlines()]
    graphs = list(dict.fromkeys(row["graph"] for row in rows))
    figure, panels = pyplot.subplots(1, len(graphs), figsize=(4 * len(graphs), 3), sharey=True, squeeze=False)
    for panel, graph in zip(panels[0], graphs, strict=True):
        _draw_panel(panel, sweep, [row for row in rows if row["graph"] == graph])
        panel.set_title(graph)
    panels[0][0].set_ylabel(sweep.y)
    panels[0][0].set_ylim(bottom=0)
    panels[0][0].legend()
    figure.tight_layout()
    path = bench / "results" / "planner" / f"{name}.svg"
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
    return path


def _draw_panel(panel: Any, sweep: Sweep, rows: list[dict[str, Any]]) -> None:
    for key, label in sweep.curves.items():
        panel.plot(
            [row[sweep.x] for row in rows],
            [row[key] / row["present"] for row in rows],
            marker="o",
            linestyle=":" if key == "bound" else "-",
            label=label,
        )
    panel.set_xlabel(sweep.title)
    panel.set_xticks([row[sweep.x] for row in rows])
    panel.grid(True, alpha=0.3)


if __name__ == "__main__":
    for sweep_id in sys.argv[1:] or SWEEPS:
        print(draw(sweep_id))
