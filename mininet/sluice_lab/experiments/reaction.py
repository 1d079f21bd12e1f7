# SPDX-License-Identifier: EPL-2.0
"""TOPOLOGY, PORTDOWN, INSTALL100: how fast the controller sees, decides and installs.

All on a k=4 fat-tree. The controller is asked over RESTCONF again and again, so that a time that
ends with an answer is too long by up to one question; the time of a decision is the controller's.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import datetime
import itertools
import logging
import random
import time
from typing import Any

from sluice_lab import campaign, entries, instruments, ovs, topologies
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.controller import Controller
from sluice_lab.net import Net, wait_for
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Policy, Request, crossing, runs, steered
from sluice_lab.topology import Cable, Topology
from sluice_lab.views import is_complete

_LOG = logging.getLogger(__name__)
_STEP_S = 0.005
_PERCENT = 95
_VARIANT = "fattree"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Discovery:
    """Every run has a network of its own."""

    id: str = "TOPOLOGY"
    runs: int = 10


@dataclasses.dataclass(frozen=True, kw_only=True)
class PortDown:
    """``losses`` a network, one after the other, each at a cable that carries flows."""

    id: str = "PORTDOWN"
    losses: int = 20
    pieces: int = 2
    runs: int = 5


@dataclasses.dataclass(frozen=True, kw_only=True)
class Install:
    """``transfers`` asked for at once, of ``pieces`` each; ``rounds`` a network.

    In each network ``warm_up`` rounds go before, which do not count: Java's compiler is busy with
    them.
    """

    id: str = "INSTALL100"
    transfers: int = 25
    pieces: int = 4
    warm_up: int = 150
    rounds: int = 100
    runs: int = 1


DISCOVERY = Discovery()
PORT_DOWN = PortDown()
INSTALL = Install()


def run_discovery(experiment: Discovery, lab: Lab) -> None:
    """Measure and record TOPOLOGY."""
    outcomes = runs(experiment, lab, _VARIANT, lambda _: measure_discovery(lab))
    campaign.record_figure(experiment, [outcome["seconds"] for outcome in outcomes])


def run_port_down(experiment: PortDown, lab: Lab) -> None:
    """Measure and record PORTDOWN."""
    outcomes = runs(
        experiment, lab, _VARIANT, lambda cell: measure_port_down(experiment, lab, cell)
    )
    _record_percentile(experiment, outcomes)


def run_install(experiment: Install, lab: Lab) -> None:
    """Measure and record INSTALL100."""
    outcomes = runs(experiment, lab, _VARIANT, lambda _: measure_install(experiment, lab))
    paths = min(count for outcome in outcomes for count in outcome["paths"])
    cold = outcomes[0]["warm-up ms"]
    notes = {
        "distinct paths": paths,
        "first round ms": cold[0],
        "p95 of the first 50 rounds ms": campaign.percentile(cold[:50], _PERCENT),
    }
    _record_percentile(experiment, outcomes, notes)


def _record_percentile(
    experiment: Any,  # noqa: ANN401
    outcomes: list[Outcome],
    notes: Outcome | None = None,
) -> None:
    values = [ms for outcome in outcomes for ms in outcome["ms"]]
    value = campaign.percentile(values, _PERCENT)
    campaign.record_figure(experiment, values, value=value, notes=notes)


def measure_discovery(lab: Lab) -> Outcome:
    """Return the seconds from the last switch's connection to a fabric view with all there is.

    The last switch counts as connected when it was last seen without a connection.
    """
    controller = lab.controller()
    topology = topologies.fat_tree()
    wait_for(lambda: not controller.fabric().get("links"), "an empty fabric", 120)
    with Net(topology, lab.settings) as net:
        count = len(topology.switches)
        start_s = time.monotonic()
        ovs.set_controller(map(net.bridge, (s.name for s in topology.switches)), str(lab.endpoint))
        while instruments.connections_to(lab.endpoint.port) < count:
            start_s = time.monotonic()
            time.sleep(_STEP_S)
        wait_for(lambda: is_complete(controller.fabric(), topology), "the whole fabric", 120)
        seconds = time.monotonic() - start_s
    _LOG.info("%d switches, %d cables: %.2f s", count, len(topology.cables), seconds)
    return {"seconds": seconds}


def measure_port_down(experiment: PortDown, lab: Lab, cell: Cell) -> Outcome:
    """Cut cables in turn; return for each the ms until the last flow on it had a new path."""
    rng = random.Random(cell.seed)
    topology = topologies.fat_tree()
    wanted = crossing("lab-portdown", experiment.pieces)
    times_ms, cables = [], []
    with steered(topology, Policy.SLUICE, lab, wanted) as network:
        controller = lab.controller()
        placed = sum(len(network.place(request)) for request in wanted)
        wait_for(lambda: _shown(controller, wanted) == placed, "all flows in the view", 30)
        for number in range(1, experiment.losses + 1):
            cable, users = _loaded(rng, topology, controller)
            cut = datetime.datetime.now(datetime.UTC)
            network.net.set_carrier(cable, up=False)
            decided = _decided(controller, users, cut)
            times_ms.append((decided - cut).total_seconds() * 1e3)
            cables.append(str(cable.a))
            # the view lags behind: what it shows as complete must be from after the loss
            wait_for(lambda: not is_complete(controller.fabric(), topology), "the loss in view", 30)
            network.net.set_carrier(cable, up=True)
            wait_for(lambda: is_complete(controller.fabric(), topology), "the cable", 120)
            _LOG.info(
                "loss %d of %d, %s, %d flows: %.1f ms",
                number,
                experiment.losses,
                cable.a,
                len(users),
                times_ms[-1],
            )
    return {"ms": times_ms, "cables": cables}


def _shown(controller: Controller, requests: list[Request]) -> int:
    """Return how many flows of the transfers of requests are in the controller's view."""
    services = tuple(request.service for request in requests)
    return sum(flow.get("transfer", "").startswith(services) for flow in controller.flows())


