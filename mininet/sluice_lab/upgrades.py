# SPDX-License-Identifier: EPL-2.0
"""A forwarder over veth ports that other processes take over from, and traffic for it.

    traffic (wan-far) ===veth=== (wan) sluice-forwarder (lan) ===veth=== (lan-far) traffic

Who forwards has a processor for itself. In a stretch of packets traffic comes first on the other
one, which it shares with those that control and with new processes as they start (memif.py).
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time
from collections.abc import Callable, Iterator

from sluice_lab import contenders, java_processes, memif, ovs, sockets
from sluice_lab.campaign import Outcome
from sluice_lab.memif import LAN, WAN
from sluice_lab.net import wait_for
from sluice_lab.ovs import LabError
from sluice_lab.vswitch_tables import Document

_RING = "framecnt=2048"  # frames: what may be under way to a port, and as many again
_METRICS_PORTS = 9475, 9476  # before connections have elsewhere to go to, and after
_CAPACITY = 1 << 22  # entries: two for each of two million connections
_IDLE_S = 3600
_LIMIT_S = 60
_ALL_LIMIT_S = 660
_INDEX_STEP = 1 << 12  # beyond the process ids of a sandbox


def devices(end: str = "") -> dict[str, str]:
    """Return DPDK's names of two ports; ``end`` is that of their interfaces' names."""
    return {
        name: f"net_af_packet{number},iface={name}{end},{_RING}"
        for number, name in enumerate((WAN, LAN))
    }


@contextlib.contextmanager
def ports() -> Iterator[None]:
    """Have the interfaces, with nothing on them but what traffic and forwarder send.

    A process has a group of packet sockets for each device, which DPDK calls by process id xor
    interface index. The indices are so far apart that no two groups are called the same.
    """
    ovs.call(["sysctl", "-qw", "net.ipv6.conf.default.disable_ipv6=1"])
    with contextlib.ExitStack() as stack:
        for number, name in enumerate((WAN, LAN)):
            near, far = (str((2 * number + end) * _INDEX_STEP) for end in (1, 2))
            peer = ["peer", "name", f"{name}-far", "index", far]
            ovs.call(["ip", "link", "add", name, "index", near, "type", "veth", *peer])
            stack.callback(ovs.call, ["ip", "link", "del", name])
            ovs.call(["ip", "link", "set", name, "up"])
            ovs.call(["ip", "link", "set", f"{name}-far", "up"])
        yield


@contextlib.contextmanager
def aside() -> Iterator[None]:
    """Leave the forwarder's processor alone; so do processes that are started meanwhile."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {memif.OTHERS})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def document(take_over_socket: pathlib.Path, *, drained: bool) -> Document:
    """Return a configuration in which new connections go to three instances of four.

    ``drained``: they go to the fourth one, and what is pinned to the others stays there. So each
    connection that is pinned anew goes elsewhere.
    """
    made = contenders.vnf_document(devices())
    forwarder = made["sluice-forwarder:forwarder"]
    forwarder["take-over-socket"] = str(take_over_socket)
    forwarder["metrics"] = {"port": _METRICS_PORTS[drained]}
    forwarder["flow-table"] = {"capacity": _CAPACITY, "udp": _IDLE_S}
    *early, last = forwarder["chains"]["chain"][0]["stage"][0]["instance"]
    for member in early:
        member["weight"] = int(not drained)
    last["weight"] = int(drained)
    return made


