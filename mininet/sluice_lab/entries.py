# SPDX-License-Identifier: EPL-2.0
"""What a switch holds, as ovs-ofctl says it and as Sluice names it. Nothing here runs anything."""

from __future__ import annotations

import dataclasses
import enum
import ipaddress
import re
from collections.abc import Iterable
from typing import Self

_COOKIE_MARK = 0x534C  # io.sluice.api.Owner draws the layout of cookies, group ids and meter ids
_GROUP_MARK = 0x53
METERS_FLOWS = 3  # bandwidth, which has half of the meters
_OWNER_BITS = 4
_METER_NUMBER_BITS = 16
_IPV4, _IPV6 = 0x0800, 0x86DD
_SHORTHANDS = {
    "ip": (_IPV4, None),
    "icmp": (_IPV4, 1),
    "tcp": (_IPV4, 6),
    "udp": (_IPV4, 17),
    "ipv6": (_IPV6, None),
    "icmp6": (_IPV6, 58),
    "arp": (0x0806, None),
}
# Who has this address? As io.sluice.api.FlowMatch.Question; the first field says that it is asked.
_QUESTIONS = {
    "arp": (
        "1",
        {"arp_op": "arp_op", "arp_sha": "arp_sha", "arp_spa": "arp_spa", "arp_tpa": "arp_tpa"},
    ),
    "icmp6": (
        "135",
        {
            "icmp_type": "icmpv6_type",
            "ipv6_src": "ipv6_src",
            "nd_sll": "ipv6_nd_sll",
            "nd_target": "ipv6_nd_target",
        },
    ),
}
_FIELDS = {
    "in_port": "in_port",
    "dl_dst": "eth_dst",
    "nw_proto": "ip_proto",
    "nw_src": "ip_src",
    "ipv6_src": "ip_src",
    "nw_dst": "ip_dst",
    "ipv6_dst": "ip_dst",
    "tp_src": "l4_src",
    "tp_dst": "l4_dst",
}
_ORDER = ("in_port", "eth_type", "eth_dst", "ip_proto", "ip_src", "ip_dst", "l4_src", "l4_dst")
_OTHER_MATCH = "other match"
_DEFAULT_PRIORITY = 32_768  # left out by ovs-ofctl, like table 0
_SETTINGS = re.compile(r"(cookie|table|priority|idle_timeout|hard_timeout|importance)=(.*)")
_FLAGS = {"send_flow_rem", "check_overlap", "reset_counts", "no_packet_counts", "no_byte_counts"}


class Kind(enum.StrEnum):
    """Which table of a switch an entry stands in; see sluice-fabric.yang."""

    FLOW = "flow"
    GROUP = "group"
    METER = "meter"


@dataclasses.dataclass(frozen=True, order=True)
class Key:
    """What tells one entry of a switch from another; ``name`` is Sluice's."""

    kind: Kind
    name: str


@dataclasses.dataclass(frozen=True, kw_only=True)
class Entry:
    """An entry; ``text`` is what ovs-ofctl shows, and takes to make it again."""

    key: Key
    text: str
    ours: bool


Contents = dict[Key, Entry]
Difference = tuple[Key, str]


def differences(declared: Contents, held: Contents) -> set[Difference]:
    """Return how Sluice's entries differ, in the words of the YANG type ``discrepancy``."""
    want = {key: entry for key, entry in declared.items() if entry.ours}
    have = {key: entry for key, entry in held.items() if entry.ours}
    found = {(key, "missing") for key in want.keys() - have.keys()}
    found |= {(key, "stale") for key in have.keys() - want.keys()}
    common = want.keys() & have.keys()
    return found | {(key, "changed") for key in common if want[key].text != have[key].text}


def as_reported(kind: str, entry: str) -> Key:
    """Return the key of an entry in a difference, where a strange match has words of its own."""
    known, strange, _ = entry.partition(_OTHER_MATCH)
    return Key(Kind(kind), known + strange)


@dataclasses.dataclass(frozen=True, kw_only=True)
class FlowWords:
    """The parts of a flow entry; ``match`` and ``actions`` as ovs-ofctl writes them."""

    cookie: int
    table: int
    priority: int
    match: tuple[str, ...]
    actions: str

    @classmethod
    def of(cls, line: str) -> Self:
        """Read a line of ``dump-flows --no-stats``; ValueError if it is none."""
        head, found, actions = line.strip().partition(" actions=")
        words = [word for word in re.split("[ ,]+", head) if word not in _FLAGS]
        settings = dict(m.groups() for m in map(_SETTINGS.fullmatch, words) if m)
        if not found or "cookie" not in settings:
            raise ValueError(f"not a flow entry: {line!r}")
        return cls(
            cookie=int(settings["cookie"], 16),
            table=int(settings.get("table", 0)),
            priority=int(settings.get("priority", _DEFAULT_PRIORITY)),
            match=tuple(word for word in words if not _SETTINGS.fullmatch(word)),
            actions=actions,
        )

    @property
    def key(self) -> Key:
        """What tells it from other entries."""
        match = _match_name(self.match)
        return Key(Kind.FLOW, f"table {self.table}, priority {self.priority}, {match}")

    @property
    def place(self) -> str:
        """What a strict command needs to find it."""
        return ",".join((f"table={self.table}", f"priority={self.priority}", *self.match))

    def __str__(self) -> str:
        return f"cookie={self.cookie:#x},{self.place} actions={self.actions}"


