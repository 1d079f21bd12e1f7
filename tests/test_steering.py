# SPDX-License-Identifier: EPL-2.0
"""The whole of it: a real controller, real switches, and TCP over the paths that were asked for."""

import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from sluice_lab import malformed, topologies
from sluice_lab.experiments.robustness import Sender, is_ours
from sluice_lab.multipath import Load, Server, Service, Strategy
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.restconf import ControllerError
from sluice_lab.steering import attach

pytestmark = pytest.mark.net

RATE = 10_000_000
PIECES = {6001: 1, 6002: 2}


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """Two leaves with a host each, joined by two spines, all links of one rate but the hosts'."""
    rates = topologies.LayerRates(host=4 * RATE, edge=RATE)
    with Net(topologies.leaf_spine(2, 2, 1, rates=rates), Settings(prefix="st")) as net:
        attach(net, api, Strategy.JOINT, Endpoint(running.address, 6653))
        yield net


@pytest.fixture(scope="module")
def service(api, net) -> Service:
    server = Server(name="s1", address=net.topology.hosts[1].address, pieces=PIECES)
    service = Service(name="store", pieces=len(PIECES), servers=(server,))
    api.put_service(service)
    return service


@pytest.fixture
def transfer(api, net, service) -> Iterator[list]:
    yield api.request_transfer("t1", net.topology.hosts[0].address, service.name)
    api.release_transfer("t1")


@pytest.fixture
def restored(api, net, service) -> Iterator[None]:
    """Whatever the test does to the configuration is undone."""
    yield
    api.clear()
    api.set_capacities(net.topology)
    api.put_service(service)


def rules(bridge: str, command: str, *arguments: str) -> str:
    done = ["ovs-ofctl", "-O", "OpenFlow13", command, bridge, *arguments]
    return subprocess.run(done, check=True, capture_output=True, text=True).stdout


def compared(running, operation: str) -> list[dict]:
    """What `validate` or `sync` says of each switch."""
    code, body = running.restconf("POST", f"/rests/operations/sluice-fabric:{operation}", '{"input": {}}')
    assert code == 200, body
    switches = json.loads(body)["sluice-fabric:output"]["switch"]
    assert len(switches) == 4
    assert not any("error" in switch for switch in switches) and '"refusal"' not in body, body
    return switches


def differences(running, operation: str = "validate") -> list[dict]:
    return [entry for switch in compared(running, operation) for entry in switch.get("difference", [])]


def repaired(running) -> int:
    """How many entries the controller has repaired so far."""
    code, body = running.restconf("GET", "/rests/data/sluice-fabric:fabric/repairs?content=nonconfig")
    repairs = json.loads(body)["sluice-fabric:repairs"]["repair"] if code == 200 else []
    return sum(int(repair["entries"]) for repair in repairs)


def test_a_connection_gets_a_path_by_its_first_packet(net, goodputs):
    assert min(goodputs(net, [5201])) > 0.8 * RATE


def test_pieces_of_a_transfer_move_over_paths_of_their_own(net, transfer, goodputs):
    assert len({placed.forward for placed in transfer}) == len(PIECES)
    rates = goodputs(net, PIECES)
    assert min(rates) > 0.8 * RATE, rates


def test_a_transfer_of_an_unknown_service_is_refused_with_the_reason(api, net):
    with pytest.raises(ControllerError, match="no service nope"):
        api.request_transfer("t2", net.topology.hosts[0].address, "nope")


def explain(running, **subject) -> dict:
    body = json.dumps({"sluice-multipath:input": subject})
    code, answer = running.restconf("POST", "/rests/operations/sluice-multipath:explain", body)
    assert code == 200, answer
    return json.loads(answer)["sluice-multipath:output"]


@pytest.fixture
def small(api, net) -> Iterator[Service]:
    """A service of which the one server takes a request at a time."""
    server = Server(name="tiny", address=net.topology.hosts[1].address, pieces={6101: 1, 6102: 2}, max_load=1)
    service = Service(name="small", pieces=2, servers=(server,))
    api.put_service(service)
    yield service
    api.delete_service(service.name)


def test_a_placed_transfer_is_explained_with_its_figures(running, api, net, small):
    api.report_load(small.name, "tiny", Load(processor_ppm=250_000, memory_ppm=1, connections=0))
    client = net.topology.hosts[0].address
    api.request_transfer("why", client, small.name, pieces=[2])
    decision = explain(running, transfer="why")["decision"][0]
    assert (decision["client"], decision["piece"], decision["strategy"]) == (client, [2], "joint")
    chosen, *others = sorted(decision["alternative"], key=lambda one: one["rank"])
    assert (chosen["server"], chosen["load"], chosen["load-source"], chosen["room"]) == ("tiny", 250_000, "reported", 1)
    assert (chosen["links"], chosen["path"]) == (2, decision["path"])
    assert decision["considered"] == 1 + len(others) == 2, "a path over each spine"
    expected, link = int(decision["expected-rate"]), decision["binding-link"]
    assert int(link["capacity"]) == RATE
    assert 0 < expected <= RATE - int(link["background"])
    assert link["flows"] >= 1
    second = decision["runner-up"]
    assert second["path"] == others[0]["path"]
    assert int(second["less"]) == max(0, expected - int(second["rate"]))
    assert decision["because"]
    assert explain(running, flow=decision["flow"])["decision"] == [decision]
    shown = running.command("shell", f"sluice:multipath-explain --flow {decision['flow']}")
    assert "because: " in shown
    assert "rank" in shown
    api.release_transfer("why")


