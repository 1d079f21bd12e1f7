# SPDX-License-Identifier: EPL-2.0
"""S3-kills: proxies of the bus are killed again and again under numbered messages.

``python -m sluice_lab.sandbox python -m sluice_lab.experiments.proxy_kills FOLDER``. Each site has
a proxy and a node, processes of their own on loopback, with CURVE. The nodes of some sites publish;
those of the others hear all of them and check the numbers. A message that the bus is too busy for
is kept and tried again. A kill is a SIGKILL of a proxy, which is started again at once with its
key, by turns at a publishing and at a subscribing site; which one and when comes from the seed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import pathlib
import random
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence

from sluice_lab import campaign, java_processes, traffic, trial
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.java_processes import Process, answer, final_reports, hear, mortal, tell
from sluice_lab.ovs import LabError

_WAIT_LIMIT_S = 120
_ASK_AGAIN_S = 0.5
_START_LIMIT_S = 120
_LEAD_NS = 500_000_000
_PORT = 5570
# The last message may be that late: the proxy in its way may have been killed just before.
_CATCH_UP_S = 20
_COUNTED = ("lost", "duplicates", "disordered")
_LOG = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, kw_only=True)
class ProxyKills:
    """Each publisher has ``topics`` that name its site and one that is for all sites.

    ``rate`` counts messages published in a second by all, in turn on each topic; each is heard at
    every one of the ``subscribing`` sites. A publisher keeps ``retained`` messages for repair.
    """

    id: str = "S3-kills"
    publishing: int = 2
    subscribing: int = 1
    topics: int = 4
    rate: int = 10_000
    body_bytes: int = 512
    retained: int = 65_536
    duration_s: int = 600
    kills: int = 10
    runs: int = 1

    def goal(self) -> int:
        """Return the figure if all is well."""
        return 0

    def per_topic(self) -> int:
        """Return how many messages go out on a topic."""
        return self.rate * self.duration_s // (self.publishing * (self.topics + 1))


@dataclasses.dataclass(frozen=True, kw_only=True)
class Site:
    """A site by its number; those that publish come first."""

    number: int
    publishes: bool

    @property
    def name(self) -> str:
        """Return its name on the bus."""
        return f"S{self.number:03d}"

    @property
    def node(self) -> str:
        """Return the name of its one node."""
        return f"{self.name}/node"

    @property
    def address(self) -> str:
        """Return where its proxy listens."""
        return f"tcp://127.83.0.{1 + self.number}:{_PORT}"

    def topics(self, experiment: ProxyKills) -> list[str]:
        """Return what its node publishes on."""
        named = [f"/load/{n}/site_{self.name}_messages" for n in range(experiment.topics)]
        return [*named, f"/load/everywhere/{self.name}"]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Kill:
    """When the proxy of a site is killed, counted from the first message."""

    at_s: float
    site: Site


def sites(experiment: ProxyKills) -> list[Site]:
    """Return all sites."""
    count = experiment.publishing + experiment.subscribing
    return [Site(number=n, publishes=n < experiment.publishing) for n in range(count)]


def schedule(experiment: ProxyKills, seed: int) -> list[Kill]:
    """Return the kills: one in each equal part of the time, by turns at either kind of site."""
    chosen = random.Random(seed)
    part_s = experiment.duration_s / experiment.kills
    return [
        Kill(
            at_s=(number + chosen.uniform(0.1, 0.9)) * part_s,
            site=chosen.choice(
                [site for site in sites(experiment) if site.publishes == (number % 2 == 0)]
            ),
        )
        for number in range(experiment.kills)
    ]


class Proxy:
    """The proxy of a site as a process, with its files in ``folder``."""

    def __init__(self, stack: contextlib.ExitStack, folder: pathlib.Path, site: Site) -> None:
        self._stack = stack
        self._log = folder / f"{site.name}.log"
        self._command = java_processes.java(
            "bus.ProxyCommand", "--config", str(folder / f"{site.name}.cfg"), heap="512m"
        )
        self._start()

    def _start(self) -> None:
        self._child = mortal(self._stack, java_processes.start(self._command, self._log))
        answer(self._child, _START_LIMIT_S)

    def restart(self) -> Outcome:
        """Kill it and start it again; return both process ids and how long nothing listened.

        LabError if it had ended by itself, or did not end by the signal.
        """
        before = self._child
        if before.poll() is not None:
            raise LabError(f"a proxy has ended by itself; see {self._log}")
        begin = time.monotonic()
        before.kill()
        if before.wait() != -signal.SIGKILL:
            raise LabError(f"a proxy was not killed; see {self._log}")
        self._start()
        pids = [before.pid, self._child.pid]
        return {"pids": pids, "away_s": round(time.monotonic() - begin, 3)}


def write_settings(experiment: ProxyKills, folder: pathlib.Path) -> None:
    """Make all keys, and write each proxy's configuration and list."""
    every = sites(experiment)
    names = [name for site in every for name in (site.name, site.node)]
    java_processes.run("bench.bus.NumberedProcess", "keys", str(folder), *names)
    for site in every:
        others = [other for other in every if other != site]
        known = {other.name: public_key(folder, other.name) for other in others}
        allowed = {**known, site.node: public_key(folder, site.node)}
        lines = [f"{name} {key}\n" for name, key in allowed.items()]
        (folder / f"{site.name}.allow").write_text("".join(lines))
        (folder / f"{site.name}.cfg").write_text(
            f"site = {site.name}\nbind = {site.address}\n"
            f"keys = {site.name}.keys\nallow = {site.name}.allow\n"
            + "".join(f"remote.{x.name} = {x.address} {known[x.name]}\n" for x in others)
        )


