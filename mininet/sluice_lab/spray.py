# SPDX-License-Identifier: EPL-2.0
"""Opens many short UDP flows from distinct source ports, one datagram each; runs inside hosts.

``python -m sluice_lab.spray ADDRESS PORT FLOWS SEED PER_SECOND``
"""

from __future__ import annotations

import random
import socket
import sys
import time

_PAYLOAD = bytes(64)
_SOURCE_PORTS = range(1_024, 65_536)


def spray(address: str, port: int, flows: int, seed: int, per_second: int) -> None:
    """Send one datagram from each of ``flows`` random source ports."""
    start = time.monotonic()
    for number, source in enumerate(random.Random(seed).sample(_SOURCE_PORTS, flows)):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.bind(("", source))
            sender.sendto(_PAYLOAD, (address, port))
        time.sleep(max(0.0, start + number / per_second - time.monotonic()))


if __name__ == "__main__":
    spray(sys.argv[1], *map(int, sys.argv[2:6]))
