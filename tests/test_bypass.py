# SPDX-License-Identifier: EPL-2.0
"""No kind of packet gets past its rate: each protocol, near and far, of both families, with real traffic at once."""

import dataclasses
import itertools
import json
import re
import signal
import subprocess
from collections.abc import Iterator

import allocations
import pytest
from sluice_lab import ovs, topologies
from sluice_lab.multipath import Strategy
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.steering import attach
from sluice_lab.topology import Port
from sluice_lab.traffic import finish

pytestmark = pytest.mark.net

LIMIT = 1_000_000
FRAME_BYTES = 1000  # of UDP and ICMP
FULL_FRAME_BYTES = 1514
PROTOCOLS = ("tcp", "udp", "icmp")
SENDER, NEAR, FAR = "h1", "h2", "h3"
ADDRESSES = {SENDER: "fd00::1", NEAR: "fd00::2", FAR: "fd00::3"}


@dataclasses.dataclass(frozen=True)
class Kind:
    """Packets of a protocol from a host to one at the same switch or at another."""

    protocol: str
    receiver: str
    ipv6: bool

    def __str__(self) -> str:
        return f"{self.protocol}-{self.receiver}-{6 if self.ipv6 else 4}"

    @property
    def port(self) -> int:
        return 5100 + KINDS.index(self)

    @property
    def ip_bytes(self) -> int:
        """Headers of Ethernet and IP."""
        return 54 if self.ipv6 else 34

    def address(self, net: Net, host: str) -> str:
        return ADDRESSES[host] if self.ipv6 else net.topology.host(host).address


KINDS = [Kind(*kind) for kind in itertools.product(PROTOCOLS, (NEAR, FAR), (False, True))]


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """Two hosts at a leaf and one at another, which know each other's addresses."""
    rates = topologies.LayerRates(host=100 * LIMIT, edge=20 * LIMIT)
    with Net(topologies.leaf_spine(2, 1, 2, rates=rates), Settings(prefix="by", ipv6=True)) as net:
        for host, address in ADDRESSES.items():
            net.run(host, ["ip", "addr", "add", f"{address}/64", "dev", f"{host}-eth0", "nodad"])
        attach(net, api, Strategy.JOINT, Endpoint(running.address, 6653))
        announce_all(api, net)
        yield net


def announce_all(api, net: Net) -> None:
    """Has the controller see each host at both of its addresses."""
    api.wait_hosts(net.topology, net.announce_hosts)
    for host, address in ADDRESSES.items():
        others = " ".join(other for other in ADDRESSES.values() if other != address)
        asking = ["sh", "-c", f"for other in {others}; do ping -c 1 -W 1 $other; done || true"]
        api.wait_addresses(
            net.topology.host(host), net.topology, [address], lambda host=host, asking=asking: net.run(host, asking)
        )


@pytest.fixture
def forget(running) -> Iterator[None]:
    """All is gone after the test."""
    yield
    allocations.forget(running)


@pytest.fixture
def queueing(running, net, wait_until) -> Iterator[str]:
    """The first leaf, which is to use queues, with its database connected; no queues are left."""
    ovs.call(["ovs-vsctl", "set-manager", f"tcp:{running.address}:6640"])
    try:
        yield net.topology.host(SENDER).port.switch
        allocations.forget(running)
        wait_until(lambda: not ovs.call(["ovs-vsctl", "--bare", "list", "qos"]).strip(), 20)
    finally:
        ovs.call(["ovs-vsctl", "del-manager"])


def settings(net: Net, kind: Kind, limit: int = LIMIT) -> dict:
    """A flow in the words of the model."""
    ends = {"source": kind.address(net, SENDER), "destination": kind.address(net, kind.receiver)}
    port = {} if kind.protocol == "icmp" else {"destination-port": kind.port}
    return {"name": str(kind), "protocol": kind.protocol, "limit": str(limit)} | ends | port


def sending(net: Net, kind: Kind, duration_s: int) -> subprocess.Popen[str]:
    """Begins to send twice what may pass, or all that TCP can."""
    address = kind.address(net, kind.receiver)
    payload = FRAME_BYTES - kind.ip_bytes - 8
    if kind.protocol == "icmp":
        interval_s = FRAME_BYTES * 8 / (2 * LIMIT)
        command = f"ping -q -n -i {interval_s} -s {payload} -w {duration_s} {address}"
        return net.spawn(SENDER, command.split())
    net.spawn(kind.receiver, ["iperf3", "-s", "-1", "-p", str(kind.port)])
    net.wait_listening(kind.receiver, kind.port)
    load = f"-u -l {payload} -b {2 * LIMIT * payload // FRAME_BYTES}" if kind.protocol == "udp" else "-C cubic"
    return net.spawn(SENDER, f"iperf3 -J -c {address} -p {kind.port} -t {duration_s} {load}".split())


