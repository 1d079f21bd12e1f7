# SPDX-License-Identifier: EPL-2.0
"""A network under one way of steering: a strategy of Sluice, or a baseline of no controller."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import enum
import functools
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sluice_lab import baselines, campaign, instruments, traffic
from sluice_lab.baselines import Baseline
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.controller import Controller, Progress, silent
from sluice_lab.multipath import Server, Service, Strategy
from sluice_lab.net import Endpoint, Net, Settings, wait_for
from sluice_lab.ovs import LabError
from sluice_lab.restconf import DEFAULT_URL, ControllerError
from sluice_lab.topology import MEGABIT, Cable, Topology

_OURS = "lab-"  # services of experiments begin so, and with them their transfers
_REFRESH_MS = 10_000  # of placements and of link rates, as in the paper's augmented variant
_HOLD = datetime.timedelta(seconds=30)  # hold-time of sluice-multipath, unless it is set


class Policy(enum.StrEnum):
    """What is compared. ECMP, SINGLE and MPTCP (over ECMP) run without a controller."""

    SLUICE = "sluice"
    GREEDY = "greedy"
    RANDOM = "random"
    LEAST_LOADED = "least-loaded"
    SLUICE_ECMP = "sluice-ecmp"
    SLUICE_SINGLE = "sluice-single"
    ECMP = "ecmp"
    SINGLE = "single"
    MPTCP = "mptcp"

    @property
    def strategy(self) -> Strategy | None:
        """The controller's strategy, None for a baseline."""
        return {
            Policy.SLUICE: Strategy.JOINT,
            Policy.GREEDY: Strategy.GREEDY,
            Policy.RANDOM: Strategy.RANDOM,
            Policy.LEAST_LOADED: Strategy.LEAST_LOADED,
            Policy.SLUICE_ECMP: Strategy.ECMP,
            Policy.SLUICE_SINGLE: Strategy.SINGLE,
        }.get(self)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Lab:
    """Where things are: how nets are brought up, and how the controller is reached."""

    settings: Settings = dataclasses.field(default_factory=Settings)
    url: str = DEFAULT_URL
    user: str = "admin"
    password: str = dataclasses.field(default="admin", repr=False)
    endpoint: Endpoint = dataclasses.field(default_factory=Endpoint)

    def controller(self) -> Controller:
        """Return a client of the controller."""
        return Controller(self.url, self.user, self.password)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Request:
    """A client's wish for all pieces of a service; piece i has port ``first_port + i - 1``.

    Every candidate holds every piece; if ``spread``, candidate i holds piece i alone; if
    ``one_port``, all that the service has is behind the first port, whatever its pieces. Pieces
    beyond the first ``wanted`` are spare (0: all are wanted). A service with ``slots`` has a
    ``virtual_address``.
    ``transport`` is ``tcp`` or ``udp``.
    """

    client: str
    service: str
    candidates: tuple[str, ...]
    pieces: int
    first_port: int = 6001
    transport: str = "tcp"
    spread: bool = False
    one_port: bool = False
    wanted: int = 0
    virtual_address: str = ""
    slots: int = 0

    def as_service(self, topology: Topology) -> Service:
        """Return what the controller is told of the service."""
        count = 1 if self.one_port else self.pieces
        ports = {self.first_port + i: i + 1 for i in range(count)}
        servers = [
            Server(
                name=name,
                address=topology.host(name).address,
                pieces={self.first_port + i: i + 1} if self.spread else ports,
            )
            for i, name in enumerate(self.candidates)
        ]
        return Service(
            name=self.service,
            pieces=self.pieces,
            servers=tuple(servers),
            transport=self.transport,
            virtual_address=self.virtual_address,
            slots=self.slots,
        )


def crossing(name: str, pieces: int) -> list[Request]:
    """Return what every host of pods 1 and 2 of a k=4 fat-tree asks of one in pods 3 and 4."""
    return [
        Request(client=f"h{i}", service=f"{name}-{i}", candidates=(f"h{i + 8}",), pieces=pieces)
        for i in range(1, 9)
    ]


@dataclasses.dataclass(frozen=True, kw_only=True)
class Placement:
    """Where one piece of a request comes from; ``hops`` are ports on its way, either direction."""

    client: str
    server: str
    port: int
    hops: frozenset[tuple[str, int]] = frozenset()

    @property
    def flow(self) -> traffic.Flow:
        """The traffic that was placed."""
        return traffic.Flow(client=self.client, server=self.server, port=self.port)

    def crosses(self, topology: Topology, cable: Cable) -> bool:
        """Tell whether the flow uses a cable, in either direction."""
        ends = ((topology.switch(end.switch).id, end.number) for end in (cable.a, cable.b))
        return any(end in self.hops for end in ends)


