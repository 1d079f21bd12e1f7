# SPDX-License-Identifier: EPL-2.0
"""S3-sites: as many sites of the bus as one machine holds, and every topic delivered.

``python -m sluice_lab.sandbox python -m sluice_lab.experiments.many_sites FOLDER``. Each site has a
proxy, a publisher and a subscriber with keys and connections of their own, over loopback with
CURVE; some processes hold all sites. A publisher has a topic that names its site, for the sites
that hear it, and one that is for all sites: so each proxy is linked with every other one. Numbered
messages must come once and in order to those who asked for them, and no others to their proxy.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import itertools
import json
import pathlib
import random
import time
from collections.abc import Iterator, Mapping, Sequence

from sluice_lab import campaign, java_processes, sockets, trial
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.java_processes import Process, answer, final_reports, hear, mortal, tell
from sluice_lab.ovs import LabError
from sluice_lab.sockets import Socket, State

_PORT = 5570
_NODES = 2  # of a site: a publisher and a subscriber
_HEAP = "1g"
_READY_LIMIT_S = 900
_ASK_AGAIN_S = 2
_LEAD_NS = 500_000_000


@dataclasses.dataclass(frozen=True, kw_only=True)
class ManySites:
    """Each site hears the topics for all sites, and by name those of ``heard`` other sites.

    ``rate`` counts messages published in a second by all; ``messages`` go out on each topic.
    """

    id: str = "S3-sites"
    sites: int = 100
    heard: int = 4
    messages: int = 10
    rate: int = 50
    body_bytes: int = 512
    processes: int = 10
    runs: int = 1

    def goal(self) -> int:
        """Return the figure if all is well."""
        return self.sites


@dataclasses.dataclass(frozen=True, kw_only=True)
class Site:
    """A site, and whose topics it hears by name."""

    name: str
    address: str
    hears: tuple[str, ...]


def plan(experiment: ManySites, seed: int) -> list[Site]:
    """Return all sites; whom each one hears comes from the seed."""
    chosen = random.Random(seed)
    names = [f"S{number:03d}" for number in range(experiment.sites)]
    return [
        Site(
            name=name,
            address=f"tcp://127.83.0.{1 + number}:{_PORT}",
            hears=tuple(chosen.sample(names[:number] + names[number + 1 :], experiment.heard)),
        )
        for number, name in enumerate(names)
    ]


def expected(site: Site, planned: Sequence[Site]) -> set[str]:
    """Return the streams that the site's subscriber hears."""
    everywhere = {f"{one.name}/publisher /load/everywhere/{one.name}" for one in planned}
    return everywhere | {f"{name}/publisher /load/site_{name}_messages" for name in site.hears}


def measure(experiment: ManySites, seed: int, folder: pathlib.Path) -> Outcome:
    """Publish on all topics of all sites; return what came where, and what it took."""
    planned = plan(experiment, seed)
    lines = [" ".join((site.name, site.address, *site.hears)) for site in planned]
    (folder / "plan").write_text("\n".join(lines) + "\n")
    names = [site.name for site in planned]
    java_processes.run("bench.bus.NumberedProcess", "keys", str(folder), *names)
    begin = time.monotonic()
    with started(experiment, folder) as children:
        _await_warm(list(children), planned)
        ready_s = time.monotonic() - begin
        told = publish(experiment, children)
        linked = links(planned, sockets.listed("tcp"))
        found = _merged(final_reports(list(children)))
        used = [java_processes.footprint(child) for child in children]
    faults = {site.name: faults_of(experiment, site, planned, found[site.name]) for site in planned}
    return {
        "delivered": sum(not fault for fault in faults.values()),
        "faults": {name: fault for name, fault in faults.items() if fault},
        "links": linked,
        "ready_s": round(ready_s, 1),
        "refusals": sum(one["refusals"] for one in told),
        "slowest_s": max(one["heard"]["slowest_us"] for one in found.values()) / 1e6,
        **{key: sum(one[key] for one in used) for key in used[0]},
    }


def links(planned: Sequence[Site], listed: Sequence[Socket]) -> int:
    """Return how many connections there are between proxies: each one is called by those before.

    Raises LabError unless each pair of sites has one.
    """
    found = collections.Counter(
        f"tcp://{one.local_address}:{one.local_port}"
        for one in listed
        if one.state == State.ESTABLISHED
    )
    for callers, site in enumerate(planned):
        if found[site.address] != callers + _NODES:
            raise LabError(
                f"{site.name} has {found[site.address]} connections, "
                f"not one with each of {callers} sites and {_NODES} nodes"
            )
    return sum(found[site.address] - _NODES for site in planned)


