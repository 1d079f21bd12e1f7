# SPDX-License-Identifier: EPL-2.0
"""Sites with an uplink each and a delay between them, as namespaces; for use in a sandbox.

    site 0 --uplink, HTB-- delay line -- router --- site 1
                                            +------ site 2 ...

Site n has 10.77.n.2. Frames between site 0 and the others take ``delay_us`` each way.
"""

from __future__ import annotations

import contextlib
import pathlib
import subprocess
from collections.abc import Iterator, Sequence

from sluice_lab import compiled, ovs
from sluice_lab.ovs import LabError

_QUEUE_FRAMES = 1_000
_START_LIMIT_S = 5


class WideArea:
    """The network while it stands."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder

    def start(self, site: int, words: Sequence[str]) -> subprocess.Popen[str]:
        """Start a program at a site; its standard error is in the folder."""
        errors = (self._folder / f"site-{site}.log").open("a")
        with errors:
            return subprocess.Popen(
                ["ip", "netns", "exec", _name(site), *words],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                bufsize=1,
            )


@contextlib.contextmanager
def wide_area(
    folder: pathlib.Path, sites: int, uplink_mbps: float, delay_us: int
) -> Iterator[WideArea]:
    """Set up site 0 and so many others; all is removed at the end."""
    delaying = [str(compiled.program("delayline")), "up1", "line0", str(delay_us)]
    _call("sysctl -qw net.ipv4.ip_forward=1")
    delay_line = None
    try:
        _link("up", 0)  # site 0 has the uplink up0; the delay line is between up1 and line0
        _call("ip link add line0 type veth peer name line1")
        _address("line1", 0)
        for name in ("up1", "line0", "line1"):
            _call(f"ip link set {name} up")
        _shape(uplink_mbps)
        delay_line = subprocess.Popen(delaying, stdout=subprocess.PIPE)
        for site in range(1, sites + 1):
            _link(f"s{site}-", site)
            _address(f"s{site}-1", site)
            _call(f"ip link set s{site}-1 up")
        _await_reach(sites)
        yield WideArea(folder)
    finally:
        if delay_line:
            delay_line.terminate()
            delay_line.communicate()
        for site in range(sites + 1):
            subprocess.run(["ip", "netns", "delete", _name(site)], capture_output=True, check=False)
        subprocess.run(["ip", "link", "delete", "line0"], capture_output=True, check=False)


def _name(site: int) -> str:
    return f"site-{site}"


def _link(prefix: str, site: int) -> None:
    """Make a site with an interface <prefix>0, whose other end <prefix>1 is here."""
    _call(f"ip netns add {_name(site)}")
    _call(f"ip link add {prefix}1 type veth peer name {prefix}0 netns {_name(site)}")
    inside = f"ip netns exec {_name(site)}"
    _call(f"{inside} ip link set lo up")
    _call(f"{inside} ip addr add 10.77.{site}.2/24 dev {prefix}0")
    _call(f"{inside} ip link set {prefix}0 up")
    _call(f"{inside} ip route add default via 10.77.{site}.1")
    _call(f"{inside} ethtool -K {prefix}0 tx off")  # frames are whole, and check sums in them


def _address(interface: str, site: int) -> None:
    _call(f"ip addr add 10.77.{site}.1/24 dev {interface}")
    _call(f"ethtool -K {interface} tx off")


def _shape(uplink_mbps: float) -> None:
    inside = f"ip netns exec {_name(0)}"
    _call(f"{inside} ip link set up0 txqueuelen {_QUEUE_FRAMES}")
    _call(f"{inside} tc qdisc add dev up0 root handle 5: htb default 1")
    shaper = f"htb rate {uplink_mbps:f}Mbit quantum 1514"
    _call(f"{inside} tc class add dev up0 parent 5: classid 5:1 {shaper}")


def _await_reach(sites: int) -> None:
    for site in range(1, sites + 1):
        words = f"ip netns exec {_name(0)} ping -c 1 -w {_START_LIMIT_S} 10.77.{site}.2"
        if subprocess.run(words.split(), capture_output=True, check=False).returncode:
            raise LabError(f"site {site} can't be reached from site 0")


def _call(line: str) -> None:
    ovs.call(line.split())
