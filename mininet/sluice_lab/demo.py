# SPDX-License-Identifier: EPL-2.0
"""The demo: a real object read as single path, ECMP and Sluice in one run."""

from __future__ import annotations

import dataclasses
import pathlib

from sluice_lab import campaign, instruments, plots, storage, topologies
from sluice_lab.campaign import RAW
from sluice_lab.steering import Lab, Policy, need_controller
from sluice_lab.storage import StoredObject
from sluice_lab.topology import MEGABIT, Topology

NAME = "demo"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Demo:
    """What is moved, and how."""

    stored: StoredObject = dataclasses.field(default_factory=StoredObject)
    policies: tuple[str, ...] = (Policy.SINGLE, Policy.ECMP, Policy.SLUICE)


def topology() -> Topology:
    """Return the k=4 fat-tree with 2 parallel edge links; hosts have 4 times a link's rate."""
    return topologies.fat_tree(4, 2, topologies.LayerRates(host=40 * MEGABIT))


def run(demo: Demo, lab: Lab, raw: pathlib.Path = RAW) -> str:
    """Move the object under every policy, draw the figure, and return the table."""
    need_controller([Policy(policy) for policy in demo.policies], lab)
    campaign.forget(NAME, raw)
    calibration = instruments.calibrate(lab.settings, 10 * MEGABIT)
    cells = campaign.interleaved(["fattree"], demo.policies, [1])
    campaign.run(
        NAME,
        demo,
        cells,
        lambda cell: storage.transfer(demo.stored, topology(), Policy(cell.policy), lab),
        raw,
    )
    files = plots.draw(NAME, raw, raw / NAME)
    checked = (
        f"Links: {calibration.measured_bps / 1e6:.2f} of 10 Mbit/s measured, "
        f"{calibration.rtt_ms:.1f} ms round trip, no delay or loss added."
    )
    return "\n".join([checked, "", table(demo, raw), "", *(f"Figure: {file}" for file in files)])


def table(demo: Demo, raw: pathlib.Path = RAW) -> str:
    """Return the stored results as a table, each policy against the slowest."""
    cells = campaign.interleaved(["fattree"], demo.policies, [1])
    outcomes = campaign.load(NAME, cells, raw)
    slowest = max(outcome["seconds"] for outcome in outcomes.values())
    lines = [f"{'policy':<14}{'time':>9}{'goodput':>16}{'speed-up':>10}  checksum"]
    lines += [
        f"{cell.policy:<14}{outcome['seconds']:>7.2f} s{outcome['goodput_bps'] / 1e6:>9.1f} Mbit/s"
        f"{slowest / outcome['seconds']:>9.2f}x  verified"
        for cell, outcome in outcomes.items()
    ]
    size = demo.stored.size_bytes / 1e6
    code = f"{demo.stored.k} of {len(demo.stored.servers)} fragments"
    return "\n".join([f"One object of {size:g} MB, read as {code} over HTTP:", "", *lines])
