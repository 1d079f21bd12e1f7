# SPDX-License-Identifier: EPL-2.0
"""Apache Storm on real switches: its flows are known to the controller, reported, and held by meters."""

import json
import signal
import subprocess
from collections.abc import Iterator

import pytest
from sluice_lab import topologies
from sluice_lab.multipath import Strategy
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.steering import attach
from sluice_lab.storm import Storm
from sluice_lab.storm_keys import TENANT, Engine

pytestmark = pytest.mark.net

RATE = 10_000_000
SLOTS = {6700, 6701}
EPHEMERAL = 32_768
APPLICATIONS = f"/rests/data/sluice-bandwidth:bandwidth/tenant={TENANT}?content=all"


@pytest.fixture
def net(running, api) -> Iterator[Net]:
    """Three hosts at switches of their own: trucks, traffic, and what brings them together."""
    rates = topologies.LayerRates(host=None, edge=RATE)
    with Net(topologies.leaf_spine(3, 1, 1, rates=rates), Settings(prefix="st")) as net:
        attach(net, api, Strategy.JOINT, Endpoint(running.address, 6653))
        yield net


@pytest.fixture
def storm(running, net, tmp_path) -> Iterator[Storm]:
    url = f"http://{running.address}:8181"
    engine = Engine(controller_url=url, password=running.password(), interval_s=2)
    with Storm(net, tmp_path / "storm", engine) as storm:
        yield storm


def application(running) -> dict:
    """What the controller has of the topology."""
    code, body = running.restconf("GET", APPLICATIONS)
    tenants = json.loads(body)["sluice-bandwidth:tenant"] if code == 200 else []
    return next((one for tenant in tenants for one in tenant.get("application", [])), {})


def registered(running) -> dict[str, str]:
    """The sending end of each flow that the controller knows."""
    flows = application(running).get("flow", [])
    return {flow["name"]: f"{flow['source']}:{flow['source-port']}" for flow in flows}


def connected(storm: Storm) -> dict[str, str]:
    """The sending end of each flow that has a connection."""
    flows = [flow for topology in storm.flows().values() for flow in topology["flows"]]
    return {flow["name"]: flow["local"] for flow in flows if "local" in flow}


def metered(running) -> set[str]:
    """The flows that are held to a rate."""
    flows = application(running).get("flow", [])
    return {flow["name"] for flow in flows if flow.get("allocation", {}).get("status") == "in-place"}


def meters(net: Net) -> int:
    """How many meters of flows the switches hold: they count kilobits, the fabric's own packets."""
    total = 0
    for switch in net.topology.switches:
        command = ["ovs-ofctl", "-O", "OpenFlow13", "dump-meters", net.bridge(switch.name)]
        total += subprocess.run(command, check=True, capture_output=True, text=True).stdout.count("kbps")
    return total


def served_over_switches(net: Net) -> set[int]:
    """Ports of services that hosts use by each other's addresses in the network of switches."""
    served = set()
    for host in net.topology.hosts:
        addresses = {other.address for other in net.topology.hosts if other != host}
        for line in net.run(host.name, ["ss", "-Htn"]).splitlines():
            address, _, port = line.split()[4].rpartition(":")
            if address.removeprefix("[::ffff:").removesuffix("]") in addresses and int(port) < EPHEMERAL:
                served.add(int(port))
    return served


def test_a_topologys_flows_are_registered_reported_and_metered_and_go_on_alone(running, net, storm, wait_until):
    storm.submit("trucking-iot", workers=3, tasks=1, rate=600)
    wait_until(lambda: any(second.completed for second in storm.completed()), 120)
    wait_until(lambda: len(connected(storm)) == 3 and registered(running) == connected(storm), 30)
    wait_until(lambda: application(running).get("reports") == "current", 15)
    # trucks and traffic meet on the way to who brings them together, and want twice what there is
    wait_until(lambda: len(metered(running)) == meters(net) == 2, 30)
    assert len({name.split("-")[0] for name in metered(running)} & {"traffic", "trucks"}) == 2
    assert set() < served_over_switches(net) <= SLOTS, "tuples alone go over the links of the network"

    running.kill(signal.SIGKILL)
    before = len(storm.completed())
    wait_until(lambda: len(storm.completed()) >= before + 5, 30)
    assert sum(second.completed for second in storm.completed()[before:]) > 500
    assert meters(net) == 2