def public_key(folder: pathlib.Path, name: str) -> str:
    """Return the public key of a site or node."""
    return (folder / f"{name.replace('/', '_')}.keys").read_text().split()[0]


def expected(experiment: ProxyKills) -> set[str]:
    """Return the streams that every subscriber hears."""
    return {
        f"{site.node} {topic}"
        for site in sites(experiment)
        if site.publishes
        for topic in site.topics(experiment)
    }


@contextlib.contextmanager
def nodes(experiment: ProxyKills, folder: pathlib.Path) -> Iterator[list[Process]]:
    """Start the nodes of all sites; every subscriber has heard all streams then."""
    every = sites(experiment)
    heard = [topic for site in every if site.publishes for topic in site.topics(experiment)]
    with contextlib.ExitStack() as stack:
        children = []
        for site in every:
            role = "publish" if site.publishes else "subscribe"
            told = site.topics(experiment) if site.publishes else heard
            words = [role, str(folder), site.node, site.address, str(experiment.retained), *told]
            command = java_processes.java("bench.bus.NumberedProcess", *words)
            log = folder / f"{site.name}-node.log"
            children.append(mortal(stack, java_processes.start(command, log)))
        wanted = expected(experiment)
        if not _wait(children[experiment.publishing :], lambda streams: streams.keys() == wanted):
            raise LabError(f"not every subscriber heard all topics in {_WAIT_LIMIT_S} s")
        yield children


def _wait(subscribers: list[Process], condition: Callable[[Outcome], bool]) -> bool:
    """Return whether what every subscriber heard became so within the limit."""
    end = time.monotonic() + _WAIT_LIMIT_S
    while not all(condition(report["heard"]["streams"]) for report in hear(subscribers)):
        if time.monotonic() > end:
            return False
        time.sleep(_ASK_AGAIN_S)
    return True


