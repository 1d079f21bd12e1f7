#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""The one writer of measured figures, for every language.

    python3 bench/record.py < measurement.json

takes one JSON object, checks it against bars.toml, writes bench/results/<area>/<ID>.json and
generates docs/RESULTS.md anew. ``--render`` only does the last, ``--commit`` prints what would be
measured now. Fields of a measurement:

    id          a row of bars.toml                                          required
    value       the figure, in the row's unit                               required
    command     what to type to measure it again                            required
    parameters  object: all that explains the figure, seeds included        required
    spread      object: min, median, max, runs                              required
    peers       object: figures of others, measured in the same run         optional
    samples     array of numbers: gives value (their median) and spread     instead of both
    commit      what was measured, if it is not what stands here now        optional

Date, machine, unit and bar are added here. Exit status 1 and one sentence if it is refused.
Needs Python 3.11 and nothing else.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import operator
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import tomllib
from typing import Any

BENCH = pathlib.Path(__file__).resolve().parent
_REQUIRED = ("id", "value", "command", "parameters", "spread")
_SPREAD = ("min", "median", "max", "runs")
_COMPARE = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}


class RefusedError(Exception):
    """The measurement can't be recorded; the text says why."""


def load_bars(bench: pathlib.Path = BENCH) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return settings by area, and rows by id in the order of the file."""
    data = tomllib.loads((bench / "bars.toml").read_text())
    return data["areas"], {row["id"]: row for row in data["bars"]}


def is_met(bar: str, value: float) -> bool | None:
    """Tell whether a value meets a bar such as ``<= 50``; None if it is only reported."""
    if bar == "reported":
        return None
    sign, limit = bar.split()
    return bool(_COMPARE[sign](value, float(limit)))


def write(measurement: dict[str, Any], bench: pathlib.Path = BENCH) -> pathlib.Path:
    """Check and store a measurement; return the file. RefusedError if it is not complete."""
    _, rows = load_bars(bench)
    check(measurement, rows)
    row = rows[measurement["id"]]
    result = {
        "id": row["id"],
        "value": measurement["value"],
        "unit": row["unit"],
        "bar": row["bar"],
        "command": measurement["command"],
        "commit": measurement.get("commit") or commit(bench),
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "machine": _machine(),
        "parameters": measurement["parameters"],
        "spread": measurement["spread"],
        "peers": measurement.get("peers", {}),
    }
    path: pathlib.Path = bench / "results" / row["area"] / f"{row['id']}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n")
    return path


def summarised(measurement: dict[str, Any]) -> dict[str, Any]:
    """Put the median and the spread in the place of samples, if that is what a benchmark gives."""
    samples = measurement.get("samples")
    if not samples:
        return measurement
    median = statistics.median(samples)
    spread = {"min": min(samples), "median": median, "max": max(samples), "runs": len(samples)}
    rest = {key: value for key, value in measurement.items() if key != "samples"}
    return {**rest, "value": median, "spread": spread}


def check(measurement: dict[str, Any], rows: dict[str, dict[str, Any]]) -> None:
    """Raise RefusedError unless all required fields are there and make sense."""
    missing = [key for key in _REQUIRED if key not in measurement]
    if missing:
        raise RefusedError(f"missing: {', '.join(missing)}")
    if measurement["id"] not in rows:
        raise RefusedError(f"no row {measurement['id']} in bars.toml")
    parameters = {"machine", *measurement["parameters"]}
    unsaid = [name for name in rows[measurement["id"]].get("shown", []) if name not in parameters]
    if unsaid:
        raise RefusedError(f"missing in parameters: {', '.join(unsaid)}")
    spread = measurement["spread"]
    absent = [key for key in _SPREAD if key not in spread]
    if absent:
        raise RefusedError(f"missing in spread: {', '.join(absent)}")
    for name, number in [("value", measurement["value"]), *spread.items()]:
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise RefusedError(f"{name} is not a number: {number!r}")
        if not math.isfinite(number):
            raise RefusedError(f"{name} is not finite")
    if not spread["min"] <= spread["median"] <= spread["max"] or spread["runs"] < 1:
        raise RefusedError(f"spread makes no sense: {spread}")


def commit(bench: pathlib.Path) -> str:
    """Return the commit that was measured, marked if files of the project differ from it."""
    git = ["git", "-C", str(bench)]
    try:
        head = subprocess.run(
            [*git, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        others = [":/", ":(top,exclude)bench/results", ":(top,exclude)docs/RESULTS.md"]
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", *others], check=False)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return head + ("-modified" if changed.returncode else "")


def _machine() -> str:
    info = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((x.partition(":")[2].strip() for x in info if x.startswith("model name")), "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{model}, {os.cpu_count()} CPUs, {memory:.0f} GiB, Linux {platform.release()}"


def render(bench: pathlib.Path = BENCH) -> str:
    """Return docs/RESULTS.md: every row, measured or not."""
    areas, rows = load_bars(bench)
    text = [
        "<!-- SPDX-License-Identifier: EPL-2.0 -->",
        "# Results",
        "",
        "Generated by `python3 bench/record.py --render` from bench/bars.toml and bench/results/.",
        "Every figure is remade by the command beside it. Rows in bold gate their area.",
    ]
    for area, about in areas.items():
        text += ["", f"## {area}", ""]
        if about["setting"]:
            text += [about["setting"][0].upper() + about["setting"][1:] + ".", ""]
        text += [
            "| ID | definition | the paper's claim | bar | measured | met | how |",
            "|---|---|---|---|---|---|---|",
        ]
        text += [_line(row, bench) for row in rows.values() if row["area"] == area]
        text += _plots(area, bench)
    return "\n".join(text) + "\n"


def _line(row: dict[str, Any], bench: pathlib.Path) -> str:
    name = f"**{row['id']}**" if row["gate"] else row["id"]
    bar = row["bar"] if row["bar"] == "reported" else f"{row['bar']} {row['unit']}"
    cells = [name, row["definition"], row.get("claim", ""), bar]
    path = bench / "results" / row["area"] / f"{row['id']}.json"
    if not path.exists():
        return _cells(*cells, "not measured", "", "")
    result = json.loads(path.read_text())
    spread = result["spread"]
    measured = f"{_short(result['value'])} {row['unit']} "
    measured += f"({_short(spread['min'])} to {_short(spread['max'])}, {spread['runs']} runs)"
    measured += "".join(f"; {peer} {_short(value)}" for peer, value in result["peers"].items())
    about = result["parameters"] | {"machine": result["machine"]}
    measured += "".join(f"; {name} {about[name]}" for name in row.get("shown", []))
    met = {True: "yes", False: "**no**", None: ""}[is_met(row["bar"], result["value"])]
    how = f"`{result['command']}`, {result['commit']}, {result['date'][:10]}"
    return _cells(*cells, measured, met, how)


def _cells(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, int | float) else str(value)


def _plots(area: str, bench: pathlib.Path) -> list[str]:
    files = sorted((bench / "results" / area).glob("*.svg"))
    return [line for file in files for line in ("", f"![{file.stem}](../bench/results/{area}/{file.name})")]


def main() -> int:
    """Record what standard input says, or only generate the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--render", action="store_true", help="only generate docs/RESULTS.md")
    parser.add_argument("--commit", action="store_true", help="print the commit that would be measured")
    parser.add_argument("--bench", type=pathlib.Path, default=BENCH, help="folder with bars.toml")
    parser.add_argument("--command", help="the field of that name, for a benchmark that can't know it")
    options = parser.parse_args()
    if options.commit:
        print(commit(options.bench))
        return 0
    try:
        if not options.render:
            measurement = summarised(json.load(sys.stdin))
            if options.command:
                measurement["command"] = options.command
            print(write(measurement, options.bench))
    except (RefusedError, ValueError) as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    page = options.bench.parent / "docs" / "RESULTS.md"
    page.parent.mkdir(exist_ok=True)
    page.write_text(render(options.bench))
    return 0


if __name__ == "__main__":
    sys.exit(main())
