# SPDX-License-Identifier: EPL-2.0
"""Long experiments, cell by cell: what is stored is not run again."""

from __future__ import annotations

import dataclasses
import datetime
import importlib.metadata
import json
import logging
import math
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sluice_lab import ovs
from sluice_lab.ovs import LabError

ROOT = pathlib.Path(__file__).parents[2]
RAW = ROOT / "bench" / "raw"
RESULTS = ROOT / "bench" / "results"
_OURS = "sluice"
_STAMP = ("commit", "machine")
_BETWEEN = "; "
_BESIDE = "beside"
_EXTENT = ("runs", "seeds", "policies", "variants")
_LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cell:
    """One run: a variant of the network under a policy, with a seed (or number of repetition)."""

    variant: str
    policy: str
    seed: int

    def __str__(self) -> str:
        return f"{self.variant}.{self.policy}.{self.seed:03d}"


Outcome = dict[str, Any]


def run(
    name: str,
    parameters: object,
    cells: Sequence[Cell],
    measure: Callable[[Cell], Outcome],
    raw: pathlib.Path = RAW,
) -> dict[Cell, Outcome]:
    """Measure all cells in order, skip those that are stored, return what each gave.

    Parameters are stored beside the samples; commit, machine, versions and date in each, two
    commits if there was one meanwhile. Samples taken with other parameters are not mixed in:
    LabError.
    """
    folder = raw / name
    _store_parameters(folder, parameters)
    for number, cell in enumerate(cells, start=1):
        path = folder / f"{cell}.json"
        if path.exists():
            _LOG.info("%s %d/%d %s: stored", name, number, len(cells), cell)
            continue
        begin = time.monotonic()
        before = json.loads(_recorder("--stamp"))
        outcome = measure(cell)
        stamp = _joined([before, json.loads(_recorder("--stamp"))])
        date = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        known = {**versions(), **outcome.get("versions", {})}
        _write(path, {**outcome, **stamp, "versions": known, "date": date})
        seconds = time.monotonic() - begin
        _LOG.info("%s %d/%d %s: done in %.0f s", name, number, len(cells), cell, seconds)
    return load(name, cells, raw)


def load(name: str, cells: Iterable[Cell], raw: pathlib.Path = RAW) -> dict[Cell, Outcome]:
    """Return the stored outcomes of those cells that have one."""
    paths = {cell: raw / name / f"{cell}.json" for cell in cells}
    return {cell: json.loads(path.read_text()) for cell, path in paths.items() if path.exists()}


def forget(name: str, raw: pathlib.Path = RAW) -> None:
    """Remove the samples of an experiment."""
    shutil.rmtree(raw / name, ignore_errors=True)


def interleaved(
    variants: Sequence[str], policies: Sequence[str], seeds: Iterable[int]
) -> list[Cell]:
    """Return all cells, every policy of a seed before the next seed.

    Policies take turns: the second seed begins with the second of them, so that none is always
    first.
    """
    return [
        Cell(variant=variant, policy=policies[(place + turn) % len(policies)], seed=seed)
        for place, seed in enumerate(seeds)
        for variant in variants
        for turn in range(len(policies))
    ]


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return min, median, max and the number of runs."""
    return {
        "min": min(values),
        "median": statistics.median(values),
        "max": max(values),
        "runs": len(values),
    }


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the smallest value that so many percent of all do not exceed."""
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


def record_figure(
    experiment: Any,  # noqa: ANN401
    values: Sequence[float],
    *,
    row: str = "",
    value: float | None = None,
    peers: dict[str, float] | None = None,
    notes: Outcome | None = None,
    beside: Sequence[Any] = (),
) -> None:
    """Record the figure of a row, the experiment's own unless named: the median unless given.

    Notes go to the parameters, beside the experiment's, and so do the parameters of experiments
    whose samples are in the figure, too.
    """
    figures = spread(values)
    others = {_BESIDE: {one.id: as_json(one) for one in beside}} if beside else {}
    record(
        {
            "id": row or experiment.id,
            "value": figures["median"] if value is None else value,
            "command": " && ".join(map(_command, (experiment, *beside))),
            "parameters": {**as_json(experiment), **others, **(notes or {})},
            "spread": figures,
            "peers": peers or {},
        }
    )


def _command(experiment: Any) -> str:  # noqa: ANN401
    """Return the command that remakes a figure, with what it was told to leave out or repeat."""
    words = ["sluice-lab", "run", experiment.id]
    for field in _EXTENT:
        extent = getattr(experiment, field, None)
        if isinstance(extent, tuple):
            words += [f"--{field}", ",".join(map(str, extent))]
        elif extent is not None:
            words += ["--runs", str(extent)]
    return " ".join(words)


