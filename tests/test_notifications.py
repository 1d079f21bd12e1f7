# SPDX-License-Identifier: EPL-2.0
"""Notifications: a client subscribes as docs/notifications.md says, and hears what happens to a real network."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import allocations
import pytest
from documents import ROOT, Document
from sluice_lab import ovs, topologies
from sluice_lab.multipath import Server, Service, Strategy
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.steering import attach
from sluice_lab.topology import Port

pytestmark = pytest.mark.net

RATE = 10_000_000
PIECES = {6001: 1, 6002: 2}
NOBODY = "tcp:127.0.0.1:1"


def commands() -> str:
    """How to subscribe: the document's first block."""
    return "\n".join(Document("docs/notifications.md").commands()[0].lines)


class Listener:
    """What the document's commands print, from the first line on."""

    def __init__(self, running) -> None:
        self._heard: list[tuple[str, dict]] = []
        self.ready = threading.Event()
        self._process = subprocess.Popen(
            ["ip", "netns", "exec", running.namespace, "bash", "-euc", commands()],
            cwd=ROOT,
            env=os.environ | {"SLUICE_PASSWORD": running.password()},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def heard(self, name: str, **leaves) -> list[dict]:
        """Notifications of that name with at least these leaves."""
        return [body for kind, body in self._heard if kind == name and leaves.items() <= body.items()]

    def forget(self) -> None:
        self._heard.clear()

    def close(self) -> None:
        os.killpg(self._process.pid, signal.SIGTERM)
        self._reader.join()
        self._process.wait()

    def _read(self) -> None:
        for line in self._process.stdout:
            self.ready.set()
            if line.startswith("data:"):
                told = json.loads(line.removeprefix("data:"))["ietf-restconf:notification"]
                assert told.pop("event-time")
                self._heard += told.items()


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """Two leaves with a host each, joined by two spines."""
    rates = topologies.LayerRates(host=4 * RATE, edge=RATE)
    with Net(topologies.leaf_spine(2, 2, 1, rates=rates), Settings(prefix="no")) as net:
        attach(net, api, Strategy.JOINT, Endpoint(running.address, 6653))
        yield net


@pytest.fixture(scope="module")
def subscribed(running) -> Iterator[Listener]:
    listener = Listener(running)
    try:
        assert listener.ready.wait(30)
        yield listener
    finally:
        listener.close()


@pytest.fixture
def listener(subscribed) -> Listener:
    """One that has heard nothing yet."""
    subscribed.forget()
    return subscribed


@pytest.fixture
def hears(listener, wait_until) -> Callable[..., dict]:
    """Waits for a notification with these leaves; returns the first one."""

    def hears(name: str, **leaves) -> dict:
        wait_until(lambda: listener.heard(name, **leaves), 30)
        return listener.heard(name, **leaves)[0]

    return hears


@pytest.fixture
def service(api, net) -> Iterator[Service]:
    """One whose server takes one transfer of all pieces at a time."""
    server = Server(name="s1", address=net.topology.hosts[1].address, pieces=PIECES, max_load=len(PIECES))
    service = Service(name="store", pieces=len(PIECES), servers=(server,))
    api.put_service(service)
    yield service
    api.delete_service(service.name)


def reference(net: Net, port: Port) -> dict:
    return {"switch": net.topology.switch(port.switch).id, "port": port.number}


def test_nobody_subscribes_without_the_password(running):
    command = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-u", "admin:wrong"]
    for path in ("operations/sal-remote:create-notification-stream", "streams/json/NETCONF"):
        assert running.exec(*command, f"http://127.0.0.1:8181/rests/{path}").stdout == "401"


def test_a_cable_that_is_cut_and_mended_is_told_once_and_stands_in_the_log(running, api, net, listener, hears):
    before = running.log()
    cable = net.topology.cables[0]
    ends = reference(net, cable.a), reference(net, cable.b)
    for up in (False, True):
        net.set_carrier(cable, up=up)
        for source, destination in (ends, ends[::-1]):
            hears("sluice-fabric:link-change", up=up, source=source, destination=destination)
            hears("sluice-fabric:port-change", state="up" if up else "down", **source)
    api.wait_fabric(net.topology)
    assert len(listener.heard("sluice-fabric:link-change")) == 4
    near, far = (f"{end['switch']}:{end['port']}" for end in ends)
    log = running.log().removeprefix(before)
    for event in (f"link-down link={near}->{far}", f"link-down link={far}->{near}", f"port-down port={near} "):
        assert log.count(event) == 1, log


def test_a_switch_that_detaches_is_forgotten_and_comes_back_is_told_with_its_host(running, api, net, hears, wait_until):
    host = net.topology.hosts[-1]
    leaf = net.topology.switch(host.port.switch)
    ovs.set_controller([net.bridge(leaf.name)], NOBODY)
    hears("sluice-fabric:switch-change", switch=leaf.id, change="detached")
    hears("sluice-fabric:port-change", state="gone", **reference(net, host.port))
    body = json.dumps({"input": {"switch": leaf.id}})
    wait_until(lambda: running.restconf("POST", "/rests/operations/sluice-fabric:forget-switch", body)[0] == 204, 30)
    hears("sluice-fabric:switch-change", switch=leaf.id, change="forgotten")
    hears("sluice-fabric:host-change", mac=host.mac, change="forgotten")
    ovs.set_controller([net.bridge(leaf.name)], str(Endpoint(running.address, 6653)))
    hears("sluice-fabric:switch-change", switch=leaf.id, change="attached")
    api.wait_agreement(net.topology)
    api.wait_hosts(net.topology, net.announce_hosts)
    hears("sluice-fabric:host-change", mac=host.mac, change="appeared", **reference(net, host.port))


def test_a_further_address_of_a_host_is_told(net, hears):
    host, other = net.topology.hosts
    words = [f"{host.name}-eth0", host.mac, "10.99.0.1", other.address]
    net.run(host.name, [sys.executable, "-m", "sluice_lab.announce", *words])
    told = hears("sluice-fabric:host-change", mac=host.mac, change="address-added", **reference(net, host.port))
    assert {host.address, "10.99.0.1"} <= set(told["address"])


def test_flows_of_a_transfer_are_placed_moved_and_withdrawn(api, net, service, listener, hears, wait_until):
    client = net.topology.hosts[0].address
    api.request_transfer("t1", client, service.name)
    wait_until(lambda: len(listener.heard("sluice-multipath:flow-placed", client=client)) == len(PIECES), 10)
    placed = listener.heard("sluice-multipath:flow-placed")
    assert {flow["server"] for flow in placed} == {"s1"}
    assert {flow["piece"] for flow in placed} == set(PIECES.values())
    net.set_carrier(net.topology.cables[0], up=False)
    moved = hears("sluice-multipath:flow-moved", cause="path-broken")
    assert moved["id"] in {flow["id"] for flow in placed}
    net.set_carrier(net.topology.cables[0], up=True)
    api.release_transfer("t1")
    for flow in placed:
        hears("sluice-multipath:flow-withdrawn", id=flow["id"], cause="released")
    api.wait_fabric(net.topology)


def test_a_configured_transfer_that_finds_no_room_is_told_with_the_reason(running, api, net, service, hears):
    client = net.topology.hosts[0].address
    api.request_transfer("t1", client, service.name)
    path = "/rests/data/sluice-multipath:multipath/transfer=t2"
    wanted = {"name": "t2", "client": client, "service": service.name, "piece": list(PIECES.values())}
    code, answer = running.restconf("PUT", path, json.dumps({"sluice-multipath:transfer": [wanted]}))
    assert code == 201, answer
    assert "no room" in hears("sluice-multipath:flow-refused", client=client)["reason"]
    assert running.restconf("DELETE", path)[0] == 204
    api.release_transfer("t1")


def test_a_repair_is_told(running, net, hears):
    leaf = net.topology.switches[0]
    ovs.ofctl(net.bridge(leaf.name), ["del-flows"], "table=1")
    code, body = running.restconf("POST", "/rests/operations/sluice-fabric:sync", '{"input": {}}')
    assert code == 200, body
    assert hears("sluice-fabric:drift-repaired", switch=leaf.id)["entries"] >= 1


def test_a_rate_that_changes_and_an_engine_that_tells_and_falls_silent_are_told(running, net, hears):
    source, destination = (host.address for host in net.topology.hosts)
    volumes = ("transferred", "sender-before", "sender-after", "receiver-before", "receiver-after")
    report = {"tenant": "t", "application": "a", "interval": 1_000_000}
    report["flow"] = [{"name": "a"} | dict.fromkeys(volumes, "1000000")]
    path = "/rests/operations/sluice-bandwidth:report-flows"
    allocations.write(running, [{"name": "a", "source": source, "destination": destination, "limit": "1000000"}])
    try:
        (given,) = hears("sluice-bandwidth:reallocated")["allocation"]
        assert (given["tenant"], given["application"], given["flow"], given["rate"]) == ("t", "a", "a", "1000000")
        code, answer = running.restconf("POST", path, json.dumps({"input": report}))
        assert code in {200, 204}, answer
        for reports in ("current", "silent"):
            hears("sluice-bandwidth:reports-changed", tenant="t", application="a", reports=reports)
    finally:
        allocations.forget(running)
