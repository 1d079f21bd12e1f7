# SPDX-License-Identifier: EPL-2.0
"""MOVE, FORGE: an address that moves between two hosts, and one that a third host claims.

In *MOVE* two servers at one switch share an address as keepalived has them: the old one removes it,
the new one adds it and announces it. In *FORGE* a host announces the address of another one, which
is alive and stays where it is.
"""

from __future__ import annotations

import collections
import dataclasses
import enum
import ipaddress
import itertools
import logging
import time
from collections.abc import Iterator, Sequence

from sluice_lab import campaign, frames, topologies, traffic
from sluice_lab.campaign import Outcome
from sluice_lab.echoes import Seen
from sluice_lab.net import Net, wait_for
from sluice_lab.ovs import LabError
from sluice_lab.residents import KEEPALIVED, Residents
from sluice_lab.steering import Lab, Policy, runs, steered
from sluice_lab.topology import Host, Topology
from sluice_lab.traffic import Echoes

_LOG = logging.getLogger(__name__)
_PERCENT = 95
_FLOATING = "10.0.0.200"
_SERVERS = ("h1", "h2")
_CLIENTS = {"same switch": "h3", "other switch": "h4"}
_VICTIM, _PEER = "h1", "h4"
_ATTACKERS = ("h2", "h5")  # at the victim's switch, at another one
_LEAD_NS = 300_000_000
_WARM_UP_S = 60


@dataclasses.dataclass(frozen=True, kw_only=True)
class Moves:
    """``moves`` of an address, one each ``period_s``, which is longer than it is announced."""

    id: str = "MOVE"
    moves: int = 50
    period_s: float = 6.0
    interval_ms: int = 10
    runs: int = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Forgeries:
    """``forgeries``, one each ``period_s``, after as long without any."""

    id: str = "FORGE"
    forgeries: int = 50
    period_s: float = 2.0
    interval_ms: int = 10
    runs: int = 1


MOVES = Moves()
FORGERIES = Forgeries()


def topology() -> Topology:
    """Return two leaves with three hosts each."""
    return topologies.leaf_spine(2, 2, 3)


def run_moves(experiment: Moves, lab: Lab) -> None:
    """Measure and record MOVE: of each move the longer gap of both clients."""
    outcomes = runs(experiment, lab, "leafspine", lambda _: measure_moves(experiment, lab))
    record_moves(experiment, outcomes)


def record_moves(experiment: Moves, outcomes: Sequence[Outcome]) -> None:
    """Record the 95th percentile over all moves, and that of each client beside it."""
    gaps = [
        [gap for outcome in outcomes for gap in outcome["gaps_ms"][where]] for where in _CLIENTS
    ]
    longest = [max(both) for both in zip(*gaps, strict=True)]
    peers = {
        f"client at the {where}": campaign.percentile(values, _PERCENT)
        for where, values in zip(_CLIENTS, gaps, strict=True)
    }
    value = campaign.percentile(longest, _PERCENT)
    campaign.record_figure(experiment, longest, value=value, peers=peers)


def measure_moves(experiment: Moves, lab: Lab) -> Outcome:
    """Move the address to and fro; return for each client the longest gap in ms at each move."""
    period_ns = round(experiment.period_s * 1e9)
    with steered(topology(), Policy.SLUICE, lab, []) as network:
        residents = Residents(network.net, _SERVERS)
        holders = itertools.cycle(_SERVERS)
        holder = next(holders)
        residents.take(holder, _FLOATING, KEEPALIVED)
        for client in _CLIENTS.values():
            _wait_answered(network.net, client, _FLOATING)
        echoes = {
            where: Echoes(network.net, client, _FLOATING, experiment.interval_ms)
            for where, client in _CLIENTS.items()
        }
        start_ns = time.monotonic_ns()
        moved_ns = []
        for number, target in enumerate(itertools.islice(holders, experiment.moves), start=1):
            traffic.wait_until(start_ns + number * period_ns)
            moved_ns.append(residents.move(_FLOATING, holder, target))
            holder = target
            _LOG.info("move %d of %d, to %s", number, experiment.moves, target)
        traffic.wait_until(moved_ns[-1] + period_ns)
        seen = {where: one.finish() for where, one in echoes.items()}
    return {"gaps_ms": {where: gaps_ms(one, moved_ns, period_ns) for where, one in seen.items()}}


def gaps_ms(seen: Seen, moved_ns: Sequence[int], period_ns: int) -> list[float]:
    """Return the longest time in ms without an answer at each move, up to the next one."""
    return [
        seen.longest_gap_ns(at_ns - _LEAD_NS, at_ns + period_ns - 2 * _LEAD_NS) / 1e6
        for at_ns in moved_ns
    ]


def run_forgeries(experiment: Forgeries, lab: Lab) -> None:
    """Measure and record FORGE: all packets that were lost."""
    outcomes = runs(experiment, lab, "leafspine", lambda _: measure_forgeries(experiment, lab))
    lost = [sum(outcome["lost"]) for outcome in outcomes]
    notes = {"lost by kind of forgery": _by_kind(outcomes)}
    campaign.record_figure(experiment, lost, value=sum(lost), notes=notes)


