# SPDX-License-Identifier: EPL-2.0
"""A VNF that is a bump in the wire, on devices of AF_XDP: whatever it bridges comes back as it was sent."""

from collections.abc import Iterator

import pytest
from forwarders import HOSTS, LIMIT_S, Site, document, is_carried, linked_site, side, start_forwarder

pytestmark = pytest.mark.net
BRIDGED = ("vin1", "vout1")


def mac_of(site: Site, port: str) -> str:
    """The forwarder's own MAC address on a port."""
    return site.must(HOSTS[port][1], f"cat /sys/class/net/{port}/address").strip()


def bridged_document(site: Site) -> dict:
    """F1's configuration with the bridge in the place of the NAT; each side's packets are for F1's other port."""
    configuration = document(site, "F1", 1, has_rules=True, has_bus=False, asks=False)
    forwarder = configuration["sluice-forwarder:forwarder"]
    ports = [port for port in forwarder["ports"]["port"] if port["name"] in ("wan0", "cl0")]
    ports += [{"name": name, "device": f"net_af_xdp{i},iface={name},queue_count=1"} for i, name in enumerate(BRIDGED)]
    forwarder["ports"]["port"] = ports
    for port in ports:
        port["device"] = port["device"].replace("qpairs=2", "qpairs=1")
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
        start_forwarder(linked, "F2", document(linked, "F2", 1, has_rules=True, has_bus=False, asks=False))
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
