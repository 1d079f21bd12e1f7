# SPDX-License-Identifier: EPL-2.0
"""Services on real switches: full ones refuse, drained servers lose what they have, removed services end."""

import concurrent.futures
import dataclasses
import errno
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest
from sluice_lab import ovs, topologies
from sluice_lab.multipath import Server, Service
from sluice_lab.net import Endpoint, Net, Settings

pytestmark = pytest.mark.net

RATE = 10_000_000
CLIENT, FIRST, SECOND = "h1", "h2", "h3"
SIX = {CLIENT: "fd00::1", FIRST: "fd00::2", SECOND: "fd00::3"}
VIRTUAL = {4: "10.0.0.100", 6: "fd00::100"}
PORTS = {"tcp": 8001, "udp": 8002}
PUSHING = 8003
DRAIN_MS = 3000
PAUSE_S = 0.05

# Opens so many TCP connections at once, and prints the error (0 for none) and the seconds that each took.
CONNECT = """
import concurrent.futures, json, socket, sys, time
address, port, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sockets = [socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) for _ in range(number)]
def connect(one):
    one.settimeout(10)
    begin = time.monotonic()
    try:
        one.connect((address, port))
        return 0, time.monotonic() - begin
    except OSError as error:
        return error.errno or -1, time.monotonic() - begin
with concurrent.futures.ThreadPoolExecutor(number) as pool:
    print(json.dumps(list(pool.map(connect, sockets))), flush=True)
sys.stdin.read()
"""

# Sends a datagram from each of so many connected sockets, one after the other, and prints what comes of it.
DATAGRAMS = """
import json, socket, sys, time
address, port, number = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
outcomes, sockets = [], []
for _ in range(number):
    one = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)
    sockets.append(one)
    one.settimeout(10)
    one.connect((address, port))
    begin = time.monotonic()
    try:
        one.send(b"?")
        one.recv(100)
        outcomes.append((0, time.monotonic() - begin))
    except OSError as error:
        outcomes.append((error.errno or -1, time.monotonic() - begin))
print(json.dumps(outcomes))
"""

# Serves one connection: sends something every so many seconds, and prints the error that ends it and when.
PUSH = """
import json, socket, sys, time
listener = socket.create_server(("::", int(sys.argv[1])), family=socket.AF_INET6, dualstack_ipv6=True)
one, _ = listener.accept()
try:
    while True:
        one.send(b"!")
        time.sleep(float(sys.argv[2]))
except OSError as error:
    print(json.dumps((error.errno, time.time())))
"""

# Reads a connection until nothing came for a second, then sends something; prints the error and the last arrival.
LISTEN = """
import json, socket, sys, time
one = socket.create_connection((sys.argv[1], int(sys.argv[2])), 10)
print("connected", flush=True)
one.settimeout(1)
last = None
try:
    while True:
        try:
            one.recv(100)
            last = time.time()
        except TimeoutError:
            one.send(b"?")
except OSError as error:
    print(json.dumps((error.errno, last)))
"""


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """A client and two servers on three leaves, with IPv4 and IPv6."""
    plain = topologies.leaf_spine(3, 2, 1, rates=topologies.LayerRates(host=8 * RATE, edge=RATE))
    with Net(plain, Settings(prefix="sv", ipv6=True)) as net:
        for host, address in SIX.items():
            net.run(host, ["ip", "addr", "add", f"{address}/64", "dev", f"{host}-eth0", "nodad"])
        api.set_capacities(net.topology)
        api.set_times(refresh_interval=10_000)
        net.attach_controller(Endpoint(running.address, 6653))
        api.wait_fabric(net.topology)
        api.wait_hosts(net.topology, net.announce_hosts)
        for host, address in SIX.items():
            ping = f"ping -6 -c 1 -w 1 -I {address} {VIRTUAL[6]} || true"  # asks for its neighbour
            api.wait_addresses(
                net.topology.host(host),
                net.topology,
                [address],
                lambda host=host, ping=ping: net.run(host, ["sh", "-c", ping]),
            )
        for server in (FIRST, SECOND):
            for transport, port in PORTS.items():
                net.spawn(server, [sys.executable, "-m", "sluice_lab.names", "serve", transport, str(port), server])
                net.wait_listening(server, port, transport)
        yield net


def offer(net: Net, host: str, port: int, version: int = 4, **more: int) -> Server:
    address = net.topology.host(host).address if version == 4 else SIX[host]
    return Server(name=host, address=address, pieces={port: 1}, **more)


@pytest.fixture
def declared(api, wait_until) -> Iterator[Callable[..., Service]]:
    """Declares a service, or replaces it; it is gone after the test."""
    names = set()

    def declare(servers: list[Server], transport: str = "tcp", version: int = 4) -> Service:
        service = Service(
            name=transport,
            pieces=1,
            servers=tuple(servers),
            transport=transport,
            virtual_address=VIRTUAL[version],
            drain_timeout_ms=DRAIN_MS,
        )
        names.add(service.name)
        api.put_service(service)
        return service

    yield declare
    for name in names:
        api.delete_service(name)
    wait_until(lambda: api.flows() == [], 60)


