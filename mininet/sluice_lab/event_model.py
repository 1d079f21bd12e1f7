# SPDX-License-Identifier: EPL-2.0
"""What may happen in a network, as values, and a plain model of which host has which address then.

Nothing here needs a network. :mod:`sluice_lab.event_draw` draws events from a seed.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from sluice_lab.topology import Topology


class Say(enum.StrEnum):
    """How a host announces an address that it has taken."""

    AT_ONCE = "at once"
    TWICE = "at once and after 5 s"
    NOTHING = "not at all"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Move:
    """An address goes from one host to another."""

    address: str
    source: str
    target: str
    say: Say = Say.AT_ONCE


@dataclasses.dataclass(frozen=True, kw_only=True)
class ThereAndBack:
    """An address goes to another host, and back after ``away_s``."""

    address: str
    source: str
    target: str
    away_s: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class HostFlap:
    """The cable of a host is without carrier for ``down_s``."""

    host: str
    down_s: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class CableFlap:
    """A cable between switches, by its number in the topology, is without carrier."""

    cable: int
    down_s: float


@dataclasses.dataclass(frozen=True, kw_only=True)
class Outage:
    """A switch has no controller for ``seconds``; ``moves`` begin with it, evenly spread."""

    switch: str
    seconds: float
    moves: tuple[Move, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Claim:
    """A host announces an address that another one has and keeps.

    In the form of an ARP reply if ``reply``; with the other's Ethernet address if ``borrowed``.
    """

    attacker: str
    victim: str
    address: str
    reply: bool
    borrowed: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class AddService:
    """A service with a virtual address is declared."""

    service: str
    address: str
    servers: tuple[str, ...]


@dataclasses.dataclass(frozen=True, kw_only=True)
class RemoveService:
    """A service is declared no more."""

    service: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class AddServer:
    """A service has one more server."""

    service: str
    server: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class RemoveServer:
    """A service has one server less."""

    service: str
    server: str


Configuration: TypeAlias = AddService | RemoveService | AddServer | RemoveServer
Event: TypeAlias = Move | ThereAndBack | HostFlap | CableFlap | Outage | Claim | Configuration


@dataclasses.dataclass(frozen=True, kw_only=True)
class Offer:
    """A service's virtual address and its servers."""

    address: str
    servers: tuple[str, ...]

    def having(self, servers: Sequence[str]) -> Offer:
        """Return the same with other servers."""
        return dataclasses.replace(self, servers=tuple(servers))


@dataclasses.dataclass(frozen=True, kw_only=True)
class State:
    """Holders of addresses: ``holders`` by floating address, ``services`` by name."""

    holders: Mapping[str, str]
    services: Mapping[str, Offer]

    def after(self, event: Event) -> State:
        """Return what holds once an event is over."""
        match event:
            case Move(address=address, target=target):
                return dataclasses.replace(self, holders={**self.holders, address: target})
            case Outage(moves=moves):
                return functools.reduce(State.after, moves, self)
            case AddService() | RemoveService() | AddServer() | RemoveServer():
                return dataclasses.replace(self, services=self._services_after(event))
        return self

    def _services_after(self, event: Configuration) -> dict[str, Offer]:
        offers = dict(self.services)
        match event:
            case AddService(service=name, address=address, servers=servers):
                offers[name] = Offer(address=address, servers=servers)
            case RemoveService(service=name):
                del offers[name]
            case AddServer(service=name, server=server):
                offers[name] = offers[name].having((*offers[name].servers, server))
            case RemoveServer(service=name, server=server):
                rest = [one for one in offers[name].servers if one != server]
                offers[name] = offers[name].having(rest)
        return offers

    def wanted(self, topology: Topology) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return for each host the names of those that may answer it from each address.

        No host may from the address of a service without a server. A server is no client of its
        own service.
        """
        owners = {host.address: (host.name,) for host in topology.hosts}
        owners |= {address: (holder,) for address, holder in self.holders.items()}
        owners |= {offer.address: offer.servers for offer in self.services.values()}
        return {
            host.name: {
                address: names for address, names in owners.items() if host.name not in names
            }
            for host in topology.hosts
        }

    def virtual(self) -> list[str]:
        """Return the addresses of services."""
        return [offer.address for offer in self.services.values()]
