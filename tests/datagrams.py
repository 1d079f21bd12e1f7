# SPDX-License-Identifier: EPL-2.0
"""UDP datagrams larger than a frame, with random data; in hosts.

``python datagrams.py echo PORT NAME`` sends back every datagram, with NAME in place of its first
octets. ``python datagrams.py ask SERVER PORT COUNT LENGTH SOCKETS`` sends COUNT datagrams,
in turn from so many sockets, and prints as JSON what came of each: the socket's number, and NAME,
``"damaged"`` if the rest is not what was sent, or the error.
"""

import json
import os
import socket
import sys

NAME_LENGTH = 8
PATIENCE_S = 3.0


def echo(port: int, name: str) -> None:
    """Answer over IPv4 and IPv6 until ended, from the address that was asked."""
    mark = name.encode().ljust(NAME_LENGTH)
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as server:
        server.bind(("::", port))
        while True:
            data, client = server.recvfrom(65535)
            server.sendto(mark + data[NAME_LENGTH:], client)


def ask(server: str, port: int, count: int, length: int, sockets: int) -> list[tuple[int, str]]:
    """Send one datagram after the other and wait for each answer."""
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    asking = [socket.socket(family, socket.SOCK_DGRAM) for _ in range(sockets)]
    for each in asking:
        each.settimeout(PATIENCE_S)
        each.connect((server, port))
    return [(number % sockets, exchange(asking[number % sockets], length)) for number in range(count)]


def exchange(asking: socket.socket, length: int) -> str:
    """Return who has answered with the data that was sent."""
    data = os.urandom(length)
    try:
        asking.send(data)
        answer = asking.recv(65535)
    except OSError as error:
        return f"{type(error).__name__}: {error}"
    return answer[:NAME_LENGTH].decode().strip() if answer[NAME_LENGTH:] == data[NAME_LENGTH:] else "damaged"


if __name__ == "__main__":
    if sys.argv[1] == "echo":
        echo(int(sys.argv[2]), sys.argv[3])
    else:
        print(json.dumps(ask(sys.argv[2], *map(int, sys.argv[3:7]))))
