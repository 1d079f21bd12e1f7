# SPDX-License-Identifier: EPL-2.0
"""Rows of hot upgrades, what has no figure, and that flows which move would be seen."""

import os
import pathlib
import subprocess
import sys

import pytest

from sluice_lab import upgrades
from sluice_lab.campaign import Cell
from sluice_lab.experiments import hot_upgrade
from sluice_lab.experiments.hot_upgrade import HotUpgrade
from sluice_lab.ovs import LabError

EXPERIMENT = HotUpgrade(connections=1_000, rate=100, stretch_s=10, upgrades=3)
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def stretch(silence_ms: tuple[float, float] = (1, 1), **others: float) -> dict:
    """What a stretch of packets gives if all is well, but for what is named."""
    counts = {"seconds": 10, "sent": 1_000, "lost": 0, "strayed": 0, "moved": 0, "unwatched_ms": 1}
    return {**counts, "silence_ms": dict(zip(("wan", "lan"), silence_ms, strict=True)), **others}


def replacement(upgrade: dict, control: dict | None = None, moved_later: int = 0) -> dict:
    afterwards = {"lost": 0, "strayed": moved_later, "moved": moved_later}
    parts = {"upgrade": upgrade, "control": control or stretch(), "afterwards": afterwards}
    return {"took_s": 2, **parts}


def rows(*replacements: dict) -> list[dict]:
    outcome = {"upgrades": list(replacements), "restart": stretch((900, 800), moved=1_000)}
    return hot_upgrade.rows(EXPERIMENT, {Cell(variant="veth", policy="sluice", seed=1): outcome})


def test_the_gap_is_the_worst_of_all_upgrades_and_of_either_port():
    _, gap = rows(
        replacement(stretch((3, 2)), stretch((1, 4))),
        replacement(stretch((1, 9)), stretch((2, 1))),
        replacement(stretch((5, 1)), stretch((1, 1))),
    )
    assert (gap["id"], gap["value"]) == ("S1-upgrade-gap", 9)
    assert gap["spread"] == {"min": 3, "median": 5, "max": 9, "runs": 3}
    assert gap["peers"] == {
        "without an upgrade, worst": 4,
        "without an upgrade, median": 2,
        "the forwarder started anew instead": 900,
    }


def test_flows_that_moved_are_counted_in_the_stretch_and_in_the_look_at_all():
    flows, _ = rows(
        replacement(stretch(strayed=7, moved=2, lost=30)),
        replacement(stretch(lost=10), moved_later=3),
        replacement(stretch(lost=20)),
    )
    assert (flows["id"], flows["value"]) == ("S1-upgrade", 5)
    assert flows["spread"] == {"min": 0, "median": 2, "max": 3, "runs": 3}
    assert flows["parameters"]["lost packets of an upgrade"]["median"] == 20
    assert flows["parameters"]["strayed packets"] == 7
    assert flows["parameters"]["sent packets a second"] == 100


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (stretch(lost=1), "without an upgrade"),
        (stretch(strayed=1, moved=1), "without an upgrade"),
        (stretch(sent=800), "can't send at this rate: 80 packets"),
    ],
)
def test_what_goes_wrong_without_an_upgrade_leaves_no_figure(told, reason):
    with pytest.raises(LabError, match=reason):
        hot_upgrade.check_control(EXPERIMENT, told)


@pytest.mark.parametrize(
    ("told", "took_s", "reason"),
    [
        (stretch(), 10, "took 10.0 s"),
        (stretch(sent=800), 2, "can't send at this rate"),
        (stretch(strayed=1), 2, "belong to no connection"),
    ],
)
def test_an_upgrade_is_measured_while_packets_flow(told, took_s, reason):
    hot_upgrade.check_upgrade(EXPERIMENT, stretch(lost=50, strayed=3, moved=2), 2)
    with pytest.raises(LabError, match=reason):
        hot_upgrade.check_upgrade(EXPERIMENT, told, took_s)


def test_every_connection_is_looked_at_and_would_be_seen_to_move():
    hot_upgrade.check_all(EXPERIMENT, {"lost": 0})
    with pytest.raises(LabError, match="were lost"):
        hot_upgrade.check_all(EXPERIMENT, {"lost": 1})
    hot_upgrade.check_restart(EXPERIMENT, stretch(moved=1_000))
    with pytest.raises(LabError, match="only 900 connections moved"):
        hot_upgrade.check_restart(EXPERIMENT, stretch(moved=900))


def test_no_instance_that_has_connections_gets_new_ones():
    def weights(*, drained: bool) -> list[int]:
        made = upgrades.document(pathlib.Path("socket"), drained=drained)
        chain = made["sluice-forwarder:forwarder"]["chains"]["chain"][0]
        return [member["weight"] for member in chain["stage"][0]["instance"]]

    assert weights(drained=False) == [1, 1, 1, 0]
    assert weights(drained=True) == [0, 0, 0, 1]


@AS_ROOT
@pytest.mark.net
def test_connections_stay_through_an_upgrade_and_move_when_the_forwarder_starts_anew():
    words = ["--connections", "1000", "--rate", "10000", "--upgrades", "2", "--trial"]
    lab = [sys.executable, "-m", "sluice_lab.sandbox", sys.executable, "-m"]
    command = [*lab, "sluice_lab.experiments.hot_upgrade", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "S1-upgrade = 0:" in done.stderr
    assert "'the forwarder started anew instead, flows re-hashed': 1000" in done.stderr
