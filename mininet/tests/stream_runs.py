# SPDX-License-Identifier: EPL-2.0
"""Runs of stream applications as they are stored, with numbers that are easy to follow."""

from sluice_lab.campaign import Cell


def outcome(throughput, latency_ms=100.0, used=0.9, bound=("host->a:1",)):
    return {
        "throughput": throughput,
        "latency_ms": latency_ms,
        "utilisation": {"host->a:1": used, "a:1->host": 0.5},
        "bound": list(bound),
        "meters_of_capacity": 1.0,
        "cpu": {"idle": 0.4, "ovs_cores": 0.2},
        "worker_cores": {"h1": 0.1, "h2": 0.2},
        "round_ms": {"deciding": 2.0, "enforcing": 10.0},
    }


def runs_of(variants, ours=1.5, runs=2):
    """Runs of each variant: TCP completes 100, 200 ... a second, ours so many times more."""
    return {
        Cell(variant=variant, policy=policy, seed=seed): outcome(100 * seed * factor, 100 / factor)
        for variant in variants
        for seed in range(1, runs + 1)
        for policy, factor in (("sluice", ours), ("app-aware", 1.2), ("tcp", 1))
    }
