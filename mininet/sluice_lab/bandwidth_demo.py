# SPDX-License-Identifier: EPL-2.0
"""The demo of bandwidth: a stream application on Apache Storm, under TCP and under Sluice."""

from __future__ import annotations

import dataclasses

from sluice_lab import campaign, stream_figures
from sluice_lab.campaign import RAW, Cell, Outcome
from sluice_lab.experiments import streams
from sluice_lab.experiments.streams import Setting, Sharing, Streams
from sluice_lab.steering import Lab

DEMO = dataclasses.replace(
    streams.TRUCKING_IOT,
    id="demo-bandwidth",
    load={**streams.TRUCKING_IOT.load, "tasks": 1, "rate": 125},
    hosts=4,
    warm_up_s=20,
    counted_s=40,
    runs=1,
    variants=("uplink-10",),
    policies=(Sharing.TCP, Sharing.SLUICE),
)


def run(demo: Streams, lab: Lab) -> str:
    """Run the application under every policy, draw the figure, and return the table."""
    campaign.forget(demo.id)
    outcomes = streams.measure_all(demo, lab)
    files = stream_figures.draw(demo, out=RAW / demo.id)
    return "\n".join([table(demo, outcomes), "", *(f"Figure: {file}" for file in files)])


def table(demo: Streams, outcomes: dict[Cell, Outcome]) -> str:
    """Return the results, each policy against the first."""
    first = next(iter(outcomes.values()))["throughput"]
    lines = [f"{'policy':<14}{'throughput':>18}{'':>9}{'latency':>12}{'machine idle':>15}"]
    for cell, seen in outcomes.items():
        gain = f"{seen['throughput'] / first:.2f}x" if first else "-"
        late = "-" if seen["latency_ms"] is None else f"{seen['latency_ms'] / 1e3:.2f} s"
        lines.append(
            f"{cell.policy:<14}{seen['throughput']:>9.1f} tuples/s{gain:>9}{late:>12}"
            f"{seen['cpu']['idle']:>14.0%}"
        )
    load = demo.load
    sizes = f"{load['truck_bytes']} and {load['traffic_bytes']} bytes"
    (host, *_) = Setting.of(demo.variants[0], demo).topology(demo).hosts
    return "\n".join(
        [
            f"Trucking IoT on Apache Storm, {demo.hosts} hosts at one switch, cables of "
            f"{(host.rate_bps or 0) / 1e6:g} Mbit/s,",
            f"{load['rate']} events and {load['rate']} reports a second, of {sizes}:",
            "",
            *lines,
        ]
    )
