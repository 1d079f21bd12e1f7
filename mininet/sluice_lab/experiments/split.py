# SPDX-License-Identifier: EPL-2.0
"""SPLIT: how the flows of one service are shared out over four uplinks of unlike capacity.

The uplinks of figure 10's switch a carry 4, 3, 2 and 1 Mbit/s, so that the weights are 0.4, 0.3,
0.2 and 0.1; a flow is one datagram, which fills none of them. A flow is counted where it leaves the
switch. Flows are sent no faster than they come out there: what the controller places one by one
waits for it. The peer is Open vSwitch's hashed group with the same weights.

SPLIT-slots: the same with 64 slots of client addresses, and flows from an address of each, so that
none waits for the controller.
"""

from __future__ import annotations

import dataclasses
import ipaddress
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from sluice_lab import baselines, campaign, instruments, ovs, spray, topologies, traffic
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.net import Net, wait_for
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Policy, Request, compared, steered
from sluice_lab.topology import MEGABIT, Host, Port, Topology

CONNECTIONS = "connections"
SLOTS = "slots"
_UPLINKS = (Port("a", 1), Port("a", 2), Port("a", 3), Port("a", 4))
_PORT = 7001
_FRAME_BYTES = spray.PAYLOAD_BYTES + traffic.UDP_OVERHEAD_BYTES
_SERVER = "h8"
_VIRTUAL = "10.0.0.100"
_SLOTS = 64
_FIRST_SOURCE = "10.64.0.0"
_SPRAY = [sys.executable, "-m", "sluice_lab.spray"]
_POLL_S = 0.05


@dataclasses.dataclass(frozen=True, kw_only=True)
class Split:
    """``weights`` are the capacities in Mbit/s of a_1 to a_4.

    At most ``window`` flows wait for the controller; those that have not come out ``patience_s``
    after the last one did are lost. With fewer than ``least_counted`` of all there is no figure.
    """

    id: str = "SPLIT"
    flows: int = 10_000
    flows_per_second: int = 500
    window: int = 64
    patience_s: float = 10
    least_counted: float = 0.95
    weights: tuple[int, ...] = (4, 3, 2, 1)
    runs: int = 3
    variants: tuple[str, ...] = (CONNECTIONS, SLOTS)
    policies: tuple[str, ...] = (Policy.SLUICE, Policy.ECMP)


DEFAULT = Split()


def run(experiment: Split, lab: Lab) -> None:
    """Measure and record the largest deviation of a share from its weight."""
    cells = [
        cell
        for cell in campaign.interleaved(
            experiment.variants, experiment.policies, range(1, experiment.runs + 1)
        )
        if cell.variant == CONNECTIONS or Policy(cell.policy).strategy
    ]
    outcomes = compared(experiment, lab, cells, lambda cell: measure(experiment, lab, cell))
    record(experiment, outcomes)


def record(experiment: Split, outcomes: dict[Cell, Outcome]) -> None:
    """Record a row for each variant: ours, with the medians of the other policies as peers."""
    ours, *others = experiment.policies
    rows = {CONNECTIONS: "SPLIT", SLOTS: "SPLIT-slots"}
    for variant in experiment.variants:
        values = {
            policy: [
                outcome["deviation"]
                for cell, outcome in outcomes.items()
                if (cell.variant, cell.policy) == (variant, policy)
            ]
            for policy in experiment.policies
        }
        peers = {
            f"hashed group ({policy})": statistics.median(values[policy])
            for policy in others
            if values[policy]
        }
        if values[ours]:
            campaign.record_figure(experiment, values[ours], row=rows[variant], peers=peers)


def weighted(experiment: Split) -> Topology:
    """Return figure 10 with these capacities; host links are wide enough for all."""
    topology = topologies.figure10()
    rates = dict(zip(_UPLINKS, experiment.weights, strict=True))
    cables = tuple(
        dataclasses.replace(cable, rate_bps=rates[cable.a] * MEGABIT) if cable.a in rates else cable
        for cable in topology.cables
    )
    return dataclasses.replace(topology, cables=cables)


