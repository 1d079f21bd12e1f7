# SPDX-License-Identifier: EPL-2.0
import dataclasses

import pytest

from sluice_lab.campaign import Cell
from sluice_lab.experiments import dissemination
from sluice_lab.experiments.dissemination import Dissemination

EXPERIMENT = Dissemination(sites=2, subscribers=5, body_bytes=850, uplink_mbps=8, loads=(0.5, 2.0))
LOADS = {"load-0.5": 0.5, "load-2": 2.0}


def outcome(per_second: float, p50_us: float, lost: int = 0, duplicates: int = 0) -> dict:
    return {"per_second": per_second, "p50_us": p50_us, "lost": lost, "duplicates": duplicates}


def outcomes() -> dict[Cell, dict]:
    measured = {
        ("load-0.5", "sluice"): outcome(50, 26_000),
        ("load-0.5", "mesh"): outcome(50, 52_000),
        ("load-2", "sluice"): outcome(200, 30_000, lost=1, duplicates=2),
        ("load-2", "mesh"): outcome(100, 900_000, lost=70),
    }
    return {
        Cell(variant=variant, policy=policy, seed=1): out
        for (variant, policy), out in measured.items()
    }


def test_the_limit_is_what_the_uplink_carries_copy_by_copy():
    assert EXPERIMENT.mesh_limit() == pytest.approx(8e6 / 8 / (850 + 150) / 10)
    double = dataclasses.replace(EXPERIMENT, subscribers=10)
    assert double.mesh_limit() == pytest.approx(EXPERIMENT.mesh_limit() / 2)


def test_rows_compare_the_best_rates_and_the_latencies_of_a_full_uplink():
    throughput, latency, lost = dissemination.rows(EXPERIMENT, LOADS, outcomes())
    assert (throughput["id"], throughput["value"]) == ("S3-throughput", 2.0)
    assert throughput["spread"] == {"min": 1.0, "median": 1.5, "max": 2.0, "runs": 2}
    assert throughput["peers"] == {"sluice": 200, "mesh": 100}
    assert (latency["id"], latency["value"]) == ("S3-latency", 30.0)
    assert (lost["id"], lost["value"], lost["peers"]) == ("S3-lost", 3, {"mesh": 70})
