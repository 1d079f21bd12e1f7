# SPDX-License-Identifier: EPL-2.0
"""The controller's view of a fabric beside the topology that it should show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sluice_lab.topology import Topology

_LINK = ("source-switch", "source-port", "destination-switch", "destination-port")

Place = tuple[str, str, int]
"""An address, and the switch's id and the port where it is."""


def is_complete(fabric: dict[str, Any], topology: Topology) -> bool:
    """Tell whether the controller knows what every switch can do, every port and every cable."""
    return not missing_parts(fabric, topology)


def missing_parts(fabric: dict[str, Any], topology: Topology) -> list[str]:
    """Return the links, each direction by itself, and the ports that are not in view."""
    switches = {switch.name: switch.id for switch in topology.switches}
    ends = [(cable.a, cable.b) for cable in topology.cables]
    links = {
        (switches[a.switch], a.number, switches[b.switch], b.number)
        for pair in ends
        for a, b in (pair, pair[::-1])
    }
    ports = {(switch, number) for switch, number, _, _ in links}
    ports |= {(switches[host.port.switch], host.port.number) for host in topology.hosts}
    seen_links = {
        tuple(link[name] for name in _LINK) for link in fabric.get("links", {}).get("link", [])
    }
    described = [
        switch
        for switch in fabric.get("switches", {}).get("switch", [])
        if switch.get("attached") and "features" in switch
    ]
    seen_ports = {
        (switch["id"], port["number"])
        for switch in described
        for port in switch.get("port", [])
        if port.get("up")
    }
    return [
        *(f"port {switch}:{number}" for switch, number in sorted(ports - seen_ports)),
        *(f"link {a}:{m} to {b}:{n}" for a, m, b, n in sorted(links - seen_links)),
    ]


def missing_hosts(fabric: dict[str, Any], wanted: Mapping[Place, str]) -> list[str]:
    """Return the names of the places in ``wanted`` at which the controller knows no host."""
    known = {
        (address, host["switch"], host["port"])
        for host in fabric.get("hosts", {}).get("host", [])
        for address in host.get("address", [])
    }
    return [name for place, name in wanted.items() if place not in known]


def disagreements(switch: dict[str, Any]) -> list[str]:
    """Return how a switch differs, and why it could not be read or mended if so."""
    texts = [switch["error"]] if "error" in switch else []
    texts += [
        f"{entry['discrepancy']} {entry['kind']} {entry['entry']}"
        + (f", refused: {entry['refusal']}" if "refusal" in entry else "")
        for entry in switch.get("difference", [])
    ]
    return [f"{switch['id']}: {text}" for text in texts]
