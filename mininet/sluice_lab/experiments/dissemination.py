# SPDX-License-Identifier: EPL-2.0
"""S3: a site publishes to others, over the bus and over a full mesh of direct copies.

``python -m sluice_lab.sandbox python -m sluice_lab.experiments.dissemination``. Both have
CURVE, the same high-water mark, the same messages, and share one thing: the uplink of the
publisher's site. Loads are multiples of what the uplink lets the mesh carry at most.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import logging
import pathlib
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator

from sluice_lab import campaign, java_processes
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.java_processes import Process, answer, final_reports, mortal, tell
from sluice_lab.ovs import LabError
from sluice_lab.wide_area import WideArea, wide_area

_OURS = "sluice"
_MESH = "mesh"
_SCHEMES = (_OURS, _MESH)
_ANSWER_LIMIT_S = 120
_LEAD_NS = 500_000_000
# What a copy takes on the uplink beside the body: topic, ZMTP, CURVE, TCP, IP and Ethernet headers.
_COPY_OVERHEAD_BYTES = 150


@dataclasses.dataclass(frozen=True, kw_only=True)
class Dissemination:
    """One publisher; ``subscribers`` at each of so many ``sites``.

    ``loads`` are multiples of the rate at which a copy for each subscriber would fill the uplink;
    a copy for each site fills it at ``subscribers`` times that. ``compared_load`` is the one that
    the latencies are compared at. ``high_water_mark`` counts messages that wait for a subscriber
    of the mesh, and for a site or a subscriber of ours.
    """

    id: str = "S3"
    sites: int = 4
    subscribers: int = 10
    body_bytes: int = 512
    uplink_mbps: float = 10
    delay_us: int = 25_000
    high_water_mark: int = 1024
    compared_load: float = 1.2
    loads: tuple[float, ...] = (0.5, 0.9, 1.0, 1.2, 2.0, 8.0, 12.0)
    duration_s: int = 15
    runs: int = 3

    def mesh_limit(self) -> float:
        """Messages a second that the uplink carries to all subscribers, copy by copy."""
        copies = self.sites * self.subscribers
        return self.uplink_mbps * 1e6 / 8 / (self.body_bytes + _COPY_OVERHEAD_BYTES) / copies


DEFAULT = Dissemination()


def run(experiment: Dissemination, folder: pathlib.Path) -> None:
    """Measure both schemes at each load and record the rows."""
    subprocess.run(_java("keys", str(folder), str(experiment.sites)), check=True)
    loads = {f"load-{load:g}": load for load in experiment.loads}
    cells = campaign.interleaved(list(loads), _SCHEMES, range(1, experiment.runs + 1))
    outcomes = campaign.run(
        experiment.id,
        experiment,
        cells,
        lambda cell: measure(experiment, cell.policy, loads[cell.variant], folder),
    )
    for row in rows(experiment, outcomes):
        campaign.record(row)


def measure(experiment: Dissemination, scheme: str, load: float, folder: pathlib.Path) -> Outcome:
    """Publish at a load; return what was offered, taken and heard."""
    interval_ns = round(1e9 / (load * experiment.mesh_limit()))
    count = round(experiment.duration_s * 1e9 / interval_ns)
    with (
        wide_area(folder, experiment.sites, experiment.uplink_mbps, experiment.delay_us) as network,
        started(experiment, scheme, network, folder) as (publisher, subscribers),
    ):
        start_ns = time.monotonic_ns() + _LEAD_NS
        tell(publisher, f"{count} {interval_ns} {experiment.body_bytes} {start_ns}")
        taken = int(answer(publisher, experiment.duration_s + _ANSWER_LIMIT_S))
        reports = final_reports(subscribers)
    if any(report["torn"] for report in reports):
        raise LabError("a subscriber got something that is no message of ours")
    received = sum(report["received"] for report in reports)
    copies = experiment.sites * experiment.subscribers
    last_ns = max(report["last_ns"] for report in reports)
    return {
        "offered": count,
        "refused": count - taken,
        "lost": taken * copies - received,
        "duplicates": sum(report["duplicates"] for report in reports),
        "per_second": received / copies / ((last_ns - start_ns) / 1e9),
        "p50_us": statistics.median(report["p50_us"] for report in reports),
        "p99_us": max(report["p99_us"] for report in reports),
    }


@contextlib.contextmanager
def started(
    experiment: Dissemination, scheme: str, network: WideArea, folder: pathlib.Path
) -> Iterator[tuple[Process, list[Process]]]:
    """Start all processes and wait until every subscriber has heard the publisher."""
    way = [scheme, str(folder), str(experiment.high_water_mark)]
    publish = _java("publish", *way, str(experiment.sites))
    with contextlib.ExitStack() as stack:
        publisher = mortal(stack, network.start(0, publish))
        subscribers = [
            mortal(
                stack,
                network.start(
                    site, _java("subscribe", *way, str(site), str(experiment.subscribers))
                ),
            )
            for site in range(1, experiment.sites + 1)
        ]
        for subscriber in subscribers:
            answer(subscriber)
        yield publisher, subscribers


def rows(experiment: Dissemination, outcomes: dict[Cell, Outcome]) -> list[Outcome]:
    """Return throughput, latency and loss as bench/record.py is told of them.

    Throughput is the best of all loads, ours to the mesh's; latency the mesh's to ours at the load
    that they are compared at. The spread is over repetitions; all loads stand in the parameters.
    """

    def found(scheme: str, key: str, seed: int) -> dict[float, float]:
        return {
            load: outcomes[Cell(variant=f"load-{load:g}", policy=scheme, seed=seed)][key]
            for load in experiment.loads
        }

    def by_load(scheme: str, key: str) -> dict[str, float]:
        each = [found(scheme, key, seed) for seed in seeds]
        return {f"{load:g}": statistics.median(one[load] for one in each) for load in each[0]}

    def total(scheme: str, *keys: str) -> list[int]:
        mine = [out for cell, out in outcomes.items() if cell.policy == scheme]
        return [sum(out[key] for key in keys) for out in mine]

    seeds = range(1, experiment.runs + 1)
    rates = [
        [max(found(scheme, "per_second", seed).values()) for scheme in _SCHEMES] for seed in seeds
    ]
    waits = {
        load: [[found(scheme, "p50_us", seed)[load] for scheme in _SCHEMES] for seed in seeds]
        for load in experiment.loads
    }
    faster = [ours / mesh for ours, mesh in rates]
    sooner = {load: [mesh / ours for ours, mesh in each] for load, each in waits.items()}
    compared = experiment.compared_load
    lost = total(_OURS, "lost", "duplicates")
    parameters = {
        **campaign.as_json(experiment),
        "the mesh's limit per second": experiment.mesh_limit(),
        "by load": {
            f"{scheme}, {key}": by_load(scheme, key)
            for scheme in _SCHEMES
            for key in ("per_second", "p50_us", "p99_us", "refused", "lost")
        },
    }
    return [
        {
            "id": row,
            "value": value,
            "command": "make bench-bus",
            "parameters": parameters,
            "spread": campaign.spread(values),
            "peers": peers,
        }
        for row, value, values, peers in (
            (
                "S3-throughput",
                statistics.median(faster),
                faster,
                {
                    f"{_MESH}, per second": statistics.median(mesh for _, mesh in rates),
                    "sites": experiment.sites,
                    "subscribers at each": experiment.subscribers,
                    "octets of a message": experiment.body_bytes,
                    "uplink, Mbit/s": experiment.uplink_mbps,
                    "delay, ms": experiment.delay_us / 1_000,
                },
            ),
            (
                "S3-latency",
                statistics.median(sooner[compared]),
                sooner[compared],
                {
                    f"{_MESH}, us": statistics.median(mesh for _, mesh in waits[compared]),
                    "multiple of the mesh's limit": compared,
                    **{
                        f"ratio at load {load:g}": statistics.median(each)
                        for load, each in sooner.items()
                        if load != compared
                    },
                },
            ),
            (
                "S3-lost",
                sum(lost),
                lost,
                {f"{_MESH}, lost": sum(total(_MESH, "lost"))},
            ),
        )
    ]


def _java(*words: str) -> list[str]:
    return java_processes.java("bench.bus.DisseminationProcess", *words)


def main() -> int:
    """Measure, and record the rows."""
    parser = argparse.ArgumentParser(prog="dissemination", description=__doc__)
    parser.add_argument("--runs", type=int, default=DEFAULT.runs, help="repetitions (%(default)s)")
    parser.add_argument("--fresh", action="store_true", help="measure anew what is stored")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    if options.fresh:
        campaign.forget(DEFAULT.id)
    try:
        with tempfile.TemporaryDirectory() as folder:
            run(dataclasses.replace(DEFAULT, runs=options.runs), pathlib.Path(folder))
    except LabError as error:
        print(f"dissemination: {error}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
