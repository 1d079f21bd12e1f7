# SPDX-License-Identifier: EPL-2.0
"""Forwarders on Open vSwitch that look at connections: three ways to keep them together.

*Learned* is the first forwarder of the Switchboard paper: *multipath* hashes a connection to a
slot, slots belong to hops by weight, and *learn* pins the connection to its hop and its other
direction to where it came from. *Tracked* keeps the same in conntrack's entry of the connection.
*Hashed* keeps nothing: a select group hashes every packet.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Sequence

from sluice_lab.vswitch_rules import Rules
from sluice_lab.vswitch_tables import (
    FORWARD,
    LEARNED_COOKIE,
    RETURN,
    Document,
    Register,
    Table,
)

SLOTS = 256
TUPLE = "fields(ip_src,ip_dst,ip_proto,tcp_src,tcp_dst,udp_src,udp_dst)"
_LONGEST_TIMEOUT_S = 0xFFFF


def portions(weights: Sequence[int], count: int) -> list[int]:
    """Divide a number of slots by weight, by largest remainder."""
    total = sum(weights)
    shares = [count * weight // total for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda i: -(count * weights[i] % total))
    for i in by_remainder[: count - sum(shares)]:
        shares[i] += 1
    return shares


def blocks(begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield value and mask of the aligned blocks that make up [begin, end)."""
    if begin < end:
        first, last = (ipaddress.IPv4Address(bound) for bound in (begin, end - 1))
        for block in ipaddress.summarize_address_range(first, last):
            yield int(block.network_address), int(block.netmask)


class Pinned(Rules):
    """What is common where a connection's first packet decides for the others.

    arrive > labels > place > pinned > choose > slots > pin > leave
    """

    sees_connections = True
    _n_sets = 0

    def pick(self, members: list[Document], basis: int, instances: list[Document]) -> list[str]:
        """Return the actions that pick a member by a hash of the connection."""
        self._n_sets += 1
        number, begin = self._n_sets, 0
        shares = portions([member["weight"] for member in members], SLOTS)
        for member, share in zip(members, shares, strict=True):
            actions = self.reach(member["name"], basis, instances)
            for value, mask in blocks(begin, begin + share):
                match = [Register.SET.matches(number), Register.SLOT.matches(value, mask)]
                self.add(Table.SLOTS, match, actions)
            begin += share
        slot = Register.SLOT.bits(SLOTS.bit_length() - 1)
        return [
            Register.SET.load(number),
            f"multipath(symmetric_l3l4+udp,{basis},modulo_n,{SLOTS},0,{slot})",
            Table.SLOTS.resubmit(),
        ]

    def decided(self, pick: list[str]) -> list[str]:
        """Return the actions for a connection's first packet."""
        return [*pick, Table.PIN.resubmit(), Table.LEAVE.resubmit()]


class Learned(Pinned):
    """Connections are pinned by flows that are learned, one for each direction."""

    def onward(self) -> list[str]:
        """Look for the flow, and choose if there is none."""
        return [Table.PINNED.resubmit(), Table.CHOOSE.resubmit()]

    def make_more(self) -> None:
        """Learn a connection: onward the hop that was picked, back where it came from."""
        self.add(Table.CHOOSE, [], [Table.LEAVE.resubmit()], priority=10)  # it is pinned
        addresses = ("NXM_OF_IP_SRC[]", "NXM_OF_IP_DST[]")
        for priority, name, protocol, ends in (
            (110, "tcp", "nw_proto=6", [addresses, ("tcp_src", "tcp_dst")]),
            (110, "udp", "nw_proto=17", [addresses, ("udp_src", "udp_dst")]),
            (100, "ip", "NXM_OF_IP_PROTO[]", [addresses]),
        ):
            place = [r.whole() for r in (Register.CHAIN, Register.EGRESS, Register.STAGE)]
            head = f"learn(table={Table.PINNED:d},priority=100,cookie={LEARNED_COOKIE:#x}"
            common = [head, self._timeouts(name), "dl_type=0x800", protocol, *place]
            same = [end for pair in ends for end in pair]
            swapped = [f"{x}={y},{y}={x}" for x, y in ends]
            for direction in (FORWARD, RETURN):
                onward = [*common, Register.DIRECTION.matches(direction), *same]
                back = [*common, Register.DIRECTION.matches(1 - direction), *swapped]
                actions = [
                    ",".join([*onward, _load_hop(Register.HOP)]) + ")",
                    ",".join([*back, _load_hop(Register.FROM)]) + ")",
                ]
                match = [name, Register.DIRECTION.matches(direction)]
                self.add(Table.PIN, match, actions, priority)

    def _timeouts(self, protocol: str) -> str:
        times = self.forwarder.get("flow-table", {})

        def seconds(name: str, default: int) -> int:
            return min(times.get(name, default), _LONGEST_TIMEOUT_S)

        if protocol == "tcp":
            closed = seconds("tcp-transitory", 240)
            return f"idle_timeout={seconds('tcp-established', 7440)},fin_idle_timeout={closed}"
        known = {"udp": ("udp", 300), "ip": ("other", 60)}
        return f"idle_timeout={seconds(*known[protocol])}"


