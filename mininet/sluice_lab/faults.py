# SPDX-License-Identifier: EPL-2.0
"""Seeded faults for the entries of one switch: what to tell ovs-ofctl, and which entries it harms.

Nothing here runs anything. New matches are of documentation addresses (RFC 5737), and no changed
entry floods, so that faults do not disturb discovery.
"""

from __future__ import annotations

import dataclasses
import enum
import random
import re
from collections.abc import Iterable

from sluice_lab import entries
from sluice_lab.entries import Contents, Entry, FlowWords, Key, Kind

OWNERS = (1, 2)  # fabric, multipath: what they do not declare is stale
_TABLES = range(4)
_STRANGE = (
    "dl_vlan=7",
    "dl_src=02:00:00:00:00:01",
    "ip,nw_tos=32",
    "icmp,icmp_type=8",
    "arp,arp_op=2",
)
_FOREIGN_ACTIONS = ("load:9->NXM_NX_REG1[]", "resubmit(,9)")  # OpenFlow 1.3 has no such thing
_ATTEMPTS = 50


class FaultClass(enum.StrEnum):
    """What may be done to a switch behind Sluice's back."""

    FLOW_REMOVED = "flow-removed"
    FLOW_ACTIONS = "flow-actions"
    FLOW_PRIORITY = "flow-priority"
    FLOW_COOKIE = "flow-cookie"
    FLOW_TIMEOUT = "flow-timeout"
    FLOW_STRAY = "flow-stray"
    FLOW_STRANGE = "flow-strange"
    GROUP_REMOVED = "group-removed"
    GROUP_BUCKETS = "group-buckets"
    GROUP_TYPE = "group-type"
    GROUP_STRAY = "group-stray"
    METER_REMOVED = "meter-removed"
    METER_RATE = "meter-rate"
    METER_UNIT = "meter-unit"
    METER_STRAY = "meter-stray"


@dataclasses.dataclass(frozen=True)
class Command:
    """An ovs-ofctl command; its first argument is the bridge, its second ``argument``."""

    words: tuple[str, ...]
    argument: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fault:
    """Commands, and the entries that are not as declared after them."""

    kind: FaultClass
    harms: frozenset[Key]
    commands: tuple[Command, ...]


class Switch:
    """What the generator knows of a switch: its entries, and the width of its meter numbers."""

    def __init__(self, contents: Contents, meter_bits: int) -> None:
        self.contents = contents
        self.meter_bits = meter_bits

    def ours(self, kind: Kind) -> list[Entry]:
        """Return Sluice's entries of a kind, in a fixed order."""
        return [
            entry for key, entry in sorted(self.contents.items()) if key.kind is kind and entry.ours
        ]

    def users(self, action: str) -> frozenset[Key]:
        """Return the flows with an action, for instance ``group:7``."""
        wanted = re.compile(rf"[=,]{action}(,|$)")
        flows = (entry for key, entry in self.contents.items() if key.kind is Kind.FLOW)
        return frozenset(entry.key for entry in flows if wanted.search(entry.text))


def draw(rng: random.Random, switch: Switch, spent: Iterable[Key]) -> Fault:
    """Return a random fault that harms none of the entries that are spent."""
    used = set(spent)
    for _ in range(_ATTEMPTS):
        kind = rng.choice(list(FaultClass))
        made = _make(kind, rng, switch)
        if made is not None and not made[0] & used and not _is_there(kind, made[0], switch):
            return Fault(kind=kind, harms=made[0], commands=made[1])
    raise ValueError("the switch has no entry left to harm")


def _is_there(kind: FaultClass, harms: frozenset[Key], switch: Switch) -> bool:
    """Tell whether a stray entry would replace one that is there."""
    return kind in _STRAYS and bool(harms & switch.contents.keys())


