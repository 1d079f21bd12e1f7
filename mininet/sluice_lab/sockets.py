# SPDX-License-Identifier: EPL-2.0
"""The sockets of a network namespace, as the kernel lists them (proc(5), /proc/PID/net)."""

from __future__ import annotations

import dataclasses
import enum
import pathlib


class State(enum.StrEnum):
    """A socket's state, by the kernel's numbers; one of UDP that is bound is unconnected."""

    ESTABLISHED = "01"
    UNCONNECTED = "07"
    LISTEN = "0A"


@dataclasses.dataclass(frozen=True)
class Socket:
    """One end of a connection, or what waits for one; ``state`` is a number as in State."""

    local_port: int
    remote_port: int
    state: str


def listed(protocol: str, process: int | str = "self") -> list[Socket]:
    """Return the sockets of ``tcp`` or ``udp``, IPv4 and IPv6, in a process's namespace."""
    folder = pathlib.Path("/proc") / str(process) / "net"
    files = [file for file in (folder / protocol, folder / f"{protocol}6") if file.exists()]
    rows = [row.split() for file in files for row in file.read_text().splitlines()[1:]]
    return [Socket(_port(row[1]), _port(row[2]), row[3]) for row in rows]


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)
