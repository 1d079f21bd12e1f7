# SPDX-License-Identifier: EPL-2.0
"""Rates on real switches: set over RESTCONF, held by meters, and measured where TCP and UDP arrive."""

import functools
import json
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator

import allocations
import pytest
from allocations import EXCESS, assert_held, in_place, told
from sluice_lab import topologies
from sluice_lab.multipath import Strategy
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.steering import attach
from sluice_lab.traffic import PAYLOAD_SHARE, Flow, background, measure_tcp

pytestmark = pytest.mark.net

RATE = 10_000_000
DURATION_S = 15
BUCKET_S = 0.4


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


def settings(net: Net, name: str, protocol: str, limit: int | None = None) -> dict:
    """A flow in the words of the model."""
    flow = traffic(net)[name]
    source, destination = (net.topology.host(host).address for host in (flow.client, flow.server))
    body = {"name": name, "source": source, "destination": destination, "protocol": protocol}
    return body | {"destination-port": flow.port} | ({"limit": str(limit)} if limit else {})


def ask(running, rpc: str, **given) -> tuple[int, dict]:
    """Calls an RPC; returns HTTP's status, and its output or the first error."""
    code, text = running.restconf("POST", f"/rests/operations/sluice-bandwidth:{rpc}", json.dumps({"input": given}))
    answer = json.loads(text) if text else {}
    return code, answer["errors"]["error"][0] if "errors" in answer else answer.get("sluice-bandwidth:output", {})


@pytest.fixture
def set_rates(running, net) -> Iterator[Callable[..., None]]:
    """Writes the flows with these limits, in bit/s or none, each an application; they are gone after the test."""

    def write(protocol: str, **limits: int | None) -> None:
        allocations.write(running, [settings(net, name, protocol, limit) for name, limit in limits.items()])

    yield write
    allocations.forget(running)


def meters(net: Net) -> list[str]:
    """The meters of flows, of all switches: those that count kilobits; the fabric's own count packets."""
    found = []
    for switch in net.topology.switches:
        command = ["ovs-ofctl", "-O", "OpenFlow13", "dump-meters", net.bridge(switch.name)]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        found += [f"{switch.name} {part}" for part in text.split("meter=")[1:] if "kbps" in part]
    return found


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
    assert_held(measure(net), {"a": 2_000_000, "b": 8_000_000})
    set_rates(protocol, a=6_000_000, b=4_000_000)
    wait_until(lambda: in_place(running, a=6_000_000, b=4_000_000), 20)
    assert_held(measure(net), {"a": 6_000_000, "b": 4_000_000})
    assert "rate: 6000000" in running.command("shell", "sluice:bandwidth-explain --tenant t --application a --flow a")
    assert len(meters(net)) == 2
    set_rates(protocol, b=4_000_000)
    wait_until(lambda: in_place(running, b=4_000_000) and len(meters(net)) == 1, 20)
    set_rates(protocol)
    wait_until(lambda: meters(net) == [], 20)


def meter_rates(running) -> dict[str, int]:
    """What the meters of flows let pass; 0 of one that has none."""
    return {name: int(flow.get("meter-rate", 0)) for name, flow in told(running).items()}


