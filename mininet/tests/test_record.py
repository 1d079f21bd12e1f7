# SPDX-License-Identifier: EPL-2.0
"""bench/record.py is used as other languages use it: as a command."""

import json
import pathlib
import re
import shutil
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


def record(bench, measurement, *options, before=()):
    return subprocess.run(
        [*before, sys.executable, BENCH / "record.py", "--bench", bench, *options],
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


def test_what_an_area_takes_note_of_stands_where_a_row_has_it(bench):
    parameters = {"there, ms": {"sluice": 1}, "lost messages": 7}
    saved = MEASUREMENT | {"id": "B1-latency", "value": 0.2, "parameters": parameters}
    saved["spread"] = {"min": 0.1, "median": 0.2, "max": 0.3, "runs": 3}
    record(bench, saved)
    assert "lost messages 7 |" in row(bench, "B1-latency")
    assert "busy" not in row(bench, "B1-latency")


def test_what_was_measured_elsewhere_says_where(bench):
    elsewhere = {"commit": "0123456789ab", "machine": "another, 4 CPUs", "date": "2026-11-20"}
    record(bench, MEASUREMENT | elsewhere)
    result = json.loads((bench / "results" / "multipath" / "M3.json").read_text())
    assert elsewhere.items() <= result.items()


def test_a_stamp_says_what_would_be_measured_and_where(bench):
    stamp = json.loads(record(bench, "", "--stamp").stdout)
    assert re.fullmatch(r"[0-9a-f]{12}(-modified)?|unknown", stamp["commit"])
    assert "CPUs" in stamp["machine"]


def test_a_stamp_is_marked_if_a_file_has_changed_or_is_new_but_for_what_is_generated(bench):
    def is_marked():
        stamp = json.loads(record(bench, "", "--stamp").stdout)
        return stamp["commit"].endswith("-modified")

    git = ["git", "-C", bench.parent, "-c", "user.name=a", "-c", "user.email=a@b.example"]
    for words in (["init"], ["add", "bench"], ["commit", "--message", "all"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    record(bench, MEASUREMENT)
    assert not is_marked()
    (bench.parent / "source.py").touch()
    assert is_marked()
    subprocess.run([*git, "add", "source.py"], check=True)
    assert is_marked()


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


def test_a_figure_stands_below_its_name_and_title(bench):
    folder = bench / "results" / "multipath"
    folder.mkdir(parents=True)
    (folder / "M4.svg").write_text("<svg><title>links &amp; hosts</title></svg>")
    (folder / "M5.svg").write_text("<svg/>")
    record(bench, "", "--render")
    assert ")\n\n![M5]" in page(bench)
    assert "\n*M4*: links & hosts\n\n![M4]" in page(bench)


def test_the_page_shows_what_is_offered_as_words(bench):
    about = {"scale": 0.1, "load": {"rate": 250, "tasks": 2}}
    sizes = dict.fromkeys(("waiting_bytes", "kernel_bytes", "queue_frames", "machine idle"), 100)
    record(bench, MEASUREMENT | {"id": "B1-ti", "parameters": about | sizes})
    assert "; scale 0.1; load rate 250, tasks 2; waiting_bytes 100" in row(bench, "B1-ti")


def test_the_readme_of_the_forwarder_has_the_costs_between_its_marks(bench):
    readme = bench.parent / "forwarder-dpdk" / "README.md"
    readme.parent.mkdir()
    start, end = "<!-- costs: generated by bench/record.py -->\n", "<!-- end of costs -->\n"
    readme.write_text(f"before\n{start}old\n{end}after\n")
    parameters = {"burst": 32, "connections": 1024}
    peers = {"TSC cycles each": 123.4, "the same with IPv6": 9.5}
    record(bench, MEASUREMENT)
    record(bench, MEASUREMENT | {"id": "S1-1k", "parameters": parameters, "peers": peers})
    text = readme.read_text()
    assert text.startswith(f"before\n{start}| row |")
    assert text.endswith(f"{end}after\n")
    assert "| S1-1k | 1,024 | 12.4 Mpps | 123 | 9.5 Mpps | 32 |" in text
    assert "old" not in text
    assert "M3" not in text


def test_the_documents_are_those_that_would_be_generated_now(bench):
    readme = pathlib.Path("forwarder-dpdk/README.md")
    shutil.copytree(BENCH / "results", bench / "results")
    (bench.parent / readme).parent.mkdir()
    shutil.copy(BENCH.parent / readme, bench.parent / readme)
    record(bench, "", "--render")
    assert (bench.parent / readme).read_text() == (BENCH.parent / readme).read_text()
    assert page(bench) == (BENCH.parent / "docs" / "RESULTS.md").read_text()


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
        ({"spread": [1, 2]}, "spread is not an object"),
        ({"parameters": ["seed"]}, "parameters is not an object"),
        ({"peers": None}, "peers is not an object"),
        ({"peers": []}, "peers is not an object"),
        ({"peers": {"ecmp": "slow"}}, "ecmp is not a number"),
        ({"peers": {"TSC cycles each": 90.5}}, "missing in parameters: burst"),
        ({"id": ["M3"]}, "id is not a string"),
        ({"command": None}, "command is not a string"),
        ({"machine": 5}, "machine is not a string"),
        ({"samples": ["fast"]}, "samples are an array of numbers"),
        ({"samples": 5}, "samples are an array of numbers"),
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


@pytest.mark.parametrize("text", ["M3 = 12", "[]", "null"])
def test_what_is_no_object_is_refused(bench, text):
    done = record(bench, text)
    assert done.returncode == 1
    assert done.stderr.startswith("refused: ")
    assert "Traceback" not in done.stderr


def test_a_result_stays_if_the_next_one_is_cut_off(bench):
    record(bench, MEASUREMENT)
    stored = bench / "results" / "multipath" / "M3.json"
    before = stored.read_text()
    assert record(bench, MEASUREMENT | {"value": 13}, before=("prlimit", "--fsize=99")).returncode
    assert stored.read_text() == before
