# SPDX-License-Identifier: EPL-2.0
"""Sites with an uplink and a delay between them, as namespaces; for use in a sandbox.

    site 0 --uplink, HTB-- delay line -- router --- site 1
                                            +------ site 2 ...

Site n has 10.77.n.2, the router 10.77.n.1. Frames take ``delay_us`` each way between site 0 and
the router, which the sandbox itself is; the delay line has a namespace of its own.
"""

from __future__ import annotations

import contextlib
import pathlib
import subprocess
from collections.abc import Iterator, Sequence

from sluice_lab import delay, java_processes, ovs
from sluice_lab.java_processes import Process

_LINE = "line"
_QUEUE_FRAMES = 1_000


class WideArea:
    """The network while it stands."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder

    def start(self, site: int, words: Sequence[str]) -> Process:
        """Start a program at a site; its standard error is in the folder."""
        inside = ["ip", "netns", "exec", _site(site)]
        return java_processes.start([*inside, *words], self._folder / f"site-{site}.log")


@contextlib.contextmanager
def wide_area(
    folder: pathlib.Path, sites: int, uplink_mbps: float, delay_us: int
) -> Iterator[WideArea]:
    """Set up site 0 and so many others, and remove them at the end.

    LabError if the delay is not as asked for, or the delay line dropped a frame.
    """
    _call("sysctl -qw net.ipv4.ip_forward=1")
    with contextlib.ExitStack() as stack:
        for name in (_LINE, *map(_site, range(sites + 1))):
            _call(f"ip netns add {name}")
            stack.callback(_remove_namespace, name)
        for name in ("far1", *(f"s{site}-1" for site in range(1, sites + 1))):
            stack.callback(_remove_link, name)
        _link("up", _site(0), _LINE)
        _link("far", _LINE, None)
        _shape(uplink_mbps)
        _settle("up0", _site(0), 0)
        _route("far1", 0)
        for site in range(1, sites + 1):
            _link(f"s{site}-", _site(site), None)
            _settle(f"s{site}-0", _site(site), site)
            _route(f"s{site}-1", site)
        with delay.line(_start_at_line, "up1", "far0", delay_us):
            for site in range(1, sites + 1):
                delay.check(_run_at_sender, f"10.77.{site}.2", 2 * delay_us / 1_000)
            yield WideArea(folder)


def _site(number: int) -> str:
    return f"site-{number}"


def _call(line: str, namespace: str | None = None) -> str:
    return ovs.call([*_inside(namespace), *line.split()])


def _inside(namespace: str | None) -> list[str]:
    """Return what stands before a command that is for a namespace, or for the sandbox itself."""
    return ["ip", "netns", "exec", namespace] if namespace else []


def _link(prefix: str, near: str, far: str | None) -> None:
    """Link two namespaces by <prefix>0 and <prefix>1; frames are whole, with their check sums."""
    _call(f"ip link add {prefix}1 type veth peer name {prefix}0 netns {near}")
    if far:
        _call(f"ip link set {prefix}1 netns {far}")
    for interface, namespace in ((f"{prefix}0", near), (f"{prefix}1", far)):
        _call(f"ethtool -K {interface} tx off", namespace)
        _call(f"ip link set {interface} up", namespace)


def _settle(interface: str, namespace: str, site: int) -> None:
    _call("ip link set lo up", namespace)
    _call(f"ip addr add 10.77.{site}.2/24 dev {interface}", namespace)
    _call(f"ip route add default via 10.77.{site}.1", namespace)


def _route(interface: str, site: int) -> None:
    _call(f"ip addr add 10.77.{site}.1/24 dev {interface}")


def _shape(uplink_mbps: float) -> None:
    shaper = f"htb rate {uplink_mbps:f}Mbit quantum 1514"
    _call(f"ip link set up0 txqueuelen {_QUEUE_FRAMES}", _site(0))
    _call("tc qdisc add dev up0 root handle 5: htb default 1", _site(0))
    _call(f"tc class add dev up0 parent 5: classid 5:1 {shaper}", _site(0))


def _start_at_line(words: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen([*_inside(_LINE), *words], stdout=subprocess.PIPE, text=True)


def _run_at_sender(words: Sequence[str]) -> str:
    return ovs.call([*_inside(_site(0)), *words])


def _remove_namespace(name: str) -> None:
    subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)


def _remove_link(interface: str) -> None:
    subprocess.run(["ip", "link", "delete", interface], capture_output=True, check=False)
