# SPDX-License-Identifier: EPL-2.0
"""Prometheus: what a real scrape of a real network holds, judged by Prometheus' own parsers."""

from collections.abc import Iterator

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_openmetrics
from prometheus_client.parser import text_string_to_metric_families as parse_text
from sluice_lab import topologies
from sluice_lab.net import Endpoint, Net, Settings

pytestmark = pytest.mark.net

RATE = 10_000_000
OPENMETRICS = "application/openmetrics-text;version=1.0.0;q=0.9,text/plain;version=0.0.4;q=0.5"


def scrape(running, accept: str = "text/plain") -> str:
    code, text = running.restconf("GET", "/metrics/", accept=accept)
    assert code == 200, text
    return text


def values(running, name: str) -> list[float]:
    """One for each set of labels."""
    families = parse_text(scrape(running) + "\n")
    return [sample.value for family in families for sample in family.samples if sample.name == name]


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """Two switches, a host at each; counters are read every second."""
    rates = topologies.LayerRates(host=4 * RATE, edge=RATE)
    with Net(topologies.leaf_spine(2, 1, 1, rates=rates), Settings(prefix="me")) as net:
        api.set_capacities(net.topology)
        often = '{"sluice-fabric:fabric": {"sampling-interval": 1000}}'
        assert running.restconf("PATCH", "/rests/data/sluice-fabric:fabric", often)[0] in {200, 204}
        net.attach_controller(Endpoint(running.address, 6653))
        api.wait_fabric(net.topology)
        api.wait_hosts(net.topology, net.announce_hosts)
        yield net


@pytest.mark.parametrize("credentials", [[], ["-u", "admin:wrong"]], ids=["none", "wrong"])
@pytest.mark.parametrize("path", ["/metrics", "/metrics/", "/metrics/x"])
def test_nobody_scrapes_without_the_password(running, credentials, path):
    request = ["curl", "-s", "-L", *credentials, "-w", "\n%{http_code}", f"http://127.0.0.1:8181{path}"]
    answer, _, code = running.exec(*request).stdout.rpartition("\n")
    assert code == "401"
    assert "sluice_" not in answer


def test_the_network_is_what_was_built(running, net, wait_until):
    switches, links = len(net.topology.switches), 2 * 2
    wait_until(lambda: values(running, "sluice_fabric_host_entries") == [len(net.topology.hosts)], 20)
    assert values(running, "sluice_fabric_switch_attached") == [1] * switches
    assert values(running, "sluice_fabric_switch_entries") == [switches]
    assert values(running, "sluice_fabric_link_capacity_bits_per_second") == [RATE] * links
    assert len(values(running, "sluice_fabric_packet_in_packets_total")) > 1
    assert values(running, "sluice_fabric_refusal_packets_total") == [0] * 4


def test_traffic_shows(running, net, wait_until):
    load, placed = "sluice_fabric_link_load_bits_per_second", "sluice_multipath_flow_events_placed_total"
    assert max(values(running, load)) < RATE / 2
    before = values(running, placed)
    client, server = net.topology.hosts
    net.spawn(server.name, ["iperf3", "-s", "-1"])
    net.wait_listening(server.name, 5201)
    net.spawn(client.name, ["iperf3", "-c", server.address, "-t", "20", "-C", "cubic"])
    wait_until(lambda: max(values(running, load)) > RATE / 2, 20)
    assert values(running, placed) > before
    assert values(running, "sluice_multipath_flow_entries")[0] > 0


@pytest.mark.usefixtures("net")
def test_openmetrics_is_served_to_who_asks(running):
    families = {family.name: family for family in parse_openmetrics(scrape(running, OPENMETRICS))}
    assert families["sluice_fabric_link_load_bits_per_second"].unit == "bits_per_second"
    assert families["sluice_fabric_packet_in_packets"].type == "counter"