@contextlib.contextmanager
def started(experiment: ManySites, folder: pathlib.Path) -> Iterator[dict[Process, int]]:
    """Start all sites, about as many in each process, the last ones first, as they want it.

    Gives each process with how many sites it has.
    """
    count = min(experiment.processes, experiment.sites)
    bounds = [number * experiment.sites // count for number in range(count + 1)]
    with contextlib.ExitStack() as stack:
        children = {}
        for first, end in reversed(list(itertools.pairwise(bounds))):
            words = ["sites", str(folder), str(first), str(end)]
            command = java_processes.java("bench.bus.NumberedProcess", *words, heap=_HEAP)
            child = java_processes.start(command, folder / f"sites-{first}.log")
            children[mortal(stack, child)] = end - first
            tell(child, "report")
            answer(child, _READY_LIMIT_S)
        yield children


def publish(experiment: ManySites, children: Mapping[Process, int]) -> list[Outcome]:
    """Have all sites publish at the same time; return how that went."""
    duration_s = 2 * experiment.sites * experiment.messages / experiment.rate
    start_ns = time.monotonic_ns() + _LEAD_NS
    for child, sites in children.items():
        count = 2 * sites * experiment.messages
        interval_ns = round(duration_s * 1e9 / count)
        tell(child, f"{count} {interval_ns} {experiment.body_bytes} {start_ns}")
    return [json.loads(answer(child, duration_s + _READY_LIMIT_S)) for child in children]


def _await_warm(children: Sequence[Process], planned: Sequence[Site]) -> None:
    """Wait until every subscriber has heard of each of its streams."""
    end = time.monotonic() + _READY_LIMIT_S
    while True:
        found = _merged(hear(children))
        missing = [
            site.name
            for site in planned
            if found[site.name]["heard"]["streams"].keys() != expected(site, planned)
        ]
        if not missing:
            return
        if time.monotonic() > end:
            raise LabError(f"{len(missing)} sites do not hear all after {_READY_LIMIT_S} s")
        time.sleep(_ASK_AGAIN_S)


def _merged(reports: Sequence[Outcome]) -> Outcome:
    return {name: site for report in reports for name, site in report.items()}


def faults_of(
    experiment: ManySites, site: Site, planned: Sequence[Site], found: Outcome
) -> list[str]:
    """Return what is wrong with what came to a site; nothing if all did, once, and no more."""
    wanted, heard = expected(site, planned), found["heard"]
    count = experiment.messages
    perfect = {"received": count, "end": count, "duplicates": 0, "disordered": 0}
    faults = [
        f"{stream}: {heard['streams'].get(stream)}"
        for stream in sorted(wanted | heard["streams"].keys())
        if stream not in wanted or heard["streams"].get(stream) != perfect
    ]
    own_and_others = 2 + len(planned) - 1 + len(site.hears)
    if found["streams"] != own_and_others:
        faults.append(f"{found['streams']} streams came to its proxy, not {own_and_others}")
    if heard["torn"] or heard["gone"]:
        faults.append(f"{heard['torn']} torn, {heard['gone']} told as gone")
    return faults


def measurement(experiment: ManySites, outcomes: Mapping[Cell, Outcome]) -> Outcome:
    """Return what bench/record.py is told: the fewest sites of all runs."""
    found = list(outcomes.values())
    delivered = [outcome["delivered"] for outcome in found]
    return {
        "id": experiment.id,
        "value": min(delivered),
        "command": "make bench-bus",
        "parameters": {
            **campaign.as_json(experiment),
            "network": "loopback, each pair of proxies linked, CURVE",
            "seeds": [cell.seed for cell in outcomes],
        },
        "spread": campaign.spread(delivered),
        "peers": {
            name: max(one[key] for one in found)
            for name, key in (
                ("links between proxies", "links"),
                ("until all are linked, s", "ready_s"),
                ("slowest message, s", "slowest_s"),
                ("resident MB", "resident_mb"),
                ("open files", "open_files"),
            )
        },
    }


if __name__ == "__main__":
    raise SystemExit(
        trial.command(
            ManySites, ("sites", "heard", "messages", "rate", "runs"), measure, measurement
        )
    )
