# SPDX-License-Identifier: EPL-2.0
"""What hosts do to a fabric: they share a port, are plugged in elsewhere, ask for addresses."""

import functools
import pathlib
import socket
import struct
import sys
from collections.abc import Callable, Iterator

import pytest
from plain_bridges import LAYER, make_plain, seen
from sluice_lab import frames, instruments, ovs, traffic
from sluice_lab.multipath import Server, Service
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.topology import Builder, Port, Topology
from sluice_lab.traffic import Mover

pytestmark = pytest.mark.net

RATE = 10_000_000
SIZE_BYTES = 4_000_000  # more than three seconds at that rate
BRIDGE = "b"
SPARE = Port("l3", 9)
LEASED = "10.0.0.200"
PIECES = {6001: 1, 6002: 2}


def wired() -> Topology:
    """Three leaves and two spines. A host at two of the leaves, at the third a plain bridge with two more."""
    builder = Builder("hosts")
    spines = [builder.switch(f"s{i}", 20_000 + i, "spine") for i in (1, 2)]
    for i in (1, 2, 3):
        leaf = builder.switch(f"l{i}", 30_000 + i, "leaf")
        for spine in spines:
            builder.cable(leaf, spine, RATE)
    builder.cable("l3", builder.switch(BRIDGE, 40_001, LAYER), 4 * RATE)
    for switch in ("l1", "l2", BRIDGE, BRIDGE):
        builder.host(switch, 4 * RATE)
    return builder.build()


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    with Net(wired(), Settings(prefix="ho")) as net:
        fabric = seen(net.topology)
        make_plain(net)
        api.set_capacities(fabric)
        bridges = [net.bridge(switch.name) for switch in fabric.switches]
        ovs.set_controller(bridges, str(Endpoint(running.address, 6653)))
        ovs.wait_connected(bridges, 60)
        api.wait_fabric(fabric)
        api.wait_hosts(fabric, net.announce_hosts)
        yield net


@pytest.fixture
def plug(api, net) -> Iterator[Callable[[str, Port], None]]:
    """Plugs a host in elsewhere; after the test it is back."""
    moved = []

    def plug(host: str, port: Port) -> None:
        moved.append(host)
        net.plug(host, port)

    yield plug
    for host in moved:
        net.plug(host, net.topology.host(host).port)
    api.wait_hosts(seen(net.topology), net.announce_hosts)


@pytest.fixture
def transfer(api, net) -> Iterator[list]:
    """The first host gets two pieces from the second one."""
    client, server = (host.address for host in net.topology.hosts[:2])
    offer = Server(name="h2", address=server, pieces=PIECES)
    api.put_service(Service(name="moving", pieces=len(PIECES), servers=(offer,)))
    yield api.request_transfer("moving", client, "moving")
    api.release_transfer("moving")
    api.delete_service("moving")


def started(net: Net, client: str, server: str, port: int, *, receive: bool = False) -> Mover:
    """Begins to move bytes over a connection of their own."""
    traffic.serve_bulk(net, server, [port])
    mover = Mover(net, client, SIZE_BYTES, receive=receive)
    mover.start(server, net.topology.host(server).address, port)
    return mover


def received(net: Net, host: str) -> int:
    """Bytes that have left the fabric towards a host."""
    interface = net.interface(net.topology.host(host).port)
    return int(pathlib.Path("/sys/class/net", interface, "statistics", "tx_bytes").read_text())


def known(api) -> dict[str, tuple[str, int]]:
    """Where the controller knows each address, by switch and port."""
    hosts = api.fabric()["hosts"]["host"]
    return {address: (host["switch"], host["port"]) for host in hosts for address in host.get("address", [])}


def at(net: Net, port: Port) -> tuple[str, int]:
    return net.topology.switch(port.switch).id, port.number


def edges(api, client: str) -> set[str]:
    """The switches at which the flows of a client begin."""
    return {flow["client-switch"] for flow in api.flows() if flow["client"] == client}


def test_hosts_behind_a_plain_bridge_get_paths_of_their_own(api, net):
    behind = [host for host in net.topology.hosts if host.port.switch == BRIDGE]
    assert {known(api)[host.address] for host in behind} == {at(net, seen(net.topology).hosts[-1].port)}
    for mover in [started(net, "h1", host.name, 5301) for host in behind]:
        mover.finish(60)
    assert {host.address for host in behind} <= {flow["server-address"] for flow in api.flows()}


def test_hosts_at_one_port_hear_each_other_without_the_fabric(api, net):
    one, other = seen(net.topology).hosts[-2:]
    address, nobody = "10.0.1.4", "10.0.1.1"
    net.run(other.name, ["ip", "addr", "add", f"{address}/8", "dev", "h4-eth0"])
    asks = [sys.executable, "-m", "sluice_lab.announce", "h4-eth0", other.mac, address, nobody]
    api.wait_addresses(other, net.topology, [address], functools.partial(net.run, other.name, asks))
    assert " 20 received" in net.run(one.name, ["ping", "-q", "-n", "-i", "0.1", "-c", "20", address])