def measure(experiment: ProxyKills, seed: int, folder: pathlib.Path) -> Outcome:
    """Publish while proxies are killed; return what was published, heard and killed."""
    write_settings(experiment, folder)
    with contextlib.ExitStack() as stack:
        proxies = {site: Proxy(stack, folder, site) for site in sites(experiment)}
        children = stack.enter_context(nodes(experiment, folder))
        publishers = children[: experiment.publishing]
        subscribers = children[experiment.publishing :]
        start_ns = time.monotonic_ns() + _LEAD_NS
        count = experiment.per_topic() * (experiment.topics + 1)
        interval_ns = round(experiment.duration_s * 1e9 / count)
        for publisher in publishers:
            tell(publisher, f"{count} {interval_ns} {experiment.body_bytes} {start_ns}")
        killed = [restart(kill, proxies, start_ns) for kill in schedule(experiment, seed)]
        limit_s = experiment.duration_s + _WAIT_LIMIT_S
        told = [json.loads(answer(publisher, limit_s)) for publisher in publishers]
        _wait(
            subscribers,
            lambda streams: all(x["received"] == experiment.per_topic() for x in streams.values()),
        )
        reports = final_reports(children)
    ends_s = [(one["end_ns"] - start_ns) / 1e9 for one in told]
    check_instrument(experiment, max(ends_s), killed, reports)
    return {
        **account(experiment, [report["heard"] for report in reports[experiment.publishing :]]),
        "published": count * experiment.publishing,
        "per_second": sum(count / end_s for end_s in ends_s),
        "refusals": sum(one["refusals"] for one in told),
        "late_s": max(one["late_us"] for one in told) / 1e6,
        "kills": killed,
        "renewals": [report["renewals"] for report in reports],
    }


def restart(kill: Kill, proxies: Mapping[Site, Proxy], start_ns: int) -> Outcome:
    """Kill and start a proxy when it is time; return how that went."""
    traffic.wait_until(start_ns + round(kill.at_s * 1e9))
    done = {
        "site": kill.site.name,
        "at_s": round(kill.at_s, 3),
        **proxies[kill.site].restart(),
    }
    _LOG.info("killed %s", done)
    return done


def check_instrument(
    experiment: ProxyKills,
    end_s: float,
    killed: Sequence[Outcome],
    reports: Sequence[Outcome],
) -> None:
    """Refuse to give a figure unless the rate was reached and each kill was felt at its site."""
    late_s = end_s - experiment.duration_s
    if late_s > _CATCH_UP_S:
        raise LabError(f"the machine can't publish at this rate: it was {late_s:.0f} s late")
    for site, report in zip(sites(experiment), reports, strict=True):
        kills = sum(kill["site"] == site.name for kill in killed)
        if report["renewals"] < kills:
            raise LabError(
                f"{kills} kills at {site.name}, and {report['renewals']} sessions begun anew"
            )


def account(experiment: ProxyKills, heard: Sequence[Outcome]) -> Outcome:
    """Return what the subscribers missed, got twice or out of order, and what the bus said of it.

    LabError if one heard something that was not for it.
    """
    wanted, count = expected(experiment), experiment.per_topic()
    for one in heard:
        strange = one["streams"].keys() - wanted
        if one["torn"] or strange or any(x["end"] > count for x in one["streams"].values()):
            raise LabError(f"a subscriber heard what nobody published: {strange or one['torn']}")
    streams = [one["streams"][name] for one in heard for name in wanted]
    return {
        "lost": sum(count - stream["received"] for stream in streams),
        "told as gone": sum(one["gone"] for one in heard),
        "duplicates": sum(stream["duplicates"] for stream in streams),
        "disordered": sum(stream["disordered"] for stream in streams),
        "slowest_s": max(one["slowest_us"] for one in heard) / 1e6,
    }


def measurement(experiment: ProxyKills, outcomes: Mapping[Cell, Outcome]) -> Outcome:
    """Return what bench/record.py is told; the spread is over runs."""
    found = list(outcomes.values())
    bad = [sum(outcome[key] for key in _COUNTED) for outcome in found]
    return {
        "id": experiment.id,
        "value": sum(bad),
        "command": "make bench-bus",
        "parameters": {
            **campaign.as_json(experiment),
            "network": "loopback, a process for each proxy and node, CURVE",
            "seeds": [cell.seed for cell in outcomes],
            "published": [outcome["published"] for outcome in found],
            "kills": [outcome["kills"] for outcome in found],
        },
        "spread": campaign.spread(bad),
        "peers": {
            **{key: sum(one[key] for one in found) for key in (*_COUNTED, "told as gone")},
            "published, per second": min(one["per_second"] for one in found),
            "slowest, s": max(one["slowest_s"] for one in found),
        },
    }


if __name__ == "__main__":
    raise SystemExit(
        trial.command(
            ProxyKills,
            ("rate", "body_bytes", "duration_s", "kills", "retained", "runs"),
            measure,
            measurement,
        )
    )
