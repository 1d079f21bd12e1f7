# SPDX-License-Identifier: EPL-2.0
"""Large numbered datagrams, and which of them came from which address; runs inside hosts.

``python -m sluice_lab.datagrams send ADDRESS PORT COUNT SIZE-BYTES INTERVAL-MS`` sends datagrams of
so much payload from one port, which begin with their number, from 0. ``python -m
sluice_lab.datagrams serve PORT SIZE-BYTES`` takes whole ones until standard input ends, and prints
the numbers that came from each address.
"""

from __future__ import annotations

import json
import select
import socket
import struct
import sys
import time

_NUMBER = struct.Struct("!Q")


def payload(number: int, size: int) -> bytes:
    """Return the payload of a datagram."""
    return _NUMBER.pack(number).ljust(size, b"\0")


def send(address: str, port: int, count: int, size: int, interval_ms: int) -> None:
    """Send all datagrams; the next one is due so long after the one before was."""
    due_s = time.monotonic()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for number in range(count):
            sender.sendto(payload(number, size), (address, port))
            due_s += interval_ms / 1_000
            time.sleep(max(0.0, due_s - time.monotonic()))


def serve(port: int, size: int) -> dict[str, list[int]]:
    """Take datagrams until standard input ends; return the numbers by the sender's address."""
    came: dict[str, list[int]] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        receiver.bind(("", port))
        while True:
            ready, _, _ = select.select([receiver, sys.stdin], [], [])
            if receiver in ready:
                text, (client, _) = receiver.recvfrom(size + 1)
                if len(text) == size:
                    came.setdefault(client, []).append(_NUMBER.unpack_from(text)[0])
            elif sys.stdin in ready:
                return came


def main() -> None:
    """Send or serve, by the first argument."""
    action, *words = sys.argv[1:]
    if action == "send":
        send(words[0], *map(int, words[1:]))
    else:
        print(json.dumps(serve(*map(int, words))))


if __name__ == "__main__":
    main()
