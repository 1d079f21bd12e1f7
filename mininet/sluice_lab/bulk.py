# SPDX-License-Identifier: EPL-2.0
"""Moves a fixed number of bytes over one TCP connection and says when; runs inside hosts.

``python -m sluice_lab.bulk serve PORT`` answers any number of connections. ``... move BYTES`` waits
for a line ``ADDRESS PORT`` on standard input, so that many can be started at one moment, and prints
a JSON object: ``start_ns`` (before connecting) and ``end_ns`` (the last byte is with its receiver),
both CLOCK_MONOTONIC, ``rtt_us`` (mean of the kernel's smoothed round-trip time at the sender) and
``retransmits`` (segments). On the wire::

    client -> server   direction (1: "S" client sends, "R" client receives), length (8, big-endian)
    sender -> receiver length bytes
    receiver -> sender 1 byte, when all have come
"""

from __future__ import annotations

import argparse
import json
import socket
import statistics
import struct
import sys
import threading
import time

_HEADER = struct.Struct("!cQ")
_TAKEN = b"!"  # from the receiver, after the last byte
_CHUNK = bytes(64 * 1024)
_TCP_INFO_BYTES = 104
_RTT_OFFSET = 68  # struct tcp_info of linux/tcp.h: tcpi_rtt, in microseconds
_RETRANSMITS_OFFSET = 100  # tcpi_total_retrans
_IPPROTO_MPTCP = 262


def _listener(port: int, protocol: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("", port))
    listener.listen(64)
    return listener


def serve(port: int, protocol: int) -> None:
    """Answer connections until stopped."""
    listener = _listener(port, protocol)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=_answer, args=(connection,), daemon=True).start()


def _answer(connection: socket.socket) -> None:
    with connection:
        header = connection.recv(_HEADER.size, socket.MSG_WAITALL)
        if len(header) < _HEADER.size:
            return
        direction, length = _HEADER.unpack(header)
        if direction == b"S":
            _receive(connection, length)
        else:
            _send(connection, length)


def _receive(connection: socket.socket, length: int) -> None:
    buffer = bytearray(len(_CHUNK))
    while length:
        count = connection.recv_into(buffer, min(length, len(buffer)))
        if not count:
            raise ConnectionError(f"closed {length} bytes early")
        length -= count
    connection.sendall(_TAKEN)


def _send(connection: socket.socket, length: int) -> list[int]:
    """Send, and return samples of the round-trip time in microseconds."""
    samples = []
    while length:
        length -= connection.send(_CHUNK[: min(length, len(_CHUNK))])
        samples.append(_tcp_info(connection, _RTT_OFFSET))
    if connection.recv(1) != _TAKEN:
        raise ConnectionError("closed before all was taken")
    return samples


def _tcp_info(connection: socket.socket, offset: int) -> int:
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
    except OSError:  # a multipath connection has no single answer
        return 0
    return int.from_bytes(info[offset : offset + 4], sys.byteorder)


def move(length: int, direction: bytes, protocol: int, source_port: int) -> dict[str, float]:
    """Wait for the order to start, move the bytes, and return the times."""
    print("ready", flush=True)
    server, port = sys.stdin.readline().split()
    samples: list[int] = []
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, protocol) as connection:
        connection.bind(("", source_port))
        start_ns = time.monotonic_ns()
        connection.connect((server, int(port)))
        connection.sendall(_HEADER.pack(direction, length))
        if direction == b"S":
            samples = _send(connection, length)
        else:
            _receive(connection, length)
        end_ns = time.monotonic_ns()
        retransmits = _tcp_info(connection, _RETRANSMITS_OFFSET)
    return {
        "start_ns": start_ns,
        "end_ns": end_ns,
        "rtt_us": statistics.fmean(samples) if samples else 0.0,
        "retransmits": retransmits,
    }


def main() -> None:
    """Run as the arguments say."""
    parser = argparse.ArgumentParser(prog="python -m sluice_lab.bulk", description=__doc__)
    parser.add_argument("--mptcp", action="store_true", help="multipath TCP of the kernel")
    modes = parser.add_subparsers(dest="mode", required=True)
    server = modes.add_parser("serve")
    server.add_argument("port", type=int)
    client = modes.add_parser("move")
    client.add_argument("bytes", type=int)
    client.add_argument("--receive", action="store_true", help="from server to client")
    client.add_argument("--source-port", type=int, default=0)
    options = parser.parse_args()
    protocol = _IPPROTO_MPTCP if options.mptcp else 0
    if options.mode == "serve":
        serve(options.port, protocol)
    else:
        direction = b"R" if options.receive else b"S"
        print(json.dumps(move(options.bytes, direction, protocol, options.source_port)))


if __name__ == "__main__":
    main()
