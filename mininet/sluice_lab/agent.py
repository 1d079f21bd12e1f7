# SPDX-License-Identifier: EPL-2.0
"""sluice-agent: a server reports how busy it is to the controller, again and again.

With --address and the pieces at its ports it declares itself first.
"""

from __future__ import annotations

import argparse
import logging
import os
import time
from collections.abc import Callable

import psutil

from sluice_lab import sockets
from sluice_lab.controller import Controller
from sluice_lab.multipath import Load, Server
from sluice_lab.restconf import DEFAULT_URL, ControllerError
from sluice_lab.sockets import State

_LOG = logging.getLogger(__name__)


def connections(ports: frozenset[int], process: str = "self") -> int:
    """Count the established TCP connections to local ports (to any port if none is named)."""
    return sum(
        socket.state == State.ESTABLISHED and (not ports or socket.local_port in ports)
        for socket in sockets.listed("tcp", process)
    )


def measure(ports: frozenset[int], process: str, interval_s: float) -> Load:
    """Watch the processor for an interval, then return the server's load."""
    processor = psutil.cpu_percent(interval=interval_s)
    return Load(
        processor_ppm=_ppm(processor),
        memory_ppm=_ppm(psutil.virtual_memory().percent),
        connections=connections(ports, process),
    )


def _ppm(percent: float) -> int:
    return max(0, min(1_000_000, round(percent * 10_000)))


def report(
    controller: Controller,
    service: str,
    server: Server,
    load: Callable[[], Load],
    reports: int,
) -> int:
    """Send ``reports`` reports (0: without end); return how many the controller did not take.

    A server with pieces is declared before the first of them, as soon as the controller takes it.
    """
    refused = sent = 0
    declared = not server.pieces
    while not reports or sent < reports:
        sent += 1
        current = load()
        try:
            if not declared:
                controller.put_server(service, server)
                declared = True
            controller.report_load(service, server.name, current)
            _LOG.debug("reported %s", current)
        except ControllerError as error:
            refused += 1
            _LOG.warning("%s", error)
    return refused


def _port(text: str) -> tuple[int, int]:
    """Read ``PORT`` or ``PORT=PIECE``; without a piece it is 0."""
    port, _, piece = text.partition("=")
    try:
        return int(port), int(piece or 0)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not PORT or PORT=PIECE") from None


def main() -> int:
    """Report until stopped."""
    parser = argparse.ArgumentParser(prog="sluice-agent", description=__doc__)
    parser.add_argument("service", help="service that this server offers")
    parser.add_argument("server", help="this server's name in the service")
    parser.add_argument("--address", help="declare this server, with this address")
    parser.add_argument("--url", default=DEFAULT_URL, help="RESTCONF root (%(default)s)")
    parser.add_argument("--user", default="admin")
    parser.add_argument(
        "--interval", type=float, default=10, metavar="SECONDS", help="between two (%(default)s)"
    )
    parser.add_argument("--reports", type=int, default=0, metavar="N", help="stop after N reports")
    parser.add_argument(
        "--port",
        type=_port,
        action="append",
        default=[],
        metavar="PORT[=PIECE]",
        help="count only connections to such ports; with --address, the piece found there",
    )
    parser.add_argument(
        "--namespace", default="self", metavar="PID", help="count in this process's namespace"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="log every report")
    options = parser.parse_args()
    if options.interval <= 0:
        parser.error("the interval must be above 0 s")
    pieces = {port: piece for port, piece in options.port if piece}
    if bool(options.address) != bool(pieces):
        parser.error("a server is declared with --address and at least one --port PORT=PIECE")
    server = Server(name=options.server, address=options.address or "", pieces=pieces)
    ports = frozenset(port for port, _ in options.port)
    logging.basicConfig(
        level=logging.DEBUG if options.verbose else logging.INFO, format="%(asctime)s %(message)s"
    )
    password = os.environ.get("SLUICE_PASSWORD", "admin")
    begin = time.monotonic()
    try:
        refused = report(
            Controller(options.url, options.user, password),
            options.service,
            server,
            lambda: measure(ports, options.namespace, options.interval),
            options.reports,
        )
    except KeyboardInterrupt:
        _LOG.info("stopped after %.0f s", time.monotonic() - begin)
        return 0
    return 1 if refused else 0


if __name__ == "__main__":
    raise SystemExit(main())
