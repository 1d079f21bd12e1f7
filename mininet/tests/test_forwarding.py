# SPDX-License-Identifier: EPL-2.0
"""Rows and figure of the forwarders' comparison; what ours carries comes out where it should."""

import dataclasses
import os
import pathlib

import pytest

from sluice_lab import overlay_figure
from sluice_lab.campaign import Cell
from sluice_lab.experiments import forwarding
from sluice_lab.experiments.forwarding import Comparison, Overlay
from sluice_lab.ovs import LabError

COMPARISON = Comparison(flows=(10, 1_000), runs=3)
OVERLAY = Overlay(flows=(1, 50, 1_000), runs=3)
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def outcome(mpps: float) -> dict:
    return {"mpps": [mpps / 2, mpps, 5 * mpps], "opening_s": 0.1, "busy": 0.4, "lost": 0}


def outcomes(experiment: Comparison | Overlay, mpps: dict[str, dict[int, list[float]]]) -> dict:
    """Outcomes by policy and flows, run by run; policies that are left out carry 1 Mpps."""
    return {
        Cell(variant=f"flows-{flows}", policy=policy, seed=run): outcome(
            mpps.get(policy, {}).get(flows, [1, 1, 1])[run - 1]
        )
        for policy in experiment.policies
        for flows in experiment.flows
        for run in (1, 2, 3)
    }


def test_ratios_are_taken_run_by_run_at_the_same_number_of_flows():
    measured = outcomes(
        COMPARISON,
        {
            "sluice": {10: [6, 8, 9], 1_000: [4, 4, 4]},
            "ct": {10: [3, 2, 1]},
            "group": {1_000: [0.4, 0.2, 0.5]},
        },
    )
    ct, group, group_many = forwarding.peer_rows(COMPARISON, measured)
    assert (ct["id"], ct["value"]) == ("S1-vs-ct", 4)
    assert ct["spread"] == {"min": 2, "median": 4, "max": 9, "runs": 3}
    assert (ct["peers"]["sluice, Mpps"], ct["peers"]["ct, Mpps"]) == (8, 2)
    assert (group["id"], group["value"]) == ("S1-vs-group", 8)
    assert (group_many["id"], group_many["value"]) == ("S1-vs-group-131k", pytest.approx(10))


def test_overheads_are_over_the_variant_before_and_up_to_fifty_flows():
    measured = outcomes(
        OVERLAY,
        {
            "bridge": {1: [10, 10, 10], 50: [8, 8, 8]},
            "labels": {1: [7, 8, 9], 50: [4, 6, 6], 1_000: [0.1, 0.1, 0.1]},
            "affinity": {1: [3.5, 4, 4.5], 50: [2, 3, 3]},
        },
    )
    labels, affinity = forwarding.overhead_rows(OVERLAY, measured)
    assert labels["value"] == pytest.approx((0.2 + 0.25) / 2)
    assert labels["spread"]["max"] == pytest.approx((0.3 + 0.5) / 2)
    assert labels["peers"] == {"50 flows": 0.25, "1000 flows": pytest.approx(0.9)}
    assert affinity["value"] == pytest.approx(0.5)


def test_the_figure_has_a_curve_for_each_forwarder(tmp_path):
    throughputs = {policy: {1: [3.0, 4.0], 1_000: [1.0, 2.0]} for policy in OVERLAY.policies}
    file = tmp_path / "S2.svg"
    overlay_figure.draw(throughputs, file)
    once = file.read_bytes()
    overlay_figure.draw(throughputs, file)
    assert file.read_bytes() == once
    assert all(policy in overlay_figure.CURVES for policy in OVERLAY.policies)


@pytest.mark.parametrize(
    "counted",
    [{"mpps": [1, 1], "lost": 201, "strayed": 0}, {"mpps": [1, 1], "lost": 0, "strayed": 1}],
)
def test_a_forwarder_that_loses_or_mixes_up_packets_has_no_figure(monkeypatch, counted):
    monkeypatch.setattr(forwarding.memif, "load", lambda *_: counted)
    monkeypatch.setattr(forwarding, "CONTENDERS", {"S1-vs": {"ct": NOTHING}})
    with pytest.raises(LabError, match="ct, 10 flows"):
        forwarding.measure(COMPARISON, "ct", 10)


class Nothing:
    """A contender that does nothing."""

    mode = "plain"
    queues = 1
    keeps = True

    def start(self, _: pathlib.Path) -> "Nothing":
        return self

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_: object) -> None:
        pass


NOTHING = Nothing()


@AS_ROOT
@pytest.mark.net
@pytest.mark.parametrize(
    ("experiment", "policy"), [(COMPARISON, "loop"), (COMPARISON, "sluice"), (OVERLAY, "sluice")]
)
def test_every_packet_of_every_connection_comes_out_where_it_should(experiment, policy):
    brief = dataclasses.replace(experiment, settle_s=0, duration_s=1)
    with forwarding.huge_pages(400):
        counted = forwarding.measure(brief, policy, 500)
    assert counted["mpps"][0] > 0
