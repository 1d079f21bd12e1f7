#!/usr/bin/env python3
# SPDX-License-Identifier: EPL-2.0
"""Measures S8-mutation: how many small changes of the planner's plain packages its unit tests notice.

    . .tools/env; python bench/mutation.py [PACKAGE ...]

lets PIT (the profile ``mutation`` of impl/planner) change the classes of one package after the other,
all of them unless some are named. A change must be noticed by the tests of its own package, or by any
test in the packages on which the others stand; one that never ends counts as noticed, one that no
test runs does not. A change that nothing notices costs the time of all tests that reach it: so tests
that have the tag ``slow`` are left out, and most others try a fifth of their random problems. The score
is no more than that of all tests.

Reports are kept in bench/raw/planner/mutation/<package>; one that is newer than the module's sources
is not made again, and PIT remembers what it tried of an unfinished one, so an interrupted run goes on
where it was. Progress goes to standard error. When there is a report for each package, standard output
has the measurement for record.py: the value is the share of all changes that were noticed, the spread
that of packages.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import statistics
import subprocess
import sys
import time
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "impl" / "planner" / "src"
PLANNER = SOURCES / "main" / "java" / "io" / "sluice" / "planner"
RAW = ROOT / "bench" / "raw" / "planner" / "mutation"
EDGE = "mdsal"
FOUNDATIONS = ("core", "model")
NOTICED = ("KILLED", "TIMED_OUT", "MEMORY_ERROR")


@dataclasses.dataclass(frozen=True)
class Score:
    """Changes of one package."""

    noticed: int
    all: int

    @property
    def share(self) -> float:
        return self.noticed / self.all


def packages() -> list[str]:
    """Return the plain packages, by name."""
    return sorted(folder.name for folder in PLANNER.iterdir() if folder.is_dir() and folder.name != EDGE)


def read(report: pathlib.Path) -> Score:
    """Count the changes in a report of PIT."""
    states = [mutation.get("status") for mutation in ElementTree.parse(report).getroot()]
    return Score(sum(state in NOTICED for state in states), len(states))


def is_fresh(report: pathlib.Path) -> bool:
    """Tell whether a report is whole, and newer than all sources."""
    if not report.exists() or not report.read_bytes().rstrip().endswith(b"</mutations>"):
        return False
    return report.stat().st_mtime > max(file.stat().st_mtime for file in SOURCES.rglob("*.java"))


def mutate(package: str, folder: pathlib.Path) -> None:
    """Let PIT write its report on a package."""
    command = ["mvn", "-q", "-Pmutation", "-DskipTests", "-pl", "impl/planner", "-am", "package"]
    command += ["-Dodlparent.spotbugs.skip"]
    tests = "*" if package in FOUNDATIONS else f"{package}.*"
    options = [f"-Dmutated={package}.*", f"-Dmutation.tests={tests}", f"-Dmutation.folder={folder}"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stdout[-4000:], file=sys.stderr)
        sys.exit(done.returncode)


def main(wanted: list[str]) -> int:
    """Bring the reports of the packages up to date; print the measurement if all are."""
    for package in wanted or packages():
        report = RAW / package / "mutations.xml"
        start = time.monotonic()
        if not is_fresh(report):
            mutate(package, report.parent)
        score = read(report)
        took = f"{time.monotonic() - start:.0f} s"
        print(f"{package}: {score.noticed} of {score.all} changes noticed, {took}", file=sys.stderr)
    reports = {package: RAW / package / "mutations.xml" for package in packages()}
    if all(map(is_fresh, reports.values())):
        print(json.dumps(measurement({package: read(report) for package, report in reports.items()})))
    return 0


def measurement(scores: dict[str, Score]) -> dict[str, object]:
    """Return what record.py takes."""
    shares = [score.share for score in scores.values()]
    return {
        "id": "S8-mutation",
        "value": sum(score.noticed for score in scores.values()) / sum(score.all for score in scores.values()),
        "spread": {
            "min": min(shares),
            "median": statistics.median(shares),
            "max": max(shares),
            "runs": len(shares),
        },
        "parameters": {
            "tool": "PIT, its default changes",
            "tests": "all but those with the tag slow, most with a fifth of their random problems",
            "noticed": {package: f"{score.noticed} of {score.all}" for package, score in scores.items()},
        },
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
