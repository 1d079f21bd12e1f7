# SPDX-License-Identifier: EPL-2.0
"""Directions of cables, named as the controller names links, and what went over them."""

from __future__ import annotations

from sluice_lab import baselines
from sluice_lab.instruments import Counters
from sluice_lab.topology import Port, Topology

_RECEIVED, _SENT = 0, 1


def counted(topology: Topology) -> dict[str, tuple[Port, int, int | None]]:
    """Return for each link the port that counts it, as received or sent, and its rate in bit/s."""
    found: dict[str, tuple[Port, int, int | None]] = {}
    for host in topology.hosts:
        at = _name(topology, host.port)
        found[f"host->{at}"] = (host.port, _RECEIVED, host.rate_bps)
        found[f"{at}->host"] = (host.port, _SENT, host.rate_bps)
    for cable in topology.cables:
        a, b = (_name(topology, end) for end in (cable.a, cable.b))
        found[f"{a}->{b}"] = (cable.a, _SENT, cable.rate_bps)
        found[f"{b}->{a}"] = (cable.b, _SENT, cable.rate_bps)
    return found


def utilisation(topology: Topology, first: Counters, last: Counters) -> dict[str, float]:
    """Return the share of its rate that each shaped link has carried between two moments."""
    seconds = last.at_s - first.at_s
    return {
        link: (last.bytes[port][way] - first.bytes[port][way]) * 8 / seconds / rate_bps
        for link, (port, way, rate_bps) in counted(topology).items()
        if rate_bps is not None
    }


def between(topology: Topology, source: str, destination: str) -> list[str]:
    """Return the links from a host to another, where there is one shortest path."""
    far = {cable.a: cable.b for cable in topology.cables}
    far |= {b: a for a, b in far.items()}
    next_ports = baselines.next_ports(topology)
    begin, end = topology.host(source).port, topology.host(destination).port
    path = [f"host->{_name(topology, begin)}"]
    switch = begin.switch
    while switch != end.switch:
        (number,) = next_ports[switch][destination]
        port = Port(switch, number)
        path.append(f"{_name(topology, port)}->{_name(topology, far[port])}")
        switch = far[port].switch
    return [*path, f"{_name(topology, end)}->host"]


def _name(topology: Topology, port: Port) -> str:
    return f"{topology.switch(port.switch).id}:{port.number}"
