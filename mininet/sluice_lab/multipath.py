# SPDX-License-Identifier: EPL-2.0
"""What the lab asks of sluice-multipath and is told, as values; see sluice-multipath.yang."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any, Self


class Strategy(enum.StrEnum):
    """How the controller chooses a server and a path; see sluice-multipath.yang."""

    SINGLE = "single"
    ECMP = "ecmp"
    RANDOM = "random"
    LEAST_LOADED = "least-loaded"
    GREEDY = "greedy"
    JOINT = "joint"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Server:
    """A host that offers pieces: ``pieces`` maps a port to the piece found there.

    ``weight`` is its part of the service's slots, 0 to 1,000; 0 drains it.
    """

    name: str
    address: str
    pieces: dict[int, int]
    max_load: int = 4
    weight: int = 1

    def body(self) -> dict[str, Any]:
        """Return the list entry of sluice-multipath."""
        return {
            "name": self.name,
            "address": self.address,
            "max-load": self.max_load,
            "weight": self.weight,
            "port": [{"number": number, "piece": piece} for number, piece in self.pieces.items()],
        }


@dataclasses.dataclass(frozen=True, kw_only=True)
class Service:
    """Something that servers offer in ``pieces`` pieces.

    ``virtual_address`` is one that the fabric answers for (none if empty), ``slots`` the number of
    slots that its clients are divided into (0: each connection is placed when it comes), and
    ``drain_timeout_ms`` how long flows stay at a removed server (None: the controller's default).
    """

    name: str
    pieces: int
    servers: tuple[Server, ...]
    transport: str = "tcp"
    virtual_address: str = ""
    slots: int = 0
    drain_timeout_ms: int | None = None

    def body(self) -> dict[str, Any]:
        """Return the list entry of sluice-multipath."""
        options = {
            "virtual-address": self.virtual_address or None,
            "slots": self.slots or None,
            "drain-timeout": self.drain_timeout_ms,
        }
        return {
            "name": self.name,
            "transport": self.transport,
            "pieces": self.pieces,
            **{name: value for name, value in options.items() if value is not None},
            "server": [server.body() for server in self.servers],
        }


@dataclasses.dataclass(frozen=True, kw_only=True)
class Assignment:
    """Where a piece comes from. ``expected_bps`` is None if the controller gives no rate.

    A hop is a switch's id and the port that the path leaves it by.
    """

    piece: int
    server: str
    server_address: str
    server_port: int
    expected_bps: int | None
    forward: tuple[tuple[str, int], ...]
    backward: tuple[tuple[str, int], ...]

    @property
    def hops(self) -> tuple[tuple[str, int], ...]:
        """The hops of both directions."""
        return self.forward + self.backward

    @classmethod
    def of(cls, body: dict[str, Any]) -> Self:
        """Read an entry of request-transfer's output."""
        rate = body.get("expected-rate")
        return cls(
            piece=body["piece"],
            server=body.get("server", ""),
            server_address=body["server-address"],
            server_port=body["server-port"],
            expected_bps=None if rate is None else int(rate),
            forward=_hops(body, "forward"),
            backward=_hops(body, "backward"),
        )


@dataclasses.dataclass(frozen=True, kw_only=True)
class Load:
    """What a server says of itself; shares in parts per million."""

    processor_ppm: int
    memory_ppm: int
    connections: int


def _hops(body: dict[str, Any], direction: str) -> tuple[tuple[str, int], ...]:
    hops = sorted(body.get(direction, {}).get("hop", []), key=lambda hop: hop["index"])
    return tuple((hop["switch"], hop["port"]) for hop in hops)
