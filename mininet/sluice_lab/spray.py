# SPDX-License-Identifier: EPL-2.0
"""Opens many short UDP flows, one datagram each; runs inside hosts.

``python -m sluice_lab.spray send ADDRESS PORT SEED PER_SECOND SOURCE...`` reads numbers from
standard input, a line each, and opens so many flows from random ports of random ones of the source
addresses; no two flows are alike. ``python -m sluice_lab.spray sink PORT`` takes them and is
silent: a closed port would answer by ICMP.
"""

from __future__ import annotations

import random
import socket
import sys
import time
from collections.abc import Iterator, Sequence

PAYLOAD_BYTES = 400
_SOURCE_PORTS = range(1_024, 65_536)


def sources(addresses: Sequence[str], seed: int) -> Iterator[tuple[str, int]]:
    """Yield address and port of each flow; the same seed gives the same flows."""
    chosen = random.Random(seed)
    for port in chosen.sample(_SOURCE_PORTS, len(_SOURCE_PORTS)):
        yield chosen.choice(addresses), port


def send(address: str, port: int, seed: int, per_second: int, addresses: Sequence[str]) -> None:
    """Open as many flows as standard input says, at most so many a second."""
    flows = sources(addresses, seed)
    due = time.monotonic()
    for line in sys.stdin:
        for _ in range(int(line)):
            due = max(due + 1 / per_second, time.monotonic())
            time.sleep(max(0.0, due - time.monotonic()))
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
                sender.bind(next(flows))
                sender.sendto(bytes(PAYLOAD_BYTES), (address, port))


def sink(port: int) -> None:
    """Take datagrams until the end."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("", port))
        while True:
            receiver.recv(PAYLOAD_BYTES)


if __name__ == "__main__":
    if sys.argv[1] == "sink":
        sink(int(sys.argv[2]))
    else:
        send(sys.argv[2], *map(int, sys.argv[3:6]), sys.argv[6:])
