# SPDX-License-Identifier: EPL-2.0
"""The forwarder on Open vSwitch beside the one on DPDK: real TCP through two real NATs."""

import copy
import shlex
from collections.abc import Iterator, Sequence

import pytest
from forwarders import (
    CHAIN,
    EGRESS,
    GATEWAY,
    LIMIT_S,
    NAT_ADDRESS,
    SECOND_NAT_ADDRESS,
    TUNNELS,
    UNDERLAYS,
    Site,
    captured,
    document,
    is_carried,
    linked_site,
    member,
    side,
    start_forwarder,
)
from openvswitch import open_vswitch
from sluice_lab import vswitch
from sluice_lab.vswitch_affinity import Learned
from sluice_lab.vswitch_tables import Table

pytestmark = pytest.mark.net
SLOW_BYTES_PER_S = 60_000


def rules(site: Site, first: int, second: int) -> dict:
    """The configuration of F1 with two NATs of these weights."""
    configuration = document(site, "F1", 1, has_rules=True, has_bus=False, asks=False)
    forwarder = configuration["sluice-forwarder:forwarder"]
    forwarder["ports"]["port"] += [
        {"name": port, "device": f"net_af_packet{number},iface={port}"} for number, port in ((4, "vin1"), (5, "vout1"))
    ]
    nat = {"name": "nat-2", "service": "nat", "ingress-side": side("vin1"), "egress-side": side("vout1")}
    forwarder["instances"]["instance"].append(nat)
    stages = copy.deepcopy(forwarder["chains"]["chain"][0]["stage"])
    stages[1]["instance"] = [member("nat-1", first), member("nat-2", second)]
    forwarder["chains"]["chain"][0]["stage"] = stages
    return configuration


class Switch:
    """F1, and the tools of Open vSwitch where it is."""

    def __init__(self, site: Site) -> None:
        self.site = site

    def call(self, words: Sequence[str]) -> str:
        return self.site.must("F1", f"OVS_RUNDIR={self.site.folder} {shlex.join(words)}")

    def install(self, first: int, second: int) -> None:
        vswitch.install(Learned(rules(self.site, first, second)), self.site.folder, self.call)

    def pinned(self) -> list[str]:
        table = f"table={Table.PINNED:d}"
        dump = ["ovs-ofctl", "-O", "OpenFlow13", "--no-stats", "dump-flows", vswitch.BRIDGE, table]
        return [line for line in self.call(dump).splitlines() if "cookie" in line]


@pytest.fixture(scope="module")
def switch(tmp_path_factory, wait_until) -> Iterator[Switch]:
    with linked_site(tmp_path_factory.mktemp("site"), wait_until) as site:
        start_forwarder(site, "F2", document(site, "F2", 1, has_rules=True, has_bus=False, asks=False))
        with open_vswitch(f"{site.mark}-F1", site.folder):
            running = Switch(site)
            vswitch.set_up(rules(site, 1, 1), GATEWAY, running.call)
            running.install(1, 1)
            site.wait_until(lambda: site.fetch(2) is not None, LIMIT_S)
            yield running


def nats_seen(site: Site, action) -> list[str]:
    """The addresses that the server's clients had during an action."""
    before = len(site.log("server").splitlines())
    action()
    return [line.split()[0] for line in site.log("server").splitlines()[before:] if "GET" in line]


def test_connections_cross_one_nat_each_and_both_are_used(switch):
    def fetch_often() -> None:
        for _ in range(40):
            assert is_carried(switch.site)

    seen = nats_seen(switch.site, fetch_often)
    assert len(seen) == 40
    assert set(seen) == {NAT_ADDRESS, SECOND_NAT_ADDRESS}


@pytest.mark.parametrize("port", ["wan0", "wan1"])
def test_packets_between_the_forwarders_bear_both_labels(switch, port):
    place = "F1" if port == "wan0" else "F2"
    sender = UNDERLAYS["F2" if place == "F1" else "F1"][1]
    lines = captured(switch.site, place, port, "-e mpls.label -e vxlan.vni", f"{TUNNELS} and src {sender}")
    vni = 2 * 2 + (place == "F1")
    assert lines == [f"{CHAIN},{EGRESS}\t{vni}"] * 20


def test_connections_stay_when_their_nat_is_drained_and_new_ones_go_elsewhere(switch):
    site = switch.site
    url = "http://10.2.0.1:8000/content"
    switch.install(1, 0)
    site.start("slow", "client", "curl", "-sf", "--limit-rate", str(SLOW_BYTES_PER_S), "-o", "slow", url)
    site.wait_until(lambda: (site.folder / "slow").exists() and (site.folder / "slow").stat().st_size > 0, LIMIT_S)
    switch.install(0, 1)
    assert set(nats_seen(site, lambda: [site.fetch() for _ in range(10)])) == {SECOND_NAT_ADDRESS}
    assert site.children["slow"].wait(timeout=LIMIT_S) == 0
    assert (site.folder / "slow").read_bytes() == (site.folder / "content").read_bytes()
    switch.install(1, 1)


def test_connections_are_pinned_in_both_directions(switch):
    assert is_carried(switch.site)
    pinned = switch.pinned()
    ways = [sum(f"reg5={way}" in line for line in pinned) for way in ("0,", "0x1,")]
    assert len(pinned) == sum(ways) > 0
    assert ways[0] == ways[1]
