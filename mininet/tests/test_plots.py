# SPDX-License-Identifier: EPL-2.0
import dataclasses
import json

import pytest
from matplotlib import pyplot

from sluice_lab import panels, plots
from sluice_lab.campaign import Cell
from sluice_lab.experiments import completion, regeneration
from sluice_lab.ovs import LabError
from sluice_lab.panels import Runs

PARAMETERS = dataclasses.asdict(completion.DEFAULT)
SECOND_NS = 1_000_000_000
MEGABITS = 8 * completion.DEFAULT.size_bytes / 1e6


def outcome(ends_s):
    """A run of M4 whose flows all begin after 1 s, with a mean load of 0.5."""
    begin_ns = 70 * SECOND_NS
    return {
        "makespan_s": max(ends_s),
        "load": 0.5,
        "begin_ns": begin_ns,
        "flows": [
            {
                "start_ns": begin_ns + SECOND_NS,
                "end_ns": begin_ns + round(end * SECOND_NS),
                "rtt_us": 2_000.0,
            }
            for end in ends_s
        ],
    }


@pytest.fixture
def axes():
    figure, axes = pyplot.subplots()
    yield axes
    pyplot.close(figure)


@pytest.fixture
def runs():
    return Runs(
        "augmented",
        PARAMETERS,
        {"ecmp": {1: outcome([21, 11])}, "sluice": {1: outcome([11, 6]), 2: outcome([5, 11])}},
    )


def labels(axes):
    return axes.get_legend_handles_labels()[1]


def test_figure_13_has_the_papers_index_beside_ours_where_it_tells_one(axes):
    policies = ("tcp", "app-fair-100", "app-fair-50", "app-fair-30")
    found = {policy: {1: {"shares_bps": [1e6, 3e6], "cpu": {"idle": 0.5}}} for policy in policies}
    panels.shares(axes, Runs("", {}, found))
    (indices,) = [other for other in axes.figure.axes if other is not axes]
    assert [bar.get_height() for bar in indices.patches] == [pytest.approx(0.8)] * 4
    told = [label.partition(":")[0] for label in labels(axes)]
    assert [name for name in told if name in policies] == [*reversed(policies[1:]), "tcp"]
    places = [bar.get_x() + bar.get_width() / 2 for bar in indices.patches]
    (paper,) = [line for line in indices.lines if line.get_marker() == "D"]
    assert list(paper.get_xdata()) == pytest.approx(places[1:])
    assert list(paper.get_ydata()) == [0.99, 0.98, 0.84]
    assert "paper: Jain's index" in labels(axes)


def test_figure_13_has_the_median_and_the_range_of_runs(axes):
    found = {
        "tcp": {
            seed: {"shares_bps": [seed * 1e6, 3e6], "cpu": {"idle": seed / 5}} for seed in (1, 2, 4)
        }
    }
    panels.shares(axes, Runs("", {}, found))
    assert axes.get_xlabel().endswith("machine idle 20 % at least")
    assert [bar.get_height() for bar in axes.patches] == [2, 3]
    (reach,) = axes.collections
    assert [list(ends[:, 1]) for ends in reach.get_segments()] == [[1, 4], [3, 3]]


def test_ours_comes_first_and_a_policy_keeps_its_colour(axes, runs):
    panels.completions(axes, runs)
    assert labels(axes)[-2:] == ["sluice", "ecmp"]
    colours = [container.lines[0].get_color() for container in axes.containers]
    axes.clear()
    panels.aggregates(axes, Runs("augmented", PARAMETERS, {"ecmp": runs.by_policy["ecmp"]}))
    assert axes.lines[0].get_color() == colours[1] != colours[0]


def test_completion_times_are_ordered_in_each_run(axes, runs):
    panels.completions(axes, runs)
    sluice, ecmp = (container.lines[0].get_ydata() for container in axes.containers)
    assert list(sluice) == pytest.approx([5.5, 11])
    assert list(ecmp) == pytest.approx([11, 21])


