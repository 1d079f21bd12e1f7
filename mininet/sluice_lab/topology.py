# SPDX-License-Identifier: EPL-2.0
"""What a network looks like, as plain values: nothing here needs Mininet or root.

Names, datapath ids, port numbers, addresses and rates are all known before a network starts, so
that capacities can be told to a controller and bounds be computed from the same value.
"""

from __future__ import annotations

import dataclasses
import ipaddress
from collections.abc import Iterable, Iterator
from typing import TypeVar

MEGABIT = 1_000_000
_SECOND_ADDRESS_OFFSET = 1 << 23
_FIRST_ADDRESS = int(ipaddress.IPv4Address("10.0.0.1"))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Switch:
    """A switch; ``dpid`` is its datapath id, ``layer`` its role (edge, aggregation, core ...)."""

    name: str
    dpid: int
    layer: str

    @property
    def id(self) -> str:
        """Name in Sluice's YANG models: ``openflow:<datapath id, decimal>``."""
        return f"openflow:{self.dpid}"


@dataclasses.dataclass(frozen=True, order=True)
class Port:
    """A port of a switch; ``number`` counts from 1."""

    switch: str
    number: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Host:
    """A host and the cable to its switch; ``rate_bps`` is per direction, None if unshaped."""

    name: str
    address: str
    mac: str
    port: Port
    rate_bps: int | None

    @property
    def second_address(self) -> str:
        """Address for a second subflow of multipath TCP; only hosts that use it have it."""
        return str(ipaddress.IPv4Address(self.address) + _SECOND_ADDRESS_OFFSET)

    @property
    def addresses(self) -> tuple[str, str]:
        """Both addresses."""
        return self.address, self.second_address


_Named = TypeVar("_Named", Switch, Host)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Cable:
    """A cable between two switches; ``rate_bps`` is per direction, None if unshaped."""

    a: Port
    b: Port
    rate_bps: int | None


@dataclasses.dataclass(frozen=True)
class Arc:
    """One direction of a cable, of a host's cable too; ends are names of switches or hosts."""

    source: str
    target: str
    rate_bps: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class Topology:
    """A whole network. Parallel cables are distinct, told apart by their ports."""

    name: str
    switches: tuple[Switch, ...]
    hosts: tuple[Host, ...]
    cables: tuple[Cable, ...]

    def switch(self, name: str) -> Switch:
        """Return the switch of that name; KeyError if there is none."""
        return _named(self.switches, name)

    def host(self, name: str) -> Host:
        """Return the host of that name; KeyError if there is none."""
        return _named(self.hosts, name)

    def capacities(self) -> Iterator[tuple[Switch, int, int]]:
        """Yield switch, port number and rate (bit/s) of every port that is shaped."""
        switches = {switch.name: switch for switch in self.switches}
        for host in self.hosts:
            if host.rate_bps is not None:
                yield switches[host.port.switch], host.port.number, host.rate_bps
        for cable in self.cables:
            if cable.rate_bps is not None:
                yield switches[cable.a.switch], cable.a.number, cable.rate_bps
                yield switches[cable.b.switch], cable.b.number, cable.rate_bps

    def arcs(self) -> Iterator[Arc]:
        """Yield both directions of every cable; an unshaped one has an infinite rate."""
        ends = [(h.name, h.port.switch, h.rate_bps) for h in self.hosts]
        ends += [(c.a.switch, c.b.switch, c.rate_bps) for c in self.cables]
        for a, b, rate_bps in ends:
            rate = float("inf") if rate_bps is None else float(rate_bps)
            yield Arc(a, b, rate)
            yield Arc(b, a, rate)


def _named(items: Iterable[_Named], name: str) -> _Named:
    for item in items:
        if item.name == name:
            return item
    raise KeyError(name)


class Builder:
    """Collects a topology and numbers each switch's ports in the order of its cables, from 1."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._switches: list[Switch] = []
        self._hosts: list[Host] = []
        self._cables: list[Cable] = []
        self._used_ports: dict[str, int] = {}

    def switch(self, name: str, dpid: int, layer: str) -> str:
        """Add a switch and return its name."""
        self._switches.append(Switch(name=name, dpid=dpid, layer=layer))
        self._used_ports[name] = 0
        return name

    def host(self, switch: str, rate_bps: int | None) -> None:
        """Add the next host (h1, h2 ...) at ``switch``."""
        number = len(self._hosts) + 1
        address = ipaddress.IPv4Address(_FIRST_ADDRESS + number - 1)
        self._hosts.append(
            Host(
                name=f"h{number}",
                address=str(address),
                mac=":".join(f"{octet:02x}" for octet in number.to_bytes(6, "big")),
                port=self._next_port(switch),
                rate_bps=rate_bps,
            )
        )

    def cable(self, a: str, b: str, rate_bps: int | None, parallel: int = 1) -> None:
        """Add ``parallel`` cables between two switches."""
        for _ in range(parallel):
            ports = self._next_port(a), self._next_port(b)
            self._cables.append(Cable(a=ports[0], b=ports[1], rate_bps=rate_bps))

    def build(self) -> Topology:
        """Return the finished topology; ValueError if two switches share a name or datapath id."""
        for kind in ("name", "dpid"):
            values = [getattr(switch, kind) for switch in self._switches]
            if len(set(values)) != len(values):
                raise ValueError(f"{self._name}: a switch's {kind} is used twice")
        return Topology(
            name=self._name,
            switches=tuple(self._switches),
            hosts=tuple(self._hosts),
            cables=tuple(self._cables),
        )

    def _next_port(self, switch: str) -> Port:
        self._used_ports[switch] += 1
        return Port(switch, self._used_ports[switch])
