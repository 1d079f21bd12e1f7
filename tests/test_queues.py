# SPDX-License-Identifier: EPL-2.0
"""Priorities of applications on real switches: packets are marked where they enter, and ports' queues go by that."""

import json
from collections.abc import Callable, Iterator

import allocations
import pytest
from sluice_lab import topologies
from sluice_lab.experiments.fairness import jain
from sluice_lab.multipath import Strategy
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.steering import attach
from sluice_lab.traffic import PAYLOAD_SHARE, Flow, measure_tcp

pytestmark = pytest.mark.net

RATE = 10_000_000
CODE_POINTS = (10, 12, 14, 18, 20, 22, 26, 28)
PORT = 5001


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """Two leaves with two hosts each, and one way between them, which is the bottleneck."""
    rates = topologies.LayerRates(host=4 * RATE, edge=RATE)
    with Net(topologies.leaf_spine(2, 1, 2, rates=rates), Settings(prefix="qu", queues=CODE_POINTS)) as net:
        attach(net, api, Strategy.JOINT, Endpoint(running.address, 6653))
        yield net


def traffic(net: Net) -> dict[str, list[Flow]]:
    """Flows of two applications over the bottleneck: one of the first, four of the second."""
    first, second, third, fourth = (host.name for host in net.topology.hosts)
    return {
        "one": [Flow(client=first, server=third, port=PORT)],
        "four": [Flow(client=second, server=fourth, port=PORT + i) for i in range(1, 5)],
    }


def settings(net: Net, flow: Flow) -> dict:
    """A flow in the words of the model."""
    source, destination = (net.topology.host(host).address for host in (flow.client, flow.server))
    addresses = {"source": source, "destination": destination}
    return {"name": f"f{flow.port}", "protocol": "tcp", "destination-port": flow.port} | addresses


@pytest.fixture
def configure(running, net, wait_until) -> Iterator[Callable[..., None]]:
    """Writes a policy for both applications; all is gone, and forgotten, after the test."""

    def write(policy: str, **more: int) -> None:
        written = []
        for name, flows in traffic(net).items():
            written.append({"name": name, "flow": [settings(net, flow) for flow in flows]})
        queues = [{"code-point": code_point} for code_point in CODE_POINTS]
        body = {"policy": policy, "queue": queues, "tenant": [{"name": "t", "application": written}]}
        document = json.dumps({"sluice-bandwidth:bandwidth": body | {"interval": 1_000_000} | more})
        code, answer = running.restconf("PUT", allocations.PATH, document)
        assert code in {201, 204}, answer

    yield write
    allocations.forget(running)
    wait_until(lambda: allocations.applications(running) == [], 10)


def levels(running) -> dict[str, int]:
    """Where each application stands, if all its flows have been confirmed there."""
    found = {}
    for application in allocations.applications(running):
        given = [flow["allocation"] for flow in application["flow"]]
        if {one["status"] for one in given} == {"in-place"}:
            (found[application["name"]],) = {one["level"] for one in given}
    return found


def rates(net: Net, flows: list[Flow], duration_s: int, cut_s: int) -> list[float]:
    """Bit/s of layer-2 frames that arrive when all of ``flows`` send what they can."""
    return [one.goodput_bps / PAYLOAD_SHARE for one in measure_tcp(net, flows, duration_s, cut_s)]


def test_who_got_less_so_far_gets_the_link(running, net, configure, wait_until):
    configure("app-fair", alpha=1_000_000)
    wait_until(lambda: levels(running) == {"one": 0, "four": 0}, 20)
    (late,), early = traffic(net)["one"], traffic(net)["four"]
    rates(net, [late], duration_s=15, cut_s=1)
    wait_until(lambda: levels(running) == {"one": 1, "four": 0}, 10)
    behind, *ahead = rates(net, [late, *early], duration_s=6, cut_s=2)
    assert sum(ahead) > 0.8 * RATE
    assert behind < 0.1 * sum(ahead)


def test_applications_share_a_link_alike_whatever_the_number_of_their_flows(running, net, configure, wait_until):
    configure("app-fair", alpha=1_000_000)
    wait_until(lambda: levels(running) == {"one": 0, "four": 0}, 20)
    one, *four = rates(net, [*traffic(net)["one"], *traffic(net)["four"]], duration_s=60, cut_s=5)
    assert one + sum(four) > 0.85 * RATE
    assert jain([one, sum(four)]) > 0.9, (one, four)


def test_without_queues_app_fair_is_refused_with_the_reason(running, configure, wait_until):
    configure("app-fair", queue=[])
    path = f"{allocations.PATH}/tenant=t/application=one/flow=f{PORT}/allocation?content=nonconfig"

    def reason() -> str:
        code, body = running.restconf("GET", path)
        return json.loads(body)["sluice-bandwidth:allocation"].get("reason", "") if code == 200 else ""

    wait_until(lambda: reason().startswith("app-fair needs queues"), 20)