def test_throughput_is_size_over_duration(axes, runs):
    panels.throughputs(axes, runs)
    heights = [bar.get_height() for bar in axes.containers[1]]
    assert heights == pytest.approx([MEGABITS / 20, MEGABITS / 10])
    bound_s = completion.lower_bound_s(completion.DEFAULT, "augmented", 1)
    [bound] = [line for line in axes.lines if "bound" in line.get_label()]
    bounds_s = [bound_s, completion.lower_bound_s(completion.DEFAULT, "augmented", 2)]
    assert bound.get_ydata()[0] == pytest.approx(MEGABITS / (sum(bounds_s) / 2))


def test_aggregated_throughput_counts_flows_while_they_last(axes, runs):
    panels.aggregates(axes, runs)
    _, ecmp, bound = axes.lines
    at = dict(zip(ecmp.get_xdata(), ecmp.get_ydata(), strict=True))

    def near(second):
        return at[min(at, key=lambda time: abs(time - second))]

    assert [near(0.5), near(5), near(15), near(21.3)] == pytest.approx(
        [0, MEGABITS / 20 + MEGABITS / 10, MEGABITS / 20, 0]
    )
    width, height = max(bound.get_xdata()), max(bound.get_ydata())
    assert width * height == pytest.approx(2 * MEGABITS)


def test_load_is_cumulated_until_the_end(axes, runs):
    panels.loads(axes, runs)
    ends = [(line.get_xdata()[-1], line.get_ydata()[-1]) for line in axes.lines]
    assert ends == [(11, 5.5), (21, 10.5)]


def test_who_has_no_round_trip_time_is_left_out(axes, runs):
    silent = outcome([9, 9])
    for flow in silent["flows"]:
        flow["rtt_us"] = 0.0
    runs.by_policy["mptcp"] = {1: silent}
    panels.round_trips(axes, runs)
    assert labels(axes) == ["sluice", "ecmp"]
    assert [bar.get_height() for bar in axes.containers[0]] == [2, 2]


def test_phases_lie_end_to_end(axes):
    spans = dict(zip(regeneration.PHASES, range(1, 7), strict=True))
    parameters = dataclasses.asdict(regeneration.DEFAULT)
    panels.phases(axes, Runs("fattree", parameters, {"ecmp": {1: {"phases_s": spans}}}))
    bars = [container[0] for container in axes.containers]
    assert [bar.get_x() for bar in bars] == [0, 1, 3, 6, 10, 15]
    assert bars[-1].get_width() == 6


def store(folder, policies):
    folder.mkdir()
    (folder / "experiment.json").write_text(json.dumps({"parameters": PARAMETERS}))
    for variant in ("augmented", "plain"):
        for policy in policies:
            cell = Cell(variant=variant, policy=policy, seed=1)
            (folder / f"{cell}.json").write_text(json.dumps(outcome([10, 11])))


def test_figures_are_drawn_from_stored_samples_and_come_out_the_same(tmp_path):
    store(tmp_path / "M4", ("sluice", "least-loaded"))
    files = plots.draw("M4", tmp_path, tmp_path / "out")
    assert {file.stem for file in files} == set(plots.FIGURES["M4"])
    assert all(file.stat().st_size > 1_000 for file in files)
    first = {file: file.read_bytes() for file in files}
    plots.draw("M4", tmp_path, tmp_path / "out")
    assert {file: file.read_bytes() for file in files} == first


def test_variants_stand_side_by_side(tmp_path):
    store(tmp_path / "M4", ("sluice",))
    assert [runs.variant for runs in plots.read("M4", tmp_path)] == ["augmented", "plain"]
    titles = "".join(plots.draw("M4", tmp_path, tmp_path)[0].read_text().split("<!--"))
    assert "plain" in titles


def test_without_samples_there_is_no_figure(tmp_path):
    with pytest.raises(LabError, match="nothing is stored of M4"):
        plots.draw("M4", tmp_path)
    with pytest.raises(LabError, match=r"nothing is stored of demo: sluice-lab demo$"):
        plots.draw("demo", tmp_path)
