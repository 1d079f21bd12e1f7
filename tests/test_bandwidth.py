# SPDX-License-Identifier: EPL-2.0
"""Rates on real switches: set over RESTCONF, held by meters, and measured where TCP and UDP arrive."""

import json
import subprocess
from collections.abc import Callable, Iterator

import pytest
from sluice_lab import topologies
from sluice_lab.multipath import Strategy
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.steering import attach
from sluice_lab.traffic import PAYLOAD_SHARE, Flow, background, measure_tcp

pytestmark = pytest.mark.net

RATE = 10_000_000
BANDWIDTH = "/rests/data/sluice-bandwidth:bandwidth"
TOLERANCE = 0.1
DURATION_S = 20


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """Two leaves with two hosts each, and one way between them, which is the bottleneck."""
    rates = topologies.LayerRates(host=4 * RATE, edge=RATE)
    with Net(topologies.leaf_spine(2, 1, 2, rates=rates), Settings(prefix="bw")) as net:
        attach(net, api, Strategy.JOINT, Endpoint(running.address, 6653))
        yield net


def traffic(net: Net) -> dict[str, Flow]:
    """From each host of the first leaf to one of the second."""
    first, second, third, fourth = (host.name for host in net.topology.hosts)
    return {
        "a": Flow(client=first, server=third, port=5001),
        "b": Flow(client=second, server=fourth, port=5002),
    }


@pytest.fixture
def set_rates(running, net) -> Iterator[Callable[..., None]]:
    """Writes the flows with these limits, in bit/s or none, each an application; they are gone after the test."""

    def write(protocol: str, **limits: int | None) -> None:
        applications = []
        for name, limit in limits.items():
            flow = traffic(net)[name]
            source, destination = (net.topology.host(host).address for host in (flow.client, flow.server))
            body = {"name": name, "source": source, "destination": destination, "protocol": protocol}
            body |= {"destination-port": flow.port} | ({"limit": str(limit)} if limit else {})
            applications.append({"name": name, "flow": [body]})
        tenants = [{"name": "t", "application": applications}] if applications else []
        document = json.dumps({"sluice-bandwidth:bandwidth": {"interval": 1_000_000, "tenant": tenants}})
        code, answer = running.restconf("PUT", BANDWIDTH, document)
        assert code in {201, 204}, answer

    yield write
    assert running.restconf("DELETE", BANDWIDTH)[0] == 204


def flows(running) -> dict[str, dict]:
    """What the controller says of each flow."""
    code, body = running.restconf("GET", f"{BANDWIDTH}?content=nonconfig")
    tenants = json.loads(body)["sluice-bandwidth:bandwidth"].get("tenant", []) if code == 200 else []
    listed = [flow for tenant in tenants for application in tenant["application"] for flow in application["flow"]]
    return {flow["name"]: flow["allocation"] for flow in listed}


def in_place(running, **rates: int) -> bool:
    """True if these flows and no others have meters of these rates."""
    return {name: (flow["status"], int(flow.get("meter-rate", 0))) for name, flow in flows(running).items()} == {
        name: ("in-place", rate) for name, rate in rates.items()
    }


