# SPDX-License-Identifier: EPL-2.0
"""What is seen of a stream application as it runs: what its sink completes, what flows have."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import itertools
from collections.abc import Sequence

from sluice_lab import links
from sluice_lab.bandwidth import Allocation
from sluice_lab.campaign import Outcome
from sluice_lab.controller import Controller
from sluice_lab.net import wait_for
from sluice_lab.ovs import LabError
from sluice_lab.storm import Second, Storm
from sluice_lab.storm_keys import TENANT
from sluice_lab.topology import Topology

_LAST_SECOND_S = 5
_NOT_STORED = "not stored: the sink was started anew meanwhile,"
_REMEDY = "find out why in the logs of the workers, and run it again"


def completed(storm: Storm, first: int, seconds: int) -> Outcome:
    """Return tuples per second, and their mean latency, of so many seconds from the first.

    The sink tells of a second when a tuple of a later one is complete. LabError if it has left one
    out, or told of one twice.
    """
    with contextlib.suppress(LabError):  # no later one is: those seconds count as none
        wait_for(
            lambda: any(told.second >= first + seconds - 1 for told in storm.completed()),
            "what the last second completed",
            _LAST_SECOND_S,
        )
    told = storm.completed()
    _need_all_from(first, told)
    counted = [x for x in told if first <= x.second < first + seconds]
    tuples = sum(second.completed for second in counted)
    waited_us = sum(second.completed * second.mean_us for second in counted)
    return {
        "throughput": tuples / seconds,
        "latency_ms": waited_us / tuples / 1e3 if tuples else None,
        "per_second": [second.completed for second in counted],
    }


def _need_all_from(first: int, told: Sequence[Second]) -> None:
    """Raise LabError unless a sink tells of the second before the first, and of each after."""
    numbers = [one.second for one in told if one.second >= first - 1]
    if not numbers or numbers[0] >= first:
        raise LabError(f"{_NOT_STORED} what it told before second {first} is gone; {_REMEDY}")
    for before, after in itertools.pairwise(numbers):
        if after != before + 1:
            raise LabError(f"{_NOT_STORED} it told of {after} after {before}; {_REMEDY}")


def lost_messages(storm: Storm) -> int | None:
    """Return how many messages senders have dropped so far; None if none tells, as under TCP."""
    told = [
        flow["lost-messages"]
        for application in storm.flows().values()
        for flow in application["flows"]
        if "lost-messages" in flow
    ]
    return sum(told) if told else None


class Shares:
    """What the controller has decided, look by look."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self._hosts = {host.address: host.name for host in topology.hosts}
        self._rates = {link: rate for link, (_, _, rate) in links.counted(topology).items()}
        self._bound: collections.Counter[str] = collections.Counter()
        self._given: dict[str, Allocation] = {}
        self._overfull = 0.0
        self._has_summed = False
        self._looks = 0

    def look(self, storm: Storm, controller: Controller) -> None:
        """Look once."""
        given = self._given = controller.allocations(TENANT)
        self._looks += 1
        self._bound.update({flow.link for flow in given.values() if flow.link and flow.is_short})
        metered: collections.Counter[str] = collections.Counter()
        for application in storm.flows().values():
            for flow in application["flows"]:
                if has := given.get(flow["name"]):
                    ends = (self._hosts[flow[end]] for end in ("source-host", "destination-host"))
                    for link in links.between(self._topology, *ends):
                        metered[link] += has.meter_bps
        self._has_summed |= bool(metered)
        for link, sum_bps in metered.items():
            if rate := self._rates[link]:
                self._overfull = max(self._overfull, sum_bps / rate)

    def seen(self, *, is_told: bool) -> Outcome:
        """Return the links that kept flows short in most looks, and the largest sum of meters.

        ``allocations`` are what flows had in the last look, by name.
        LabError if the controller is told of flows, and no look has found one: nothing was summed.
        """
        if is_told and not self._has_summed:
            raise LabError(
                "not stored: Storm and the controller knew no flow in common in any look, so that "
                "meters were not summed up; find out why in Nimbus's log, and run it again"
            )
        bound = [link for link, number in self._bound.items() if 2 * number > self._looks]
        return {
            "bound": sorted(bound),
            "meters_of_capacity": self._overfull,
            "allocations": {name: dataclasses.asdict(has) for name, has in self._given.items()},
        }