def foreign(rng: random.Random, switch: Switch) -> Command:
    """Return how to make an entry that is not Sluice's; a flow may say what OpenFlow 1.3 can't."""
    number = rng.randrange(1, 1 << switch.meter_bits)
    kind = rng.choice(list(Kind))
    if kind is Kind.GROUP:
        text = f"group_id={number},type={rng.choice(('all', 'select'))},bucket=actions=output:1"
        return Command(("add-group",), text)
    if kind is Kind.METER:
        rate = rng.randrange(1, 1_000_000)
        return Command(("add-meter",), f"meter={number},kbps,band=type=drop,rate={rate}")
    words = FlowWords(
        cookie=number,
        table=rng.choice((*_TABLES, 9)),
        priority=number,
        match=(rng.choice((*_STRANGE, "reg3=5", "ip,ct_state=+trk")),),
        actions=rng.choice(("drop", *_FOREIGN_ACTIONS)),
    )
    return Command(("add-flow",), str(words))


_Made = tuple[frozenset[Key], tuple[Command, ...]]


def _remove(words: FlowWords) -> Command:
    return Command(("--strict", "del-flows"), words.place)


def _put(words: FlowWords | str) -> Command:
    return Command(("add-flow",), str(words))


def _flow_removed(words: FlowWords, _: random.Random) -> _Made:
    return frozenset({words.key}), (_remove(words),)


def _flow_actions(words: FlowWords, rng: random.Random) -> _Made:
    choices = {"drop", "CONTROLLER:100", "output:1"} - {words.actions}
    if words.priority == 0:
        choices.discard("output:1")  # it would carry discovery's frames to other switches
    changed = dataclasses.replace(words, actions=rng.choice(sorted(choices)))
    return frozenset({words.key}), (_put(changed),)


def _flow_priority(words: FlowWords, rng: random.Random) -> _Made:
    moved = dataclasses.replace(words, priority=words.priority + rng.randrange(3, 900))
    return frozenset({words.key, moved.key}), (_remove(words), _put(moved))


def _flow_cookie(words: FlowWords, rng: random.Random) -> _Made:
    cookie = entries.cookie(rng.choice(OWNERS), rng.randrange(10**9, 10**10))
    return frozenset({words.key}), (_put(dataclasses.replace(words, cookie=cookie)),)


def _flow_timeout(words: FlowWords, rng: random.Random) -> _Made:
    timeout = f"{rng.choice(('idle_timeout', 'hard_timeout'))}={rng.randrange(3_600, 36_000)}"
    return frozenset({words.key}), (_put(f"{timeout},{words}"),)


def _stray(rng: random.Random, match: tuple[str, ...]) -> _Made:
    words = FlowWords(
        cookie=entries.cookie(rng.choice(OWNERS), rng.randrange(10**9, 10**10)),
        table=rng.choice(_TABLES),
        priority=rng.randrange(1, 2**16),
        match=match,
        actions=rng.choice(("drop", "output:1", "CONTROLLER:65535")),
    )
    return frozenset({words.key}), (_put(words),)


def _flow_stray(rng: random.Random, _: Switch) -> _Made:
    address = f"nw_dst=198.51.100.{rng.randrange(256)}"
    protocols = (("ip",), ("udp",), ("tcp", f"tp_dst={rng.randrange(1, 2**16)}"))
    protocol, *port = rng.choice(protocols)
    return _stray(rng, (protocol, address, *port))


def _flow_strange(rng: random.Random, _: Switch) -> _Made:
    return _stray(rng, tuple(rng.choice(_STRANGE).split(",")))


def _group_removed(entry: Entry, switch: Switch, _: random.Random) -> _Made:
    number = _number(entry)
    harms = switch.users(f"group:{number}") | {entry.key}
    return harms, (Command(("del-groups",), f"group_id={number}"),)


def _group_buckets(entry: Entry, _: Switch, rng: random.Random) -> _Made:
    head, *buckets = entry.text.split(",bucket=")
    more = [*buckets, "watch_port:1,actions=output:1"]
    choices = [more, [more[-1], *buckets]]
    if len(buckets) > 1:
        choices += [buckets[:-1], buckets[1:]]
    changed = ",bucket=".join((head, *rng.choice(choices)))
    return frozenset({entry.key}), (Command(("mod-group",), changed),)


