# SPDX-License-Identifier: EPL-2.0
import pytest

from sluice_lab import campaign, trial
from sluice_lab.ovs import LabError
from sluice_lab.restconf import ControllerError


@pytest.fixture
def rows(monkeypatch):
    recorded = []
    monkeypatch.setattr(campaign, "record", recorded.append)
    return recorded


def row(value):
    return {"id": "X", "value": value, "peers": {}, "parameters": {"runs": 1}}


def test_the_status_says_whether_the_figure_is_the_goal(rows):
    assert trial.conclude("X", lambda: row(0), recorded=True) == 0
    assert trial.conclude("X", lambda: row(2), recorded=True) == 1
    assert trial.conclude("X", lambda: row(2), recorded=True, goal=2) == 0
    assert [found["value"] for found in rows] == [0, 2, 2]


def test_a_trial_records_nothing(rows):
    assert trial.conclude("X", lambda: row(0), recorded=False) == 0
    assert not rows


@pytest.mark.parametrize("error", [LabError("no switch"), ControllerError("no answer")])
def test_what_goes_wrong_is_told_and_not_recorded(rows, capsys, error):
    def fail():
        raise error

    assert trial.conclude("X", fail, recorded=True) == 1
    assert capsys.readouterr().out == f"X: {error}\n"
    assert not rows
