# SPDX-License-Identifier: EPL-2.0
"""B3-meter: how soon a limit that RESTCONF writes is a meter on the switch.

A leaf with two hosts. A time begins before the request and ends when ovs-ofctl has shown the meter
at the leaf: it is too long by up to one look at the switch, and what a look takes stands beside it.
"""

from __future__ import annotations

import dataclasses
import logging
import statistics
import time
from collections.abc import Callable

from sluice_lab import campaign, ovs
from sluice_lab.bandwidth import LimitedFlow
from sluice_lab.campaign import Outcome
from sluice_lab.controller import Controller
from sluice_lab.experiments import metering
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, runs

_PERCENT = 99
_FIRST_KBPS = 1_000
_PATIENCE_S = 60
_SAY_EVERY = 100
_CHANGED, _NEW = _KINDS = ("changed", "new")
_LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class MeterDelay:
    """``writes`` of limits, no two alike, after ``warm_up`` for Java's compiler.

    Every other one is of a flow that was not configured, so that its meter is new.
    """

    id: str = "B3-meter"
    warm_up: int = 200
    writes: int = 1_000
    runs: int = 1


DEFAULT = MeterDelay()


class Watch:
    """Looks at the meters of a bridge."""

    def __init__(self, bridge: str) -> None:
        self._bridge = bridge
        self.looks_ms: list[float] = []

    def wait(self, condition: Callable[[str], bool], what: str) -> None:
        """Look again and again, until what ovs-ofctl prints fulfils a condition."""
        deadline = time.monotonic() + _PATIENCE_S
        while not condition(self._look()):
            if time.monotonic() > deadline:
                raise LabError(f"waited {_PATIENCE_S} s in vain for {what}")

    def _look(self) -> str:
        begin = time.monotonic()
        dump = ovs.ofctl(self._bridge, ["dump-meters"])
        self.looks_ms.append((time.monotonic() - begin) * 1e3)
        return dump


def run(experiment: MeterDelay, lab: Lab) -> None:
    """Measure and record the 99th percentile of all writes that count."""
    outcomes = runs(experiment, lab, "switch", lambda _: measure(experiment, lab))
    record(experiment, outcomes)


def record(experiment: MeterDelay, outcomes: list[Outcome]) -> None:
    """Record the figure, with new and changed meters apart beside it."""
    times = {kind: [ms for outcome in outcomes for ms in outcome[kind]] for kind in _KINDS}
    looks = [ms for outcome in outcomes for ms in outcome["look"]]
    notes: Outcome = {
        f"{kind} ms": {"median": statistics.median(ms), "p99": campaign.percentile(ms, _PERCENT)}
        for kind, ms in times.items()
    }
    values = [ms for kind in _KINDS for ms in times[kind]]
    campaign.record_figure(
        experiment,
        values,
        value=campaign.percentile(values, _PERCENT),
        notes={**notes, "look ms": statistics.median(looks)},
    )


def measure(experiment: MeterDelay, lab: Lab) -> Outcome:
    """Return the ms from each write to its meter by kind, and those of looks."""
    times: dict[str, list[float]] = {kind: [] for kind in _KINDS}
    with metering.metered(lab, "udp", _FIRST_KBPS * 1_000) as (net, flow):
        controller = lab.controller()
        watch = Watch(net.bridge(net.topology.host(flow.client).port.switch))
        for number in range(1, experiment.warm_up + experiment.writes + 1):
            kind = _KINDS[number % 2]
            if kind == _NEW:
                controller.delete_tenant(metering.TENANT)
                watch.wait(lambda dump: " kbps " not in dump, "no meter")
            kbps = _FIRST_KBPS + number
            limited = metering.limit(net, flow, "udp", kbps * 1_000)
            ms = _write(controller, watch, limited, kbps)
            if number > experiment.warm_up:
                times[kind].append(ms)
            if number % _SAY_EVERY == 0:
                _LOG.info("%d writes, the last took %.0f ms", number, ms)
    return {**times, "look": watch.looks_ms}


def _write(controller: Controller, watch: Watch, limited: LimitedFlow, kbps: int) -> float:
    """Write a limit; return the ms until the switch has its meter."""
    begin = time.monotonic()
    controller.put_tenant(metering.TENANT, [limited])
    watch.wait(lambda dump: f"rate={kbps} " in dump, f"a meter of {kbps} kbit/s")
    return (time.monotonic() - begin) * 1e3