def test_a_refused_transfer_is_explained_with_what_would_help(running, api, net, small):
    with pytest.raises(ControllerError, match="no room for piece 2"):
        api.request_transfer("too-much", net.topology.hosts[0].address, small.name)
    answer = explain(running, transfer="too-much")
    refusal = answer["refusal"]
    assert "decision" not in answer
    assert refusal["reason"] == "the servers have no room for piece 2"
    assert "raise max-load" in refusal["needed"]
    assert [(one["piece"], one["port"], one["room"]) for one in refusal["candidate"]] == [(1, 6101, 1), (2, 6102, 1)]


def test_what_nothing_is_known_of_is_refused(running):
    for body, status in (({}, 400), ({"client": "10.250.0.1"}, 409), ({"transfer": "never"}, 409)):
        text = json.dumps({"sluice-multipath:input": body})
        code, answer = running.restconf("POST", "/rests/operations/sluice-multipath:explain", text)
        assert code == status, answer


def test_servers_show_their_requests_and_what_they_say(running, api, net, small, wait_until):
    api.report_load(small.name, "tiny", Load(processor_ppm=250_000, memory_ppm=1, connections=0))
    api.request_transfer("shown", net.topology.hosts[0].address, small.name, pieces=[2])

    def state() -> tuple:
        path = f"/rests/data/sluice-multipath:multipath/service={small.name}?content=nonconfig"
        code, body = running.restconf("GET", path)
        if code != 200:
            return ()
        server = json.loads(body)["sluice-multipath:service"][0]["server"][0]
        return server.get("reported-load"), {port["number"]: port["current-requests"] for port in server["port"]}

    wait_until(lambda: state() == (250_000, {6101: 0, 6102: 1}), 5)
    code, merged = running.restconf("GET", f"/rests/data/sluice-multipath:multipath/service={small.name}/server=tiny")
    assert (code, json.loads(merged)["sluice-multipath:server"][0]["max-load"]) == (200, 1), merged
    code, text = running.restconf("GET", "/metrics/", accept="text/plain")
    assert code == 200
    lines = [line for line in text.splitlines() if '"tiny"' in line]
    assert any("current_requests" in line and "6102" in line and line.split()[-1] in {"1", "1.0"} for line in lines), (
        text
    )
    assert any("reported_load" in line and line.split()[-1] == "0.25" for line in lines), lines
    api.release_transfer("shown")
    wait_until(lambda: state() == (250_000, {6101: 0, 6102: 0}), 5)


