# SPDX-License-Identifier: EPL-2.0
"""Delays, by ``tools/delayline.c``: kernels without netem have no other."""

from __future__ import annotations

import contextlib
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence

from sluice_lab import compiled
from sluice_lab.net import Net
from sluice_lab.ovs import LabError

_PINGS = 5
_MARGIN_MS = 5
_END_LIMIT_S = 10


@contextlib.contextmanager
def line(
    start: Callable[[Sequence[str]], subprocess.Popen[str]],
    one: str,
    other: str,
    delay_us: int,
) -> Iterator[None]:
    """Pass frames between two interfaces, each after a delay.

    ``start`` starts a program in their namespace. LabError if a frame was dropped.
    """
    child = start([str(compiled.program("delayline")), one, other, str(delay_us)])
    try:
        yield
        child.terminate()
        passed = child.communicate(timeout=_END_LIMIT_S)[0]
    finally:
        child.kill()
        child.wait()
    if any(int(words.split()[1]) for words in passed.splitlines()):
        raise LabError(f"the delay line dropped frames: {passed}")


@contextlib.contextmanager
def delayed(net: Net, host: str, round_trip_ms: int) -> Iterator[None]:
    """Make the ways between a host and all others so long; the host keeps that until the net ends.

    The line joins the host's interface and ``far``, whose peer ``near`` has its address and its
    route; the kernel takes nothing from the interface itself any more.
    """
    here, outside = net.topology.host(host), f"{host}-eth0"
    route = net.run(host, ["ip", "route"]).replace(f"dev {outside}", "dev near").strip()
    for command in (
        "ip link add far type veth peer name near",
        f"ip link set near address {here.mac}",
        "ethtool -K near tx off",
        "ethtool -K far tx off",
        f"sysctl -qw net.ipv4.conf.{outside}.rp_filter=1 net.ipv4.conf.{outside}.arp_ignore=1",
        f"ip addr flush dev {outside}",
        "ip link set far up",
        "ip link set near up",
        f"ip addr add {here.address}/8 dev near",
        f"ip route replace {route}",
    ):
        net.run(host, command.split())
    with line(lambda words: net.spawn(host, words), outside, "far", round_trip_ms * 500):
        (other, *_) = (known for known in net.topology.hosts if known != here)
        check(lambda words: net.run(other.name, words), here.address, round_trip_ms)
        yield


def check(run: Callable[[Sequence[str]], str], address: str, round_trip_ms: float) -> None:
    """Raise LabError unless the fastest ping to an address takes as long as it should."""
    seen = run(["ping", "-c", str(_PINGS), "-i", "0.2", "-W", "2", address])
    times = [float(text) for text in re.findall(r"time=([0-9.]+) ms", seen)]
    if not times or not round_trip_ms <= min(times) <= round_trip_ms + _MARGIN_MS:
        raise LabError(f"{address} is {min(times, default=0)} ms away, not {round_trip_ms}")
