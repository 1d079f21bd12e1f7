# SPDX-License-Identifier: EPL-2.0
"""bench/record.py is used as other languages use it: as a command."""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

import pytest

BENCH = pathlib.Path(__file__).parents[2] / "bench"
MEASUREMENT = {
    "id": "M3",
    "value": 12.4,
    "command": "make bench-multipath",
    "parameters": {"seed": 1},
    "spread": {"min": 9.0, "median": 12.4, "max": 14, "runs": 5},
    "peers": {"ecmp": 5000},
}


@pytest.fixture
def bench(tmp_path):
    folder = tmp_path / "bench"
    folder.mkdir()
    (folder / "bars.toml").write_text((BENCH / "bars.toml").read_text())
    return folder


def record(bench, measurement, *options):
    return subprocess.run(
        [sys.executable, BENCH / "record.py", "--bench", bench, *options],
        input=measurement if isinstance(measurement, str) else json.dumps(measurement),
        capture_output=True,
        text=True,
        check=False,
    )


def page(bench):
    return (bench.parent / "docs" / "RESULTS.md").read_text()


def row(bench, name):
    return next(
        line
        for line in page(bench).splitlines()
        if line.startswith((f"| {name} |", f"| **{name}**"))
    )


def test_a_measurement_is_stored_with_what_explains_it(bench):
    assert record(bench, MEASUREMENT).returncode == 0
    result = json.loads((bench / "results" / "multipath" / "M3.json").read_text())
    assert {**MEASUREMENT, "unit": "ms", "bar": "<= 50"}.items() <= result.items()
    assert set(result) == {*MEASUREMENT, "unit", "bar", "commit", "date", "machine"}
    assert "CPUs" in result["machine"]


def test_the_page_says_what_is_met_what_is_not_and_what_is_missing(bench):
    record(bench, MEASUREMENT)
    assert "12.4 ms (9 to 14, 5 runs); ecmp 5000 | yes |" in row(bench, "M3")
    assert "an outage of about 5 s" in row(bench, "M3")
    spread = {"min": 51, "median": 60, "max": 70, "runs": 5}
    record(bench, MEASUREMENT | {"value": 60, "spread": spread})
    assert "| **no** |" in row(bench, "M3")
    assert "not measured" in row(bench, "M1")


def test_the_page_shows_the_parameters_that_a_row_names(bench):
    cost = MEASUREMENT | {"id": "S1-1k", "peers": {"TSC cycles each": 90.5}}
    assert "missing in parameters: burst" in record(bench, cost).stderr
    assert record(bench, cost | {"parameters": {"burst": 32}}).returncode == 0
    assert re.search(r"; TSC cycles each 90.5; burst 32; machine .*CPUs", row(bench, "S1-1k"))


def test_each_row_of_the_planner_says_what_it_is():
    rows = tomllib.loads((BENCH / "bars.toml").read_text())["bars"]
    definitions = [row["definition"] for row in rows if row["area"] == "planner"]
    assert len(set(definitions)) == len(definitions)


def test_the_page_is_the_same_when_generated_again(bench):
    record(bench, MEASUREMENT)
    before = page(bench)
    assert record(bench, "", "--render").returncode == 0
    assert page(bench) == before


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"id": "M99"}, "no row M99"),
        ({"value": "fast"}, "value is not a number"),
        ({"value": float("nan")}, "value is not finite"),
        ({"value": True}, "value is not a number"),
        ({"spread": {"min": 1, "median": 2, "max": 3}}, "missing in spread: runs"),
        ({"spread": {"min": 3, "median": 2, "max": 3, "runs": 1}}, "makes no sense"),
    ],
)
def test_a_bad_measurement_is_refused_and_nothing_is_written(bench, change, reason):
    done = record(bench, MEASUREMENT | change)
    assert done.returncode == 1
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
    assert not (bench / "results").exists()


def test_a_missing_field_is_named(bench):
    partial = {key: value for key, value in MEASUREMENT.items() if key != "parameters"}
    assert "missing: parameters" in record(bench, partial).stderr


def test_what_is_not_json_is_refused(bench):
    done = record(bench, "M3 = 12")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