def flow(line: str) -> Entry:
    """Read a line of ``dump-flows --no-stats``; ValueError if it is none."""
    words = FlowWords.of(line)
    ours = words.cookie >> 48 == _COOKIE_MARK
    return Entry(key=words.key, text=line.strip(), ours=ours)


def _match_name(fields: Iterable[str]) -> str:
    """Return a match as Sluice writes it, or the words for a match that Sluice never makes."""
    values = {word: value for word, _, value in (field.partition("=") for field in fields)}
    question = _question(values)
    named: dict[str, str] = {}
    for word, value in values.items():
        if word == "dl_type":
            named["eth_type"] = f"0x{int(value, 16):04x}"
        elif word in _SHORTHANDS:
            ethernet_type, protocol = _SHORTHANDS[word]
            named["eth_type"] = f"0x{ethernet_type:04x}"
            if protocol is not None:
                named["ip_proto"] = str(protocol)
        elif word in _FIELDS:
            named[_FIELDS[word]] = _value(_FIELDS[word], value)
        else:
            return _OTHER_MATCH
    ordered = {name: named[name] for name in _ORDER if name in named} | question
    return ",".join(f"{name}={value}" for name, value in ordered.items()) or "any"


def _question(values: dict[str, str]) -> dict[str, str]:
    """Take the fields of a question for a host's address out of a match; empty if it asks none."""
    for protocol, (kind, words) in _QUESTIONS.items():
        asked = [values.get(word, "/") for word in words]
        if protocol in values and asked[0] == kind and not any("/" in value for value in asked):
            return {name: _full(values.pop(word)) for word, name in words.items()}
    return {}


def _value(name: str, value: str) -> str:
    if name in ("ip_src", "ip_dst"):
        prefix = ipaddress.ip_network(value)
        return f"{_full(str(prefix.network_address))}/{prefix.prefixlen}"
    if name in ("l4_src", "l4_dst"):
        return "/".join(str(int(part, 0)) for part in value.split("/"))
    return value


def _full(value: str) -> str:
    """Return an IPv6 address with all its groups, as Java writes it; anything else as it is."""
    try:
        groups = ipaddress.IPv6Address(value).exploded.split(":")
    except ValueError:
        return value
    return ":".join(f"{int(group, 16):x}" for group in groups)


def group(line: str) -> Entry:
    """Read a line of ``dump-groups``."""
    number = int(line.strip().partition(",")[0].partition("=")[2])
    return Entry(
        key=Key(Kind.GROUP, f"group {number}"),
        text=line.strip(),
        ours=number >> 24 == _GROUP_MARK,
    )


def meter(text: str, own_bits: int) -> Entry:
    """Read an entry of ``dump-meters``, its bands included; ``own_bits`` as :func:`meter_bits`."""
    head, *bands = text.strip().split("\n")
    number = int(head.split()[0].partition("=")[2])
    owner, own = meter_owner(number, own_bits)
    name = f"meter {owner << _METER_NUMBER_BITS | own if owner else number}"
    flags = [word for word in head.split()[1:] if word != "bands="]
    words = [f"meter={number}", *flags]
    words += [f"band={','.join(band.split())}" for band in bands]
    return Entry(key=Key(Kind.METER, name), text=",".join(words), ours=owner > 0)


def meter_bits(largest: int) -> int:
    """Return how many bits of a meter id are its owner's own, with meter ids up to ``largest``.

    That is in the lower half of the ids: the upper one is for ``METERS_FLOWS``.
    """
    return min(_METER_NUMBER_BITS, (largest + 1).bit_length() - 2 - _OWNER_BITS)


def meter_id(owner: int, number: int, own_bits: int) -> int:
    """Return the switch's id for an owner's meter."""
    return (1 << _OWNER_BITS if owner == METERS_FLOWS else owner) << own_bits | number


def meter_owner(number: int, own_bits: int) -> tuple[int, int]:
    """Return the owner of a meter id, 0 if it is not Sluice's, and the owner's number for it."""
    upper, own = divmod(number, 1 << _OWNER_BITS + own_bits)
    if upper == 1:
        return METERS_FLOWS, own
    owner, own = divmod(number, 1 << own_bits)
    return (owner if owner < 1 << _OWNER_BITS and owner != METERS_FLOWS else 0), own


def cookie(owner: int, number: int) -> int:
    """Return the cookie of an owner's object."""
    return _COOKIE_MARK << 48 | owner << 40 | number


def group_id(owner: int, number: int) -> int:
    """Return the id of an owner's group."""
    return _GROUP_MARK << 24 | owner << 20 | number