def lab(running, *command: str) -> subprocess.CompletedProcess:
    """Runs a module of the lab against the controller."""
    return subprocess.run(
        [sys.executable, "-m", *command, "--url", f"http://{running.address}:8181/rests"],
        env=os.environ | {"SLUICE_PASSWORD": running.password()},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_the_agent_reports_a_servers_load_and_only_of_a_known_server(running, service):
    options = ["--reports", "2", "--interval", "0.1"]
    known = lab(running, "sluice_lab.agent", service.name, "s1", *options)
    assert known.returncode == 0, known.stderr
    unknown = lab(running, "sluice_lab.agent", service.name, "nobody", *options)
    assert unknown.returncode == 1
    assert "has no server nobody" in unknown.stderr


def test_a_server_that_declares_itself_is_asked_for_its_piece(running, api, net):
    api.put_service(Service(name="own", pieces=1, servers=()))
    client, server = net.topology.hosts
    options = ["--reports", "1", "--interval", "0.1", "--address", server.address, "--port", "6301=1"]
    declared = lab(running, "sluice_lab.agent", "own", "s9", *options)
    assert declared.returncode == 0, declared.stderr
    (assignment,) = api.request_transfer("declared", client.address, "own")
    assert (assignment.server, assignment.server_address, assignment.server_port) == ("s9", server.address, 6301)
    api.release_transfer("declared")
    api.delete_service("own")


@pytest.mark.usefixtures("transfer")
def test_drift_is_found_and_repaired_and_foreign_entries_stay(running, net, wait_until, goodputs):
    assert differences(running) == []
    bridge = net.bridge(net.topology.switches[-1].name)
    rules(bridge, "add-flow", "cookie=0x7,table=5,priority=9,arp,actions=drop")
    rules(bridge, "del-flows", "table=2")
    rules(bridge, "add-flow", "cookie=0x534c020000000001,table=2,priority=5,ip,actions=drop")
    held = rules(bridge, "dump-flows", "--no-stats").splitlines()
    ours = next(line for line in held if "table=3, priority=0" in line)
    rules(bridge, "add-flow", f"send_flow_rem {ours}")
    assert {entry["discrepancy"] for entry in differences(running)} == {"missing", "changed", "stale"}
    before = repaired(running)
    found = differences(running, "sync")
    assert differences(running) == []
    wait_until(lambda: repaired(running) >= before + len(found), 10)
    held = rules(bridge, "dump-flows")
    assert "cookie=0x7," in held
    assert "send_flow_rem" not in held
    assert min(goodputs(net, [6001])) > 0.8 * RATE


@pytest.fixture
def unreadable(net) -> Iterator[str]:
    """A switch with groups of ours, beside one that the controller can't read."""
    bridges = [net.bridge(switch.name) for switch in net.topology.switches]
    bridge = next(bridge for bridge in bridges if "type=ff" in rules(bridge, "dump-groups"))
    rules(bridge, "add-group", "group_id=77,type=all,bucket=actions=resubmit(,9)")
    yield bridge
    rules(bridge, "del-groups", "group_id=77")


@pytest.mark.usefixtures("transfer")
def test_a_foreign_group_that_cannot_be_read_hides_none_of_ours(running, net, unreadable, goodputs):
    groups = rules(unreadable, "dump-groups").count("type=ff")
    assert differences(running, "sync") == []
    assert sum(switch["unread"] for switch in compared(running, "validate")) == groups
    assert rules(unreadable, "dump-groups").count("type=ff") == groups
    assert "group_id=77" in rules(unreadable, "dump-groups")
    assert min(goodputs(net, [6001])) > 0.8 * RATE


@pytest.mark.usefixtures("transfer")
def test_without_the_controller_hosts_that_forget_each_other_go_on_and_a_new_one_adopts_all(
    running, api, net, goodputs
):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        moving = pool.submit(goodputs, net, [6001], 21)
        running.kill(signal.SIGKILL)
        for host in net.topology.hosts:
            net.run(host.name, ["ip", "neigh", "flush", "all"])
        assert min(moving.result()) > 0.8 * RATE
    running.command("start", timeout_s=330)
    api.wait_fabric(net.topology)
    assert differences(running) == []
    adopted = [line for line in running.log().splitlines() if "switch-agrees" in line][-4:]
    assert len(adopted) == 4
    assert all("repaired=0" in line for line in adopted), adopted


@pytest.fixture
def ipv6(net) -> Iterator[list[str]]:
    """The hosts' IPv6 addresses. They believe what they know of a neighbour for 1 to 3 s."""
    hosts = {f"fd00::{number}": host for number, host in enumerate(net.topology.hosts, 1)}

    def set_up(*settings: str) -> None:
        for host in hosts.values():
            net.run(host.name, ["sysctl", "-qw", *settings])

    set_up("net.ipv6.conf.all.disable_ipv6=0")
    for address, host in hosts.items():
        interface = f"{host.name}-eth0"
        aging = f"net.ipv6.neigh.{interface}"
        net.run(host.name, ["ip", "addr", "add", f"{address}/64", "dev", interface, "nodad"])
        net.run(
            host.name,
            ["sysctl", "-qw", f"{aging}.base_reachable_time_ms=2000", f"{aging}.delay_first_probe_time=1"],
        )
    yield list(hosts)
    set_up("net.ipv6.conf.all.disable_ipv6=1")


@pytest.fixture
def detach(running, api, net) -> Iterator[Callable[[], None]]:
    """Takes the controller from the switches until the test ends."""
    yield net.detach_controller
    net.attach_controller(Endpoint(running.address, 6653))
    api.wait_fabric(net.topology)


def answered(net: Net, address: str, count: int) -> int:
    """How many of so many pings the first host gets an answer to, at five a second."""
    ping = ["ping", "-6", "-q", "-n", "-i", "0.2", "-W", "1", "-c", str(count), address]
    done = net.run(net.topology.hosts[0].name, ["sh", "-c", f"{' '.join(ping)} || true"])
    return int(re.search(r"(\d+) received", done)[1])


def test_without_the_controller_ipv6_neighbours_go_on_when_they_are_no_longer_believed(
    running, net, ipv6, detach, wait_until
):
    wait_until(lambda: answered(net, ipv6[1], 5) == 5, 20)
    assert differences(running) == []
    bridges = [net.bridge(switch.name) for switch in net.topology.switches]
    assert sum(rules(bridge, "dump-flows").count("nd_target=") for bridge in bridges) >= 2
    detach()
    assert answered(net, ipv6[1], 150) >= 140
    for host in net.topology.hosts:
        net.run(host.name, ["ip", "-6", "neigh", "flush", "all"])
    assert answered(net, ipv6[1], 25) >= 23


@pytest.mark.usefixtures("restored")
def test_malformed_bodies_break_nothing(running):
    sender = Sender(f"http://{running.address}:8181/rests", "admin", running.password())
    answers = [(body, sender.send(body)) for body in malformed.bodies(seed=1, count=300)]
    sender.close()
    assert [(body, answer) for body, answer in answers if answer.status >= 500 and is_ours(body, answer)] == []
    assert differences(running) == []