def _by_kind(outcomes: Sequence[Outcome]) -> dict[str, int]:
    lost: collections.Counter[str] = collections.Counter()
    for outcome in outcomes:
        for kind, count in zip(outcome["kinds"], outcome["lost"], strict=True):
            lost[kind] += count
    return dict(sorted(lost.items()))


class Form(enum.StrEnum):
    """A frame that claims an address."""

    REQUEST = "ARP request"
    REPLY = "ARP reply"
    ADVERTISEMENT = "neighbour advertisement"


class Sender(enum.StrEnum):
    """Whose Ethernet addresses a forged frame has, as its source and inside."""

    OWN = "the attacker's"
    BORROWED = "the victim's"
    MIXED = "the victim's as source, the attacker's inside"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Forgery:
    """What ``attacker`` sends."""

    attacker: str
    form: Form
    sender: Sender

    def __str__(self) -> str:
        return f"{self.form}, Ethernet address {self.sender}"

    def frame(self, attacker: Host, victim: Host, ipv6: str) -> bytes:
        """Return the frame; ``ipv6`` is the victim's IPv6 address."""
        inside = victim.mac if self.sender is Sender.BORROWED else attacker.mac
        source = attacker.mac if self.sender is Sender.OWN else victim.mac
        if self.form is Form.ADVERTISEMENT:
            return frames.advertisement(inside, ipv6, source=source)
        is_reply = self.form is Form.REPLY
        return frames.gratuitous_arp(inside, victim.address, reply=is_reply, source=source)


def forgeries(count: int) -> list[Forgery]:
    """Return so many: ARP and ND by turns, every form from every attacker with all addresses."""
    arp = _cycle(Form.REQUEST, Form.REPLY)
    nd = _cycle(Form.ADVERTISEMENT)
    return [next(nd if number % 2 else arp) for number in range(count)]


def _cycle(*forms: Form) -> Iterator[Forgery]:
    return itertools.cycle(
        Forgery(attacker=attacker, form=form, sender=sender)
        for sender in Sender
        for attacker in _ATTACKERS
        for form in forms
    )


def measure_forgeries(experiment: Forgeries, lab: Lab) -> Outcome:
    """Send all forgeries; return how many packets were lost from each to the next."""
    period_ns = round(experiment.period_s * 1e9)
    lab = dataclasses.replace(lab, settings=dataclasses.replace(lab.settings, ipv6=True))
    planned = forgeries(experiment.forgeries)
    with steered(topology(), Policy.SLUICE, lab, []) as network:
        net = network.net
        residents = Residents(net)
        victim = net.topology.host(_VICTIM)
        ways = _ways(residents, net.topology)
        for host, address in ways:
            _wait_answered(net, host, address)
        echoes = [Echoes(net, host, address, experiment.interval_ms) for host, address in ways]
        start_ns = time.monotonic_ns()
        sent_ns = []
        for number, forgery in enumerate(planned, start=1):
            traffic.wait_until(start_ns + number * period_ns)
            attacker = net.topology.host(forgery.attacker)
            frame = forgery.frame(attacker, victim, _ipv6(victim))
            sent_ns.append(residents.send(forgery.attacker, [frame]))
            _LOG.info("forgery %d of %d: %s", number, experiment.forgeries, forgery)
        traffic.wait_until(sent_ns[-1] + period_ns)
        seen = [one.finish() for one in echoes]
    return {"kinds": list(map(str, planned)), "lost": losses(seen, start_ns, sent_ns, period_ns)}


def losses(
    seen: Sequence[Seen], start_ns: int, sent_ns: Sequence[int], period_ns: int
) -> list[int]:
    """Return the packets lost from each forgery to the next; LabError if some were before."""
    settled_ns = start_ns + _LEAD_NS
    if before := sum(one.lost(settled_ns, sent_ns[0]) for one in seen):
        raise LabError(f"{before} packets were lost before anything was forged: no figure")
    ends = [*sent_ns[1:], sent_ns[-1] + period_ns]
    return [
        sum(one.lost(begin, end) for one in seen) for begin, end in zip(sent_ns, ends, strict=True)
    ]


def _ways(residents: Residents, of: Topology) -> list[tuple[str, str]]:
    """Give the victim and its peer IPv6 addresses; return pairs of a host and what it asks."""
    peer, victim = of.host(_PEER), of.host(_VICTIM)
    for host in (peer, victim):
        residents.take(host.name, _ipv6(host), KEEPALIVED)
    ends = [(peer, victim), (victim, peer)]
    return [(a.name, address) for a, b in ends for address in (b.address, _ipv6(b))]


def _ipv6(host: Host) -> str:
    return f"fd00::{int(ipaddress.IPv4Address(host.address)) & 0xFF:x}"


def _wait_answered(net: Net, host: str, address: str) -> None:
    """Wait until a host gets answers from an address, each time it asks."""
    ping = f"ping -q -n -i 0.1 -c 5 -W 1 {address} || true"
    wait_for(
        lambda: " 5 received" in net.run(host, ["sh", "-c", ping]),
        f"answers to {host} from {address}",
        _WARM_UP_S,
    )
