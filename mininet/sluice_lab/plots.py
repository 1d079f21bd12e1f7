# SPDX-License-Identifier: EPL-2.0
"""Figures, drawn from stored samples and nothing else."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Sequence

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "sluice"  # the same samples give the same file

from matplotlib import pyplot  # noqa: E402  (the backend is chosen before)
from matplotlib.figure import Figure  # noqa: E402

from sluice_lab import panels  # noqa: E402
from sluice_lab.campaign import RAW, RESULTS  # noqa: E402
from sluice_lab.ovs import LabError  # noqa: E402
from sluice_lab.panels import Panel, Runs  # noqa: E402

FIGURES: dict[str, dict[str, Panel]] = {
    "M1": {"M1": panels.goodputs, "M1-rtt": panels.round_trips},
    "M2": {"M2": panels.goodputs, "M2-rtt": panels.round_trips},
    "M3": {"M3": panels.gaps},
    "M4": {
        "M4": panels.makespans,
        "M4-completion": panels.completions,
        "M4-throughput": panels.throughputs,
        "M4-aggregate": panels.aggregates,
        "M4-load": panels.loads,
        "M4-rtt": panels.round_trips,
    },
    "REGENERATION": {"REGENERATION": panels.phases},
    "B4": {"B4": panels.shares},
    "demo": {"demo": panels.reading_times},
}
"""The figures of each experiment by name; each has a panel for every variant of the network."""


def read(name: str, raw: pathlib.Path = RAW) -> list[Runs]:
    """Return the stored runs of an experiment, variant by variant; LabError if there are none."""
    found: dict[str, Runs] = {}
    for path in sorted((raw / name).glob("*.*.*.json")):
        variant, policy, seed, _ = path.name.split(".")
        if variant not in found:
            found[variant] = Runs(variant, _parameters(raw / name))
        found[variant].by_policy.setdefault(policy, {})[int(seed)] = json.loads(path.read_text())
    if not found:
        command = name if name.startswith("demo") else f"run {name}"
        raise LabError(f"nothing is stored of {name}: sluice-lab {command}")
    return list(found.values())


def _parameters(folder: pathlib.Path) -> panels.Outcome:
    stored: panels.Outcome = json.loads((folder / "experiment.json").read_text())["parameters"]
    return stored


def draw(name: str, raw: pathlib.Path = RAW, out: pathlib.Path | None = None) -> list[pathlib.Path]:
    """Draw the figures of an experiment as SVG, and as PNG too in ``out``; return the files."""
    variants = read(name, raw)
    folder = out or RESULTS / ("bandwidth" if name == "B4" else "multipath")
    return [
        file
        for figure, panel in FIGURES[name].items()
        for file in _draw_figure(
            folder / figure, panel, variants, ("svg", "png") if out else ("svg",)
        )
    ]


def _draw_figure(
    stem: pathlib.Path, panel: Panel, variants: list[Runs], kinds: Sequence[str]
) -> list[pathlib.Path]:
    figure, row = pyplot.subplots(
        1, len(variants), figsize=(7 * len(variants), 4), layout="constrained", squeeze=False
    )
    try:
        for axes, runs in zip(row[0], variants, strict=True):
            panel(axes, runs)
            if len(variants) > 1:
                axes.set_title(runs.variant)
        files = [stem.with_name(f"{stem.name}.{kind}") for kind in kinds]
        for file in files:
            save(figure, file)
    finally:
        pyplot.close(figure)
    return files


def save(figure: Figure, file: pathlib.Path, title: str | None = None) -> None:
    """Write a figure, which bears its title; the same figure gives the same SVG."""
    file.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"Date": None, **({"Title": title} if title else {})}
    figure.savefig(file, metadata=metadata if file.suffix == ".svg" else None)