class Steered:
    """A network that a policy steers; made by :func:`steered`."""

    def __init__(self, net: Net, policy: Policy, controller: Controller | None) -> None:
        self.net = net
        self.policy = policy
        self._controller = controller
        self._placed: list[str] = []

    def declare(self, requests: Sequence[Request]) -> None:
        """Tell the controller of the services; baselines need not know."""
        if self._controller:
            for request in requests:
                self._controller.put_service(request.as_service(self.net.topology))

    def place(self, request: Request) -> list[Placement]:
        """Choose a server for each piece; a baseline goes round the candidates."""
        if self._controller is None:
            return [
                Placement(
                    client=request.client,
                    server=request.candidates[i % len(request.candidates)],
                    port=request.first_port + i,
                )
                for i in range(request.wanted or request.pieces)
            ]
        name = f"{request.service}-{request.client}"
        address = self.net.topology.host(request.client).address
        pieces = range(1, request.wanted + 1)
        assignments = self._controller.request_transfer(name, address, request.service, pieces)
        self._placed.append(name)
        hosts = {host.address: host.name for host in self.net.topology.hosts}
        return [
            Placement(
                client=request.client,
                server=hosts[assignment.server_address],
                port=assignment.server_port,
                hops=frozenset(assignment.hops),
            )
            for assignment in assignments
        ]

    def timed_place(self, request: Request) -> tuple[list[Placement], float]:
        """Place, and return the seconds that it took too."""
        begin = time.monotonic()
        return self.place(request), time.monotonic() - begin

    def release(self) -> None:
        """End all transfers; the services stay."""
        self._withdraw([])

    def withdraw(self, requests: Sequence[Request]) -> None:
        """End all transfers and remove those of the services that the controller has."""
        self._withdraw(list(dict.fromkeys(request.service for request in requests)))

    def _withdraw(self, services: Sequence[str]) -> None:
        """Withdraw all that can be; then raise the first fault."""
        if self._controller is None:
            return
        faults: list[ControllerError] = []
        steps = [(self._controller.release_transfer, name) for name in reversed(self._placed)]
        steps += [(self._controller.delete_service, name) for name in services]
        self._placed.clear()
        for step, name in steps:
            try:
                step(name)
            except ControllerError as fault:
                faults.append(fault)
        if faults:
            raise faults[0]


@contextlib.contextmanager
def steered(
    topology: Topology, policy: Policy, lab: Lab, requests: Sequence[Request]
) -> Iterator[Steered]:
    """Bring up a topology under a policy, with the services of the requests declared."""
    with Net(topology, lab.settings) as net:
        controller = None
        if policy.strategy is None:
            single = policy is Policy.SINGLE
            baselines.install(net, Baseline.SINGLE if single else Baseline.ECMP)
            if policy is Policy.MPTCP:
                traffic.enable_mptcp(net)
        else:
            controller = lab.controller()
            end_leftovers(controller)
            controller.set_times(refresh_interval=_REFRESH_MS)
            controller.set_sampling(_REFRESH_MS)
            left = controller.last_detached()
            if left is not None:
                wait_for(
                    lambda: is_believed(left, datetime.datetime.now(datetime.UTC)),
                    "links to be believed",
                    60,
                )
            attach(net, controller, policy.strategy, lab.endpoint)
        network = Steered(net, policy, controller)
        try:
            network.declare(requests)
            yield network
        finally:
            network.withdraw(requests)


def end_leftovers(controller: Controller) -> None:
    """Take back what a run of the lab which was killed has left with the controller."""
    for name in controller.transfers():
        if name.startswith(_OURS):
            controller.release_transfer(name)
    for name in controller.services():
        if name.startswith(_OURS):
            controller.delete_service(name)


def is_believed(left: datetime.datetime, now: datetime.datetime) -> bool:
    """Tell whether links of an earlier network, which left then, would be believed by now.

    Until then the controller avoids those of the next network that look like them.
    """
    return now >= left + _HOLD


def attach(
    net: Net,
    controller: Controller,
    strategy: Strategy,
    endpoint: Endpoint,
    progress: Progress = silent,
) -> None:
    """Hand a network to a controller and wait until it knows all links and hosts."""
    controller.wait_ready(timeout_s=30)
    controller.set_capacities(net.topology)
    controller.set_strategy(strategy)
    net.attach_controller(endpoint)
    controller.wait_fabric(net.topology, progress=progress)
    controller.wait_hosts(net.topology, net.announce_hosts, progress=progress)


def need_controller(policies: Sequence[Policy], lab: Lab) -> None:
    """Refuse to begin a long run that would fail later: LabError if a controller is missing."""
    if any(policy.strategy for policy in policies):
        try:
            lab.controller().wait_ready(timeout_s=10)
        except ControllerError as error:
            raise LabError(f"these policies need the controller: {error}") from None


def compared(
    experiment: Any,  # noqa: ANN401
    lab: Lab,
    cells: Sequence[Cell],
    measure: Callable[[Cell], Outcome],
) -> dict[Cell, Outcome]:
    """Run cells of an experiment once the controller and the emulator are known to be fit."""
    need_controller([Policy(cell.policy) for cell in cells], lab)
    return calibrated(experiment, lab, cells, measure)


def calibrated(
    experiment: Any,  # noqa: ANN401
    lab: Lab,
    cells: Sequence[Cell],
    measure: Callable[[Cell], Outcome],
) -> dict[Cell, Outcome]:
    """Run cells of an experiment, and keep with each what the emulator showed of itself."""

    @functools.cache
    def calibration() -> Outcome:
        return dataclasses.asdict(instruments.calibrate(lab.settings, 10 * MEGABIT))

    return campaign.run(
        experiment.id,
        experiment,
        cells,
        lambda cell: {"calibration": calibration(), **measure(cell)},
    )


def runs(
    experiment: Any,  # noqa: ANN401
    lab: Lab,
    variant: str,
    measure: Callable[[Cell], Outcome],
) -> list[Outcome]:
    """Run an experiment that only Sluice takes part in ``experiment.runs`` times, by seed."""
    need_controller([Policy.SLUICE], lab)
    cells = campaign.interleaved([variant], [Policy.SLUICE], range(1, experiment.runs + 1))
    return list(campaign.run(experiment.id, experiment, cells, measure).values())
