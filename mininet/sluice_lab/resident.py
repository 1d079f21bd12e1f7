# SPDX-License-Identifier: EPL-2.0
"""A program that lives in a host: it answers by name, takes addresses, and asks others.

``python -m sluice_lab.resident NAME INTERFACE MAC`` reads a request from each line of standard
input, a JSON object, and prints the answer, another one. ``do`` of a request is one of

    take   {address, offsets}   the host has the address from now on, and announces it by gratuitous
                                ARP or ND so many seconds later, once for each of the offsets
    drop   {address}            the host has it no longer, and announces it no more
    send   {frames}             frames, in hexadecimal, leave the interface as they are
    ask    {wanted, fresh, limit_s}  asks addresses until each has given the answer that is wanted

Names are asked for by datagrams to PORT, which all residents answer from the address that was
asked. ``wanted`` has the names that may answer for each address; none means that no host may. The
answer to ``ask`` holds what came last from each address that did not do as wanted. Addresses in
``fresh`` are asked from a new port, others from one that stays the same.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from sluice_lab import frames

PORT = 7801
_ASKING_PORT = 7802
_PREFIX_LENGTHS = {4: 8, 6: 64}
_IP_PKTINFO = 8  # ip(7); Python 3.11 has no name for it
_PACKET_INFO = struct.Struct("=i4s4s")  # interface, address to answer from, address that was asked
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.25, 1.0  # before a question is asked again
_LOOK_S = 0.1
_SILENCE_S = 0.6  # an address that has not answered for so long does not answer

Wanted = Mapping[str, Sequence[str]]


class Resident:
    """The host's side of all requests."""

    def __init__(self, name: str, interface: str, mac: str) -> None:
        self._name = name
        self._interface = interface
        self._mac = mac
        self._timers: dict[str, list[threading.Timer]] = {}
        self._raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        self._raw.bind((interface, 0))
        self._standing = _asker(_ASKING_PORT)

    def do(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do what a request says and return the answer."""
        words = dict(request)
        act = {"take": self._take, "drop": self._drop, "send": self._send, "ask": self._ask}
        return act[words.pop("do")](**words)

    def _take(self, address: str, offsets: Sequence[float]) -> dict[str, Any]:
        self._change("replace", address)
        frame = frames.announcement(self._mac, address)
        at_ns = time.monotonic_ns()
        timers = [threading.Timer(after, self._emit, [frame]) for after in offsets if after]
        for offset in offsets:
            if not offset:
                self._emit(frame)
        for timer in timers:
            timer.daemon = True
            timer.start()
        self._timers[address] = timers
        return {"at_ns": at_ns}

    def _drop(self, address: str) -> dict[str, Any]:
        for timer in self._timers.pop(address, []):
            timer.cancel()
        self._change("del", address)
        return {"at_ns": time.monotonic_ns()}

    def _change(self, action: str, address: str) -> None:
        length = _PREFIX_LENGTHS[6 if ":" in address else 4]
        words = ["ip", "address", action, f"{address}/{length}", "dev", self._interface]
        if action == "replace" and ":" in address:
            words.append("nodad")
        subprocess.run(words, check=action == "replace", stderr=subprocess.DEVNULL)

    def _send(self, frames: Sequence[str]) -> dict[str, Any]:
        at_ns = time.monotonic_ns()
        for frame in frames:
            self._emit(bytes.fromhex(frame))
        return {"at_ns": at_ns}

    def _emit(self, frame: bytes) -> None:
        with contextlib.suppress(OSError):  # an interface without carrier
            self._raw.send(frame)

    def _ask(self, wanted: Wanted, fresh: Sequence[str], limit_s: float) -> dict[str, Any]:
        with _asker(0) as new:
            askers = {address: new if address in fresh else self._standing for address in wanted}
            return {"wrong": ask(askers, wanted, limit_s)}

    def serve(self) -> None:
        """Answer every datagram with the host's name, from the address that it came to."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
            server.setsockopt(socket.IPPROTO_IP, _IP_PKTINFO, 1)
            server.bind(("", PORT))
            while True:
                question, info, _, client = server.recvmsg(64, 64)
                _, _, asked = _PACKET_INFO.unpack(info[0][2])
                own = _PACKET_INFO.pack(0, asked, bytes(4))
                answer = question + b" " + self._name.encode()
                with contextlib.suppress(OSError):  # the address has just gone
                    server.sendmsg([answer], [(socket.IPPROTO_IP, _IP_PKTINFO, own)], 0, client)


def ask(
    askers: Mapping[str, socket.socket], wanted: Wanted, limit_s: float
) -> dict[str, str | None]:
    """Ask all addresses again and again until each does as wanted or the time is over.

    Return what came last from each that did not, None if nothing has come. Questions have a number:
    answers to those of an earlier call count for nothing.
    """
    end_s = time.monotonic() + limit_s
    watch = _Watch(wanted, time.monotonic())
    number = first = time.monotonic_ns()
    pause_s = _FIRST_PAUSE_S
    while time.monotonic() < end_s and (open_ := watch.open(time.monotonic())):
        number += 1
        for address in open_:
            with contextlib.suppress(OSError):  # no way there at this moment
                askers[address].sendto(str(number).encode(), (address, PORT))
        next_s = min(end_s, time.monotonic() + pause_s)
        while (left_s := next_s - time.monotonic()) > 0 and watch.open(time.monotonic()):
            for asker in select.select(set(askers.values()), [], [], min(left_s, _LOOK_S))[0]:
                _receive(asker, first, watch)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
    return watch.wrong(time.monotonic())


def _receive(asker: socket.socket, first: int, watch: _Watch) -> None:
    try:
        text, (address, _) = asker.recvfrom(256)
    except OSError:
        return  # a port or host was said to be out of reach
    number, _, name = text.decode(errors="replace").partition(" ")
    if int(number) >= first:
        watch.note(address, name, time.monotonic())


class _Watch:
    """Which addresses have done as wanted so far; times in seconds of one clock."""

    def __init__(self, wanted: Wanted, now_s: float) -> None:
        self._wanted = wanted
        self._last: dict[str, str | None] = dict.fromkeys(wanted)
        self._spoke_s = dict.fromkeys(wanted, now_s)

    def note(self, address: str, name: str, now_s: float) -> None:
        """Take an answer; a right one stays, whatever comes later."""
        if address in self._wanted and not self._is_right(address):
            self._last[address] = name
            self._spoke_s[address] = now_s

    def open(self, now_s: float) -> list[str]:
        """Return the addresses that are still to be asked."""
        return [address for address in self._wanted if not self._is_done(address, now_s)]

    def wrong(self, now_s: float) -> dict[str, str | None]:
        """Return the last answers of those that have not done as wanted."""
        return {address: self._last[address] for address in self.open(now_s)}

    def _is_done(self, address: str, now_s: float) -> bool:
        if self._wanted[address]:
            return self._is_right(address)
        return now_s >= self._spoke_s[address] + _SILENCE_S

    def _is_right(self, address: str) -> bool:
        return self._last[address] in self._wanted[address]


def _asker(port: int) -> socket.socket:
    asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    asker.bind(("", port))
    return asker


def main() -> None:
    """Serve, and do what standard input says until it ends."""
    resident = Resident(*sys.argv[1:])
    threading.Thread(target=resident.serve, daemon=True).start()
    for line in sys.stdin:
        print(json.dumps(resident.do(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
