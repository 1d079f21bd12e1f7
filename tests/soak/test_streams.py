# SPDX-License-Identifier: EPL-2.0
"""Trending Topics on a real Storm over seven switches, as a run of B1-tt-multihop, but shorter."""

import contextlib
import dataclasses

import pytest
from sluice_lab import campaign
from sluice_lab.campaign import Cell
from sluice_lab.experiments import streams
from sluice_lab.net import Endpoint, Settings
from sluice_lab.steering import Lab

pytestmark = pytest.mark.soak
BRIEF = dataclasses.replace(streams.TRENDING_TOPICS, counted_s=30)


@pytest.fixture(scope="session", autouse=True)
def in_full(request) -> None:
    """Skips before a controller is started: a sample is for machines that have no time for a Storm."""
    if request.config.getoption("--soak") == "sample":
        pytest.skip("runs with --soak=full")


@pytest.fixture
def lab(running) -> Lab:
    """Where the controller of this file is."""
    return Lab(
        settings=Settings(prefix="st"),
        url=f"http://{running.address}:8181/rests",
        password=running.password(),
        endpoint=Endpoint(running.address, 6653),
    )


def test_trending_topics_is_shared_out_over_seven_switches(lab, tmp_path, monkeypatch):
    monkeypatch.setattr(campaign, "RAW", tmp_path)
    cell = Cell(variant="multihop-20", policy="sluice", seed=1)
    with contextlib.ExitStack() as stack:
        seen = streams.measure(BRIEF, streams.Clusters(BRIEF, lab, stack), cell)
    assert seen["throughput"] > 0
    assert set() < set(seen["bound"]) <= set(seen["utilisation"]), "links between switches are the bottleneck"
    assert 0 < seen["meters_of_capacity"] <= 1
    assert seen["lost_messages"] is not None
