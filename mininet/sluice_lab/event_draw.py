# SPDX-License-Identifier: EPL-2.0
"""Random events by seed: the same topology, seed and number give the same events."""

from __future__ import annotations

import random
from collections.abc import Callable

from sluice_lab.event_model import (
    AddServer,
    AddService,
    CableFlap,
    Claim,
    Event,
    HostFlap,
    Move,
    Outage,
    RemoveServer,
    RemoveService,
    Say,
    State,
    ThereAndBack,
)
from sluice_lab.topology import Topology

SERVICE = "lab-events"
"""Names of services begin so."""

_FLOATING = 4  # addresses that move
_MOST_SERVICES = 3
_MOST_SERVERS = 3
_LARGEST_BATCH = 4
_MOST_MOVES = 2  # in an outage
_HOLDS = 0.6  # chance that an outage is sought where floating addresses are
_AWAY_S = (0.05, 2.0)
_DOWN_S = (0.1, 1.5)
_OUTAGE_S = (0.2, 5.0)


def initial(topology: Topology, seed: int) -> State:
    """Return the holders of floating addresses at first; two seeds have other addresses."""
    rng = random.Random(f"{topology.name} {seed} first")
    hosts = [host.name for host in topology.hosts]
    return State(
        holders={_address(seed, number): rng.choice(hosts) for number in range(1, _FLOATING + 1)},
        services={},
    )


def batches(topology: Topology, seed: int, count: int) -> list[tuple[Event, ...]]:
    """Return so many events in batches of 1 to 4."""
    draw = _Draw(topology, seed)
    state = initial(topology, seed)
    drawn: list[tuple[Event, ...]] = []
    while (left := count - sum(map(len, drawn))) > 0:
        batch: list[Event] = []
        for _ in range(min(left, draw.rng.randint(1, _LARGEST_BATCH))):
            batch.append(draw.event(state))
            state = state.after(batch[-1])
        drawn.append(tuple(batch))
    return drawn


def _address(seed: int, number: int) -> str:
    return f"10.{1 + seed % 250}.0.{number}"


class _Draw:
    """Draws events that can happen in a state."""

    def __init__(self, topology: Topology, seed: int) -> None:
        self.rng = random.Random(f"{topology.name} {seed}")
        self._topology = topology
        self._seed = seed
        self._at = {host.name: host.port.switch for host in topology.hosts}
        self._services = 0
        self._kinds: dict[Callable[[State], Event | None], int] = {  # with their weights
            self._move_at_switch: 18,
            self._move_across: 14,
            self._there_and_back: 12,
            self._host_flap: 10,
            self._cable_flap: 8,
            self._outage: 10,
            self._claim: 10,
            self._add_service: 6,
            self._remove_service: 3,
            self._add_server: 5,
            self._remove_server: 4,
        }

    def event(self, state: State) -> Event:
        """Return the next event."""
        while True:
            (kind,) = self.rng.choices(list(self._kinds), list(self._kinds.values()))
            event = kind(state)
            if event is not None:
                return event

    def _move_at_switch(self, state: State) -> Move | None:
        return self._move(state, is_near=True)

    def _move_across(self, state: State) -> Move | None:
        return self._move(state, is_near=False)

    def _move(self, state: State, *, is_near: bool) -> Move | None:
        address = self.rng.choice(list(state.holders))
        source = state.holders[address]
        target = self._other(source, is_near=is_near)
        if target is None:
            return None
        say = self.rng.choice((Say.AT_ONCE, Say.TWICE))
        return Move(address=address, source=source, target=target, say=say)

    def _there_and_back(self, state: State) -> ThereAndBack | None:
        move = self._move(state, is_near=self.rng.random() < 0.5)
        if move is None:
            return None
        ends = {"address": move.address, "source": move.source, "target": move.target}
        return ThereAndBack(**ends, away_s=self._seconds(_AWAY_S))

    def _host_flap(self, _: State) -> HostFlap:
        return HostFlap(host=self.rng.choice(list(self._at)), down_s=self._seconds(_DOWN_S))

    def _cable_flap(self, _: State) -> CableFlap:
        cable = self.rng.randrange(len(self._topology.cables))
        return CableFlap(cable=cable, down_s=self._seconds(_DOWN_S))

    def _outage(self, state: State) -> Outage:
        """Draw a switch that loses its controller; addresses move to its hosts in that time.

        One that comes from the same switch is not announced, which the controller would not hear.
        One from elsewhere is announced again after 5 s, when the controller is there.
        """
        switch = self.rng.choice([one.name for one in self._topology.switches])
        if self.rng.random() < _HOLDS:
            switch = self._at[self.rng.choice(list(state.holders.values()))]
        here = [host for host, at in self._at.items() if at == switch]
        moves: list[Move] = []
        for _ in range(self.rng.randint(0, _MOST_MOVES) if here else 0):
            address = self.rng.choice(list(state.holders))
            if self.rng.random() < _HOLDS:
                held = [one for one, holder in state.holders.items() if holder in here]
                address = self.rng.choice(held or [address])
            source = state.holders[address]
            if others := [host for host in here if host != source]:
                say = Say.NOTHING if source in here else Say.TWICE
                target = self.rng.choice(others)
                moves.append(Move(address=address, source=source, target=target, say=say))
                state = state.after(moves[-1])
        return Outage(switch=switch, seconds=self._seconds(_OUTAGE_S), moves=tuple(moves))

    def _claim(self, state: State) -> Claim:
        owners = {host.address: host.name for host in self._topology.hosts} | dict(state.holders)
        address = self.rng.choice(list(owners))
        victim = owners[address]
        attacker = self.rng.choice([host for host in self._at if host != victim])
        return Claim(
            attacker=attacker,
            victim=victim,
            address=address,
            reply=self.rng.random() < 0.5,
            borrowed=self.rng.random() < 0.5,
        )

    def _add_service(self, state: State) -> AddService | None:
        if len(state.services) == _MOST_SERVICES:
            return None
        self._services += 1
        servers = self.rng.sample(list(self._at), self.rng.randint(0, 2))
        address = _address(self._seed, 100 + self._services)
        name = f"{SERVICE}-{self._services}"
        return AddService(service=name, address=address, servers=tuple(servers))

    def _remove_service(self, state: State) -> RemoveService | None:
        if not state.services:
            return None
        return RemoveService(service=self.rng.choice(list(state.services)))

    def _add_server(self, state: State) -> AddServer | None:
        found = [
            (name, host)
            for name, offer in state.services.items()
            if len(offer.servers) < _MOST_SERVERS
            for host in self._at
            if host not in offer.servers
        ]
        if not found:
            return None
        service, server = self.rng.choice(found)
        return AddServer(service=service, server=server)

    def _remove_server(self, state: State) -> RemoveServer | None:
        found = [(name, one) for name, offer in state.services.items() for one in offer.servers]
        if not found:
            return None
        service, server = self.rng.choice(found)
        return RemoveServer(service=service, server=server)

    def _other(self, host: str, *, is_near: bool) -> str | None:
        """Return another host at the same switch, or one elsewhere."""
        found = [
            other
            for other, switch in self._at.items()
            if other != host and (switch == self._at[host]) == is_near
        ]
        return self.rng.choice(found) if found else None

    def _seconds(self, limits: tuple[float, float]) -> float:
        """Return a time between two; its logarithm is spread evenly."""
        low, high = limits
        return round(low * (high / low) ** self.rng.random(), 3)
