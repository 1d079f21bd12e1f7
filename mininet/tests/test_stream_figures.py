# SPDX-License-Identifier: EPL-2.0
import json

import pytest
from stream_runs import runs_of

from sluice_lab import campaign, stream_figures
from sluice_lab.campaign import Cell
from sluice_lab.experiments import stream_rows, streams
from sluice_lab.experiments.streams import Sharing

TT = streams.TRENDING_TOPICS


def store(folder, experiment, outcomes):
    (folder / experiment.id).mkdir()
    parameters = {"parameters": campaign.as_json(experiment)}
    (folder / experiment.id / "experiment.json").write_text(json.dumps(parameters))
    for cell, seen in outcomes.items():
        (folder / experiment.id / f"{cell}.json").write_text(json.dumps(seen))


@pytest.fixture
def axes():
    figure, drawn = stream_figures.pyplot.subplots()
    yield drawn
    stream_figures.pyplot.close(figure)


def test_figures_have_the_papers_points_at_the_papers_rates(tmp_path, axes):
    store(tmp_path, TT, runs_of(["uplink-10", "uplink-free", "multihop-20"]))
    files = stream_figures.draw(TT, tmp_path, tmp_path / "out")
    assert {file.name for file in files} == {
        f"{row}.{kind}" for row in ("B1-tt", "B1-tt-multihop") for kind in ("svg", "png")
    }
    drawn = stream_figures.Drawn(TT, "uplink", runs_of(["uplink-15", "uplink-free"]))
    drawn.paper(axes, stream_rows.PAPER_GAIN)
    drawn.bars(axes, [Sharing.SLUICE], drawn.over_tcp("throughput", 1))
    assert list(axes.lines[0].get_xdata()) == [0]
    assert list(axes.lines[0].get_ydata()) == [27]
    assert [bar.get_height() for bar in axes.patches] == [50, 50]


def test_a_policy_without_runs_of_the_first_variant_has_its_name_in_the_legend(axes):
    outcomes = runs_of(["uplink-10", "uplink-15"])
    for seed in (1, 2):
        del outcomes[Cell(variant="uplink-10", policy="app-aware", seed=seed)]
    drawn = stream_figures.Drawn(TT, "uplink", outcomes)
    drawn.bars(axes, drawn.policies, drawn.runs("throughput"))
    assert axes.get_legend_handles_labels()[1] == ["sluice", "app-aware", "tcp (cubic)"]


def test_latency_saved_is_drawn_where_there_is_a_bottleneck(axes):
    outcomes = runs_of(["uplink-10", "uplink-free"])
    for seed in (1, 2):
        outcomes[Cell(variant="uplink-free", policy="sluice", seed=seed)]["latency_ms"] = 271
    stream_figures.latency_saved(axes, stream_figures.Drawn(TT, "uplink", outcomes))
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["10"]
    saved = [bar.get_height() for bar in axes.patches]
    assert saved == pytest.approx([100 - 100 / 1.5, 100 - 100 / 1.2])


def test_how_busy_the_machine_was_is_told_with_a_bottleneck_and_without_one(axes):
    outcomes = runs_of(["uplink-10", "uplink-15", "uplink-free", "multihop-10"])
    for cell, seen in outcomes.items():
        seen["cpu"] = {"idle": {"uplink-free": 0.01, "multihop-10": 0.0}.get(cell.variant, 0.5)}
    throttled = outcomes[Cell(variant="uplink-15", policy="tcp", seed=2)]
    throttled |= {"cpu": {"idle": 0.25}, "worker_cores": {"h1": 0.1, "h2": 0.99}}
    stream_figures.processors(axes, stream_figures.Drawn(TT, "uplink", outcomes))
    assert axes.get_xlabel().splitlines()[1:] == [
        "throttled: machine idle 25 % at least, busiest worker 0.99",
        "free: machine idle 1 % at least, busiest worker 0.20",
    ]


def test_a_figure_of_intervals_has_seconds_on_its_axis(tmp_path, axes):
    store(tmp_path, streams.INTERVALS, runs_of(streams.INTERVALS.variants))
    files = stream_figures.draw(streams.INTERVALS, tmp_path, tmp_path / "out")
    assert [file.name for file in files] == ["B1-interval.svg", "B1-interval.png"]
    drawn = stream_figures.Drawn(streams.INTERVALS, "uplink", runs_of(streams.INTERVALS.variants))
    stream_figures.latency_by_interval(axes, drawn)
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["1", "2", "5", "10", "20"]
    assert list(axes.lines[0].get_ydata()) == pytest.approx([0.1 / 1.5] * 5)


def test_a_figure_of_placements_tells_the_median_and_the_worst(tmp_path, axes):
    outcomes = runs_of(streams.PLACEMENTS.variants)
    outcomes[Cell(variant="uplink-10", policy="sluice", seed=2)]["throughput"] = 220
    store(tmp_path, streams.PLACEMENTS, outcomes)
    files = stream_figures.draw(streams.PLACEMENTS, tmp_path, tmp_path / "out")
    assert [file.name for file in files] == ["B1-seeds.svg", "B1-seeds.png"]
    drawn = stream_figures.Drawn(streams.PLACEMENTS, "uplink", outcomes)
    stream_figures.gain_by_placement(axes, drawn)
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([10, 50])
    assert "median 30 %, worst 10 %" in axes.get_legend_handles_labels()[1]
