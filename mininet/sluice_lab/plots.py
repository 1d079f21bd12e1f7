# SPDX-License-Identifier: EPL-2.0
"""Figures, drawn from stored samples and nothing else."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Callable, Sequence
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "sluice"  # the same samples give the same file

from matplotlib import pyplot  # noqa: E402  (the backend is chosen before)

from sluice_lab.campaign import RAW, RESULTS  # noqa: E402
from sluice_lab.ovs import LabError  # noqa: E402

Samples = dict[tuple[str, str], list[dict[str, Any]]]


def read(name: str, raw: pathlib.Path = RAW) -> Samples:
    """Return the stored outcomes of an experiment by variant and policy; LabError if none."""
    samples: Samples = {}
    for path in sorted((raw / name).glob("*.*.*.json")):
        variant, policy, _, _ = path.name.split(".")
        samples.setdefault((variant, policy), []).append(json.loads(path.read_text()))
    if not samples:
        raise LabError(f"nothing is stored of {name}: sluice-lab run {name}")
    return samples


def draw(name: str, raw: pathlib.Path = RAW, out: pathlib.Path | None = None) -> list[pathlib.Path]:
    """Draw the figure of an experiment as SVG and PNG; return the files."""
    if name not in _DRAWN:
        raise LabError(f"no figure of {name}; there are: {', '.join(_DRAWN)}")
    samples = read(name, raw)
    folder = out or RESULTS / "multipath"
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    try:
        _DRAWN[name](axes, samples)
        files = [folder / f"{name}.{kind}" for kind in ("svg", "png")]
        for file in files:
            metadata = {"Date": None} if file.suffix == ".svg" else None
            figure.savefig(file, metadata=metadata)
    finally:
        pyplot.close(figure)
    return files


def _per_flow(axes: Any, samples: Samples) -> None:  # noqa: ANN401
    """Goodput of each flow, mean over runs, a group of bars for each policy (their figure 11)."""
    groups = {policy: _flow_goodputs(runs) for (_, policy), runs in samples.items()}
    width = 0.8 / len(groups)
    for place, (policy, values) in enumerate(groups.items()):
        positions = [flow + place * width for flow in range(len(values))]
        axes.bar(positions, values, width, label=policy)
    axes.set(xlabel="flow", ylabel="goodput [Mbit/s]", ylim=(0, 10.5), xticks=range(4))
    axes.axhline(10 * 1448 / 1514, color="black", linewidth=0.8, linestyle="--")
    axes.legend()


def _flow_goodputs(runs: Sequence[dict[str, Any]]) -> list[float]:
    by_flow = zip(*([flow["goodput_bps"] for flow in run["flows"]] for run in runs), strict=True)
    return [sum(values) / len(values) / 1e6 for values in by_flow]


def _makespans(axes: Any, samples: Samples) -> None:  # noqa: ANN401
    """Makespans of all seeds, a box for each variant and policy (their figure 15)."""
    keys = sorted(samples)
    axes.boxplot([[run["makespan_s"] for run in samples[key]] for key in keys])
    axes.set_xticks(range(1, len(keys) + 1), [f"{policy}\n{variant}" for variant, policy in keys])
    axes.set(ylabel="time until the last transfer ends [s]", ylim=(0, None))


def _gaps(axes: Any, samples: Samples) -> None:  # noqa: ANN401
    """Longest gap for each cable that was cut, worst over runs."""
    runs = [run["gaps_ms"] for group in samples.values() for run in group]
    cables = sorted({cable for run in runs for cable in run})
    axes.bar(cables, [max(run.get(cable, 0) for run in runs) for cable in cables])
    axes.axhline(50, color="black", linewidth=0.8, linestyle="--")
    axes.tick_params(axis="x", rotation=90)
    axes.set(ylabel="longest gap between probes [ms]")


def _storage(axes: Any, samples: Samples) -> None:  # noqa: ANN401
    """Time to read the object, for each policy."""
    order = sorted(samples, key=lambda key: -samples[key][0]["seconds"])
    bars = axes.bar([policy for _, policy in order], [samples[key][0]["seconds"] for key in order])
    axes.bar_label(bars, [f"{samples[k][0]['goodput_bps'] / 1e6:.1f} Mbit/s" for k in order])
    axes.set(ylabel="time to read the object [s]")


_DRAWN: dict[str, Callable[[Any, Samples], None]] = {
    "M1": _per_flow,
    "M2": _per_flow,
    "M3": _gaps,
    "M4": _makespans,
    "demo": _storage,
}
