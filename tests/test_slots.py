# SPDX-License-Identifier: EPL-2.0
"""Slots on real switches: clients of a virtual address, divided beforehand, with real TCP and UDP."""

import collections
import concurrent.futures
import dataclasses
import ipaddress
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from sluice_lab import instruments, topologies, traffic
from sluice_lab.multipath import Assignment, Server, Service
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.topology import Cable, Port, Topology
from sluice_lab.traffic import Flow

pytestmark = pytest.mark.net

RATE = 10_000_000
SLOTS = 16
CLIENTS = {"h1": ("10.1.0.0", "fd00::1:0:0:0"), "h2": ("10.2.0.0", "fd00::2:0:0:0")}
SERVERS = {"h3": "fd00::3:0:0:3", "h4": "fd00::3:0:0:4"}
WEIGHTS = {"h3": 3, "h4": 1}
SPINES = {"s1": 3, "s2": 1}  # how fast their links are, in RATE
WEB = ("10.0.0.100", 8001, "tcp")
NAMES = ("10.0.0.101", 8002, "udp")
SIX = ("fd00::100", 8003, "tcp")
FLAPPING_S = 30


def uneven() -> Topology:
    """Four leaves with a host each."""
    plain = topologies.leaf_spine(4, 2, 1, rates=topologies.LayerRates(host=8 * RATE, edge=RATE))
    cables = tuple(dataclasses.replace(cable, rate_bps=SPINES[cable.b.switch] * RATE) for cable in plain.cables)
    return dataclasses.replace(plain, cables=cables)


def addresses(client: str, *, ipv6: bool = False) -> list[str]:
    """The addresses from which a client host asks, one of each slot."""
    first = ipaddress.ip_address(CLIENTS[client][ipv6])
    return [str(first + number) for number in range(1, SLOTS + 1)]


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """Clients on two leaves, servers on two others. What is not used for 3 s is idle."""
    with Net(uneven(), Settings(prefix="sq", ipv6=True)) as net:
        held = {server: [f"{address}/64"] for server, address in SERVERS.items()}
        for client in CLIENTS:
            held[client] = [f"{address}/8" for address in addresses(client)]
            held[client] += [f"{address}/64" for address in addresses(client, ipv6=True)]
        for host, own in held.items():
            lines = (f"addr add {address} dev {host}-eth0{' nodad' * (':' in address)}\n" for address in own)
            net.run(host, ["ip", "-batch", "-"], text="".join(lines))
        api.set_capacities(net.topology)
        api.set_times(refresh_interval=1000, idle_timeout=3000)
        net.attach_controller(Endpoint(running.address, 6653))
        api.wait_fabric(net.topology)
        api.wait_hosts(net.topology, net.announce_hosts)
        for host, own in held.items():
            address = own[-1].partition("/")[0]
            ping = f"ping -6 -c 1 -w 1 -I {address} {SIX[0]} || true"  # asks for its neighbour
            api.wait_addresses(
                net.topology.host(host),
                net.topology,
                [address],
                lambda host=host, ping=ping: net.run(host, ["sh", "-c", ping]),
            )
        for server in SERVERS:
            for _, port, transport in (WEB, NAMES, SIX):
                net.spawn(server, [sys.executable, "-m", "sluice_lab.names", "serve", transport, str(port), server])
                net.wait_listening(server, port, transport)
        yield net


def slot_of(address: str) -> int:
    return int(ipaddress.ip_address(address)) % SLOTS


def service(net: Net, name: str, at: tuple[str, int, str], weights: dict[str, int] = WEIGHTS) -> Service:
    """Both servers behind a virtual address, with slots."""
    virtual, port, transport = at
    servers = tuple(
        Server(
            name=host,
            address=SERVERS[host] if ":" in virtual else net.topology.host(host).address,
            pieces={port: 1},
            weight=weight,
        )
        for host, weight in weights.items()
    )
    return Service(name=name, pieces=1, servers=servers, transport=transport, virtual_address=virtual, slots=SLOTS)


@pytest.fixture
def declared(api, net, wait_until) -> Iterator[Callable[[str, tuple[str, int, str]], None]]:
    """Declares a service and waits until its slots are laid out; it is gone after the test."""
    names = []

    def declare(name: str, at: tuple[str, int, str]) -> None:
        names.append(name)
        api.put_service(service(net, name, at))
        wait_until(lambda: len(slots(api, name)) == SLOTS * len(CLIENTS), 30)

    yield declare
    for name in names:
        api.delete_service(name)
        wait_until(lambda name=name: slots(api, name) == [], 30)


def asking(net: Net, client: str, at: tuple[str, int, str], sources: list[str], rounds: int = 1) -> subprocess.Popen:
    virtual, port, transport = at
    words = [transport, virtual, str(port), str(rounds), *sources]
    return net.spawn(client, [sys.executable, "-m", "sluice_lab.names", "ask", *words])


def answers(asker: subprocess.Popen) -> dict[str, list[str | None]]:
    """The names that each address got."""
    out, err = asker.communicate(timeout=60)
    assert asker.returncode == 0, err
    return json.loads(out)


def servers(net: Net, at: tuple[str, int, str]) -> dict[str, str | None]:
    """Asks once from each address of all clients; returns who answered."""
    ipv6 = ":" in at[0]
    askers = [asking(net, client, at, addresses(client, ipv6=ipv6)) for client in CLIENTS]
    return {address: names[0] for asker in askers for address, names in answers(asker).items()}


