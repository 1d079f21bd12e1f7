# SPDX-License-Identifier: EPL-2.0
"""What the lab asks of sluice-bandwidth and is told, as values; see sluice-bandwidth.yang."""

from __future__ import annotations

import dataclasses
from typing import Any, Self


@dataclasses.dataclass(frozen=True, kw_only=True)
class LimitedFlow:
    """The traffic from an address to a port of another, an application of its own.

    ``limit_bps`` is in bit/s of layer-2 frames.
    """

    name: str
    source: str
    destination: str
    protocol: str
    port: int
    limit_bps: int

    def body(self) -> dict[str, Any]:
        """Return the application's list entry of sluice-bandwidth."""
        flow = {
            "name": self.name,
            "source": self.source,
            "destination": self.destination,
            "protocol": self.protocol,
            "destination-port": self.port,
            "limit": str(self.limit_bps),
        }
        return {"name": self.name, "flow": [flow]}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Allocation:
    """What a flow has on its switch; ``meter_bps`` is 0 without a meter."""

    status: str
    meter_bps: int

    @classmethod
    def of(cls, body: dict[str, Any]) -> Self:
        """Read a flow's allocation."""
        return cls(status=body.get("status", ""), meter_bps=int(body.get("meter-rate", 0)))

    def is_in_place(self, rate_bps: int) -> bool:
        """Tell whether the switch has confirmed a meter of that rate."""
        return self.status == "in-place" and self.meter_bps == rate_bps
