# SPDX-License-Identifier: EPL-2.0
"""Devices other than AF_PACKET, for each purpose another one: AF_XDP, TAP and memif.

client --- bridge --- TAP [F1] === VXLAN over memif === [F2] sv0 --- server
                   AF_XDP | | AF_XDP
                     VNF: a bridge, which is a bump in the wire and changes nothing
"""

from collections.abc import Iterator

import pytest
from forwarders import HOSTS, LIMIT_S, Site, document, is_carried, linked_site, side, start_forwarder

pytestmark = pytest.mark.net
BRIDGED = ("vin1", "vout1")
TAP = "tap0"


def mac_of(site: Site, port: str) -> str:
    """The forwarder's own MAC address on a port."""
    return site.must(HOSTS[port][1], f"cat /sys/class/net/{port}/address").strip()


def memif(site: Site, role: str) -> str:
    return f"net_memif0,role={role},socket-abstract=no,socket={site.folder}/memif.socket"


def linked_document(site: Site) -> dict:
    """F2's configuration with memif to F1."""
    configuration = document(site, "F2", 1, has_rules=True, has_bus=False, asks=False)
    wan, _ = configuration["sluice-forwarder:forwarder"]["ports"]["port"]
    wan["device"] = memif(site, "client")
    return configuration


def bridged_document(site: Site) -> dict:
    """F1's configuration with the client on a TAP interface, and the bridge in the place of the NAT.

    Packets of each of its sides are for F1's other port.
    """
    configuration = document(site, "F1", 1, has_rules=True, has_bus=False, asks=False)
    forwarder = configuration["sluice-forwarder:forwarder"]
    (wan,) = (port for port in forwarder["ports"]["port"] if port["name"] == "wan0")
    ports = [{**wan, "device": memif(site, "server")}]
    ports.append({"name": "cl0", "device": f"net_tap0,iface={TAP}"})
    ports += [{"name": name, "device": f"net_af_xdp{i},iface={name},queue_count=1"} for i, name in enumerate(BRIDGED)]
    forwarder["ports"]["port"] = ports
    (nat,) = (one for one in forwarder["instances"]["instance"] if one["name"] == "nat-1")
    inner, outer = BRIDGED
    nat["ingress-side"] = {**side(inner), "mac-address": mac_of(site, outer)}
    nat["egress-side"] = {**side(outer), "mac-address": mac_of(site, inner)}
    return configuration


@pytest.fixture(scope="module")
def site(tmp_path_factory, wait_until) -> Iterator[Site]:
    with linked_site(tmp_path_factory.mktemp("site"), wait_until) as linked:
        linked.must("nat2", "ip link add bridge type bridge && ip link set bridge up")
        for port in BRIDGED:
            linked.must("nat2", f"ip addr flush dev {port} && ip link set {port} master bridge")
        start_forwarder(linked, "F1", bridged_document(linked), lcores="0@0,1@1")
        wait_until(lambda: linked.run("F1", f"ip link show {TAP}").returncode == 0, LIMIT_S)
        linked.must("F1", "ip link add lan type bridge && ip link set lan up && ip link set cl0 master lan")
        linked.must("F1", f"ip link set {TAP} master lan")
        start_forwarder(linked, "F2", linked_document(linked))
        yield linked


def test_bridge_carries_both_directions_and_changes_nothing(site):
    site.wait_until(lambda: is_carried(site), LIMIT_S)
    assert "10.1.0.1 - - " in site.log("server")
    hop = site.telemetry("F1", "/sluice/hop,instance/nat-1")
    assert all(hop[f"{way}_packets"] > 0 for way in ("forward", "return"))


def test_nothing_passes_a_bridge_that_is_cut(site):
    site.wait_until(lambda: is_carried(site), LIMIT_S)
    site.must("nat2", f"ip link set {BRIDGED[1]} nomaster")
    assert site.fetch(2) is None
    site.must("nat2", f"ip link set {BRIDGED[1]} master bridge")
    site.wait_until(lambda: is_carried(site), LIMIT_S)