def _group_type(entry: Entry, _: Switch, rng: random.Random) -> _Made:
    text = f"group_id={_number(entry)},type={rng.choice(('all', 'select', 'indirect'))}"
    return frozenset({entry.key}), (Command(("mod-group",), f"{text},bucket=actions=output:1"),)


def _group_stray(rng: random.Random, _: Switch) -> _Made:
    number = entries.group_id(rng.choice(OWNERS), rng.randrange(10**5, 2**20))
    kind = rng.choice(("all", "select", "indirect", "ff"))
    watched = "watch_port:1," if kind == "ff" else ""
    text = f"group_id={number},type={kind},bucket={watched}actions=output:1"
    return frozenset({entries.group(text).key}), (Command(("add-group",), text),)


def _meter_removed(entry: Entry, switch: Switch, _: random.Random) -> _Made:
    number = _number(entry)
    harms = switch.users(f"meter:{number}") | {entry.key}
    return harms, (Command(("del-meter",), f"meter={number}"),)


def _meter_rate(entry: Entry, _: Switch, rng: random.Random) -> _Made:
    field = rng.choice(("rate", "burst_size"))
    changed = re.sub(f"{field}=\\d+", f"{field}={rng.randrange(10**4, 10**5)}", entry.text)
    return frozenset({entry.key}), (Command(("mod-meter",), changed),)


def _meter_unit(entry: Entry, _: Switch, __: random.Random) -> _Made:
    units = {"pktps": "kbps", "kbps": "pktps"}
    changed = re.sub("pktps|kbps", lambda found: units[found[0]], entry.text)
    return frozenset({entry.key}), (Command(("mod-meter",), changed),)


def _meter_stray(rng: random.Random, switch: Switch) -> _Made:
    own = rng.randrange(1 << switch.meter_bits - 1, 1 << switch.meter_bits)
    number = entries.meter_id(rng.choice(OWNERS), own, switch.meter_bits)
    text = f"meter={number},kbps,band=type=drop,rate={rng.randrange(1, 10**6)}"
    key = entries.meter(f"meter={number}", switch.meter_bits).key
    return frozenset({key}), (Command(("add-meter",), text),)


def _number(entry: Entry) -> int:
    return int(re.split("[=,]", entry.text)[1])


_STRAYS = {
    FaultClass.FLOW_STRAY: _flow_stray,
    FaultClass.FLOW_STRANGE: _flow_strange,
    FaultClass.GROUP_STRAY: _group_stray,
    FaultClass.METER_STRAY: _meter_stray,
}
_FLOWS = {
    FaultClass.FLOW_REMOVED: _flow_removed,
    FaultClass.FLOW_ACTIONS: _flow_actions,
    FaultClass.FLOW_PRIORITY: _flow_priority,
    FaultClass.FLOW_COOKIE: _flow_cookie,
    FaultClass.FLOW_TIMEOUT: _flow_timeout,
}
_GROUPS = {
    FaultClass.GROUP_REMOVED: _group_removed,
    FaultClass.GROUP_BUCKETS: _group_buckets,
    FaultClass.GROUP_TYPE: _group_type,
}
_METERS = {
    FaultClass.METER_REMOVED: _meter_removed,
    FaultClass.METER_RATE: _meter_rate,
    FaultClass.METER_UNIT: _meter_unit,
}


def _make(kind: FaultClass, rng: random.Random, switch: Switch) -> _Made | None:
    """Return a fault of that class, or None if the switch has nothing that it could harm."""
    if kind in _STRAYS:
        return _STRAYS[kind](rng, switch)
    if kind in _FLOWS:
        flows = switch.ours(Kind.FLOW)
        return _FLOWS[kind](FlowWords.of(rng.choice(flows).text), rng) if flows else None
    table, makers = (Kind.GROUP, _GROUPS) if kind in _GROUPS else (Kind.METER, _METERS)
    victims = switch.ours(table)
    return makers[kind](rng.choice(victims), switch, rng) if victims else None
