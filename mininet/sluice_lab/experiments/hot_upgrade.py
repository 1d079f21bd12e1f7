# SPDX-License-Identifier: EPL-2.0
"""S1-upgrade: a forwarder is replaced by another process while packets flow over veth ports.

``python -m sluice_lab.sandbox python -m sluice_lab.experiments.hot_upgrade``. A million connections
are opened; then all instances that have some get no new ones, so that a connection which is pinned
anew goes elsewhere. Each upgrade has a stretch of random packets, after an equal one without an
upgrade; then every connection is looked at. In the end the forwarder is started anew instead: once
while packets flow, for the gap, and once while none do, after which all connections must be seen
elsewhere. (While packets flow, the first one of a connection may come from its instance, to which
it is pinned then.)
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import logging
import pathlib
import statistics
import tempfile
from collections.abc import Mapping, Sequence

from sluice_lab import campaign, upgrades
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.experiments.forwarding import huge_pages
from sluice_lab.ovs import LabError
from sluice_lab.upgrades import Forwarder, Traffic

_COMMAND = "make bench-forwarder"
_PAGES = 500  # of 2 MiB
_KINDS = 4  # of packets, of each connection
_LOSS = 1e-4  # without an upgrade
_PACE = 0.9
_SEEN = 0.99
_LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class HotUpgrade:
    """One of the ``connections`` is chosen for each of ``rate`` packets a second.

    In each of the ``upgrades`` packets flow for ``stretch_s``, and as long before it. The process
    that takes over is started when they begin to.
    """

    id: str = "S1-upgrade"
    connections: int = 1_000_000
    rate: int = 100_000
    stretch_s: int = 5
    upgrades: int = 10
    runs: int = 1


def run(experiment: HotUpgrade, raw: pathlib.Path = campaign.RAW) -> dict[Cell, Outcome]:
    """Measure all runs."""
    cells = campaign.interleaved(["veth"], ["sluice"], range(1, experiment.runs + 1))
    return campaign.run(experiment.id, experiment, cells, lambda _: measure(experiment), raw)


def measure(experiment: HotUpgrade) -> Outcome:
    """Upgrade a forwarder again and again; return what its traffic met with each time."""
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        stack.enter_context(upgrades.aside())
        stack.enter_context(upgrades.ports())
        forwarder = Forwarder(stack, folder)
        traffic = Traffic(stack, folder, experiment.connections, experiment.rate)
        opening = traffic.send_all()
        forwarder.drain()
        check_all(experiment, opening)
        replacements = [
            _replace(experiment, forwarder, traffic) for _ in range(experiment.upgrades)
        ]
        traffic.begin(experiment.stretch_s)
        forwarder.restart()
        restart = traffic.end(experiment.stretch_s)
        forwarder.restart()
        restart["moved"] += traffic.send_all()["moved"]
    check_restart(experiment, restart)
    return {"opening": opening, "upgrades": replacements, "restart": restart}


def _replace(experiment: HotUpgrade, forwarder: Forwarder, traffic: Traffic) -> Outcome:
    """Return what a stretch without an upgrade gave, one with an upgrade, and a look at all."""
    traffic.begin(experiment.stretch_s)
    control = traffic.end(experiment.stretch_s)
    check_control(experiment, control)
    traffic.begin(experiment.stretch_s)
    took_s = forwarder.upgrade()
    upgrade = traffic.end(experiment.stretch_s)
    check_upgrade(experiment, upgrade, took_s)
    afterwards = traffic.send_all()
    check_all(experiment, afterwards)
    done = {"took_s": took_s, "control": control, "upgrade": upgrade, "afterwards": afterwards}
    _LOG.info("upgraded: %s", done)
    return done


def check_all(experiment: HotUpgrade, told: Outcome) -> None:
    """Refuse to go on unless every connection was looked at, or nearly so."""
    if told["lost"] > _LOSS * _KINDS * experiment.connections:
        raise LabError(f"packets of the connections were lost, one by one: {told}")


def check_control(experiment: HotUpgrade, told: Outcome) -> None:
    """Refuse to measure an upgrade where packets are lost or stray without one."""
    _check_pace(experiment, told)
    if told["lost"] > _LOSS * told["sent"] or told["strayed"]:
        raise LabError(f"packets were lost or strayed without an upgrade: {told}")


def check_upgrade(experiment: HotUpgrade, told: Outcome, took_s: float) -> None:
    """Refuse an upgrade that was not over while packets flowed."""
    _check_pace(experiment, told)
    if took_s >= experiment.stretch_s:
        raise LabError(f"an upgrade took {took_s:.1f} s, and packets flowed for less")
    if told["strayed"] and not told["moved"]:
        raise LabError(f"packets came that belong to no connection: {told}")


def check_restart(experiment: HotUpgrade, restart: Outcome) -> None:
    """Refuse to give a figure if connections that are re-hashed would not be noticed."""
    count = restart["moved"]
    if count < _SEEN * experiment.connections:
        raise LabError(f"of a forwarder that was started anew only {count} connections moved")


def _check_pace(experiment: HotUpgrade, told: Outcome) -> None:
    per_s = told["sent"] / told["seconds"]
    if per_s < _PACE * experiment.rate:
        raise LabError(f"the machine can't send at this rate: {per_s:.0f} packets a second")


def gap_ms(stretch: Outcome) -> float:
    """Return the longest silence of a stretch, of either port."""
    return max(stretch["silence_ms"].values())


def moved(replacement: Outcome) -> int:
    """Return how many connections went elsewhere since an upgrade."""
    return replacement["upgrade"]["moved"] + replacement["afterwards"]["moved"]


def rows(experiment: HotUpgrade, outcomes: Mapping[Cell, Outcome]) -> list[Outcome]:
    """Return what bench/record.py is told, the spread over upgrades: all that moved, worst gap."""
    each = [one for outcome in outcomes.values() for one in outcome["upgrades"]]
    restarts = [outcome["restart"] for outcome in outcomes.values()]
    counts, gaps_ms = [moved(one) for one in each], [gap_ms(one["upgrade"]) for one in each]
    controls_ms = [gap_ms(one["control"]) for one in each]
    flows_peers = {
        "the forwarder started anew instead, flows re-hashed": min(one["moved"] for one in restarts)
    }
    gap_peers = {
        "without an upgrade, worst": max(controls_ms),
        "without an upgrade, median": statistics.median(controls_ms),
        "the forwarder started anew instead": min(gap_ms(one) for one in restarts),
    }
    return [
        _row(experiment, each, "S1-upgrade", sum(counts), counts, flows_peers),
        _row(experiment, each, "S1-upgrade-gap", max(gaps_ms), gaps_ms, gap_peers),
    ]


def _row(
    experiment: HotUpgrade,
    each: Sequence[Outcome],
    name: str,
    value: float,
    values: Sequence[float],
    peers: dict[str, float],
) -> Outcome:
    stretches = [one["upgrade"] for one in each]
    return {
        "id": name,
        "value": value,
        "command": _COMMAND,
        "parameters": {
            **campaign.as_json(experiment),
            "ports": "net_af_packet on veth",
            "inner frame bytes": 64,
            "packets of a connection": "VXLAN and labels in, VLAN out, and all the way back",
            "processors": "one forwards; traffic, control and new processes share the other",
            "sent packets a second": statistics.median(
                one["sent"] / one["seconds"] for one in stretches
            ),
            "lost packets of an upgrade": campaign.spread([one["lost"] for one in stretches]),
            "lost packets without one": sum(one["control"]["lost"] for one in each),
            "strayed packets": sum(one["strayed"] for one in stretches),
            "longest time in which nobody looked, ms": max(
                one["unwatched_ms"] for one in stretches
            ),
            "from the start of one process to the end of the other, s": statistics.median(
                one["took_s"] for one in each
            ),
        },
        "spread": campaign.spread(values),
        "peers": peers,
    }


def main() -> int:
    """Measure and record the rows, or only try it."""
    parser = argparse.ArgumentParser(prog="hot_upgrade", description=HotUpgrade.__doc__)
    for name in ("connections", "rate", "stretch_s", "upgrades", "runs"):
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(
            option, type=int, default=getattr(HotUpgrade, name), help="(%(default)s)"
        )
    parser.add_argument("--trial", action="store_true", help="keep no samples, record nothing")
    parser.add_argument("--fresh", action="store_true", help="measure anew what is stored")
    told = vars(parser.parse_args())
    trial, fresh = told.pop("trial"), told.pop("fresh")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    experiment = HotUpgrade(**told)
    if fresh:
        campaign.forget(experiment.id)
    try:
        with contextlib.ExitStack() as stack:
            raw = campaign.RAW
            if trial:
                raw = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            stack.enter_context(huge_pages(_PAGES))
            for row in rows(experiment, run(experiment, raw)):
                _LOG.info("%s = %.4g: %s", row["id"], row["value"], row)
                if not trial:
                    campaign.record(row)
    except LabError as error:
        print(f"hot_upgrade: {error}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
