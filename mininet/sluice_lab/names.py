# SPDX-License-Identifier: EPL-2.0
"""Servers that say their name when asked, and clients that ask from many addresses; in hosts.

``python -m sluice_lab.names serve TRANSPORT PORT NAME`` answers until it is ended.
``python -m sluice_lab.names ask TRANSPORT SERVER PORT ROUNDS ADDRESS...`` asks from all addresses
at once, each ROUNDS times over one connection, and prints the names by address as JSON. Transports
are ``tcp`` and ``udp``.
"""

from __future__ import annotations

import concurrent.futures
import json
import socket
import socketserver
import sys
import time

_QUESTION = b"?" * 999 + b"\n"
_PAUSE_S = 0.2
_PATIENCE_S = 10.0
_REPEAT_S = 1.0


class _TcpServer(socketserver.ThreadingTCPServer):
    address_family = socket.AF_INET6
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128


class _UdpServer(socketserver.UDPServer):
    address_family = socket.AF_INET6


def serve(transport: str, port: int, name: str) -> None:
    """Answer every line, or every datagram, with ``name``; over IPv4 and IPv6."""

    class Lines(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            for _ in self.rfile:
                self.wfile.write(name.encode() + b"\n")

    class Datagrams(socketserver.DatagramRequestHandler):
        def handle(self) -> None:
            self.wfile.write(name.encode() + b"\n")

    made: tuple[type[socketserver.BaseServer], type[socketserver.BaseRequestHandler]] = {
        "tcp": (_TcpServer, Lines),
        "udp": (_UdpServer, Datagrams),
    }[transport]
    with made[0](("::", port), made[1]) as server:
        server.serve_forever()


def ask(transport: str, server: str, port: int, rounds: int, source: str) -> list[str | None]:
    """Ask so many times; an answer that did not come within 10 s is None."""
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    kind = {"tcp": socket.SOCK_STREAM, "udp": socket.SOCK_DGRAM}[transport]
    answers: list[str | None] = []
    with socket.socket(family, kind) as asker:
        asker.bind((source, 0))
        asker.settimeout(_PATIENCE_S)
        try:
            asker.connect((server, port))
            for number in range(rounds):
                time.sleep(_PAUSE_S if number else 0)
                answers.append(_answer(asker, repeats=kind == socket.SOCK_DGRAM))
        except OSError:
            answers.append(None)
    return answers


def _answer(asker: socket.socket, *, repeats: bool) -> str:
    end = time.monotonic() + _PATIENCE_S
    asker.settimeout(_REPEAT_S if repeats else _PATIENCE_S)
    while True:
        asker.send(_QUESTION)
        try:
            return asker.recv(128).decode().strip()
        except TimeoutError:
            if not repeats or time.monotonic() > end:
                raise


def main() -> None:
    """Serve or ask, by the first argument."""
    action, transport, *words = sys.argv[1:]
    if action == "serve":
        serve(transport, int(words[0]), words[1])
        return
    server, port, rounds, *sources = words
    with concurrent.futures.ThreadPoolExecutor(len(sources)) as pool:
        answers = pool.map(
            lambda source: ask(transport, server, int(port), int(rounds), source), sources
        )
        print(json.dumps(dict(zip(sources, answers, strict=True))))


if __name__ == "__main__":
    main()