def _loaded(
    rng: random.Random, topology: Topology, controller: Controller
) -> tuple[Cable, set[str]]:
    """Choose a cable that carries flows; return it with the ids of those."""
    users: dict[tuple[str, int], set[str]] = {}
    for flow in controller.flows():
        for direction in ("forward", "backward"):
            for hop in flow[direction].get("hop", []):
                users.setdefault((hop["switch"], hop["port"]), set()).add(flow["id"])
    loaded = []
    for cable in topology.cables:
        ends = [(topology.switch(end.switch).id, end.number) for end in (cable.a, cable.b)]
        ids = set().union(*(users.get(end, set()) for end in ends))
        if ids:
            loaded.append((cable, ids))
    if not loaded:
        raise LabError("no cable carries a flow")
    return rng.choice(loaded)


def _decided(controller: Controller, users: set[str], cut: datetime.datetime) -> datetime.datetime:
    """Wait until each of the flows was placed after the cut; return when the last one was."""
    placed: dict[str, datetime.datetime] = {}

    def is_decided() -> bool:
        for flow in controller.flows():
            placed[flow["id"]] = datetime.datetime.fromisoformat(flow["placed"])
        return all(user in placed and placed[user] > cut for user in users)

    wait_for(is_decided, "new paths", 60)
    return max(placed[user] for user in users)


def measure_install(experiment: Install, lab: Lab) -> Outcome:
    """Ask for all transfers at once, again and again; return each time's ms until all answers.

    The times of the rounds that warm the controller up are beside. A transfer is answered when
    every switch has confirmed its flows, and so all barriers. Between two rounds all entries are
    gone from the switches.
    """
    topology = topologies.fat_tree(4, 2)
    wanted = between_edges(topology, experiment)
    times_ms, paths = [], []
    with (
        steered(topology, Policy.SLUICE, lab, wanted) as network,
        concurrent.futures.ThreadPoolExecutor(len(wanted)) as pool,
    ):
        for number in range(1, experiment.warm_up + experiment.rounds + 1):
            wait_for(lambda: not _has_flows(network.net), "switches without flows")
            begin_s = time.monotonic()
            placed = [one for answer in pool.map(network.place, wanted) for one in answer]
            times_ms.append((time.monotonic() - begin_s) * 1e3)
            paths.append(len({placement.hops for placement in placed}))
            _LOG.info("round %d, %d flows: %.0f ms", number, len(placed), times_ms[-1])
            network.release()
    return {
        "warm-up ms": times_ms[: experiment.warm_up],
        "ms": times_ms[experiment.warm_up :],
        "paths": paths,
    }


def between_edges(topology: Topology, experiment: Install) -> list[Request]:
    """Return transfers between pairs of edge switches, no pair twice."""
    edges = [switch.name for switch in topology.switches if switch.layer == "edge"]
    hosts = {e: [h.name for h in topology.hosts if h.port.switch == e] for e in edges}
    pairs = list(itertools.combinations(edges, 2))[: experiment.transfers]
    if len(pairs) < experiment.transfers:
        raise ValueError(f"there are only {len(pairs)} pairs of edge switches")
    return [
        Request(
            client=hosts[a][i % len(hosts[a])],
            service=f"lab-install-{i}",
            candidates=(hosts[b][i % len(hosts[b])],),
            pieces=experiment.pieces,
        )
        for i, (a, b) in enumerate(pairs)
    ]


def _has_flows(net: Net) -> bool:
    mark = entries.cookie(2, 0)
    match = f"cookie={mark:#x}/{0xFFFFFF << 40:#x}"
    bridges = [net.bridge(switch.name) for switch in net.topology.switches]
    return any("cookie=" in ovs.ofctl(bridge, ["dump-flows"], match) for bridge in bridges)
