# SPDX-License-Identifier: EPL-2.0
"""METER-TCP, METER-TCP-RTT, METER-UDP: what a flow gets of the rate that its meter is set to.

One sender and one receiver at one switch, whose ports carry 1 Gbit/s: only the meter binds, which
the controller chooses and installs for a limit that RESTCONF sets. Rates are of layer-2 frames, as
the switch counts them: without preamble and check sum.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from sluice_lab import campaign, topologies, traffic
from sluice_lab.bandwidth import LimitedFlow
from sluice_lab.campaign import Outcome
from sluice_lab.delay import delayed
from sluice_lab.net import Net, wait_for
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Policy, need_controller, steered
from sluice_lab.topology import MEGABIT
from sluice_lab.traffic import PAYLOAD_SHARE, UDP_OVERHEAD_BYTES, Flow, Probe

TENANT = "lab-meter"
_PORT, _UNMETERED_PORT = 5201, 5202
_WIDE = topologies.LayerRates(host=1_000 * MEGABIT, edge=1_000 * MEGABIT)
_Load = TypeVar("_Load")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Tcp:
    """One TCP flow (cubic) at each rate and over each round trip, for ``duration_s``.

    Before it, one without a meter has ``control_s`` on the same way. Where that does not have
    ``least_offered`` times the rate, there is no figure. The first ``cut_s`` of each are cut.
    """

    id: str = "METER-TCP"
    rates_mbps: tuple[int, ...] = (1, 10, 100)
    round_trips_ms: tuple[int, ...] = (0,)
    duration_s: int = 60
    control_s: int = 20
    cut_s: int = 10
    least_offered: float = 1.1
    runs: int = 3

    def loads(self) -> dict[str, tuple[int, int]]:
        """Return rates in bit/s with round trips in milliseconds, by name."""
        return {
            f"{rate}mbps" + (f"-{trip}ms" if trip else ""): (rate * MEGABIT, trip)
            for rate in self.rates_mbps
            for trip in self.round_trips_ms
        }


@dataclasses.dataclass(frozen=True, kw_only=True)
class Udp:
    """Datagrams at ``offered`` times each rate.

    ``frames_bytes`` are the sizes at each rate. What leaves the sender and what arrives is counted
    for ``counted_s``, from ``settled_s`` after the first, when the meter's bucket has long been
    empty; by the interfaces, so that nobody has to read it, which would leave the switch too little
    of a small machine. Where not ``least_offered`` times the rate was offered there is no figure.
    """

    id: str = "METER-UDP"
    rates_mbps: tuple[int, ...] = (1, 10, 100)
    frames_bytes: tuple[tuple[int, ...], ...] = (
        (64, 128, 256, 512, 1024, 1500),
        (64, 128, 256, 512, 1024, 1500),
        (128, 256, 512, 1024, 1500),
    )
    offered: float = 1.25
    least_offered: float = 1.1
    settled_s: float = 30
    counted_s: float = 30
    runs: int = 1


TCP = Tcp()
LONG_TCP = Tcp(id="METER-TCP-RTT", round_trips_ms=(20, 100, 200))
UDP = Udp()


def run_tcp(experiment: Tcp, lab: Lab) -> None:
    """Measure and record the smallest share of its meter that TCP got."""
    record_worst(
        experiment,
        lab,
        experiment.loads(),
        lambda load: measure_tcp(experiment, lab, *load),
        min,
    )


def run_udp(experiment: Udp, lab: Lab) -> None:
    """Measure and record by how much what arrived was off the rate, at most."""
    loads = {
        f"{rate}mbps-{frame}B": (rate * MEGABIT, frame)
        for rate, frames in zip(experiment.rates_mbps, experiment.frames_bytes, strict=True)
        for frame in frames
    }
    record_worst(experiment, lab, loads, lambda load: measure_udp(experiment, lab, *load), max)


def record_worst(
    experiment: Tcp | Udp,
    lab: Lab,
    loads: dict[str, _Load],
    measure: Callable[[_Load], Outcome],
    worst: Callable[[Iterable[float]], float],
) -> None:
    """Measure each load in a network of its own; record the worst, with each load's own beside."""
    need_controller([Policy.SLUICE], lab)
    cells = campaign.interleaved(list(loads), [Policy.SLUICE], range(1, experiment.runs + 1))
    outcomes = campaign.run(
        experiment.id, experiment, cells, lambda cell: measure(loads[cell.variant])
    )
    by_load: dict[str, list[float]] = {load: [] for load in loads}
    for cell, outcome in outcomes.items():
        if outcome["figure"] is not None:
            by_load[cell.variant].append(outcome["figure"])
    values = [figure for figures in by_load.values() for figure in figures]
    if not values:
        raise LabError("nothing was offered that would fill a meter: no figure")
    notes = {
        "by load": {load: worst(figures) for load, figures in by_load.items() if figures},
        "not offered": [load for load, figures in by_load.items() if not figures],
    }
    campaign.record_figure(experiment, values, value=worst(values), notes=notes)


