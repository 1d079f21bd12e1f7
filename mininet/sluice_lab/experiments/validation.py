# SPDX-License-Identifier: EPL-2.0
"""VALIDATE: faults at real switches with real flows, each to be named by validate, mended by sync.

What a fault changes is read from the switches themselves, before and after it, so that the answer
of ``validate`` is held against Open vSwitch and not against what was meant. The controller audits
its switches by itself twice a minute: a batch that the audit got hold of is not counted, and
another one is injected in its place.
"""

from __future__ import annotations

import collections
import dataclasses
import logging
import random
from typing import Any

from sluice_lab import campaign, entries, faults, ovs, topologies
from sluice_lab.campaign import Outcome
from sluice_lab.controller import Controller
from sluice_lab.entries import Contents, Difference, Key
from sluice_lab.faults import Command, Fault
from sluice_lab.net import Net
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Policy, crossing, runs, steered

_LOG = logging.getLogger(__name__)
_INTERRUPTIONS = 5  # in a row: an audit every 30 s can't do that

Held = dict[str, Contents]  # by bridge
Differences = dict[str, set[Difference]]  # by bridge
_Tally = collections.Counter[str]  # by class of fault


@dataclasses.dataclass(frozen=True, kw_only=True)
class Validation:
    """``faults`` in batches of 1 to ``largest_batch``, each with one foreign entry beside it."""

    id: str = "VALIDATE"
    faults: int = 1_000
    largest_batch: int = 20
    pieces: int = 2
    runs: int = 1


DEFAULT = Validation()


class _InterruptedError(Exception):
    """The controller's own audit came between."""


def run(experiment: Validation, lab: Lab) -> None:
    """Measure and record how many faults were found and repaired."""
    outcomes = runs(experiment, lab, "fattree", lambda cell: measure(experiment, lab, cell.seed))
    campaign.record_figure(
        experiment,
        [outcome["good"] for outcome in outcomes],
        notes={key: outcomes[0][key] for key in ("injected", "foreign", "interrupted")},
    )


def measure(experiment: Validation, lab: Lab, seed: int) -> Outcome:
    """Inject all faults; return how many were ``good``: found, repaired, and nothing else done."""
    rng = random.Random(seed)
    wanted = crossing("lab-validate", experiment.pieces)
    injected: _Tally = collections.Counter()
    good: _Tally = collections.Counter()
    foreign = interrupted = in_a_row = 0
    with steered(topologies.fat_tree(), Policy.SLUICE, lab, wanted) as network:
        for request in wanted:
            network.place(request)
        drift = Drift(network.net, lab.controller())
        while (left := experiment.faults - injected.total()) > 0:
            size = min(left, rng.randint(1, experiment.largest_batch))
            try:
                tried, done = drift.batch(rng, size)
            except _InterruptedError as reason:
                drift.mend()
                interrupted += 1
                in_a_row += 1
                _LOG.info("%s: this batch does not count", reason)
                if in_a_row == _INTERRUPTIONS:
                    raise LabError(f"{in_a_row} batches in a row did not count: {reason}") from None
                continue
            in_a_row = 0
            foreign += 1
            injected += tried
            good += done
            _LOG.info("%d of %d faults found and repaired", good.total(), injected.total())
    return {
        "good": good.total(),
        "injected": dict(sorted(injected.items())),
        "failed": dict(sorted((injected - good).items())),
        "foreign": foreign,
        "interrupted": interrupted,
    }


@dataclasses.dataclass(frozen=True, kw_only=True)
class Verdict:
    """How a switch fared: differences that there were, that were named, and that are left."""

    expected: set[Difference]
    found: set[Difference]
    left: set[Difference]
    foreign_kept: bool

    @property
    def is_clean(self) -> bool:
        """Tell whether nothing was named wrongly, left behind, or done to foreign entries."""
        return self.found <= self.expected and not self.left and self.foreign_kept

    @property
    def is_right(self) -> bool:
        """Tell whether it is clean and everything was named."""
        return self.is_clean and self.found == self.expected

    def names(self, fault: Fault) -> bool:
        """Tell whether all that a fault harmed was named."""
        return {item for item in self.expected if item[0] in fault.harms} <= self.found


