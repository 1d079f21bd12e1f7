# SPDX-License-Identifier: EPL-2.0
"""Ways to be attached: hosts and a router of IPv6 that are not configured, a VNF with one interface, a VLAN at an edge.

Real TCP crosses the router (in the place of the NAT) or the VNF, and back.
"""

import json
import signal
from collections.abc import Iterator

import pytest
from forwarders import (
    HOSTS,
    INNER_MTU,
    LIMIT_S,
    UNDERLAYS,
    Site,
    document,
    linked_site,
    start_forwarder,
)

pytestmark = pytest.mark.net
SERVER = "[fd00:2::1]:8006"
VLAN, CUSTOMER_MAC = 30, "02:00:00:00:01:30"
ICMP_SOURCE = "fd00:ffff::1"
NETWORKS = {"cl0": "fd00:1::", "vin0": "fd00:9:1::", "vout0": "fd00:9:2::", "sv0": "fd00:2::"}
ROUTES = {"cl0": "default", "vin0": "fd00:1::/64", "vout0": "fd00:2::/64", "sv0": "default"}
# A VNF that keeps labels: what comes to its interface goes back.
REFLECTOR = """
import socket
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as interface:
    interface.bind(("vin0", 0x8847))
    while True:
        frame = interface.recv(2048)
        interface.send(frame[6:12] + frame[:6] + frame[12:])
"""
# A host's interface on a VLAN of cl0, where the kernel has none of its own: argument: the VLAN.
CUSTOMER = """
import fcntl, os, select, socket, struct, sys
PACKET, AUXDATA, VLAN_VALID, TAP_WITHOUT_HEAD, SET_NAME = 263, 8, 0x10, 0x1002, 0x400454CA
vlan = int(sys.argv[1])
customer = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(customer, SET_NAME, struct.pack("16sH22x", b"customer", TAP_WITHOUT_HEAD))
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as link:
    link.bind(("cl0", 3))
    link.setsockopt(PACKET, AUXDATA, 1)
    while True:
        ready, _, _ = select.select([customer, link], [], [])
        if customer in ready:
            frame = os.read(customer, 2048)
            link.send(frame[:12] + struct.pack("!HH", 0x8100, vlan) + frame[12:])
        if link in ready:
            frame, (about, *_), _, _ = link.recvmsg(2048, 64)
            status, tag = struct.unpack_from("=I12xH", about[2])
            if status & VLAN_VALID and tag & 0xFFF == vlan:
                os.write(customer, frame)
"""

# Sends a question by ARP from cl0, behind tags: argument: these, in hexadecimal.
TAGGED = """
import socket, sys
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as link:
    link.bind(("cl0", 0))
    mac = link.getsockname()[4]
    source, target = (socket.inet_aton(address) for address in ("10.1.0.1", "10.1.0.254"))
    question = bytes.fromhex("0806 0001 0800 06 04 0001") + mac + source + bytes(6) + target
    link.send(b"\\xff" * 6 + mac + bytes.fromhex(sys.argv[1]) + question)
"""


def host(port: str) -> str:
    return f"{NETWORKS[port]}1"


def router(port: str) -> str:
    """The forwarder's own address on a port."""
    return f"{NETWORKS[port]}fe"


def give_addresses(site: Site) -> None:
    """Gives hosts and the router addresses of IPv6, and routes by the forwarders."""
    for port, route in ROUTES.items():
        place = HOSTS[port][0]
        settings = [f"net.ipv6.conf.{port}.{name}" for name in ("disable_ipv6=0", "accept_ra=0", "accept_dad=0")]
        site.must(place, f"sysctl -qw {' '.join(settings)}")
        site.must(place, f"ip addr add {host(port)}/64 dev {port}")
        site.must(place, f"ip route add {route} via {router(port)} dev {port}")
    site.must("nat", "sysctl -qw net.ipv6.conf.all.forwarding=1")


def asking_document(site: Site, name: str, *, is_one_armed: bool = False) -> dict:
    """The configuration of a forwarder that asks for all MAC addresses, by neighbour discovery where it can."""
    configuration = document(site, name, 1, has_rules=True, has_bus=False)
    forwarder = configuration["sluice-forwarder:forwarder"]
    forwarder["icmp-source"]["ipv6-address"] = ICMP_SOURCE
    for instance in forwarder["instances"]["instance"]:
        for one in (instance.get("ingress-side", {}), instance.get("egress-side", {})):
            if port := one.get("port"):
                one.pop("mac-address", None)
                one |= {"address": host(port), "own-ipv6-address": router(port)}
        if is_one_armed and instance["name"] == "nat-1":
            del instance["egress-side"]
            instance["single-side"] = instance.pop("ingress-side")
            del instance["single-side"]["stripped-labels"]
    return configuration


def reload(site: Site, name: str, configuration: dict) -> None:
    (site.folder / f"{name}.json").write_text(json.dumps(configuration))
    site.children[name].send_signal(signal.SIGHUP)


def is_carried(site: Site) -> bool:
    """Whether the client gets the server's content over IPv6 as it is."""
    return site.fetch(5, SERVER) == (site.folder / "content").read_bytes()