def report(running, tenant: str, name: str, sent_bps: int, interval_s: int = 20) -> None:
    """Tells of an application's only flow, of the same name, for which nothing waits.

    It counts for three of its intervals, which is longer than what is measured meanwhile.
    """
    queues = dict.fromkeys(("sender-before", "sender-after", "receiver-before", "receiver-after"), "0")
    flow = {"name": name, "transferred": str(sent_bps * interval_s // 8)} | queues
    given = {"tenant": tenant, "application": name, "interval": interval_s * 1_000_000, "flow": [flow]}
    code, answer = ask(running, "report-flows", **given)
    assert code == 204, answer


@pytest.mark.parametrize("policy", ["app-max-min", "app-aware", "max-min"])
@pytest.mark.usefixtures("set_rates")
def test_each_policy_shares_by_what_it_goes_by(running, net, wait_until, policy):
    parts = {"a": 3, "b": 1}  # weights of tenants, what is reported, or weights of flows
    listed = [
        {
            "name": name,
            "weight": part if policy == "app-max-min" else 1,
            "application": [
                {"name": name, "flow": [settings(net, name, "udp") | ({"weight": part} if policy == "max-min" else {})]}
            ],
        }
        for name, part in parts.items()
    ]
    allocations.write(running, [], policy=policy, tenant=listed)
    if policy == "app-aware":
        for name, part in parts.items():
            report(running, name, name, part * RATE // 2)
    shares = {name: part * RATE // 4 for name, part in parts.items()}
    wait_until(lambda: meter_rates(running) == pytest.approx(shares, rel=0.01), 20)
    assert_held(udp_rates(net), shares)


@pytest.mark.usefixtures("set_rates")
def test_a_guarantee_is_kept_beside_who_sends_as_much(running, net, wait_until):
    guarantee = 8_000_000
    allocations.write(running, [settings(net, "a", "udp"), settings(net, "b", "udp") | {"guarantee": str(guarantee)}])
    wait_until(lambda: meter_rates(running).get("b", 0) >= guarantee, 20)
    rates = meter_rates(running)
    assert sum(rates.values()) == RATE
    assert_held(udp_rates(net), rates)


def test_what_a_meter_drops_and_lets_pass_is_shown(running, net, set_rates, wait_until):
    set_rates("udp", a=2_000_000)
    wait_until(lambda: in_place(running, a=2_000_000), 20)
    before = int(told(running)["a"].get("dropped-packets", 0))

    def dropped() -> int:
        return int(told(running)["a"]["dropped-packets"]) - before

    probe = background(net, traffic(net)["a"], 5_000_000, 15)
    expected = pytest.approx(2_000_000, rel=EXCESS)
    wait_until(lambda: int(told(running)["a"].get("measured-rate", 0)) == expected, 15)
    set_rates("udp", a=3_000_000)
    server, client = probe.finish()
    lost = client.sent - server.received
    wait_until(lambda: dropped() == pytest.approx(lost, rel=0.02), 10)
    wait_until(lambda: told(running)["a"]["measured-rate"] == "0", 10)
    code, metrics = running.restconf("GET", "/metrics/", accept="text/plain")
    assert code == 200
    name = "sluice_bandwidth_tenant_application_flow_allocation_dropped_packets_total"
    (counted,) = re.findall(rf"^{name}\{{.*\}} (.*)$", metrics, re.M)
    assert float(counted) - before == dropped()
    assert "dropped-packets: " in running.command("shell", "sluice:show bandwidth tenant=t/application=a")


def test_a_change_of_a_rate_lets_no_more_than_a_bucket_pass_beside_it(running, net, set_rates, wait_until):
    low, high, changes = 2_000_000, 3_000_000, 10
    set_rates("udp", a=low)
    wait_until(lambda: in_place(running, a=low), 20)
    sent_bps = 2 * high
    began_s = time.monotonic()
    probe = background(net, traffic(net)["a"], sent_bps, DURATION_S)
    for limit in [high, low] * (changes // 2):
        set_rates("udp", a=limit)
        wait_until(functools.partial(in_place, running, a=limit), 10)
    assert time.monotonic() < began_s + DURATION_S
    server, client = probe.finish()
    passed_bps = sent_bps * server.received / client.sent
    assert low <= passed_bps <= high + (1 + changes) * BUCKET_S * high / DURATION_S


def test_idle_flows_need_no_meter_until_they_send(running, net, set_rates, wait_until):
    set_rates("tcp", a=None, b=None)
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)
    report(running, "t", "a", sent_bps=0, interval_s=1)
    code, answer = ask(running, "reallocate")
    assert code == 200, answer
    assert {one["flow"]: int(one["rate"]) for one in answer["allocation"]}["b"] == RATE
    assert meters(net) == []
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)


def test_a_rate_is_explained_by_the_link_and_who_shares_it(running, set_rates, wait_until):
    set_rates("tcp", a=None, b=None)
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)
    code, explanation = ask(running, "explain", tenant="t", application="a", flow="a")
    assert code == 200, explanation
    assert int(explanation["rate"]) == int(explanation["slowest"]["rate"]) == RATE // 2
    assert int(explanation["link"]["capacity"]) == RATE
    assert {(one["flow"], int(one["rate"])) for one in explanation["link"]["flow"]} == {
        ("a", RATE // 2),
        ("b", RATE // 2),
    }
    code, error = ask(running, "explain", tenant="t", application="a", flow="nobody")
    assert code == 409
    assert "no flow is named" in error["error-message"]


@pytest.fixture
def _often_sampled(running) -> Iterator[None]:
    """Counters of ports each second."""
    path = "/rests/data/sluice-fabric:fabric/sampling-interval"
    assert running.restconf("PUT", path, json.dumps({"sluice-fabric:sampling-interval": 1000}))[0] in {201, 204}
    yield
    assert running.restconf("DELETE", path)[0] == 204


@pytest.mark.usefixtures("_often_sampled")
def test_what_others_send_is_left_its_room(running, net, set_rates, wait_until):
    set_rates("tcp", a=None, b=None)
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)
    others = Flow(client=traffic(net)["a"].client, server=traffic(net)["b"].server, port=5003)
    probe = background(net, others, 0.25 * RATE, 20)  # less than the third that all get
    wait_until(lambda: 0.7 * RATE < sum(int(flow["rate"]) for flow in told(running).values()) < 0.8 * RATE, 15)
    probe.finish()
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)


@pytest.mark.usefixtures("set_rates")
def test_a_shorter_interval_does_not_wait_for_the_end_of_a_longer_one(running, wait_until):
    def rounds() -> int:
        _, body = running.restconf("GET", f"{allocations.PATH}/round-events?content=nonconfig")
        return int(json.loads(body)["sluice-bandwidth:round-events"]["rounds"])

    allocations.write(running, [], interval=3_600_000_000)
    time.sleep(6)  # the interval before, of which there is one by default, is over
    allocations.write(running, [], interval=1_000_000)
    before = rounds()
    wait_until(lambda: rounds() >= before + 3, 20)


def test_guarantees_that_overfill_a_link_are_refused_with_the_link(running, net, set_rates, wait_until):
    set_rates("tcp", a=None, b=None)
    wait_until(lambda: in_place(running, a=RATE // 2, b=RATE // 2), 20)
    path = f"{allocations.PATH}/tenant=t/application=a/flow=a/guarantee"
    body = json.dumps({"sluice-bandwidth:guarantee": str(RATE + 1)})
    assert running.restconf("PUT", path, body)[0] in {201, 204}
    code, error = ask(running, "reallocate")
    assert code != 200
    assert error["error-app-tag"] == "guarantees-overfill-link"
    assert "t/a/a" in error["error-message"]
    assert len(meters(net)) == 2
    wait_until(lambda: told(running)["a"]["status"] == "pending", 20)


def test_an_application_registers_and_takes_itself_back(running, net):
    def register(name: str, *flows: dict) -> tuple[int, dict]:
        return ask(running, "register-application", tenant="t", application=name, flow=list(flows))

    def configured() -> list[str]:
        tenants = json.loads(running.restconf("GET", f"{allocations.PATH}?content=config")[1])
        return [one["name"] for one in tenants["sluice-bandwidth:bandwidth"]["tenant"][0].get("application", [])]

    flow = settings(net, "a", "tcp", 2_000_000)
    for _ in range(2):
        code, answer = register("one", flow)
        assert code == 200, answer
        (given,) = answer["flow"]
        assert (given["name"], given["status"], int(given["meter-rate"])) == ("a", "in-place", 2_000_000)
        assert len(meters(net)) == 1
    code, error = register("other", flow)
    assert (code, error["error-app-tag"]) == (400, "flow-not-enforceable")
    assert error["error-message"].startswith("flow t/other/a: its packets are those of t/one/a; ")
    code, error = register("other", settings(net, "b", "tcp") | {"guarantee": str(RATE + 1)})
    assert (code, error["error-app-tag"]) == (409, "guarantees-overfill-link")
    assert configured() == ["one"]
    code, answer = register("one", flow | {"limit": "3000000"}, settings(net, "b", "tcp"))
    assert code == 200, answer
    assert {one["name"]: int(one["meter-rate"]) for one in answer["flow"]} == {"a": 3_000_000, "b": RATE - 3_000_000}
    words = f"--tenant t --application two --flow '{json.dumps(settings(net, 'a', 'udp', 1_000_000))}'"
    shown = running.command("shell", f"sluice:bandwidth-register-application {words}")
    assert re.search(r"^ +a +\d+( +\d+)? +openflow:\d+ +1000000 +in-place ", shown, re.M), shown
    assert sorted(configured()) == ["one", "two"]
    for name in ("one", "two"):
        assert ask(running, "unregister-application", tenant="t", application=name)[0] == 204
    assert meters(net) == []
    assert ask(running, "unregister-application", tenant="t", application="one")[0] == 409
    allocations.forget(running)


def test_meters_keep_their_numbers_and_counts_over_a_kill(running, api, net, set_rates, wait_until):
    set_rates("udp", a=2_000_000, b=3_000_000)
    wait_until(lambda: in_place(running, a=2_000_000, b=3_000_000), 20)
    set_rates("udp", b=3_000_000)
    wait_until(lambda: in_place(running, b=3_000_000), 20)
    background(net, traffic(net)["b"], 100_000, 1).finish()  # what comes before it has a path is lost elsewhere
    server, client = background(net, traffic(net)["b"], 5_000_000, 5).finish()
    dropped = client.sent - server.received
    before, held = told(running)["b"], meters(net)
    assert before["meter"] == 1
    assert held[0].split()[1] == str(before["switch-meter"])
    running.kill(signal.SIGKILL)
    running.command("start", timeout_s=330)
    api.wait_fabric(net.topology)
    api.wait_hosts(net.topology, net.announce_hosts)
    wait_until(lambda: in_place(running, b=3_000_000), 60)
    assert told(running)["b"]["meter"] == before["meter"]
    wait_until(lambda: int(told(running)["b"].get("dropped-packets", 0)) == pytest.approx(dropped, rel=0.02), 20)
    assert meters(net) == held
