# SPDX-License-Identifier: EPL-2.0
"""EVENTS: random events by seed; after each few of them everybody must reach everybody again.

A run has a network of its own. ``sluice-lab run EVENTS --variants fattree --seed 3`` repeats one,
up to the first batch of events that fails, and stores nothing.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import functools
import logging
import time
from collections.abc import Iterator

from sluice_lab import campaign, event_draw, frames, topologies
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.controller import Controller
from sluice_lab.event_model import (
    AddServer,
    AddService,
    CableFlap,
    Claim,
    Configuration,
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
from sluice_lab.multipath import Server, Service, Strategy
from sluice_lab.net import Net
from sluice_lab.ovs import LabError
from sluice_lab.resident import PORT
from sluice_lab.residents import AT_ONCE, KEEPALIVED, SILENT, Residents
from sluice_lab.restconf import ControllerError
from sluice_lab.steering import Lab, Policy, attach, end_leftovers, need_controller
from sluice_lab.topology import Topology
from sluice_lab.views import disagreements

_LOG = logging.getLogger(__name__)
_LEAFSPINE, _FATTREE = "leafspine", "fattree"
_TOPOLOGIES = {
    _LEAFSPINE: lambda: topologies.leaf_spine(3, 2, 2),
    _FATTREE: topologies.fat_tree,
}
_OFFSETS = {Say.AT_ONCE: AT_ONCE, Say.TWICE: KEEPALIVED, Say.NOTHING: SILENT}
_LIMIT_S = 10.0
_FIRST_LIMIT_S = 60.0  # before any event: every connection is a first one
_STEP_S = 0.2
_MANY = 100_000  # connections that a server takes: none is refused
_SHOWN = 20  # failures of a batch that are kept and shown


@dataclasses.dataclass(frozen=True, kw_only=True)
class RandomEvents:
    """``events`` a run, ``runs`` of each variant. With ``seed`` that run alone is repeated."""

    id: str = "EVENTS"
    events: int = 50
    runs: int = 5
    variants: tuple[str, ...] = (_LEAFSPINE, _FATTREE)
    seed: int | None = None


DEFAULT = RandomEvents()


def run(experiment: RandomEvents, lab: Lab) -> None:
    """Measure and record what fails after batches of events, or repeat a run and record nothing.

    LabError with the first batch that fails if a run was repeated.
    """
    need_controller([Policy.SLUICE], lab)
    if experiment.seed is not None:
        for variant in experiment.variants:
            _repeat(experiment, lab, variant, experiment.seed)
        return
    seeds = range(1, experiment.runs + 1)
    cells = campaign.interleaved(experiment.variants, [Policy.SLUICE], seeds)
    measured = functools.partial(_measure_cell, experiment, lab)
    record(experiment, campaign.run(experiment.id, experiment, cells, measured))


def record(experiment: RandomEvents, outcomes: dict[Cell, Outcome]) -> None:
    """Record the sum of all failures; the batches that failed are beside it."""
    counts = [outcome["failures"] for outcome in outcomes.values()]
    failed = [
        f"{cell.variant} seed {cell.seed} batch {batch['number']}"
        for cell, outcome in outcomes.items()
        for batch in outcome["failed"]
    ]
    events: collections.Counter[str] = collections.Counter()
    for outcome in outcomes.values():
        events.update(outcome["events"])
    notes = {"all events": events.total(), "kinds": dict(sorted(events.items())), "failed": failed}
    campaign.record_figure(experiment, counts, value=sum(counts), notes=notes)


def _repeat(experiment: RandomEvents, lab: Lab, variant: str, seed: int) -> None:
    cell = Cell(variant=variant, policy=Policy.SLUICE, seed=seed)
    for batch in batches(experiment, lab, cell):
        if batch.failures:
            raise LabError(f"{cell.variant} seed {cell.seed} {batch}")


def _measure_cell(experiment: RandomEvents, lab: Lab, cell: Cell) -> Outcome:
    done = list(batches(experiment, lab, cell))
    return {
        "failures": sum(len(batch.failures) for batch in done),
        "seconds": [round(batch.seconds, 2) for batch in done],
        "events": collections.Counter(type(one).__name__ for batch in done for one in batch.events),
        "failed": [batch.as_json() for batch in done if batch.failures],
    }


@dataclasses.dataclass(frozen=True, kw_only=True)
class Batch:
    """Events, and what was not right in the end; ``seconds`` is what the check took."""

    number: int
    events: tuple[Event, ...]
    failures: tuple[str, ...]
    seconds: float

    def as_json(self) -> Outcome:
        """Return what is stored of a batch that failed."""
        return {
            "number": self.number,
            "events": list(map(str, self.events)),
            "failures": list(self.failures[:_SHOWN]),
        }

    def __str__(self) -> str:
        shown = "\n  ".join(self.failures[:_SHOWN])
        more = f"\n  and {len(self.failures) - _SHOWN} more" if self.failures[_SHOWN:] else ""
        events = "\n  ".join(map(str, self.events))
        return f"batch {self.number}:\n  {events}\nfails:\n  {shown}{more}"


def batches(experiment: RandomEvents, lab: Lab, cell: Cell) -> Iterator[Batch]:
    """Bring up the network of a run; yield each batch of events when it is over and checked."""
    topology = _TOPOLOGIES[cell.variant]()
    planned = event_draw.batches(topology, cell.seed, experiment.events)
    with _stage(topology, lab, event_draw.initial(topology, cell.seed)) as stage:
        if failures := stage.check(fresh=True, limit_s=_FIRST_LIMIT_S):
            raise LabError(f"{cell} fails before any event: {'; '.join(failures[:_SHOWN])}")
        for number, events in enumerate(planned, start=1):
            for event in events:
                _LOG.debug("%s", event)
                stage.act(event)
            begin = time.monotonic()
            failures = stage.check(fresh=number % 2 == 0)
            seconds = time.monotonic() - begin
            batch = Batch(number=number, events=events, failures=tuple(failures), seconds=seconds)
            level = logging.WARNING if failures else logging.INFO
            said = (
                f"{batch}" if failures else f"{len(events)} events, all well after {seconds:.1f} s"
            )
            _LOG.log(
                level,
                "%s seed %d, %d of %d: %s",
                cell.variant,
                cell.seed,
                number,
                len(planned),
                said,
            )
            yield batch


@contextlib.contextmanager
def _stage(topology: Topology, lab: Lab, first: State) -> Iterator[Stage]:
    controller = lab.controller()
    with Net(topology, lab.settings) as net:
        end_leftovers(controller)
        attach(net, controller, Strategy.JOINT, lab.endpoint)
        residents = Residents(net)
        for address, holder in first.holders.items():
            residents.take(holder, address, KEEPALIVED)
        try:
            yield Stage(net, controller, residents, lab, first)
        finally:
            end_leftovers(controller)


class Stage:
    """A network in which events happen, and what should hold in it."""

    def __init__(
        self, net: Net, controller: Controller, residents: Residents, lab: Lab, state: State
    ) -> None:
        self._net = net
        self._controller = controller
        self._residents = residents
        self._lab = lab
        self._state = state

    def act(self, event: Event) -> None:
        """Let an event happen, to its end."""
        match event:
            case Move():
                self._move(event)
            case ThereAndBack(address=address, source=source, target=target, away_s=away_s):
                self._residents.move(address, source, target, AT_ONCE)
                time.sleep(away_s)
                self._residents.move(address, target, source, AT_ONCE)
            case HostFlap(host=host, down_s=down_s):
                self._net.set_host_carrier(host, up=False)
                time.sleep(down_s)
                self._net.set_host_carrier(host, up=True)
            case CableFlap(cable=number, down_s=down_s):
                cable = self._net.topology.cables[number]
                self._net.set_carrier(cable, up=False)
                time.sleep(down_s)
                self._net.set_carrier(cable, up=True)
            case Outage():
                self._outage(event)
            case Claim():
                self._claim(event)
            case _:
                self._configure(event)
        self._state = self._state.after(event)

    def _move(self, move: Move) -> None:
        self._residents.move(move.address, move.source, move.target, _OFFSETS[move.say])

    def _outage(self, outage: Outage) -> None:
        pause_s = outage.seconds / (len(outage.moves) + 1)
        self._net.detach_controller([outage.switch])
        for move in outage.moves:
            time.sleep(pause_s)
            self._move(move)
        time.sleep(pause_s)
        self._net.attach_controller(self._lab.endpoint, switches=[outage.switch])

    def _claim(self, claim: Claim) -> None:
        hosts = self._net.topology
        mac = hosts.host(claim.victim if claim.borrowed else claim.attacker).mac
        frame = frames.gratuitous_arp(mac, claim.address, reply=claim.reply)
        self._residents.send(claim.attacker, [frame])

    def _configure(self, event: Configuration) -> None:
        match event:
            case AddService(service=name, address=address, servers=servers):
                self._controller.put_service(
                    Service(
                        name=name,
                        pieces=1,
                        servers=tuple(map(self._server, servers)),
                        transport="udp",
                        virtual_address=address,
                    )
                )
            case RemoveService(service=name):
                self._controller.delete_service(name)
            case AddServer(service=name, server=server):
                self._controller.put_server(name, self._server(server))
            case RemoveServer(service=name, server=server):
                self._controller.delete_server(name, server)

    def _server(self, host: str) -> Server:
        address = self._net.topology.host(host).address
        return Server(name=host, address=address, pieces={PORT: 1}, max_load=_MANY)

    def check(self, *, fresh: bool, limit_s: float = _LIMIT_S) -> list[str]:
        """Return what is not as it should be by the end of the time, nothing as soon as all is.

        There are new connections to services, and to addresses that move if ``fresh``. To others
        the connections stay the same.
        """
        end_s = time.monotonic() + limit_s
        state, wanted = self._state, self._state.wanted(self._net.topology)
        new = [*state.virtual(), *(state.holders if fresh else ())]
        mistakes = self._residents.mistakes(wanted, fresh=new, limit_s=limit_s)
        return [*map(str, mistakes), *self._differences(end_s)]

    def _differences(self, end_s: float) -> list[str]:
        """Return how switches differ from what is declared, at the end of the time if they do."""
        wanted = {switch.id for switch in self._net.topology.switches}
        while True:
            try:
                compared = [one for one in self._controller.validate() if one["id"] in wanted]
                found = [text for switch in compared for text in disagreements(switch)]
                away = wanted - {switch["id"] for switch in compared}
                found += [f"{switch}: not compared" for switch in sorted(away)]
            except ControllerError as error:
                found = [str(error)]
            if not found or time.monotonic() > end_s:
                return found
            time.sleep(_STEP_S)
