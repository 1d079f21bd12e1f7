# SPDX-License-Identifier: EPL-2.0
"""What the lab asks of sluice-bandwidth and is told, as values; see sluice-bandwidth.yang."""

from __future__ import annotations

import dataclasses
from typing import Any, Self

_ENOUGH_PPM = 1_000_000  # its rate is its demand


@dataclasses.dataclass(frozen=True, kw_only=True)
class LimitedFlow:
    """The traffic from an address to a port of another.

    ``limit_bps`` is of layer-2 frames; 0 is none.
    """

    name: str
    source: str
    destination: str
    protocol: str
    port: int
    limit_bps: int = 0

    def body(self) -> dict[str, Any]:
        """Return the flow's list entry of sluice-bandwidth."""
        limit = {"limit": str(self.limit_bps)} if self.limit_bps else {}
        return {
            "name": self.name,
            "source": self.source,
            "destination": self.destination,
            "protocol": self.protocol,
            "destination-port": self.port,
            **limit,
        }


@dataclasses.dataclass(frozen=True, kw_only=True)
class Allocation:
    """What a flow has; ``meter_bps`` is 0 without a meter.

    ``link`` binds it, and ``is_short`` tells that it is not idle and needs more than it has.
    ``rate_bps`` is what the last round gave it of ``demand_bps``, and ``measured_bps`` what passes
    where it enters the network; None as long as that is not known.
    """

    status: str
    meter_bps: int
    link: str
    is_short: bool
    demand_bps: int | None = None
    rate_bps: int | None = None
    measured_bps: int | None = None

    @classmethod
    def of(cls, body: dict[str, Any]) -> Self:
        """Read a flow's allocation."""

        def bps(leaf: str) -> int | None:
            return int(body[leaf]) if leaf in body else None

        return cls(
            status=body.get("status", ""),
            meter_bps=int(body.get("meter-rate", 0)),
            link=body.get("binding-link", ""),
            is_short=not body.get("idle") and body.get("utility", _ENOUGH_PPM) < _ENOUGH_PPM,
            demand_bps=bps("demand"),
            rate_bps=bps("rate"),
            measured_bps=bps("measured-rate"),
        )

    def is_in_place(self, rate_bps: int) -> bool:
        """Tell whether the switch has confirmed a meter of that rate."""
        return self.status == "in-place" and self.meter_bps == rate_bps


@dataclasses.dataclass(frozen=True, kw_only=True)
class Rounds:
    """The rounds of allocation since the controller took the lead, and how long they took in all.

    A round decides, then the switches are changed, unless it is refused.
    """

    count: int
    refused: int
    deciding_us: int
    enforcing_us: int

    @classmethod
    def of(cls, body: dict[str, Any]) -> Self:
        """Read what the controller tells of its rounds."""
        return cls(
            count=int(body.get("rounds", 0)),
            refused=int(body.get("refused", 0)),
            deciding_us=int(body.get("deciding-time", 0)),
            enforcing_us=int(body.get("enforcing-time", 0)),
        )

    def mean_ms(self, since: Rounds) -> dict[str, float]:
        """Return how long a round has taken since then, on average; nothing without one."""
        count = self.count - since.count
        enforced = count - (self.refused - since.refused)
        if enforced <= 0:
            return {}
        return {
            "deciding": (self.deciding_us - since.deciding_us) / count / 1e3,
            "enforcing": (self.enforcing_us - since.enforcing_us) / enforced / 1e3,
        }
