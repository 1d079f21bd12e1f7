# SPDX-License-Identifier: EPL-2.0
"""TCP connections that are held, and others whose refusal is timed; runs inside hosts.

``python -m sluice_lab.refusals hold ADDRESS PORT COUNT`` opens so many connections, says a line
over each once a second, and prints ``held`` once each was answered. It ends with standard input.
``python -m sluice_lab.refusals ask ADDRESS PORT COUNT`` asks for so many, one after the other, and
prints for each how many seconds there were from connect() to the answer, and what that was.
"""

from __future__ import annotations

import contextlib
import errno
import json
import select
import socket
import sys
import time

LIMIT_S = 3.0
"""Seconds after which there is no answer."""

REFUSED = "refused"
CONNECTED = "connected"
NO_ANSWER = "no answer"

_PATIENCE_S = 20.0
_PAUSE_S = 1.0


def ask(address: str, port: int) -> tuple[float, str]:
    """Ask for a connection; return the seconds until the answer, and the answer."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as asker:
        asker.setblocking(False)
        begin_s = time.monotonic()
        code = asker.connect_ex((address, port))
        if code == errno.EINPROGRESS:
            if not select.select([], [asker], [], LIMIT_S)[1]:
                return LIMIT_S, NO_ANSWER
            code = asker.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        return time.monotonic() - begin_s, _named(code)


def _named(code: int) -> str:
    known = {0: CONNECTED, errno.ECONNREFUSED: REFUSED}
    return known.get(code) or errno.errorcode[code]


def hold(address: str, port: int, count: int) -> None:
    """Keep connections in use until standard input ends."""
    with contextlib.ExitStack() as open_:
        held = [
            open_.enter_context(socket.create_connection((address, port), _PATIENCE_S))
            for _ in range(count)
        ]
        said = False
        while not said or not select.select([sys.stdin], [], [], _PAUSE_S)[0]:
            for connection in held:
                connection.sendall(b"here\n")
                connection.recv(64)
            if not said:
                print("held", flush=True)
                said = True


def main() -> None:
    """Hold or ask, by the first argument."""
    action, address, *numbers = sys.argv[1:]
    port, count = map(int, numbers)
    if action == "hold":
        hold(address, port, count)
    else:
        print(json.dumps([ask(address, port) for _ in range(count)]))


if __name__ == "__main__":
    main()