def arrived(kind: Kind, sender: subprocess.Popen[str], duration_s: int) -> float:
    """Bit/s of layer-2 frames that got to the receiver; of echo requests, those that were answered."""
    report = finish(sender, str(kind), 2 * duration_s)
    if kind.protocol == "icmp":
        return int(re.search(r"(\d+) received", report)[1]) * FRAME_BYTES * 8 / duration_s
    received = json.loads(report)["end"]["sum_received"]
    if kind.protocol == "udp":
        return (received["packets"] - received["lost_packets"]) * FRAME_BYTES * 8 / duration_s
    payload = FULL_FRAME_BYTES - kind.ip_bytes - 32  # TCP with time stamps
    return received["bits_per_second"] * FULL_FRAME_BYTES / payload


def send_at_once(net: Net, kinds: list[Kind], duration_s: int) -> None:
    """Has the kinds sent at once; each is held to its rate."""
    senders = {kind: sending(net, kind, duration_s) for kind in kinds}
    rates = {str(kind): arrived(kind, sender, duration_s) for kind, sender in senders.items()}
    allocations.assert_held(rates, {str(kind): LIMIT for kind in kinds})


def way_out(net: Net, kind: Kind) -> Port:
    """The port by which packets leave the first leaf."""
    leaf = net.topology.host(SENDER).port.switch
    receiver = net.topology.host(kind.receiver).port
    return (
        receiver
        if receiver.switch == leaf
        else next(cable.a for cable in net.topology.cables if cable.a.switch == leaf)
    )


def sort_into(net: Net, kind: Kind, queue: int) -> None:
    """Does what the userspace datapath does not when an entry picks a queue: puts packets there as they leave."""
    family, match, icmp = ("ipv6", "ip6", 58) if kind.ipv6 else ("ip", "ip", 1)
    protocol = {"tcp": 6, "udp": 17, "icmp": icmp}[kind.protocol]
    port = "" if kind.protocol == "icmp" else f"match {match} dport {kind.port} 0xffff"
    words = f"protocol {family} prio {1 + kind.ipv6} u32 match {match} protocol {protocol} 0xff {port}"
    device = net.interface(way_out(net, kind))
    ovs.call(f"tc filter add dev {device} parent 1: {words} flowid 1:{queue + 1:x}".split())


@pytest.mark.usefixtures("forget")
def test_a_meter_holds_each_kind_of_packet_to_its_rate(running, net, wait_until):
    allocations.write(running, [settings(net, kind) for kind in KINDS])
    wait_until(lambda: allocations.in_place(running, **{str(kind): LIMIT for kind in KINDS}), 30)
    send_at_once(net, KINDS, 20)


def queue_rows() -> list[str]:
    """The rows of queues in the database."""
    return sorted(ovs.call(["ovs-vsctl", "--bare", "--columns=_uuid,queues", "list", "qos"]).split("\n"))


def test_a_queue_does_where_a_switch_is_to_use_no_meters(running, api, net, queueing, wait_until):
    def write(limit: int) -> None:
        leaf = net.topology.switch(queueing).id
        allocations.write(running, [settings(net, kind, limit) for kind in KINDS], **{"queue-switch": [leaf]})

    def wait_for_queues(limit: int) -> None:
        wait_until(lambda: allocations.in_place(running, **{str(kind): limit for kind in KINDS}), 30)

    def is_ignored(flow: dict) -> bool:
        return "ignores the queues" in flow.get("reason", "") and "meter" in flow and "queue" not in flow

    write(LIMIT // 2)
    wait_until(lambda: all(map(is_ignored, allocations.told(running).values())), 30)
    ovs.call(["ovs-vsctl", "set", "bridge", net.bridge(queueing), "external_ids:sluice-queue-filters=true"])
    wait_for_queues(LIMIT // 2)
    told = allocations.told(running)
    assert "kbps" not in ovs.call(["ovs-ofctl", "-O", "OpenFlow13", "dump-meters", net.bridge(queueing)])
    entries = ovs.call(["ovs-ofctl", "-O", "OpenFlow13", "dump-flows", net.bridge(queueing)])
    for kind in KINDS:
        assert f"set_queue:{told[str(kind)]['queue']}," in entries
        sort_into(net, kind, told[str(kind)]["queue"])
    write(LIMIT)
    wait_for_queues(LIMIT)
    # A full queue costs the userspace datapath the packets behind in the batch, also those for other queues.
    for protocol in PROTOCOLS:
        send_at_once(net, [kind for kind in KINDS if kind.protocol == protocol], 10)
    made = queue_rows()
    running.kill(signal.SIGKILL)
    running.command("start", timeout_s=330)
    api.wait_fabric(net.topology)
    announce_all(api, net)
    wait_until(lambda: allocations.in_place(running, **{str(kind): LIMIT for kind in KINDS}), 60)
    assert queue_rows() == made
    assert {name: flow["queue"] for name, flow in allocations.told(running).items()} == {
        name: flow["queue"] for name, flow in told.items()
    }
