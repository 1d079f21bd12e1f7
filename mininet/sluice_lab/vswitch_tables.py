# SPDX-License-Identifier: EPL-2.0
"""Tables, registers and actions of a forwarder on Open vSwitch."""

from __future__ import annotations

import enum
from typing import Any

Document = dict[str, Any]

COOKIE = 0x51
LEARNED_COOKIE = 0x52
TUNNEL_PORT = 1
FORWARD, RETURN = 0, 1


class Table(enum.IntEnum):
    """The tables, in the order in which a packet meets them."""

    ARRIVE = 0
    LABELS = 1
    PLACE = 2
    PINNED = 3
    CHOOSE = 4
    SLOTS = 5
    PIN = 6
    LEAVE = 7

    def resubmit(self) -> str:
        """Return the action that goes on there."""
        return f"resubmit(,{self.value})"


class Register(enum.IntEnum):
    """What is known of a packet."""

    CHAIN = 0
    EGRESS = 1
    TTL = 2
    FROM = 3
    STAGE = 4
    DIRECTION = 5
    SET = 6
    SLOT = 7
    HOP = 8
    ZONE = 9

    def bits(self, count: int, first: int = 0) -> str:
        """Return some bits, the lowest unless told otherwise, as actions name them."""
        return f"NXM_NX_REG{self.value}[{first}..{first + count - 1}]"

    def whole(self) -> str:
        """Return the register, as actions name it."""
        return f"NXM_NX_REG{self.value}[]"

    def load(self, value: int) -> str:
        """Return the action that sets it."""
        return f"load:{value}->{self.whole()}"

    def matches(self, value: int, mask: int | None = None) -> str:
        """Return the match on it."""
        return f"reg{self.value}={value:#x}" + (f"/{mask:#x}" if mask is not None else "")


READ_CHAIN = [
    f"move:OXM_OF_MPLS_LABEL[]->{Register.CHAIN.bits(20)}",
    f"move:NXM_NX_MPLS_TTL[]->{Register.TTL.bits(8)}",
    "pop_mpls:0x8847",
    Table.LABELS.resubmit(),
]
PUSH_EGRESS = [
    "push_mpls:0x8847",
    f"move:{Register.EGRESS.bits(20)}->OXM_OF_MPLS_LABEL[]",
    "set_field:0->mpls_tc",
    f"move:{Register.TTL.bits(8)}->NXM_NX_MPLS_TTL[]",
]
PUSH_CHAIN = ["push_mpls:0x8847", f"move:{Register.CHAIN.bits(20)}->OXM_OF_MPLS_LABEL[]"]


def flow(table: Table, match: list[str], actions: list[str], priority: int = 100) -> str:
    """Return a flow in the notation of ovs-ofctl."""
    head = [f"cookie={COOKIE:#x}", f"table={table:d}", f"priority={priority}", *match]
    return f"{','.join(head)},actions={','.join(actions)}"
