# SPDX-License-Identifier: EPL-2.0
import dataclasses

import pytest

from sluice_lab.campaign import Cell
from sluice_lab.experiments import dissemination
from sluice_lab.experiments.dissemination import Dissemination

EXPERIMENT = Dissemination(
    sites=2, subscribers=5, body_bytes=850, uplink_mbps=8, loads=(0.5, 1.2), runs=2
)


def outcome(per_second: float, p50_us: float, lost: int = 0, duplicates: int = 0) -> dict:
    return {
        "per_second": per_second,
        "p50_us": p50_us,
        "p99_us": 2 * p50_us,
        "refused": 0,
        "lost": lost,
        "duplicates": duplicates,
    }


def outcomes() -> dict[Cell, dict]:
    measured = {
        ("load-0.5", "sluice", 1): outcome(50, 26_000),
        ("load-0.5", "mesh", 1): outcome(50, 52_000),
        ("load-1.2", "sluice", 1): outcome(200, 30_000, lost=1, duplicates=2),
        ("load-1.2", "mesh", 1): outcome(100, 900_000, lost=70),
        ("load-0.5", "sluice", 2): outcome(50, 26_000),
        ("load-0.5", "mesh", 2): outcome(50, 52_000),
        ("load-1.2", "sluice", 2): outcome(400, 10_000),
        ("load-1.2", "mesh", 2): outcome(100, 500_000, lost=30),
    }
    return {
        Cell(variant=variant, policy=policy, seed=seed): out
        for (variant, policy, seed), out in measured.items()
    }


def test_the_limit_is_what_the_uplink_carries_copy_by_copy():
    assert EXPERIMENT.mesh_limit() == pytest.approx(8e6 / 8 / (850 + 150) / 10)
    double = dataclasses.replace(EXPERIMENT, subscribers=10)
    assert double.mesh_limit() == pytest.approx(EXPERIMENT.mesh_limit() / 2)


def test_rows_compare_the_best_rates_and_the_latencies_at_one_load():
    throughput, latency, lost = dissemination.rows(EXPERIMENT, outcomes())
    assert (throughput["id"], throughput["value"]) == ("S3-throughput", 3.0)
    assert throughput["spread"] == {"min": 2.0, "median": 3.0, "max": 4.0, "runs": 2}
    assert throughput["peers"]["mesh, per second"] == 100
    assert (throughput["peers"]["sites"], throughput["peers"]["uplink, Mbit/s"]) == (2, 8)
    assert (latency["id"], latency["value"]) == ("S3-latency", 40.0)
    assert latency["peers"]["multiple of the mesh's limit"] == 1.2
    assert latency["peers"]["ratio at load 0.5"] == 2.0
    assert (lost["id"], lost["value"], lost["peers"]) == ("S3-lost", 3, {"mesh, lost": 100})
    assert latency["parameters"]["by load"]["mesh, p50_us"] == {"0.5": 52_000, "1.2": 700_000}
