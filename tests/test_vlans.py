# SPDX-License-Identifier: EPL-2.0
"""Hosts of several VLANs and untagged ones, all with the same addresses, behind trunk ports of a fabric."""

import json
import pathlib
import signal
import sys
from collections.abc import Iterator

import pytest
from plain_bridges import LAYER, make_plain, seen
from sluice_lab import ovs
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.restconf import key
from sluice_lab.topology import Builder, Port, Topology

pytestmark = pytest.mark.net

TOOL = str(pathlib.Path(__file__).with_name("datagrams.py"))
RATE = 100_000_000
PORT = 7007
LISTED = [10, 20]
UNLISTED = 30
UNTAGGED = 0
VLANS = [*LISTED, UNLISTED, UNTAGGED]  # of the hosts at each bridge, in their order
NEAR, FAR = "10.9.0.1", "10.9.0.2"
NEAR6, FAR6 = "fd00:9::1", "fd00:9::2"
MACS = {NEAR: "0a:00:00:00:09:01", FAR: "0a:00:00:00:09:02"}
CLIENTS = {vlan: f"h{number}" for number, vlan in enumerate(VLANS, 1)}
SERVERS = {vlan: f"h{number}" for number, vlan in enumerate(VLANS, 1 + len(VLANS))}


def wired() -> Topology:
    """Two leaves and two spines. At each leaf a plain bridge with a host in each VLAN and an untagged one."""
    builder = Builder("vlans")
    spines = [builder.switch(f"s{i}", 20_000 + i, "spine") for i in (1, 2)]
    for i in (1, 2):
        leaf = builder.switch(f"l{i}", 30_000 + i, "leaf")
        for spine in spines:
            builder.cable(leaf, spine, RATE)
        builder.cable(leaf, builder.switch(f"b{i}", 40_000 + i, LAYER), RATE)
        for _ in VLANS:
            builder.host(f"b{i}", RATE)
    return builder.build()


def trunks(topology: Topology) -> list[Port]:
    return sorted({host.port for host in seen(topology).hosts})


def list_vlans(running, topology: Topology, vlans: list[int]) -> None:
    """Sets the VLANs of both trunk ports."""
    for port in trunks(topology):
        path = f"/rests/data/sluice-fabric:fabric/switches/switch={key(topology.switch(port.switch).id)}"
        settings = {"number": port.number, "capacity": str(RATE), "vlan": vlans}
        code, text = running.restconf(
            "PUT", f"{path}/port={port.number}", json.dumps({"sluice-fabric:port": [settings]})
        )
        assert code in (200, 201, 204), text


def furnish(net: Net, host: str, vlan: int, addresses: tuple[str, str]) -> None:
    """Gives a host the addresses that its namesakes have, and its port at the bridge a tag."""
    own, own6 = addresses
    device = f"{host}-eth0"
    for command in (
        ["addr", "flush", "dev", device],
        ["link", "set", "dev", device, "address", MACS[own]],
        ["addr", "add", f"{own}/24", "dev", device],
        ["addr", "add", f"{own6}/64", "dev", device, "nodad"],
    ):
        net.run(host, ["ip", *command])
    if vlan != UNTAGGED:
        ovs.call(["ovs-vsctl", "set", "port", net.interface(net.topology.host(host).port), f"tag={vlan}"])


def hosts(api) -> set[tuple[int, str]]:
    """The addresses that the controller knows, with their VLAN."""
    known = api.fabric().get("hosts", {}).get("host", [])
    return {(host["vlan"], address) for host in known for address in host.get("address", [])}


def dropped(net: Net) -> int:
    """Packets that the leaves have dropped because of their tag."""
    entries = [
        entry
        for leaf in ("l1", "l2")
        for entry in ovs.ofctl(net.bridge(leaf), ["dump-flows"], "table=0").splitlines()
        if "priority=4000," in entry
    ]
    assert len(entries) == len(trunks(net.topology))
    return sum(int(entry.partition("n_packets=")[2].partition(",")[0]) for entry in entries)


def ask(net: Net, vlan: int, server: str, length: int = 100) -> set[str]:
    """Sends datagrams from a VLAN's client; returns the names of those that answer, or errors."""
    printed = net.run(CLIENTS[vlan], [sys.executable, TOOL, "ask", server, str(PORT), "3", str(length), "2"])
    return {answer for _, answer in json.loads(printed)}


