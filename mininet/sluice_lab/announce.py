# SPDX-License-Identifier: EPL-2.0
"""Asks once who has an address, so that a controller sees the asker; runs inside hosts.

``python -m sluice_lab.announce INTERFACE OWN-MAC OWN-ADDRESS ADDRESS``. A ping would ask too, and
leave a flow of its own behind for a while.
"""

from __future__ import annotations

import socket
import sys

from sluice_lab import frames

_ETHERTYPE_ARP = 0x0806


def main() -> None:
    """Send one request."""
    interface, *words = sys.argv[1:]
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sender:
        sender.bind((interface, _ETHERTYPE_ARP))
        sender.send(frames.arp_request(*words))


if __name__ == "__main__":
    main()