class Forwarder:
    """The process that forwards, one after the other. The stack ends it; files are in ``folder``.

    That it listens for metrics, at the port that its configuration says, tells that this one is
    in force.
    """

    def __init__(self, stack: contextlib.ExitStack, folder: pathlib.Path) -> None:
        self._stack = stack
        self._folder = folder
        self._number = 0
        self._child = self._start(drained=False)
        self._wait_for_metrics(drained=False)

    def drain(self) -> None:
        """Let new connections go elsewhere than those that there are."""
        self._configure(drained=True)
        self._child.send_signal(signal.SIGHUP)
        self._wait_for_metrics(drained=True)

    def upgrade(self) -> float:
        """Have a new process take over; return the seconds until the old one has ended."""
        begin, old, heir_socket = time.monotonic(), self._child, self._file("socket")
        self._number += 1
        self._child = self._start("--take-over", str(heir_socket), drained=True)
        self._wait_for(lambda: old.poll() is not None, "the old process to end")
        took_s = time.monotonic() - begin
        if old.returncode:
            raise LabError(f"the old process ended with {old.returncode}")
        self._wait_for(self._file("socket").is_socket, "the new process to listen")
        return took_s

    def restart(self) -> None:
        """End the process and start another one, which knows of nothing."""
        self._child.terminate()
        self._child.wait(_LIMIT_S)
        self._number += 1
        self._child = self._start(drained=True)
        self._wait_for_metrics(drained=True)

    def _file(self, kind: str) -> pathlib.Path:
        """Return the path of one of the files that each process has of its own."""
        return self._folder / f"{self._number}.{kind}"

    def _configure(self, *, drained: bool) -> None:
        text = json.dumps(document(self._file("socket"), drained=drained))
        self._file("json").write_text(text)

    def _start(self, *options: str, drained: bool) -> subprocess.Popen[bytes]:
        self._configure(drained=drained)
        words = memif.forwarder_command(self._file("json"))
        with self._file("log").open("w") as log:
            child = subprocess.Popen([*words, *options], stdout=log, stderr=log)
        self._stack.callback(child.wait)
        self._stack.callback(child.kill)
        return child

    def _wait_for_metrics(self, *, drained: bool) -> None:
        listening = _METRICS_PORTS[drained], sockets.State.LISTEN
        self._wait_for(
            lambda: any((one.local_port, one.state) == listening for one in sockets.listed("tcp")),
            "the forwarder to have its configuration",
        )

    def _wait_for(self, condition: Callable[[], bool], what: str) -> None:
        """Wait for a condition; LabError with what the process told if it fails or ends."""
        try:
            wait_for(lambda: condition() or self._child.poll() is not None, what, _LIMIT_S)
        except LabError as error:
            raise LabError(f"{error}: {self._file('log').read_text()}") from None
        if self._child.poll() is not None:
            raise LabError(f"no forwarder any more: {self._file('log').read_text()}")


class Traffic:
    """The process at the other ends of the ports (forwarder-dpdk/bench/traffic.c); as above."""

    def __init__(
        self, stack: contextlib.ExitStack, folder: pathlib.Path, flows: int, rate: int
    ) -> None:
        vdevs = [f"--vdev={device}" for device in devices("-far").values()]
        words = [str(memif.TARGET / "traffic"), "-l", str(memif.OTHERS)]
        words += [*memif.EAL, *vdevs, "--", "chain", str(flows), "1", "paced", str(rate)]
        self._log = folder / "traffic.log"
        self._child = java_processes.mortal(stack, java_processes.start(words, self._log))

    def send_all(self) -> Outcome:
        """Send a packet of each kind of each connection; return what came of it."""
        java_processes.tell(self._child, "all")
        return self._answer(_ALL_LIMIT_S)

    def begin(self, seconds: float) -> None:
        """Begin to send packets of random connections for so long, before all else that runs."""
        os.sched_setscheduler(self._child.pid, os.SCHED_FIFO, os.sched_param(1))
        java_processes.tell(self._child, f"{seconds:g}")

    def end(self, seconds: float) -> Outcome:
        """Return what came of packets that were begun to be sent; they have ended."""
        told = self._answer(seconds + _LIMIT_S)
        os.sched_setscheduler(self._child.pid, os.SCHED_OTHER, os.sched_param(0))
        return told

    def _answer(self, limit_s: float) -> Outcome:
        try:
            told: Outcome = json.loads(java_processes.answer(self._child, limit_s))
        except LabError as error:
            raise LabError(f"{error}: {self._log.read_text()}") from None
        return told
