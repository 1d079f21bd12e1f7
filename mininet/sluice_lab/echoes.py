# SPDX-License-Identifier: EPL-2.0
"""Numbered echo requests every few milliseconds, and when each was answered; runs inside hosts.

``python -m sluice_lab.echoes ADDRESS INTERVAL-MS`` sends until standard input ends, waits for late
answers, and prints when each request was sent and answered. Requests are ICMP's or ICMPv6's, which
a host answers by itself, whichever host has the address. Times are of the monotonic clock.
"""

from __future__ import annotations

import bisect
import contextlib
import dataclasses
import itertools
import json
import os
import select
import socket
import struct
import sys
import time

from sluice_lab.frames import checksum

_GRACE_NS = 1_000_000_000  # answers that come later are lost
_HEAD = struct.Struct("!BBHHH")  # type, code, checksum, identifier, sequence
_NUMBER = struct.Struct("!Q")
_IPV4_REQUEST, _IPV4_REPLY = 8, 0
_IPV6_REQUEST, _IPV6_REPLY = 128, 129


@dataclasses.dataclass(frozen=True, kw_only=True)
class Seen:
    """When requests were sent, and when those of them that have an answer got it.

    ``answered_ns`` has a None for each request without an answer.
    """

    sent_ns: tuple[int, ...]
    answered_ns: tuple[int | None, ...]

    def lost(self, from_ns: int, to_ns: int) -> int:
        """Count the requests sent in [from, to) that have no answer."""
        first = bisect.bisect_left(self.sent_ns, from_ns)
        last = bisect.bisect_left(self.sent_ns, to_ns)
        return sum(moment is None for moment in self.answered_ns[first:last])

    def longest_gap_ns(self, from_ns: int, to_ns: int) -> int:
        """Return the longest part of [from, to] in which no answer came."""
        inside = (at for at in self.answered_ns if at is not None and from_ns < at < to_ns)
        moments = [from_ns, *sorted(inside), to_ns]
        return max(later - earlier for earlier, later in itertools.pairwise(moments))


class _Sender:
    """One raw socket that asks an address and notes what comes back."""

    def __init__(self, address: str) -> None:
        self._is_ipv6 = ":" in address
        family, protocol = socket.AF_INET, socket.getprotobyname("icmp")
        if self._is_ipv6:
            family, protocol = socket.AF_INET6, socket.getprotobyname("ipv6-icmp")
        self.socket = socket.socket(family, socket.SOCK_RAW, protocol)
        self.socket.setblocking(False)
        self._address = address
        self._identifier = os.getpid() & 0xFFFF
        self.sent_ns: list[int] = []
        self.answered_ns: list[int | None] = []

    def send(self) -> None:
        """Send the next request; one that can't be sent is lost."""
        number = len(self.sent_ns)
        self.sent_ns.append(time.monotonic_ns())
        self.answered_ns.append(None)
        kind = _IPV6_REQUEST if self._is_ipv6 else _IPV4_REQUEST
        message = self._message(kind, number)
        with contextlib.suppress(OSError):
            self.socket.sendto(message, (self._address, 0))

    def _message(self, kind: int, number: int) -> bytes:
        fields = self._identifier, number & 0xFFFF
        text = _NUMBER.pack(number)
        if self._is_ipv6:  # the kernel fills in the checksum
            return _HEAD.pack(kind, 0, 0, *fields) + text
        total = checksum(_HEAD.pack(kind, 0, 0, *fields) + text)
        return _HEAD.pack(kind, 0, total, *fields) + text

    def receive(self) -> None:
        """Note all answers that are there."""
        while True:
            try:
                message, (sender, *_) = self.socket.recvfrom(2048)
            except OSError:
                return
            now_ns = time.monotonic_ns()
            if not self._is_ipv6:
                message = message[4 * (message[0] & 0x0F) :]
            number = self._answered(message, sender)
            if number is not None and self.answered_ns[number] is None:
                self.answered_ns[number] = now_ns

    def _answered(self, message: bytes, sender: str) -> int | None:
        """Return the number of our request that a message answers, None if it does not."""
        if len(message) < _HEAD.size + _NUMBER.size or sender != self._address:
            return None
        kind, _, _, identifier, _ = _HEAD.unpack_from(message)
        (number,) = _NUMBER.unpack_from(message, _HEAD.size)
        wanted = _IPV6_REPLY if self._is_ipv6 else _IPV4_REPLY
        if (kind, identifier) != (wanted, self._identifier) or number >= len(self.sent_ns):
            return None
        return int(number)


def main() -> None:
    """Ask until standard input ends; print what was seen."""
    address, interval = sys.argv[1:]
    interval_ns = int(interval) * 1_000_000
    sender = _Sender(address)
    next_ns, end_ns = time.monotonic_ns(), None
    while end_ns is None or time.monotonic_ns() < end_ns:
        now_ns = time.monotonic_ns()
        if end_ns is None and now_ns >= next_ns:
            sender.send()
            next_ns += interval_ns
        until_ns = next_ns if end_ns is None else end_ns
        inputs = [sender.socket] if end_ns else [sender.socket, sys.stdin]
        ready, _, _ = select.select(inputs, [], [], max(0, until_ns - time.monotonic_ns()) / 1e9)
        if sender.socket in ready:
            sender.receive()
        if sys.stdin in ready:
            end_ns = time.monotonic_ns() + _GRACE_NS
    print(json.dumps({"sent_ns": sender.sent_ns, "answered_ns": sender.answered_ns}))


if __name__ == "__main__":
    main()