class Drift:
    """Harms the switches of a network, and watches the controller find and repair it."""

    def __init__(self, net: Net, controller: Controller) -> None:
        self._controller = controller
        self._bridges = {switch.id: net.bridge(switch.name) for switch in net.topology.switches}
        largest = ovs.largest_meter(next(iter(self._bridges.values())))
        self._meter_bits = entries.meter_bits(largest)
        agreed = self._differences(controller.sync())
        _LOG.info("%d entries differed at first", sum(map(len, agreed.values())))

    def batch(self, rng: random.Random, size: int) -> tuple[_Tally, _Tally]:
        """Inject a batch and have it repaired; return its faults, and the good ones, by class."""
        before = self._read()
        batch = self._inject(rng, before, size)
        harmed = self._read()
        expected = _compare(before, harmed)
        meant = {bridge: set[Key]() for bridge in before}
        for bridge, fault in batch:
            meant[bridge] |= fault.harms
        if meant != {bridge: {key for key, _ in found} for bridge, found in expected.items()}:
            raise _InterruptedError("the switches do not show all that was done to them")
        found = self._differences(self._controller.validate())
        if self._read() != harmed:
            raise _InterruptedError("the switches changed while they were validated")
        repaired = self._differences(self._controller.sync())
        after = self._read()
        if repaired != found and _compare(before, after) == {b: set() for b in before}:
            raise _InterruptedError("the switches changed before they were repaired")
        left = _compare(before, after)
        verdicts = {
            bridge: Verdict(
                expected=expected[bridge],
                found=found[bridge],
                left=left[bridge],
                foreign_kept=_foreign(harmed[bridge]) == _foreign(after[bridge]),
            )
            for bridge in before
        }
        return _judge(batch, verdicts)

    def mend(self) -> None:
        """Have all that differs repaired."""
        self._controller.sync()

    def _inject(self, rng: random.Random, before: Held, size: int) -> list[tuple[str, Fault]]:
        switches = {b: faults.Switch(held, self._meter_bits) for b, held in before.items()}
        names = sorted(switches)
        spent = {name: set[Key]() for name in names}
        batch = []
        for _ in range(size):
            bridge = rng.choice(names)
            fault = faults.draw(rng, switches[bridge], spent[bridge])
            spent[bridge] |= fault.harms
            batch.append((bridge, fault))
        for bridge, fault in batch:
            for command in fault.commands:
                _tell(bridge, command)
        bridge = rng.choice(names)
        _tell(bridge, faults.foreign(rng, switches[bridge]))
        return batch

    def _read(self) -> Held:
        return {bridge: self._contents(bridge) for bridge in self._bridges.values()}

    def _contents(self, bridge: str) -> Contents:
        flows = ovs.ofctl(bridge, ["--no-stats", "--no-names", "dump-flows"]).splitlines()
        groups = ovs.ofctl(bridge, ["dump-groups"]).splitlines()
        meters = ovs.ofctl(bridge, ["dump-meters"]).partition("\n")[2].split("\n\n")
        found = [entries.flow(line) for line in flows if "cookie=" in line]
        found += [entries.group(line) for line in groups if "group_id=" in line]
        found += [entries.meter(text, self._meter_bits) for text in meters if "meter=" in text]
        return {entry.key: entry for entry in found}

    def _differences(self, comparisons: list[dict[str, Any]]) -> Differences:
        """Read the answer of an RPC; LabError if it could not read or repair a switch."""
        differences: Differences = {bridge: set() for bridge in self._bridges.values()}
        for switch in comparisons:
            found = switch.get("difference", [])
            refusals = [one["refusal"] for one in found if "refusal" in one]
            if "error" in switch or refusals:
                raise LabError(f"{switch['id']}: {switch.get('error', refusals)}")
            differences[self._bridges[switch["id"]]] = {
                (entries.as_reported(one["kind"], one["entry"]), one["discrepancy"])
                for one in found
            }
        return differences


def _tell(bridge: str, command: Command) -> None:
    _LOG.debug("%s: %s %s", bridge, " ".join(command.words), command.argument)
    ovs.ofctl(bridge, command.words, command.argument)


def _compare(declared: Held, held: Held) -> Differences:
    return {b: entries.differences(declared[b], held[b]) for b in declared}


def _foreign(contents: Contents) -> set[str]:
    return {entry.text for entry in contents.values() if not entry.ours}


def _judge(batch: list[tuple[str, Fault]], verdicts: dict[str, Verdict]) -> tuple[_Tally, _Tally]:
    for bridge, verdict in verdicts.items():
        if not verdict.is_right:
            names = [str(fault) for where, fault in batch if where == bridge]
            _LOG.warning("%s: %s after %s", bridge, verdict, names)
    good = (
        fault.kind
        for bridge, fault in batch
        if verdicts[bridge].is_clean and verdicts[bridge].names(fault)
    )
    return collections.Counter(fault.kind for _, fault in batch), collections.Counter(good)
