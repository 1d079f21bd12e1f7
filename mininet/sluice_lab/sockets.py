# SPDX-License-Identifier: EPL-2.0
"""The sockets of a network namespace, as the kernel lists them (proc(5), /proc/PID/net)."""

from __future__ import annotations

import dataclasses
import enum
import ipaddress
import pathlib
import sys


class State(enum.StrEnum):
    """A socket's state, by the kernel's numbers; one of UDP that is bound is unconnected."""

    ESTABLISHED = "01"
    UNCONNECTED = "07"
    LISTEN = "0A"


@dataclasses.dataclass(frozen=True)
class Socket:
    """One end of a connection, or what waits for one; ``state`` is a number as in State.

    An IPv4 address that a socket of IPv6 has is told as IPv4.
    """

    local_address: str
    local_port: int
    remote_port: int
    state: str


def listed(protocol: str, process: int | str = "self") -> list[Socket]:
    """Return the sockets of ``tcp`` or ``udp``, IPv4 and IPv6, in a process's namespace."""
    folder = pathlib.Path("/proc") / str(process) / "net"
    files = [file for file in (folder / protocol, folder / f"{protocol}6") if file.exists()]
    return [_socket(row) for file in files for row in file.read_text().splitlines()[1:]]


def _socket(row: str) -> Socket:
    _, local, remote, state, *_ = row.split()
    return Socket(_address(local), _port(local), _port(remote), state)


def _address(text: str) -> str:
    """Read an address, whose words of 32 bits the kernel writes as this machine has them."""
    octets = bytes.fromhex(text.partition(":")[0])
    words = [octets[i : i + 4] for i in range(0, len(octets), 4)]
    if sys.byteorder == "little":
        words = [word[::-1] for word in words]
    address = ipaddress.ip_address(b"".join(words))
    return str(getattr(address, "ipv4_mapped", None) or address)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)