def meters(net: Net) -> list[str]:
    """The meters of flows, of all switches: those that count kilobits; the fabric's own count packets."""
    found = []
    for switch in net.topology.switches:
        command = ["ovs-ofctl", "-O", "OpenFlow13", "dump-meters", net.bridge(switch.name)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found += [f"{switch.name} {part}" for part in text.split("meter=")[1:] if "kbps" in part]
    return found


def assert_near(measured: dict[str, float], expected: dict[str, float]) -> None:
    assert measured == {name: pytest.approx(rate, rel=TOLERANCE) for name, rate in expected.items()}


def tcp_rates(net: Net) -> dict[str, float]:
    """Bit/s of layer-2 frames that arrive, when both flows send all they can."""
    wanted = traffic(net)
    measured = measure_tcp(net, list(wanted.values()), DURATION_S, cut_s=5)
    return {name: one.goodput_bps / PAYLOAD_SHARE for name, one in zip(wanted, measured, strict=True)}


def udp_rates(net: Net) -> dict[str, float]:
    """The same of UDP, each at the rate of the bottleneck."""
    probes = {name: background(net, flow, RATE, DURATION_S) for name, flow in traffic(net).items()}
    ends = {name: probe.finish() for name, probe in probes.items()}
    return {name: RATE * server.received / client.sent for name, (server, client) in ends.items()}


@pytest.mark.parametrize(("protocol", "measure"), [("tcp", tcp_rates), ("udp", udp_rates)])
def test_two_flows_share_a_bottleneck_as_they_are_told(running, net, set_rates, wait_until, protocol, measure):
    set_rates(protocol, a=2_000_000, b=None)
    wait_until(lambda: in_place(running, a=2_000_000, b=8_000_000), 20)
    assert_near(measure(net), {"a": 2_000_000, "b": 8_000_000})
    set_rates(protocol, a=6_000_000, b=4_000_000)
    wait_until(lambda: in_place(running, a=6_000_000, b=4_000_000), 20)
    assert_near(measure(net), {"a": 6_000_000, "b": 4_000_000})
    assert "rate: 6000000" in running.command("shell", "sluice:bandwidth-explain --tenant t --application a --flow a")
    assert len(meters(net)) == 2
    set_rates(protocol, b=4_000_000)
    wait_until(lambda: in_place(running, b=4_000_000) and len(meters(net)) == 1, 20)
    set_rates(protocol)
    wait_until(lambda: meters(net) == [], 20)


def test_idle_flows_need_no_meter_until_they_send(running, net, set_rates, wait_until):
    set_rates("tcp", a=None, b=None)
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)
    nothing = {"transferred": "0", "sender-before": "0", "sender-after": "0"}
    nothing |= {"receiver-before": "0", "receiver-after": "0"}
    report = {"tenant": "t", "application": "a", "interval": 1_000_000, "flow": [{"name": "a"} | nothing]}
    body = json.dumps({"input": report})
    code, answer = running.restconf("POST", "/rests/operations/sluice-bandwidth:report-flows", body)
    assert code == 204, answer
    code, answer = running.restconf("POST", "/rests/operations/sluice-bandwidth:reallocate", '{"input": {}}')
    assert code == 200, answer
    given = json.loads(answer)["sluice-bandwidth:output"]["allocation"]
    assert {one["flow"]: int(one["rate"]) for one in given}["b"] == RATE
    assert meters(net) == []
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)


def test_a_rate_is_explained_by_the_link_and_who_shares_it(running, set_rates, wait_until):
    set_rates("tcp", a=None, b=None)
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)
    body = json.dumps({"input": {"tenant": "t", "application": "a", "flow": "a"}})
    code, answer = running.restconf("POST", "/rests/operations/sluice-bandwidth:explain", body)
    assert code == 200, answer
    explanation = json.loads(answer)["sluice-bandwidth:output"]
    assert int(explanation["rate"]) == int(explanation["slowest"]["rate"]) == RATE // 2
    assert int(explanation["link"]["capacity"]) == RATE
    assert {(one["flow"], int(one["rate"])) for one in explanation["link"]["flow"]} == {
        ("a", RATE // 2),
        ("b", RATE // 2),
    }
    body = body.replace('"flow": "a"', '"flow": "nobody"')
    code, answer = running.restconf("POST", "/rests/operations/sluice-bandwidth:explain", body)
    assert code == 409
    assert "no flow is named" in answer


def test_what_others_send_is_left_its_room(running, net, set_rates, wait_until):
    body = json.dumps({"sluice-fabric:sampling-interval": 1000})
    assert running.restconf("PUT", "/rests/data/sluice-fabric:fabric/sampling-interval", body)[0] in {201, 204}
    set_rates("tcp", a=None, b=None)
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)
    others = Flow(client=traffic(net)["a"].client, server=traffic(net)["b"].server, port=5003)
    probe = background(net, others, 0.4 * RATE, 20)
    wait_until(lambda: 0.55 * RATE < sum(int(flow["rate"]) for flow in flows(running).values()) < 0.65 * RATE, 15)
    probe.finish()
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)


def test_guarantees_that_overfill_a_link_are_refused_with_the_link(running, net, set_rates, wait_until):
    set_rates("tcp", a=None, b=None)
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)
    path = f"{BANDWIDTH}/tenant=t/application=a/flow=a/guarantee"
    body = json.dumps({"sluice-bandwidth:guarantee": str(RATE + 1)})
    assert running.restconf("PUT", path, body)[0] in {201, 204}
    code, answer = running.restconf("POST", "/rests/operations/sluice-bandwidth:reallocate", '{"input": {}}')
    assert code != 200
    assert "guarantees-overfill-link" in answer
    assert "t/a/a" in answer
    assert len(meters(net)) == 2
    wait_until(lambda: flows(running)["a"]["status"] == "pending", 20)