def record_by_policy(
    experiment: Any,  # noqa: ANN401
    outcomes: dict[Cell, Outcome],
    figure: Callable[[Outcome], float],
    peer: str = "{}",
    *,
    row: str = "",
    limits: dict[str, float] | None = None,
) -> None:
    """Record the figure of the first policy, with the medians of the others as its peers.

    ``limits`` stand beside the peers.
    """
    values = {
        policy: [figure(out) for cell, out in outcomes.items() if cell.policy == policy]
        for policy in experiment.policies
    }
    ours, *others = experiment.policies
    peers = {peer.format(policy): statistics.median(values[policy]) for policy in others}
    record_figure(experiment, values[ours], row=row, peers={**peers, **(limits or {})})


def record(measurement: Outcome) -> None:
    """Hand a measurement to bench/record.py, the one writer of results; LabError if it refuses.

    It bears the commits and machines of its samples, and the date of the last of them, if they have
    one. A run whose first policy is not ours compares peers only: it is shown and not recorded.
    """
    parameters = measurement["parameters"]
    if parameters.get("policies", [_OURS])[0] != _OURS:
        _LOG.info("%s without ours, not recorded: %s", measurement["id"], measurement["spread"])
        return
    samples = [
        json.loads(path.read_text())
        for of in (parameters, *parameters.get(_BESIDE, {}).values())
        for path in (RAW / of["id"]).glob("*.[0-9]*.json")
        if _is_sample_of(of, path)
    ]
    dates = [sample["date"] for sample in samples if "date" in sample]
    last = {"date": max(dates)} if dates else {}
    _recorder(given=json.dumps({**measurement, **_joined(samples), **last}))
    _LOG.info("%s = %.4g", measurement["id"], measurement["value"])


def _joined(stamped: Sequence[Outcome]) -> dict[str, str]:
    """Return commits and machines of stamps or samples, each once."""
    return {
        name: _BETWEEN.join(
            sorted({one for each in stamped for one in each.get(name, "unknown").split(_BETWEEN)})
        )
        for name in _STAMP
    }


def are_alike(one: Outcome, other: Outcome) -> bool:
    """Tell whether two samples were measured at the same commits, on the same machines."""
    return _joined([one]) == _joined([other])


def _is_sample_of(parameters: Outcome, path: pathlib.Path) -> bool:
    variant, policy, seed = path.stem.rsplit(".", 2)
    return int(seed) <= parameters.get("runs", math.inf) and all(
        name in parameters.get(key, [name])
        for key, name in (("variants", variant), ("policies", policy), ("seeds", int(seed)))
    )


def _recorder(*options: str, given: str = "") -> str:
    """Run bench/record.py; return what it prints. LabError if it refuses what it is given."""
    command = [sys.executable, str(ROOT / "bench" / "record.py"), *options]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"not recorded: {done.stderr.strip()}")
    return done.stdout


def _store_parameters(folder: pathlib.Path, parameters: object) -> None:
    stored = folder / "experiment.json"
    wanted = as_json(parameters)
    if stored.exists():
        before = json.loads(stored.read_text())["parameters"]
        if _without_extent(before) != _without_extent(wanted):
            raise LabError(f"{folder} has samples of other parameters; add --fresh to drop them")
        wanted |= {key: _together(before[key], wanted[key]) for key in _EXTENT if key in wanted}
    folder.mkdir(parents=True, exist_ok=True)
    _write(stored, {"parameters": wanted})


def _together(before: Any, wanted: Any) -> Any:  # noqa: ANN401
    """Return what two runs of an experiment have stored samples of: names, or how many."""
    return list(dict.fromkeys(before + wanted)) if isinstance(wanted, list) else max(before, wanted)


def _without_extent(parameters: Outcome) -> Outcome:
    """Leave out what says how many cells there are, not what a cell is."""
    return {key: value for key, value in parameters.items() if key not in _EXTENT}


def as_json(value: object) -> Any:  # noqa: ANN401
    """Return a dataclass as it reads back from JSON."""
    return json.loads(json.dumps(dataclasses.asdict(value)))  # type: ignore[call-overload]


def versions() -> dict[str, str]:
    """Return what the samples were taken with."""
    return {
        "kernel": platform.release(),
        "open-vswitch": ovs.call(["ovs-vswitchd", "--version"]).split("\n")[0],
        "iperf3": ovs.call(["iperf3", "--version"]).split("\n")[0],
        "mininet": importlib.metadata.version("mininet"),
        "python": platform.python_version(),
    }


def _write(path: pathlib.Path, content: object) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(content, indent=1) + "\n")
    fresh.rename(path)