class Tracked(Pinned):
    """Connections are pinned by conntrack, one entry for both directions.

    The mark is the hop on the way forward with a bit that says that there is one, the label that
    on the way back. A stage of a chain is a zone, by its number and the chain label's last bits.
    """

    _ZONE = Register.ZONE.bits(16)
    _KEPT = 31  # the bit

    def onward(self) -> list[str]:
        """Look the connection up."""
        return [
            f"move:{Register.CHAIN.bits(10)}->{Register.ZONE.bits(10, first=6)}",
            f"move:{Register.STAGE.bits(6)}->{Register.ZONE.bits(6)}",
            f"ct(table={Table.PINNED:d},zone={self._ZONE})",
        ]

    def make_more(self) -> None:
        """Leave by the hop that is kept; keep both."""
        bits = self._KEPT
        mark, label = f"NXM_NX_CT_MARK[0..{bits - 1}]", f"NXM_NX_CT_LABEL[0..{bits - 1}]"
        is_kept = f"ct_mark={1 << bits:#x}/{1 << bits:#x}"
        for direction, onward, back in ((FORWARD, mark, label), (RETURN, label, mark)):
            way = Register.DIRECTION.matches(direction)
            leave = [f"move:{onward}->{Register.HOP.bits(bits)}", Table.LEAVE.resubmit()]
            self.add(Table.PINNED, ["ip", is_kept, way], leave)
            keep = [f"load:1->NXM_NX_CT_MARK[{bits}]", f"move:{Register.HOP.bits(bits)}->{onward}"]
            keep += [f"move:{Register.FROM.bits(bits)}->{back}"]
            commit = f"ct(commit,zone={self._ZONE},exec({','.join(keep)}))"
            self.add(Table.PIN, ["ip", way], [commit])
        self.add(Table.PINNED, [], [Table.CHOOSE.resubmit()], priority=10)


class Hashed(Rules):
    """A select group picks for every packet; its buckets have the members' weights.

    Open vSwitch gives the heaviest more than its part (5/6 of 3 to 1). The hash is another one on
    the way back, so that answers may miss the instance.
    """

    sees_connections = True

    def pick(self, members: list[Document], basis: int, instances: list[Document]) -> list[str]:
        """Return the action that hands a packet to a group."""
        buckets = []
        for member in members:
            actions = self.reach(member["name"], basis, instances)
            is_hop = member["name"] != self.forwarder["name"]
            actions += [Table.LEAVE.resubmit()] if is_hop else []
            buckets.append(f"bucket=weight={member['weight']},actions={','.join(actions)}")
        number = len(self.groups) + 1
        head = f"group_id={number},type=select,{self.selection(basis)}"
        self.groups.append(",".join([head, *buckets]))
        return [f"group:{number}"]

    def decided(self, pick: list[str]) -> list[str]:
        """Return the actions for a packet: the group does the rest."""
        return pick

    def selection(self, basis: int) -> str:
        """Return the way in which a group picks."""
        return f"selection_method=hash,selection_method_param={basis},{TUPLE}"


class DatapathHashed(Hashed):
    """The same by the datapath's own hash, which spares it an entry for each connection."""

    def selection(self, _: int) -> str:
        """Return the way in which a group picks."""
        return "selection_method=dp_hash"


def _load_hop(source: Register) -> str:
    return f"load:{source.whole()}->{Register.HOP.whole()}"