def script(net: Net, host: str, text: str, *arguments: object) -> subprocess.Popen:
    return net.spawn(host, [sys.executable, "-c", text, *map(str, arguments)])


def last_line(process: subprocess.Popen) -> list:
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return json.loads(out.splitlines()[-1])


def refusals(api, outcome: str) -> int:
    counted = api.fabric().get("refusals", {}).get("refusal", [])
    return next((int(refusal["packets"]) for refusal in counted if refusal["outcome"] == outcome), 0)


@pytest.mark.parametrize("version", [4, 6])
def test_a_full_service_refuses_tcp_connections_at_once(api, net, declared, wait_until, version):
    room, number = 2, 20
    before = refusals(api, "reset")
    declared([offer(net, FIRST, PORTS["tcp"], version, max_load=room)], version=version)
    outcomes = last_line(script(net, CLIENT, CONNECT, VIRTUAL[version], PORTS["tcp"], number))
    assert [error for error, _ in outcomes].count(0) == room
    refused = [taken_s for error, taken_s in outcomes if error == errno.ECONNREFUSED]
    assert len(refused) == number - room, outcomes
    assert max(refused) < 1
    wait_until(lambda: refusals(api, "reset") - before >= number - room, 10)


@pytest.mark.parametrize(("version", "error"), [(4, errno.EHOSTUNREACH), (6, errno.EACCES)])
def test_a_full_service_refuses_datagrams_by_an_icmp_error(net, declared, version, error):
    declared([offer(net, FIRST, PORTS["udp"], version, max_load=1)], "udp", version)
    outcomes = last_line(script(net, CLIENT, DATAGRAMS, VIRTUAL[version], PORTS["udp"], 5))
    assert [code for code, _ in outcomes] == [0, error, error, error, error]
    assert max(taken_s for _, taken_s in outcomes) < 1


@pytest.mark.parametrize("version", [4, 6])
def test_both_ends_of_a_connection_are_reset_when_its_server_is_drained(net, declared, version):
    server = offer(net, FIRST, PUSHING, version)
    declared([server], version=version)
    pushing = script(net, FIRST, PUSH, PUSHING, PAUSE_S)
    net.wait_listening(FIRST, PUSHING, "tcp")
    listening = script(net, CLIENT, LISTEN, VIRTUAL[version], PUSHING)
    assert listening.stdout.readline() == "connected\n"
    begin = time.time()
    declared([dataclasses.replace(server, weight=0)], version=version)
    code, ended = last_line(pushing)
    assert code == errno.ECONNRESET
    assert DRAIN_MS / 1000 <= ended - begin < DRAIN_MS / 1000 + 1
    code, last = last_line(listening)
    assert code == errno.ECONNRESET
    assert last >= begin + DRAIN_MS / 1000 - 1


def test_udp_moves_to_another_server_when_its_own_is_removed(api, net, declared):
    port = PORTS["udp"]
    declared([offer(net, FIRST, port)], "udp")
    words = ["udp", VIRTUAL[4], str(port), "40", net.topology.host(CLIENT).address]
    asker = net.spawn(CLIENT, [sys.executable, "-m", "sluice_lab.names", "ask", *words])
    time.sleep(1)
    declared([offer(net, SECOND, port)], "udp")
    time.sleep(1)
    assert [flow["server"] for flow in api.flows() if "draining-since" in flow] == [FIRST]
    (names,) = last_line(asker).values()
    moved = names.index(SECOND)
    assert names == [FIRST] * moved + [SECOND] * (40 - moved)
    assert moved > 5 + DRAIN_MS / 1000 / 0.25


def test_a_removed_service_takes_its_entries_with_it(api, net, declared):
    declared([offer(net, FIRST, PUSHING)])
    pushing = script(net, FIRST, PUSH, PUSHING, PAUSE_S)
    net.wait_listening(FIRST, PUSHING, "tcp")
    listening = script(net, CLIENT, LISTEN, VIRTUAL[4], PUSHING)
    assert listening.stdout.readline() == "connected\n"
    with concurrent.futures.ThreadPoolExecutor() as pool:
        begin = time.time()
        api.delete_service("tcp")
        bridges = [net.bridge(switch.name) for switch in net.topology.switches]
        while any(VIRTUAL[4] in entries for entries in pool.map(entries_of_connections, bridges)):
            assert time.time() < begin + 1
    code, ended = last_line(pushing)
    assert code == errno.ECONNRESET
    assert ended < begin + 1
    listening.kill()


def entries_of_connections(bridge: str) -> str:
    """The entries of a switch for TCP."""
    return ovs.call(["ovs-ofctl", "-O", "OpenFlow13", "--no-names", "dump-flows", bridge, "tcp"])
