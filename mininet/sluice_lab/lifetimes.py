# SPDX-License-Identifier: EPL-2.0
"""What Sluice put into a switch, read by Open vSwitch's own tools, and two readings compared."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Mapping

from sluice_lab import ovs

_OFCTL = ("ovs-ofctl", "-O", "OpenFlow13")
_OURS = "cookie=0x534c000000000000/0xffff000000000000"  # the mark of io.sluice.api.Owner
_COUNTERS = re.compile(r"(?:duration|n_packets|n_bytes|idle_age|hard_age)=[^,]*, ?")
_DURATION = re.compile(r"duration=([0-9.]+)s")
_PACKETS = re.compile(r"n_packets=(\d+)")
_GROUP = re.compile(r"group_id=(\d+),")
_CLOCK_S = 1.0  # readings of a duration may be this much apart from the clock


@dataclasses.dataclass(frozen=True, kw_only=True)
class Life:
    """Since when an entry stands, on the monotonic clock, and what it counted (groups: 0)."""

    since_s: float
    packets: int

    def is_older_than(self, later: Life) -> bool:
        """Tell whether a later reading of the same entry shows that it was added anew."""
        return later.since_s - self.since_s > _CLOCK_S or later.packets < self.packets


Entries = Mapping[str, Life]
"""Entries of a switch without their counters, in the notation of ovs-ofctl, and their lives."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Difference:
    """Entries that were there and are not any more, and those that were not there and now are."""

    missing: tuple[str, ...]
    stale: tuple[str, ...]


def read(bridge: str) -> Entries:
    """Return Sluice's flows and all groups of a bridge; groups have no owner's mark."""
    flows = ovs.call([*_OFCTL, "dump-flows", bridge, _OURS])
    groups = ovs.call([*_OFCTL, "dump-groups", bridge])
    ages = ovs.call([*_OFCTL, "dump-group-stats", bridge])
    return parse(flows, groups, ages, time.monotonic())


def parse(flows: str, groups: str, group_ages: str, now_s: float) -> dict[str, Life]:
    """Return the entries of three dumps that were printed at ``now_s``."""
    found = {}
    for line in flows.splitlines():
        if duration := _DURATION.search(line):
            counted = _PACKETS.search(line)
            packets = int(counted[1]) if counted else 0
            life = Life(since_s=now_s - float(duration[1]), packets=packets)
            found[_COUNTERS.sub("", line).strip()] = life
    ages = {
        group[1]: float(duration[1])
        for line in group_ages.splitlines()
        if (group := _GROUP.search(line)) and (duration := _DURATION.search(line))
    }
    for line in groups.splitlines():
        if group := _GROUP.search(line):
            found[line.strip()] = Life(since_s=now_s - ages.get(group[1], 0), packets=0)
    return found


def compare(before: Entries, after: Entries) -> Difference:
    """Compare two readings of a switch; counters do not matter."""
    return Difference(
        missing=tuple(sorted(before.keys() - after.keys())),
        stale=tuple(sorted(after.keys() - before.keys())),
    )


def added_anew(before: Entries, after: Entries) -> tuple[str, ...]:
    """Return what stands in both readings, but was taken out, or overwritten, between them."""
    both = sorted(before.keys() & after.keys())
    return tuple(text for text in both if before[text].is_older_than(after[text]))
