# SPDX-License-Identifier: EPL-2.0
"""Datagrams larger than a frame, on real switches: to a virtual address, back from it, and between hosts."""

import collections
import ipaddress
import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from sluice_lab import topologies
from sluice_lab.multipath import Server, Service, Strategy
from sluice_lab.net import Endpoint, Net, Settings

pytestmark = pytest.mark.net

RATE = 10_000_000
CLIENTS = ("h1", "h2", "h3")
SERVERS = ("h4", "h5")
PORT = 8005
VIRTUAL = {4: "10.0.0.100", 6: "fd00::100"}
LENGTH = 4000
FRAGMENTS = 3
TOOL = str(pathlib.Path(__file__).with_name("datagrams.py"))


def address(net: Net, host: str, version: int) -> str:
    own = net.topology.host(host).address
    return own if version == 4 else f"fd00::{own.rpartition('.')[2]}"


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """A client or an echo server on each of five leaves, which two spines join."""
    rates = topologies.LayerRates(host=4 * RATE, edge=RATE)
    with Net(topologies.leaf_spine(5, 2, 1, rates=rates), Settings(prefix="sf", ipv6=True)) as net:
        hosts = [host.name for host in net.topology.hosts]
        for host in hosts:
            net.run(host, ["ip", "addr", "add", f"{address(net, host, 6)}/64", "dev", f"{host}-eth0", "nodad"])
        api.set_capacities(net.topology)
        api.set_strategy(Strategy.LEAST_LOADED)  # connections take turns at the servers
        api.set_times(refresh_interval=1000, idle_timeout=10_000)
        net.attach_controller(Endpoint(running.address, 6653))
        api.wait_fabric(net.topology)
        api.wait_hosts(net.topology, net.announce_hosts)
        for host in hosts:
            own = address(net, host, 6)
            ping = f"ping -6 -c 1 -w 1 -I {own} fd00::fe || true"  # asks for its neighbour
            api.wait_addresses(
                net.topology.host(host),
                net.topology,
                [own],
                lambda host=host, ping=ping: net.run(host, ["sh", "-c", ping]),
            )
        for host in hosts:
            net.spawn(host, [sys.executable, TOOL, "echo", str(PORT), host])
            net.wait_listening(host, PORT, "udp")
        yield net


def service(net: Net, version: int, weights: dict[str, int]) -> Service:
    servers = tuple(
        Server(name=host, address=address(net, host, version), pieces={PORT: 1}, max_load=100, weight=weight)
        for host, weight in weights.items()
    )
    return Service(name=f"v{version}", pieces=1, servers=servers, transport="udp", virtual_address=VIRTUAL[version])


@pytest.fixture
def declared(running, api, net, wait_until) -> Iterator[Callable[..., None]]:
    """Declares the service of an IP version and waits until the controller has it; it is gone after the test."""
    versions = set()

    def known(version: int) -> bool:
        path = f"/rests/data/sluice-multipath:multipath/service=v{version}?content=nonconfig"
        return running.restconf("GET", path)[0] == 200

    def declare(version: int, **weights: int) -> None:
        versions.add(version)
        api.put_service(service(net, version, weights or dict.fromkeys(SERVERS, 1)))
        wait_until(lambda: known(version), 10)

    yield declare
    for version in versions:
        api.delete_service(f"v{version}")
        wait_until(lambda version=version: not known(version), 10)


def asking(net: Net, client: str, server: str, count: int, sockets: int = 1, length: int = LENGTH) -> subprocess.Popen:
    return net.spawn(client, [sys.executable, TOOL, "ask", server, str(PORT), str(count), str(length), str(sockets)])


def answers(asker: subprocess.Popen) -> list[tuple[int, str]]:
    """Who answered each datagram, with the number of the socket that has sent it."""
    out, err = asker.communicate(timeout=120)
    assert asker.returncode == 0, err
    return [tuple(answer) for answer in json.loads(out)]


def counted(running, leaf: str) -> int:
    code, body = running.restconf("GET", "/rests/data/sluice-multipath:multipath/flow-events?content=nonconfig")
    assert code == 200, body
    return int(json.loads(body)["sluice-multipath:flow-events"][leaf])


@pytest.mark.parametrize("version", [4, 6])
def test_every_datagram_of_a_client_arrives_whole_at_one_server_and_is_echoed_by_the_virtual_address(
    running, api, net, declared, wait_until, version
):
    declared(version)
    before = counted(running, "fragments-relayed")
    count = 20
    askers = {client: asking(net, client, VIRTUAL[version], count) for client in CLIENTS}
    served = {client: collections.Counter(name for _, name in answers(asker)) for client, asker in askers.items()}
    assert all(len(names) == 1 and set(names) <= set(SERVERS) for names in served.values()), served
    assert all(names.total() == count for names in served.values()), served
    assert set().union(*served.values()) == set(SERVERS), "the clients are spread"
    wanted = before + 2 * FRAGMENTS * count * len(CLIENTS)
    wait_until(lambda: counted(running, "fragments-relayed") == wanted, 10)
    assert counted(running, "fragments-dropped") == 0
    assert [switch for switch in api.validate() if "error" in switch or switch.get("difference")] == []


@pytest.mark.parametrize("version", [4, 6])
def test_fragments_of_a_client_with_connections_at_two_servers_reach_that_of_their_connection(net, declared, version):
    declared(version)
    sockets = 6
    served = collections.defaultdict(set)
    for number, name in answers(asking(net, CLIENTS[0], VIRTUAL[version], 5 * sockets, sockets)):
        served[number].add(name)
    assert all(len(names) == 1 for names in served.values()), served
    assert set().union(*served.values()) == set(SERVERS)


@pytest.mark.parametrize("version", [4, 6])
def test_a_datagram_that_no_server_takes_is_answered_by_an_icmp_error(net, declared, version):
    declared(version, h4=0, h5=0)
    ((_, answer),) = answers(asking(net, CLIENTS[1], VIRTUAL[version], 1))
    assert re.match("OSError.*No route|PermissionError", answer), answer


@pytest.mark.parametrize("version", [4, 6])
def test_between_hosts_fragments_are_a_flow_that_takes_no_other_packets(running, api, net, wait_until, version):
    relayed = counted(running, "fragments-relayed")
    there = address(net, CLIENTS[2], version)
    assert {name for _, name in answers(asking(net, CLIENTS[1], there, 10))} == {CLIENTS[2]}
    assert {name for _, name in answers(asking(net, CLIENTS[1], there, 2, sockets=2, length=100))} == {CLIENTS[2]}

    def ports() -> collections.Counter:
        flows = [flow for flow in api.flows() if ipaddress.ip_address(flow["server-address"]).compressed == there]
        return collections.Counter(
            "fragments" if flow["client-port"] == 0 else "whole" for flow in flows if "client-port" in flow
        )

    wait_until(lambda: ports() == {"fragments": 1, "whole": 2}, 5)
    assert counted(running, "fragments-relayed") == relayed


@pytest.mark.parametrize("version", [4, 6])
def test_a_long_ping_is_answered(net, version):
    there = address(net, SERVERS[0], version)
    done = net.run(CLIENTS[0], ["sh", "-c", f"ping -{version} -c 5 -i 0.5 -W 2 -s {LENGTH} {there} || true"])
    assert "0% packet loss" in done, done
