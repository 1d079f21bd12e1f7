# SPDX-License-Identifier: EPL-2.0
"""FRAGMENTS, REFUSED: datagrams of several packets, and connections that a service has no room for.

Both are of a service with a virtual address. A datagram of *FRAGMENTS* is longer than a packet, and
only the first of its fragments names the ports. The one server of *REFUSED* has as many connections
as it takes, so that further ones are refused.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import json
import logging
import sys
import time
from collections.abc import Iterator, Mapping, Sequence

from sluice_lab import campaign, names, refusals, topologies
from sluice_lab.campaign import Outcome
from sluice_lab.multipath import Server, Service
from sluice_lab.net import Net
from sluice_lab.ovs import LabError
from sluice_lab.refusals import REFUSED
from sluice_lab.steering import Lab, Policy, runs, steered
from sluice_lab.topology import Host
from sluice_lab.traffic import finish

_LOG = logging.getLogger(__name__)
_UNSHAPED = topologies.LayerRates(host=None, edge=None)
_FRAGMENTS_AT = "10.0.0.101"
_REFUSED_AT = "10.0.0.102"
_PORT = 7001
_DATAGRAMS = [sys.executable, "-m", "sluice_lab.datagrams"]
_REFUSALS = [sys.executable, "-m", "sluice_lab.refusals"]
_NAMES = [sys.executable, "-m", names.__name__]
_MANY = 1_000  # connections that a server takes: none is refused
_SETTLE_S = 2.0
_LIMIT_S = 60.0
_PERCENT = 99

Came = Mapping[str, Mapping[str, Sequence[int]]]  # numbers by server and client


@dataclasses.dataclass(frozen=True, kw_only=True)
class Fragments:
    """Each client sends ``datagrams`` of ``size`` octets of payload, one each ``interval_ms``."""

    id: str = "FRAGMENTS"
    clients: int = 20
    datagrams: int = 50
    size: int = 4_000
    interval_ms: int = 40
    runs: int = 1


@dataclasses.dataclass(frozen=True, kw_only=True)
class Refusals:
    """A server takes ``max_load`` connections; each of ``clients`` asks for ``each`` more."""

    id: str = "REFUSED"
    max_load: int = 4
    clients: int = 4
    each: int = 50
    runs: int = 1


FRAGMENTS = Fragments()
REFUSALS = Refusals()


def run_fragments(experiment: Fragments, lab: Lab) -> None:
    """Measure and record FRAGMENTS."""
    outcomes = runs(experiment, lab, "leafspine", lambda _: measure_fragments(experiment, lab))
    wrong = [outcome["missing"] + outcome["elsewhere"] for outcome in outcomes]
    notes = {
        name: sum(outcome[key] for outcome in outcomes)
        for name, key in (("missing", "missing"), ("at a second server", "elsewhere"))
    }
    campaign.record_figure(experiment, wrong, value=sum(wrong), notes=notes)


def measure_fragments(experiment: Fragments, lab: Lab) -> Outcome:
    """Let all clients send at once to a service that no client has asked before."""
    topology = topologies.leaf_spine(4, 2, 6, rates=_UNSHAPED)
    last = {host.port.switch: host for host in topology.hosts}
    servers = [host.name for host in last.values()]  # one at each leaf
    clients = [host for host in topology.hosts if host.name not in servers]
    clients = clients[: experiment.clients]
    offers = [_server(host, _MANY) for host in last.values()]
    service = _service(experiment.id, _FRAGMENTS_AT, "udp", offers)
    with steered(topology, Policy.SLUICE, lab, []) as network:
        net = network.net
        with _offered(lab, service):
            serving = ["serve", str(_PORT), str(experiment.size)]
            taking = {server: net.spawn(server, [*_DATAGRAMS, *serving]) for server in servers}
            for server in servers:
                net.wait_listening(server, _PORT, "udp")
            numbers = (experiment.datagrams, experiment.size, experiment.interval_ms)
            words = ["send", _FRAGMENTS_AT, str(_PORT), *map(str, numbers)]
            senders = [net.spawn(client.name, [*_DATAGRAMS, *words]) for client in clients]
            for sender in senders:
                finish(sender, "datagrams", _LIMIT_S)
            time.sleep(_SETTLE_S)
            came = {
                server: json.loads(finish(child, f"datagrams at {server}", _LIMIT_S, text=""))
                for server, child in taking.items()
            }
    return tally(came, [client.address for client in clients], experiment.datagrams)


def tally(came: Came, clients: Sequence[str], count: int) -> Outcome:
    """Count datagrams that came nowhere, and those beyond the server that a client had most at."""
    missing = elsewhere = 0
    absent = {}
    for client in clients:
        at = [set(seen.get(client, ())) for seen in came.values()]
        if lost := sorted(set(range(count)).difference(*at)):
            absent[client] = lost
            missing += len(lost)
        elsewhere += sum(sorted(map(len, at))[:-1])
    servers = sorted(server for server, seen in came.items() if seen)
    _LOG.info("%d missing, %d at a second server; servers %s", missing, elsewhere, servers)
    return {"missing": missing, "elsewhere": elsewhere, "servers": servers, "absent": absent}


def run_refusals(experiment: Refusals, lab: Lab) -> None:
    """Measure and record REFUSED."""
    outcomes = runs(experiment, lab, "leafspine", lambda _: measure_refusals(experiment, lab))
    answers: collections.Counter[str] = collections.Counter()
    for outcome in outcomes:
        answers.update(outcome["answers"])
    values = [ms for outcome in outcomes for ms in outcome["ms"]]
    value = campaign.percentile(values, _PERCENT)
    campaign.record_figure(experiment, values, value=value, notes={"answers": dict(answers)})


def measure_refusals(experiment: Refusals, lab: Lab) -> Outcome:
    """Fill the service, then time what is asked beyond that."""
    topology = topologies.leaf_spine(2, 2, (experiment.clients + 3) // 2)
    *clients, holder, server = topology.hosts
    offers = [_server(server, experiment.max_load)]
    service = _service(experiment.id, _REFUSED_AT, "tcp", offers)
    with steered(topology, Policy.SLUICE, lab, []) as network:
        net = network.net
        with _offered(lab, service):
            net.spawn(server.name, [*_NAMES, "serve", "tcp", str(_PORT), server.name])
            net.wait_listening(server.name, _PORT)
            _hold(net, holder.name, experiment.max_load)
            words = ["ask", _REFUSED_AT, str(_PORT), str(experiment.each)]
            asking = [
                net.spawn(client.name, [*_REFUSALS, *words])
                for client in clients[: experiment.clients]
            ]
            limit_s = experiment.each * refusals.LIMIT_S + _LIMIT_S
            answers = [
                (seconds, answer)
                for child in asking
                for seconds, answer in json.loads(finish(child, "connections", limit_s))
            ]
    return judged(answers)


def judged(answers: Sequence[tuple[float, str]]) -> Outcome:
    """Return the ms of each answer; one that is no refusal counts as if none had come."""
    times = [
        1e3 * (seconds if answer == REFUSED else refusals.LIMIT_S) for seconds, answer in answers
    ]
    counts = collections.Counter(answer for _, answer in answers)
    _LOG.info("answers: %s", dict(counts))
    return {"ms": times, "answers": dict(counts)}


def _hold(net: Net, client: str, count: int) -> None:
    """Let a client have connections to the service until the network goes."""
    child = net.spawn(client, [*_REFUSALS, "hold", _REFUSED_AT, str(_PORT), str(count)])
    assert child.stdout is not None
    if child.stdout.readline().strip() != "held":
        raise LabError(f"{client} did not get {count} connections: {child.communicate()[1][-300:]}")


def _service(of: str, address: str, transport: str, servers: Sequence[Server]) -> Service:
    """Return a service of a name that no run before has had, whose connections would count."""
    return Service(
        name=f"lab-{of.lower()}-{time.time_ns()}",
        pieces=1,
        servers=tuple(servers),
        transport=transport,
        virtual_address=address,
    )


def _server(host: Host, max_load: int) -> Server:
    return Server(name=host.name, address=host.address, pieces={_PORT: 1}, max_load=max_load)


@contextlib.contextmanager
def _offered(lab: Lab, service: Service) -> Iterator[None]:
    """Declare a service, and remove it in the end."""
    controller = lab.controller()
    controller.put_service(service)
    try:
        yield
    finally:
        controller.delete_service(service.name)