def slots(api, name: str) -> list[dict]:
    """The flows of a service's slots that are in place."""
    return [flow for flow in api.flows() if flow.get("service") == name and "slot" in flow and "pending" not in flow]


@pytest.mark.parametrize(("name", "at"), [("web", WEB), ("names", NAMES), ("six", SIX)])
def test_clients_are_divided_over_the_servers_by_weight_without_a_flow_of_their_own(api, net, declared, name, at):
    declared(name, at)
    counts = collections.Counter(servers(net, at).values())
    share = len(CLIENTS) * SLOTS // sum(WEIGHTS.values())
    assert counts == {server: weight * share for server, weight in WEIGHTS.items()}
    assert [flow for flow in api.flows() if flow.get("service") == name and "slot" not in flow] == []
    assert [switch for switch in api.validate() if "error" in switch or switch.get("difference")] == []


def test_paths_carry_their_weights(net, declared):
    declared("names", NAMES)
    servers(net, NAMES)  # so that all know each other
    for client in CLIENTS:
        uplinks = [Port(net.topology.host(client).port.switch, number) for number in (1, 2)]
        before = instruments.read_counters(net).bytes
        assert all(answers(asking(net, client, NAMES, addresses(client), rounds=20)).values())
        after = instruments.read_counters(net).bytes
        sent = [after[port][1] - before[port][1] for port in uplinks]
        assert sent[0] / sum(sent) == pytest.approx(SPINES["s1"] / sum(SPINES.values()), abs=0.05), sent


def test_a_drained_server_keeps_what_is_open_and_gets_nothing_new(api, net, declared, wait_until):
    declared("web", WEB)
    drained, kept = WEIGHTS
    first = servers(net, WEB)
    client = next(iter(CLIENTS))
    held = next(address for address in addresses(client) if first[address] == drained)
    open_one = asking(net, client, WEB, [held], rounds=60)
    api.put_service(service(net, "web", WEB, {drained: 0, kept: 1}))
    wait_until(lambda: {flow["slot"] for flow in slots(api, "web") if flow["server"] == drained} == {slot_of(held)}, 11)
    now = servers(net, WEB)
    assert {name for address, name in now.items() if slot_of(address) != slot_of(held)} == {kept}
    assert answers(open_one)[held] == [drained] * 60
    wait_until(lambda: {flow["server"] for flow in slots(api, "web")} == {kept}, 20)
    assert set(servers(net, WEB).values()) == {kept}


def test_clients_are_served_while_a_cable_is_cut(api, net, declared):
    declared("web", WEB)
    first = servers(net, WEB)
    cable = next(cable for cable in net.topology.cables if cable.b.switch == "s1")
    moving = [asking(net, client, WEB, addresses(client), rounds=20) for client in CLIENTS]
    net.set_carrier(cable, up=False)
    try:
        got = {address: names for asker in moving for address, names in answers(asker).items()}
        assert got == {address: [name] * 20 for address, name in first.items()}
        assert servers(net, WEB) == first
    finally:
        net.set_carrier(cable, up=True)
        api.wait_fabric(net.topology)


@pytest.fixture
def transfer(api, net) -> Iterator[list[Assignment]]:
    """The two pieces that a client exchanges with a server."""
    client, server = net.topology.host("h2"), net.topology.host("h4")
    pieces = {6001: 1, 6002: 2}
    offer = Server(name=server.name, address=server.address, pieces=pieces)
    api.put_service(Service(name="store", pieces=len(pieces), servers=(offer,)))
    yield api.request_transfer("flapping", client.address, "store")
    api.release_transfer("flapping")
    api.delete_service("store")


def flap(net: Net, cable: Cable, seconds: int) -> None:
    """Cuts a cable for half of each second."""
    begin = time.monotonic_ns()
    for half in range(2 * seconds):
        traffic.wait_until(begin + half * 500_000_000)
        net.set_carrier(cable, up=half % 2 == 1)


def moves(api) -> dict[int, int]:
    """How often each flow has moved."""
    return {flow["id"]: flow["moves"] for flow in api.flows()}


def test_a_link_that_comes_and_goes_each_second_moves_no_flow_more_than_twice(api, net, declared, transfer):
    declared("web", WEB)
    first = servers(net, WEB)
    pieces = [Flow(client="h2", server="h4", port=piece.server_port) for piece in transfer]
    leaves_by = Port("l2", transfer[0].forward[0][1])
    cable = next(cable for cable in net.topology.cables if cable.a == leaves_by)
    before = moves(api)
    asking_all = [asking(net, client, WEB, addresses(client), rounds=5 * FLAPPING_S) for client in CLIENTS]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        moving = pool.submit(traffic.measure_tcp, net, pieces, FLAPPING_S, 1)
        flap(net, cable, FLAPPING_S)
        carried = moving.result()
    try:
        got = {address: names for asker in asking_all for address, names in answers(asker).items()}
        assert got == {address: [name] * 5 * FLAPPING_S for address, name in first.items()}
        assert min(flow.goodput_bps for flow in carried) > RATE / 10, carried
        moved = {number: count - before.get(number, 0) for number, count in moves(api).items()}
        assert 1 <= max(moved.values()) <= 2, moved
    finally:
        net.set_carrier(cable, up=True)
        api.wait_fabric(net.topology)