@pytest.fixture(scope="module")
def site(tmp_path_factory, wait_until) -> Iterator[Site]:
    with linked_site(tmp_path_factory.mktemp("site"), wait_until) as linked:
        give_addresses(linked)
        linked.start("server6", "server", "python3", "-u", "-m", "http.server", "--bind", "::", "8006")
        for name in UNDERLAYS:
            start_forwarder(linked, name, asking_document(linked, name))
        wait_until(lambda: is_carried(linked), LIMIT_S)
        yield linked


@pytest.mark.parametrize("port", NETWORKS)
def test_hosts_and_forwarders_find_each_other_by_neighbour_discovery(site, port):
    place, forwarder, mac, _ = HOSTS[port]
    assert f"{port} 0 {host(port)} {mac}" in site.telemetry(forwarder, "/sluice/neighbours")
    site.must(place, f"ip neigh flush dev {port}")
    assert is_carried(site)
    own_mac = site.must(forwarder, f"cat /sys/class/net/{port}/address").strip()
    assert f"lladdr {own_mac} router" in site.must(place, f"ip neigh show {router(port)} dev {port}")


def test_tcp_over_ipv6_finds_out_what_fits_into_the_tunnel(site):
    site.must("server", "ip -6 route flush cache")
    before = site.telemetry("F2", "/sluice/drops")["too_big"]
    assert is_carried(site)
    assert f"mtu {INNER_MTU}" in site.must("server", f"ip route get {host('cl0')}")
    assert site.telemetry("F2", "/sluice/drops")["too_big"] > before


def test_vnf_with_one_interface_carries_both_directions(site):
    reload(site, "F1", asking_document(site, "F1", is_one_armed=True))
    site.wait_until(lambda: site.fetch(2, SERVER) is None, LIMIT_S)
    before = site.telemetry("F1", "/sluice/hop,instance/nat-1")
    site.start("vnf", "nat", "python3", "-c", REFLECTOR)
    site.wait_until(lambda: is_carried(site), LIMIT_S)
    after = site.telemetry("F1", "/sluice/hop,instance/nat-1")
    assert all(after[f"{way}_packets"] > before[f"{way}_packets"] for way in ("forward", "return"))


def test_edge_on_a_vlan_hears_and_is_heard_there_alone(site):
    def n_strangers() -> int:
        return site.telemetry("F1", "/sluice/drops")["unknown_side"]

    configuration = asking_document(site, "F1")
    instances = configuration["sluice-forwarder:forwarder"]["instances"]["instance"]
    (edge,) = (instance for instance in instances if instance["name"] == "edge-a")
    edge["egress-side"]["vlan"] = VLAN
    before = n_strangers()
    reload(site, "F1", configuration)
    site.wait_until(lambda: site.fetch(2, SERVER) is None and n_strangers() > before, LIMIT_S)
    site.start("customer", "client", "python3", "-c", CUSTOMER, str(VLAN))
    site.wait_until(lambda: site.run("client", "ip link show customer").returncode == 0, LIMIT_S)
    for command in (
        f"ip addr del {host('cl0')}/64 dev cl0",
        "sysctl -qw net.ipv6.conf.customer.disable_ipv6=0 net.ipv6.conf.customer.accept_dad=0",
        f"ip link set customer address {CUSTOMER_MAC} up && ip addr add {host('cl0')}/64 dev customer",
        f"ip route replace default via {router('cl0')} dev customer",
    ):
        site.must("client", command)
    site.wait_until(lambda: is_carried(site), LIMIT_S)
    assert f"cl0 {VLAN} {host('cl0')} {CUSTOMER_MAC}" in site.telemetry("F1", "/sluice/neighbours")


def test_service_tag_comes_as_that_of_802_1q_by_af_packet(site):
    """The kernel takes the outer tag off, and the driver puts one of 802.1Q with the same VLAN in its place."""
    configuration = asking_document(site, "F1")
    instances = configuration["sluice-forwarder:forwarder"]["instances"]["instance"]
    (edge,) = (instance for instance in instances if instance["name"] == "edge-a")
    edge["egress-side"] |= {"vlan": 77, "address": "10.1.0.1", "own-ipv4-address": "10.1.0.254"}
    del edge["egress-side"]["own-ipv6-address"]
    reload(site, "F1", configuration)

    def send(tags: str) -> None:
        site.must("client", f"python3 -c '{TAGGED}' '{tags}'")

    def is_heard() -> bool:
        send("88a8 004d")
        return f"cl0 77 10.1.0.1 {HOSTS['cl0'][2]}" in site.telemetry("F1", "/sluice/neighbours")

    def is_dropped() -> bool:
        send("88a8 004d 8100 0005")
        return site.telemetry("F1", "/sluice/drops")["not_ip"] > before

    site.wait_until(is_heard, LIMIT_S)
    before = site.telemetry("F1", "/sluice/drops")["not_ip"]
    site.wait_until(is_dropped, LIMIT_S)
    reload(site, "F1", asking_document(site, "F1"))
