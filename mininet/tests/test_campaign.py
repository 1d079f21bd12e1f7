# SPDX-License-Identifier: EPL-2.0
import dataclasses
import json

import pytest

from sluice_lab import campaign
from sluice_lab.campaign import Cell
from sluice_lab.experiments import completion
from sluice_lab.ovs import LabError


@dataclasses.dataclass(frozen=True)
class Parameters:
    size: int = 1
    runs: int = 2


@pytest.fixture(autouse=True)
def no_tools(monkeypatch):
    monkeypatch.setattr(campaign, "versions", dict)


def test_policies_are_interleaved_and_take_turns_in_being_first():
    cells = campaign.interleaved(["v", "w"], ["a", "b", "c"], [5, 7, 8, 9])
    order = [(cell.seed, cell.variant, cell.policy) for cell in cells]
    turns = {5: "abc", 7: "bca", 8: "cab", 9: "abc"}
    assert order == [(seed, v, policy) for seed in turns for v in "vw" for policy in turns[seed]]
    assert campaign.interleaved(["v"], [], [1, 2]) == []


def test_a_run_that_broke_off_goes_on_where_it_stopped(tmp_path):
    cells = campaign.interleaved(["v"], ["a"], [1, 2, 3])
    measured = []

    def measure(cell):
        if cell.seed == 3 and len(measured) == 2:
            measured.append(None)
            raise LabError("power cut")
        measured.append(cell.seed)
        return {"value": cell.seed}

    with pytest.raises(LabError, match="power cut"):
        campaign.run("X", Parameters(), cells, measure, tmp_path)
    outcomes = campaign.run("X", Parameters(), cells, measure, tmp_path)
    assert measured == [1, 2, None, 3]
    assert [outcomes[cell]["value"] for cell in cells] == [1, 2, 3]
    stored = json.loads((tmp_path / "X" / "experiment.json").read_text())
    assert stored["parameters"] == {"size": 1, "runs": 2}


def test_samples_of_other_parameters_are_not_mixed_in(tmp_path):
    cells = [Cell(variant="v", policy="a", seed=1)]
    campaign.run("X", Parameters(), cells, lambda _: {}, tmp_path)
    campaign.run("X", Parameters(runs=9), cells, lambda _: {}, tmp_path)
    with pytest.raises(LabError, match="--fresh"):
        campaign.run("X", Parameters(size=2), cells, lambda _: {}, tmp_path)
    campaign.forget("X", tmp_path)
    campaign.run("X", Parameters(size=2), cells, lambda _: {}, tmp_path)


def test_a_comparison_without_ours_is_not_recorded(monkeypatch):
    monkeypatch.setattr(campaign.subprocess, "run", lambda *_, **__: pytest.fail("recorded"))
    campaign.record({"id": "M1", "parameters": {"policies": ["ecmp"]}, "spread": {}})


def test_a_percentile_is_a_value_that_so_many_do_not_exceed():
    assert campaign.percentile(range(1, 101), 95) == 95
    assert campaign.percentile([3.0, 1.0, 2.0], 95) == 3.0
    assert campaign.percentile([7.0], 50) == 7.0


def test_a_figure_names_commits_and_machines_of_its_samples(tmp_path, monkeypatch):
    told = []

    def recorder(*options: str, given: str = "") -> str:
        if options:
            return json.dumps({"commit": "new", "machine": "small"})
        told.append(json.loads(given))
        return ""

    monkeypatch.setattr(campaign, "RAW", tmp_path)
    monkeypatch.setattr(campaign, "_recorder", recorder)
    cells = campaign.interleaved(["v"], ["sluice"], [1, 2, 3])
    (tmp_path / "X").mkdir()
    stored = {"commit": "old", "machine": "large"}
    (tmp_path / "X" / f"{cells[0]}.json").write_text(json.dumps(stored))
    campaign.run("X", Parameters(), cells, lambda _: {}, tmp_path)
    campaign.record({"id": "X", "parameters": {"id": "X"}, "value": 1})
    (tmp_path / "X" / f"{campaign.Cell(variant='w', policy='ecmp', seed=1)}.json").write_text(
        json.dumps({"commit": "newer", "machine": "small"})
    )
    campaign.record({"id": "X", "parameters": {"id": "X", "variants": ["w"]}, "value": 1})
    assert [(one["commit"], one["machine"]) for one in told] == [
        ("new; old", "large; small"),
        ("newer", "small"),
    ]


def test_a_figure_is_of_the_day_of_its_last_sample_and_of_as_many_as_it_says(tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(campaign, "RAW", tmp_path)
    monkeypatch.setattr(campaign, "_recorder", lambda given="": told.append(json.loads(given)))
    (tmp_path / "X").mkdir()
    for seed, day in enumerate(("2026-11-25", "2026-11-24", "2026-11-26"), start=1):
        cell = Cell(variant="v", policy="sluice", seed=seed)
        (tmp_path / "X" / f"{cell}.json").write_text(json.dumps({"date": day}))
    for choice in ({}, {"runs": 2}, {"seeds": [2]}):
        campaign.record({"id": "X", "parameters": {"id": "X", **choice}, "value": 1})
    assert [one["date"] for one in told] == ["2026-11-26", "2026-11-25", "2026-11-24"]


def test_the_stored_parameters_tell_of_all_runs(tmp_path):
    @dataclasses.dataclass(frozen=True)
    class Several(Parameters):
        policies: tuple[str, ...] = ()

    for policies, runs in (("a", 3), ("bc", 1), ("ab", 2)):
        campaign.run("X", Several(policies=tuple(policies), runs=runs), [], dict, tmp_path)
    stored = json.loads((tmp_path / "X" / "experiment.json").read_text())
    assert stored["parameters"] == {"size": 1, "runs": 3, "policies": ["a", "b", "c"]}


def test_a_run_amid_which_there_was_a_commit_bears_both(tmp_path, monkeypatch):
    commits = iter(["old", "new"])
    monkeypatch.setattr(campaign, "RAW", tmp_path)

    def recorder(*options: str, given: str = "") -> str:
        if options:
            return json.dumps({"commit": next(commits), "machine": "small"})
        assert json.loads(given)["commit"] == "new; old"
        return ""

    monkeypatch.setattr(campaign, "_recorder", recorder)
    cell = Cell(variant="v", policy="sluice", seed=1)
    outcomes = campaign.run("X", Parameters(), [cell], lambda _: {"value": 1}, tmp_path)
    assert outcomes[cell]["commit"] == "new; old"
    newer = dataclasses.replace(cell, seed=2)
    (tmp_path / "X" / f"{newer}.json").write_text('{"commit": "new", "machine": "small"}')
    campaign.record({"id": "X", "parameters": {"id": "X"}, "value": 1})


def test_the_command_beside_a_figure_says_what_was_run(monkeypatch):
    recorded = []
    monkeypatch.setattr(campaign, "record", recorded.append)
    told = {"seeds": 2, "variants": ("plain",), "policies": ("sluice", "ecmp")}
    experiment = completion.CompletionTime(**told)
    campaign.record_figure(experiment, [1.0])
    options = "--runs 2 --policies sluice,ecmp --variants plain"
    assert recorded[0]["command"] == f"sluice-lab run M4 {options}"