def measure(experiment: Split, lab: Lab, cell: Cell) -> Outcome:
    """Send all flows of a cell and count what each uplink carried; LabError if too few did."""
    request = _request(by_slots=cell.variant == SLOTS)
    policy = Policy(cell.policy)
    with steered(weighted(experiment), policy, lab, [request]) as network:
        net = network.net
        if policy is Policy.ECMP:
            _install_weights(net, experiment)
        client, server = (net.topology.host(name) for name in (request.client, _SERVER))
        sources = [client.address]
        if request.slots:
            sources = _add_addresses(net, client)
            wait_for(lambda: _slots_in_place(lab, net, request) == _SLOTS, f"{_SLOTS} slots")
        net.spawn(server.name, [*_SPRAY, "sink", str(_PORT)])
        net.wait_listening(server.name, _PORT, "udp")
        words = [request.virtual_address or server.address]
        words += [str(n) for n in (_PORT, cell.seed, experiment.flows_per_second)]
        sender = net.spawn(client.name, [*_SPRAY, "send", *words, *sources])
        assert sender.stdin is not None
        before = _carried(net)
        begin = time.monotonic()
        pour(experiment, sender.stdin, lambda: sum(_carried(net)) - sum(before))
        seconds = time.monotonic() - begin
        counts = [after - first for after, first in zip(_carried(net), before, strict=True)]
    return {"counts": counts, "seconds": seconds, "deviation": deviation(experiment, counts)}


def deviation(experiment: Split, counts: Sequence[float]) -> float:
    """Return the largest deviation of a share from its weight."""
    total = sum(experiment.weights)
    return max(
        abs(count / sum(counts) - weight / total)
        for count, weight in zip(counts, experiment.weights, strict=True)
    )


def pour(experiment: Split, sender: TextIO, counted: Callable[[], float]) -> None:
    """Ask for all flows, and wait until they have come out, but for those that are lost.

    LabError as soon as too many are lost.
    """
    sent, lost, last = 0, 0.0, 0.0
    moved_at = time.monotonic()
    while sent < experiment.flows or counted() + lost < sent:
        out = counted()
        if out > last:
            last, moved_at = out, time.monotonic()
        elif time.monotonic() - moved_at > experiment.patience_s:
            lost, moved_at = sent - out, time.monotonic()
            if lost > experiment.flows * (1 - experiment.least_counted):
                raise LabError(f"of {sent} flows only {out:.0f} were counted: no figure")
        room = min(experiment.flows - sent, int(experiment.window - (sent - lost - out)))
        if room > 0:
            sender.write(f"{room}\n")
            sender.flush()
            sent += room
        time.sleep(_POLL_S)


def _request(*, by_slots: bool) -> Request:
    return Request(
        client="h1",
        service="lab-split",
        candidates=(_SERVER,),
        pieces=len(_UPLINKS),
        first_port=_PORT,
        transport="udp",
        one_port=True,
        virtual_address=_VIRTUAL if by_slots else "",
        slots=_SLOTS if by_slots else 0,
    )


def _carried(net: Net) -> list[float]:
    """Return how many flows' worth of bytes has left by each uplink."""
    sent = instruments.read_counters(net).bytes
    return [sent[port][1] / _FRAME_BYTES for port in _UPLINKS]


def _add_addresses(net: Net, client: Host) -> list[str]:
    """Give a host an address in each slot; return these."""
    first = ipaddress.IPv4Address(_FIRST_SOURCE)
    added = [str(first + number) for number in range(_SLOTS)]
    lines = (f"addr add {address}/8 dev {client.name}-eth0\n" for address in added)
    net.run(client.name, ["ip", "-batch", "-"], text="".join(lines))
    return added


def _slots_in_place(lab: Lab, net: Net, request: Request) -> int:
    """Return how many slots of a service all of switch a's clients can use."""
    edge = net.topology.switch("a").id
    return sum(
        flow.get("service") == request.service
        and flow.get("client-switch") == edge
        and "pending" not in flow
        for flow in lab.controller().flows()
    )


def _install_weights(net: Net, experiment: Split) -> None:
    groups, flows = baselines.entries(net.topology, baselines.Baseline.ECMP)["a"]
    for port, weight in zip(_UPLINKS, experiment.weights, strict=True):
        groups = [
            group.replace(
                f"bucket_id={port.number},weight=1", f"bucket_id={port.number},weight={weight}"
            )
            for group in groups
        ]
    ovs.replace_entries(net.bridge("a"), groups, flows)
