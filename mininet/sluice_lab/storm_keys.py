# SPDX-License-Identifier: EPL-2.0
"""What a Storm of the lab is told in Storm's words: keys of storm.yaml, and of a topology."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

TENANT = "lab-storm"
"""Tenant at the controller under which topologies are applications."""
REPORT_PORT = 6690
"""Where Nimbus takes reports, and shows the map of flows."""
LIGHT_JAVA = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Options of all of Storm's processes."""
_CLOSED_PORT = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Engine:
    """How Storm is run: Sluice's scheduler places executors, Sluice's transport joins them.

    ``waiting_bytes`` may wait for a worker before who sends is held back, and ``kernel_bytes`` in
    the kernel beside them. ``heap_mb`` is that of a worker. Workers, which live for some minutes,
    do without Java's slower compiler, which would take processors from what is measured.
    """

    controller_url: str = "http://127.0.0.1:1"  # a closed port: nobody is told
    user: str = "admin"
    password: str = dataclasses.field(default="", repr=False)
    interval_s: int = 5
    waiting_bytes: int = 16 << 20
    kernel_bytes: int = 1 << 18
    heap_mb: int = 256

    def keys(self, password_file: pathlib.Path, worker_options: str = "") -> dict[str, Any]:
        """Return what storm.yaml says of this; workers get Java's options beside their own."""
        return {
            "storm.messaging.transport": "io.sluice.engine.storm.FlowTransport",
            "storm.scheduler": "io.sluice.engine.storm.FlowScheduler",
            "sluice.controller.url": self.controller_url,
            "sluice.controller.user": self.user,
            "sluice.controller.password.file": str(password_file),
            "sluice.tenant": TENANT,
            "sluice.interval.secs": self.interval_s,
            "sluice.report.port": REPORT_PORT,
            "storm.messaging.netty.buffer.high.watermark": self.waiting_bytes,
            "storm.messaging.netty.buffer.low.watermark": self.waiting_bytes // 2,
            "storm.messaging.netty.buffer_size": self.kernel_bytes,
            "worker.childopts": " ".join([f"-Xmx{self.heap_mb}m", *LIGHT_JAVA, worker_options]),
            "worker.heap.memory.mb": self.heap_mb,
        }


def own_transport() -> dict[str, Any]:
    """Return what a topology says that Storm's own transport shall join its workers."""
    return {"storm.messaging.transport": "org.apache.storm.messaging.netty.Context"}


def default_buffers() -> dict[str, Any]:
    """Return what a topology says that its buffers shall have the sizes of Storm 2.8's defaults."""
    return {
        "storm.messaging.netty.buffer.high.watermark": 16 << 20,
        "storm.messaging.netty.buffer.low.watermark": 8 << 20,
        "storm.messaging.netty.buffer_size": 5 << 20,
    }


def without_reports() -> dict[str, Any]:
    """Return what a topology says whose flows the controller shall not be told of."""
    return {"sluice.report.port": _CLOSED_PORT}


def without_pacing() -> dict[str, Any]:
    """Return what a topology says whose connections shall leave it to meters to slow them down."""
    return {"sluice.pacing": False}


def placement(hosts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return what a topology says of the addresses of hosts for its components' tasks, in turn."""
    return {"sluice.placement": hosts}