def test_a_connection_goes_on_when_its_client_is_plugged_in_elsewhere(running, api, net, plug, wait_until):
    before = received(net, "h2")
    mover = started(net, "h1", "h2", 5302)
    wait_until(lambda: received(net, "h2") > before + SIZE_BYTES // 4, 20)
    plug("h1", SPARE)
    mover.finish(60)
    client = net.topology.host("h1").address
    assert known(api)[client] == at(net, SPARE)
    assert edges(api, client) == {at(net, SPARE)[0]}
    assert "cause=HOST_MOVED" in running.log()


def test_a_transfer_goes_on_when_a_host_that_only_listens_is_plugged_in_elsewhere(api, net, transfer, plug, wait_until):
    assert len({placed.forward for placed in transfer}) == len(PIECES)
    before = received(net, "h1")
    movers = [started(net, "h1", "h2", port, receive=True) for port in PIECES]
    wait_until(lambda: received(net, "h1") > before + SIZE_BYTES // 4, 20)
    plug("h1", SPARE)
    for mover in movers:
        mover.finish(60)
    assert edges(api, net.topology.host("h1").address) == {at(net, SPARE)[0]}


@pytest.fixture
def dhcp_server(net, tmp_path) -> str:
    """The first host gives away one address."""
    (tmp_path / "leases").touch()
    settings = {"start": LEASED, "end": LEASED, "interface": "h1-eth0", "lease_file": tmp_path / "leases"}
    settings |= {"pidfile": tmp_path / "pid", "option subnet": "255.0.0.0"}
    config = tmp_path / "udhcpd.conf"
    config.write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    net.spawn("h1", ["busybox", "udhcpd", "-f", str(config)])
    net.wait_listening("h1", 67, "udp")
    return "h1"


@pytest.fixture
def without_address(net) -> Iterator[str]:
    """The second host has no address until the test ends."""
    host = net.topology.host("h2")
    net.run("h2", ["ip", "addr", "flush", "dev", "h2-eth0"])
    yield host.name
    net.run("h2", ["ip", "addr", "flush", "dev", "h2-eth0"])
    net.run("h2", ["ip", "addr", "add", f"{host.address}/8", "dev", "h2-eth0"])


def test_a_lease_passes_the_looped_fabric_and_tells_where_its_address_is(
    api, net, dhcp_server, without_address, tmp_path, wait_until
):
    script = tmp_path / "bound"
    script.write_text('#!/bin/sh\necho "$1 $ip"\n')
    script.chmod(0o755)
    before = instruments.read_counters(net).bytes
    client = ["busybox", "udhcpc", "-i", "h2-eth0", "-f", "-q", "-n", "-t", "5", "-T", "2", "-s", str(script)]
    assert f"bound {LEASED}" in net.run(without_address, client)
    after = instruments.read_counters(net).bytes
    wait_until(lambda: known(api).get(LEASED) == at(net, net.topology.host(without_address).port), 5)
    assert sum(after[port][1] - before[port][1] for port in after) < 200_000, "frames went round"
    net.run(without_address, ["ip", "addr", "add", f"{LEASED}/8", "dev", "h2-eth0"])
    server = net.topology.host(dhcp_server).address
    assert " 5 received" in net.run(without_address, ["ping", "-q", "-n", "-i", "0.2", "-c", "5", server])


def acknowledgement(client: str, address: str) -> bytes:
    """A DHCP ACK that nobody asked for (RFC 2131, section 2), in an Ethernet frame."""
    mac = bytes.fromhex(client.replace(":", ""))
    given = socket.inet_aton(address)
    message = struct.pack("!BBBBIHH", 2, 1, 6, 0, 7, 0, 0) + bytes(4) + given + bytes(8) + mac + bytes(10 + 64 + 128)
    message += bytes.fromhex("63825363 350105 ff")
    datagram = struct.pack("!HHHH", 67, 68, 8 + len(message), 0) + message
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(datagram), 0, 0, 64, 17, 0)
    packet = header + socket.inet_aton("10.0.0.99") + b"\xff" * 4 + datagram
    return mac + bytes.fromhex("020000000099 0800") + packet


SEND = """
import socket, sys
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sender:
    sender.bind((sys.argv[1], 0))
    for frame in sys.argv[2:]:
        sender.send(bytes.fromhex(frame))
"""


def test_a_forged_answer_of_a_dhcp_server_takes_nobodys_address(api, net):
    victim, other, forger = (net.topology.host(name) for name in ("h1", "h2", "h3"))
    forged = acknowledgement(other.mac, victim.address)
    later = frames.arp_request(forger.mac, "10.0.0.98", victim.address)  # is handled after what was sent before
    send = functools.partial(net.run, forger.name, [sys.executable, "-c", SEND, "h3-eth0", forged.hex(), later.hex()])
    api.wait_addresses(seen(net.topology).host("h3"), net.topology, ["10.0.0.98"], send)
    assert known(api)[victim.address] == at(net, victim.port)
    assert " 3 received" in net.run("h4", ["ping", "-q", "-n", "-i", "0.2", "-c", "3", victim.address])
