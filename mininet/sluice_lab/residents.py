# SPDX-License-Identifier: EPL-2.0
"""The lab's side of the programs that live in hosts, see :mod:`sluice_lab.resident`."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sluice_lab.net import Net
from sluice_lab.ovs import LabError
from sluice_lab.resident import PORT, Wanted

KEEPALIVED = (0.0,) * 5 + (5.0,) * 5
"""Seconds after a move at which keepalived announces an address, as it does unless it is set."""

AT_ONCE = (0.0,) * 5
"""The first of these alone: what is right then does not wait for the others."""

SILENT: tuple[float, ...] = ()
"""No announcement at all."""


_NOTHING = "no answer"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Mistake:
    """An address that did not do as ``wanted`` when a host asked it; ``got`` is its last answer."""

    asker: str
    address: str
    wanted: tuple[str, ...]
    got: str | None

    def __str__(self) -> str:
        wanted = " or ".join(self.wanted) or _NOTHING
        return f"{self.asker} asks {self.address}: {self.got or _NOTHING}, not {wanted}"


class Residents:
    """A resident in each of some hosts, in all unless they are named; they end with the network."""

    def __init__(self, net: Net, hosts: Sequence[str] = ()) -> None:
        names = list(hosts) or [host.name for host in net.topology.hosts]
        self._children = {
            name: net.spawn(name, [sys.executable, "-m", "sluice_lab.resident", *words])
            for name in names
            for words in [(name, f"{name}-eth0", net.topology.host(name).mac)]
        }
        for name in names:
            net.wait_listening(name, PORT, "udp")

    def take(self, host: str, address: str, offsets: Sequence[float] = KEEPALIVED) -> int:
        """Give a host an address; return when it was announced first, of the monotonic clock."""
        request = {"do": "take", "address": address, "offsets": list(offsets)}
        return int(self._call({host: request})[host]["at_ns"])

    def drop(self, host: str, address: str) -> int:
        """Take an address from a host; return when it had it no longer."""
        return int(self._call({host: {"do": "drop", "address": address}})[host]["at_ns"])

    def move(
        self, address: str, source: str, target: str, offsets: Sequence[float] = KEEPALIVED
    ) -> int:
        """Take an address from one host and give it to another; return when the first lost it."""
        lost_ns = self.drop(source, address)
        self.take(target, address, offsets)
        return lost_ns

    def send(self, host: str, frames: Sequence[bytes]) -> int:
        """Let a host send frames as they are; return when."""
        request = {"do": "send", "frames": [frame.hex() for frame in frames]}
        return int(self._call({host: request})[host]["at_ns"])

    def mistakes(
        self, wanted: Mapping[str, Wanted], *, fresh: Collection[str] = (), limit_s: float
    ) -> list[Mistake]:
        """Let hosts ask addresses, all at once; return what was not as wanted within the limit.

        ``wanted`` has, for each host that asks, the names that may answer for each address. To
        those in ``fresh`` there are new connections; to others the same ones each time.
        """
        requests = {
            host: {"do": "ask", "wanted": addresses, "fresh": list(fresh), "limit_s": limit_s}
            for host, addresses in wanted.items()
        }
        return [
            Mistake(asker=host, address=address, wanted=tuple(wanted[host][address]), got=got)
            for host, answer in self._call(requests).items()
            for address, got in answer["wrong"].items()
        ]

    def _call(self, requests: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
        """Hand each host its request, all at once; return their answers."""
        for host, request in requests.items():
            stdin = self._children[host].stdin
            assert stdin is not None
            stdin.write(json.dumps(request) + "\n")
            stdin.flush()
        return {host: self._answer(host) for host in requests}

    def _answer(self, host: str) -> dict[str, Any]:
        child = self._children[host]
        assert child.stdout is not None
        line = child.stdout.readline()
        if not line:
            raise LabError(f"{host}: its resident has ended: {child.communicate()[1][-300:]}")
        answer: dict[str, Any] = json.loads(line)
        return answer
