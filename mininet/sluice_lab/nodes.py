# SPDX-License-Identifier: EPL-2.0
"""Mininet's hosts, switches and interfaces as the lab needs them."""

from __future__ import annotations

import os
import subprocess
from typing import Any

from mininet.link import TCIntf
from mininet.node import Host, OVSSwitch

from sluice_lab import state
from sluice_lab.ovs import LabError

# What a shaper may send at once to make up for a timer that came late: 12 ms at 10 Mbit/s. HTB has
# two buckets, and the one that tc makes a frame deep by itself (cburst) would forget the rest.
_BURST_BYTES = 15_000
_FRAME_BYTES = 1_514
_QUEUE_KBPS = 8  # what a queue has of its own, whatever goes before it: TCP must not give up
_FILTER = "%s filter add dev %s parent 5:"


class ShapedIntf(TCIntf):  # type: ignore[misc]
    """An interface shaped by HTB, with a queue of ``queue_packets`` frames.

    With ``queues``, code points of differentiated services, there is one such queue for each, and
    it goes before those after it; what bears none of the code points is in the first.

    Checksum offload is off: TCP over the userspace datapath hangs otherwise.
    """

    _queues: tuple[int, ...] = ()

    def bwCmds(self, bw: float | None = None, **_: object) -> tuple[list[str], str]:  # noqa: N802
        """Return the commands for a rate of ``bw`` Mbit/s, and what a next discipline hangs on."""
        if bw is None:
            return [], " root "
        buckets = f"burst {_BURST_BYTES} cburst {_BURST_BYTES}"
        shaper = f"htb rate {bw:f}Mbit {buckets} quantum {_FRAME_BYTES}"
        commands = [
            f"%s qdisc add dev %s root handle 5: htb default {10 if self._queues else 1}",
            f"%s class add dev %s parent 5: classid 5:1 {shaper}",
        ]
        own = f"htb rate {_QUEUE_KBPS}kbit ceil {bw:f}Mbit {buckets} quantum {_FRAME_BYTES}"
        for i, code_point in enumerate(self._queues):
            queue, mark = f"5:{10 + i}", f"{code_point << 2} 0xfc flowid 5:{10 + i}"
            commands += [
                f"%s class add dev %s parent 5:1 classid {queue} {own} prio {i}",
                f"{_FILTER} protocol ip prio 1 u32 match ip tos {mark}",
                f"{_FILTER} protocol ipv6 prio 2 u32 match ip6 priority {mark}",
            ]
        return commands, " parent 5:1 "

    def config(
        self,
        queue_packets: int | None = None,
        queues: tuple[int, ...] = (),
        **params: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Set the queue before the shaper, which reads it once."""
        self._queues = queues
        if queue_packets:
            self.cmd("ip link set dev", self, "txqueuelen", queue_packets)
        return super().config(txo=False, **params)


class _Marked:
    """A node whose processes bear the mark of their run, see :mod:`sluice_lab.state`."""

    params: dict[str, Any]

    def _popen(self, cmd: list[str], **params: Any) -> subprocess.Popen[bytes]:  # noqa: ANN401
        environment = params.pop("env", None) or os.environ
        mark = {state.MARK: self.params["run"]}
        return subprocess.Popen(cmd, env={**environment, **mark}, **params)


class LabHost(_Marked, Host):  # type: ignore[misc]
    """A host in a network namespace of its own."""

    def config(self, *, ipv6: bool = False, **params: Any) -> Any:  # noqa: ANN401
        """Choose cubic for IPv4 (bbr would hide loss), and no IPv6 unless asked for."""
        if not ipv6:
            settings = [f"net.ipv6.conf.{key}.disable_ipv6=1" for key in ("all", "default")]
            self.cmd("sysctl -qw", *settings)
        configured = super().config(**params)
        self._choose_cubic()
        return configured

    def _choose_cubic(self) -> None:
        """Choose it route by route: a namespace may not choose what its machine does not allow."""
        for line in self.cmd("ip route").splitlines():
            route = line.replace("linkdown", "").strip()
            if failed := self.cmd("ip route change", route, "congctl cubic").strip():
                message = f"{self.name} can't have cubic on its way {route}: {failed}"
                raise LabError(message)


class LabSwitch(_Marked, OVSSwitch):  # type: ignore[misc]
    """An Open vSwitch bridge that drops what no entry takes, and starts without a controller."""

    def __init__(self, name: str, **params: Any) -> None:  # noqa: ANN401
        """Take the parameters of OVSSwitch."""
        super().__init__(name, failMode="secure", protocols="OpenFlow13", **params)

    def start(self, controllers: list[Any]) -> None:
        """Start the bridge; the kernel's own IPv6 must not speak on its ports."""
        super().start(controllers)
        names = [name for name in self.nameToIntf if name != "lo"]
        keys = [f"net.ipv6.conf.{name}.disable_ipv6=1" for name in names]
        self.cmd("sysctl -qw", *keys)