def measure_tcp(experiment: Tcp, lab: Lab, rate_bps: int, round_trip_ms: int) -> Outcome:
    """Return the share of a meter's rate that arrives of one TCP flow, headers counted in.

    The figure is None if TCP would not fill the rate without a meter either.
    """
    with contextlib.ExitStack() as stack:
        net, flow = stack.enter_context(metered(lab, "tcp", rate_bps))
        if round_trip_ms:
            stack.enter_context(delayed(net, flow.server, round_trip_ms))
        control, seen = (
            traffic.measure_tcp(net, [one], duration_s, experiment.cut_s)[0]
            for one, duration_s in (
                (dataclasses.replace(flow, port=_UNMETERED_PORT), experiment.control_s),
                (flow, experiment.duration_s),
            )
        )
    unmetered_bps, passed_bps = (tcp.goodput_bps / PAYLOAD_SHARE for tcp in (control, seen))
    enough = unmetered_bps >= experiment.least_offered * rate_bps
    return {
        "figure": passed_bps / rate_bps if enough else None,
        "unmetered_bps": unmetered_bps,
        "per_second_bps": seen.per_second_bps,
        "retransmits": seen.retransmits,
        "mean_rtt_us": seen.mean_rtt_us,
    }


def measure_udp(experiment: Udp, lab: Lab, rate_bps: int, frame_bytes: int) -> Outcome:
    """Return by how much of its rate a meter lets too much or too little pass.

    The figure is None if too little was offered to tell.
    """
    interval_us = int(frame_bytes * 8e6 / (experiment.offered * rate_bps))
    duration_s = experiment.settled_s + experiment.counted_s + 2
    with metered(lab, "udp", rate_bps) as (net, flow):
        probe = Probe(
            net,
            flow,
            duration_s=duration_s,
            interval_us=interval_us,
            size=frame_bytes - UDP_OVERHEAD_BYTES,
            one_way=True,
        )
        traffic.wait_until(probe.start_ns)
        probe.deafen()
        traffic.wait_until(probe.start_ns + round(experiment.settled_s * 1e9))
        begin_s, sent, received = time.monotonic(), *_passed(net, flow)
        time.sleep(experiment.counted_s)
        seconds = time.monotonic() - begin_s
        offered_bps, delivered_bps = (
            (after - before) * 8 / seconds
            for before, after in zip((sent, received), _passed(net, flow), strict=True)
        )
        probe.finish()
    enough = offered_bps >= experiment.least_offered * rate_bps
    return {
        "figure": abs(delivered_bps / rate_bps - 1) if enough else None,
        "offered_bps": offered_bps,
        "delivered_bps": delivered_bps,
    }


@contextlib.contextmanager
def metered(lab: Lab, protocol: str, rate_bps: int) -> Iterator[tuple[Net, Flow]]:
    """Bring up a switch with two hosts and a meter between them."""
    topology = topologies.leaf_spine(1, 1, 2, rates=_WIDE)
    with steered(topology, Policy.SLUICE, lab, []) as network:
        net, controller = network.net, lab.controller()
        client, server = (host.name for host in net.topology.hosts)
        flow = Flow(client=client, server=server, port=_PORT)
        limited = limit(net, flow, protocol, rate_bps)
        try:
            controller.put_tenant(TENANT, [limited])
            wait_for(
                lambda: (
                    limited.name in (given := controller.allocations(TENANT))
                    and given[limited.name].is_in_place(rate_bps)
                ),
                f"a meter of {rate_bps} bit/s",
            )
            yield net, flow
        finally:
            controller.delete_tenant(TENANT)


def limit(net: Net, flow: Flow, protocol: str, rate_bps: int) -> LimitedFlow:
    """Return what the controller is told of a flow with a limit."""
    return LimitedFlow(
        name="metered",
        source=net.topology.host(flow.client).address,
        destination=net.topology.host(flow.server).address,
        protocol=protocol,
        port=flow.port,
        limit_bps=rate_bps,
    )


def _passed(net: Net, flow: Flow) -> tuple[int, int]:
    """Return how many bytes of frames the client has sent, and the server received."""

    def count(host: str, direction: str) -> int:
        shown = net.run(host, ["ip", "-j", "-s", "link", "show", "dev", f"{host}-eth0"])
        return int(json.loads(shown)[0]["stats64"][direction]["bytes"])

    return count(flow.client, "tx"), count(flow.server, "rx")
