# SPDX-License-Identifier: EPL-2.0
"""When a network is ready: every host was answered by others, over the paths they will use."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Mapping, Sequence

from sluice_lab.controller import Controller, Progress
from sluice_lab.multipath import Strategy
from sluice_lab.net import Endpoint, Net
from sluice_lab.ovs import LabError
from sluice_lab.steering import attach
from sluice_lab.topology import Topology
from sluice_lab.traffic import finish

_LOG = logging.getLogger(__name__)
_ASKED = 16  # other hosts that each one asks: all, if there are no more
_LIMIT_S = 60.0
_PAUSE_S = 0.2
_WAIT_S = 1  # for an answer
_NAMED = 10  # hosts in an error


@dataclasses.dataclass
class Spoken:
    """Progress as lines of the log, one for each change."""

    _last: str = ""

    def __call__(self, what: str, done: int, every: int) -> None:
        """Log how much is there unless that is known."""
        if (line := f"{what}: {done} of {every}") != self._last:
            self._last = line
            _LOG.info("%s", line)


def bring_up(net: Net, controller: Controller, strategy: Strategy, endpoint: Endpoint) -> None:
    """Hand a network to a controller and wait until its hosts can reach each other at once."""
    progress = Spoken()
    attach(net, controller, strategy, endpoint, progress)
    greet(net, progress)
    _LOG.info("ready")


def greet(net: Net, progress: Progress, limit_s: float = _LIMIT_S) -> None:
    """Let each host ping others until each was answered; LabError naming those that were not."""
    left = acquaintances(net.topology)
    every = sum(map(len, left.values()))
    end_s = time.monotonic() + limit_s
    while True:
        left = _unanswered(net, left)
        progress("pings answered", every - sum(map(len, left.values())), every)
        if not left:
            return
        if time.monotonic() > end_s:
            raise LabError(silence(net.topology, left, limit_s))
        time.sleep(_PAUSE_S)


def acquaintances(topology: Topology) -> dict[str, list[str]]:
    """Return the addresses that each host asks: those of the hosts that follow it, in a ring."""
    hosts = topology.hosts
    count = min(_ASKED, len(hosts) - 1)
    return {
        host.name: [hosts[(i + step) % len(hosts)].address for step in range(1, count + 1)]
        for i, host in enumerate(hosts)
        if count
    }


def _unanswered(net: Net, asked: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Let hosts ping addresses once, all hosts at once; return the addresses without an answer."""
    ping = f"ping -q -n -c 1 -W {_WAIT_S} $one > /dev/null || echo $one"
    children = {
        host: net.spawn(host, ["sh", "-c", f"for one in {' '.join(addresses)}; do {ping}; done"])
        for host, addresses in asked.items()
    }
    silent = {
        host: finish(child, f"pings of {host}", _LIMIT_S).split()
        for host, child in children.items()
    }
    return {host: addresses for host, addresses in silent.items() if addresses}


def silence(topology: Topology, left: Mapping[str, Sequence[str]], limit_s: float) -> str:
    """Return the error that names hosts without an answer."""
    names = {host.address: host.name for host in topology.hosts}
    pairs = [f"{host} from {names[one]}" for host, silent in left.items() for one in silent]
    more = f" and {len(pairs) - _NAMED} more" if len(pairs) > _NAMED else ""
    return (
        f"no answer within {limit_s:g} s to {', '.join(pairs[:_NAMED])}{more}; "
        "see sluice:show fabric hosts"
    )