def placed_to(api, server: str) -> set[int]:
    """The VLANs of the flows to a server's address."""
    return {flow.get("vlan", UNTAGGED) for flow in api.flows() if flow["server-address"] == server}


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    with Net(wired(), Settings(prefix="vl", ipv6=True)) as net:
        make_plain(net)
        fabric = seen(net.topology)
        for vlan in VLANS:
            furnish(net, CLIENTS[vlan], vlan, (NEAR, NEAR6))
            furnish(net, SERVERS[vlan], vlan, (FAR, FAR6))
        api.set_capacities(fabric)
        list_vlans(running, net.topology, LISTED)
        bridges = [net.bridge(switch.name) for switch in fabric.switches]
        ovs.set_controller(bridges, str(Endpoint(running.address, 6653)))
        ovs.wait_connected(bridges, 60)
        api.wait_fabric(fabric)
        for host in SERVERS.values():
            net.spawn(host, [sys.executable, TOOL, "echo", str(PORT), host])
            net.wait_listening(host, PORT, "udp")
        yield net


@pytest.fixture(scope="module")
def settled(api, net, wait_until) -> None:
    """All hosts that may be are known."""

    def announced() -> bool:
        for host in (*CLIENTS.values(), *SERVERS.values()):
            net.run(host, ["sh", "-c", f"ping -c 1 -W 1 {NEAR}; ping -c 1 -W 1 {FAR}; ping -c 1 -W 1 {FAR6}; true"])
        wanted = {(vlan, address) for vlan in (*LISTED, UNTAGGED) for address in (NEAR, FAR, NEAR6, FAR6)}
        return wanted <= hosts(api)

    wait_until(announced, 90)


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize("server", [FAR, FAR6])
@pytest.mark.parametrize("length", [100, 4000])
def test_equal_addresses_live_side_by_side(api, net, wait_until, server, length):
    for vlan in (*LISTED, UNTAGGED):
        assert ask(net, vlan, server, length) == {SERVERS[vlan]}
    if length == 100:
        wait_until(lambda: {*LISTED, UNTAGGED} == placed_to(api, server), 20)


@pytest.mark.usefixtures("settled")
def test_what_is_not_listed_is_dropped_and_counted(api, net):
    before = dropped(net)
    answers = ask(net, UNLISTED, FAR)
    assert not answers & set(SERVERS.values()), answers
    assert dropped(net) > before
    assert UNLISTED not in {vlan for vlan, _ in hosts(api)}


@pytest.mark.usefixtures("settled")
def test_the_switches_hold_what_is_declared(api, net):
    api.wait_agreement(seen(net.topology))


@pytest.mark.usefixtures("settled")
def test_a_switch_answers_each_vlan_by_itself_while_the_controller_is_away(running, api, net):
    fabric = seen(net.topology)
    bridges = [net.bridge(switch.name) for switch in fabric.switches]
    for vlan in (*LISTED, UNTAGGED):
        net.run(CLIENTS[vlan], ["ping", "-c", "1", "-W", "2", FAR])  # has a path from now on
    ovs.set_controller(bridges, "tcp:127.0.0.1:1")
    try:
        for vlan in (*LISTED, UNTAGGED):
            net.run(CLIENTS[vlan], ["ip", "neigh", "flush", "all"])
            net.run(CLIENTS[vlan], ["ping", "-c", "1", "-W", "2", FAR])
    finally:
        ovs.set_controller(bridges, str(Endpoint(running.address, 6653)))
        ovs.wait_connected(bridges, 60)
        api.wait_agreement(fabric)


@pytest.mark.usefixtures("settled")
def test_packets_pass_and_hosts_are_known_over_a_restart_of_the_controller(running, api, net, tmp_path):
    before, report = hosts(api), tmp_path / "ping"
    vlan = LISTED[0]
    net.run(CLIENTS[vlan], ["ping", "-c", "1", "-W", "2", FAR])  # has a path from now on
    running.kill(signal.SIGKILL)
    pinging = net.spawn(CLIENTS[vlan], ["sh", "-c", f"exec ping -q -i 0.2 {FAR} > {report}"])
    running.command("start", timeout_s=330)
    api.wait_agreement(seen(net.topology))
    assert hosts(api) >= {host for host in before if host[0] != UNTAGGED}
    switches = len(seen(net.topology).switches)
    adopted = [line for line in running.log().splitlines() if "switch-agrees" in line][-switches:]
    assert all("repaired=0" in line for line in adopted), adopted
    pinging.send_signal(signal.SIGINT)
    pinging.wait(10)
    assert " 0% packet loss" in report.read_text()


@pytest.mark.usefixtures("settled")
def test_a_vlan_that_is_no_longer_listed_is_cut_off_and_the_others_go_on(running, api, net, wait_until):
    kept, gone = LISTED
    list_vlans(running, net.topology, [kept])
    try:
        wait_until(lambda: gone not in {vlan for vlan, _ in hosts(api)}, 20)
        before = dropped(net)
        assert not ask(net, gone, FAR) & set(SERVERS.values())
        assert dropped(net) > before
        assert ask(net, kept, FAR) == {SERVERS[kept]}
    finally:
        list_vlans(running, net.topology, LISTED)
