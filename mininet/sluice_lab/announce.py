# SPDX-License-Identifier: EPL-2.0
"""Asks once who has an address, so that a controller sees the asker; runs inside hosts.

``python -m sluice_lab.announce INTERFACE OWN-MAC OWN-ADDRESS ADDRESS``. A ping would ask too, and
leave a flow of its own behind for a while.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
import sys

_BROADCAST = b"\xff" * 6
_ETHERTYPE_ARP = 0x0806
_REQUEST = struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1)  # RFC 826: Ethernet, IPv4, lengths, request


def request(own_mac: str, own_address: str, address: str) -> bytes:
    """Return the frame of an ARP request."""
    mac = bytes.fromhex(own_mac.replace(":", ""))
    return b"".join(
        (
            _BROADCAST,
            mac,
            struct.pack("!H", _ETHERTYPE_ARP),
            _REQUEST,
            mac,
            ipaddress.IPv4Address(own_address).packed,
            bytes(6),
            ipaddress.IPv4Address(address).packed,
        )
    )


def main() -> None:
    """Send one request."""
    interface, *words = sys.argv[1:]
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sender:
        sender.bind((interface, _ETHERTYPE_ARP))
        sender.send(request(*words))


if __name__ == "__main__":
    main()
