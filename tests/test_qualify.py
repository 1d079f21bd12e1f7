# SPDX-License-Identifier: EPL-2.0
"""What a controller says of a switch: what it can do, what of Sluice works on it, and whether it is still there."""

import contextlib
import json
import pathlib
import re
import subprocess
from collections.abc import Iterator

import pytest
from openvswitch import OpenVSwitch, open_vswitch

pytestmark = pytest.mark.net

SWITCH = "openflow:1"
STATE = "/rests/data/sluice-fabric:fabric/switches/switch=openflow%3A1?content=nonconfig"
FOREIGN = "cookie=0x7,table=5,priority=9,arp,actions=drop"
MARK = "0x534c000000000000/0xffff000000000000"
SCRATCH = "cookie=0x534c0f"  # the mark of Sluice and of the owner that measures
TIMED = {"barrier", "flow-add", "flow-modify", "flow-delete", "packet-loop"}


@pytest.fixture(scope="module")
def running(tmp_path_factory, new_controller) -> Iterator:
    with new_controller(tmp_path_factory.mktemp("qualify") / "controller") as controller:
        controller.command("start", timeout_s=330)
        yield controller


@pytest.fixture(scope="module")
def switch(running, tmp_path_factory) -> Iterator[OpenVSwitch]:
    """A switch whose port 1 is up and whose port 2 is down, and where no host speaks up by itself."""
    with open_vswitch(running.namespace, tmp_path_factory.mktemp("ovs")) as switch:
        settings = ["datapath_type=netdev", "protocols=OpenFlow13", "other-config:datapath-id=0000000000000001"]
        queues = ["external-ids:sluice-queue-filters=true"]
        switch.vsctl("add-br", "s1", "--", "set", "bridge", "s1", *settings, *queues)
        for number, port in enumerate(("lit", "dark"), start=1):
            running.exec("ip", "link", "add", port, "type", "veth", "peer", "name", f"{port}-far")
            running.exec("ip", "link", "set", port, "up")
            switch.vsctl("add-port", "s1", port, "--", "set", "interface", port, f"ofport_request={number}")
        running.exec("ip", "link", "set", "lit-far", "addrgenmode", "none", "up")
        switch.vsctl("set-controller", "s1", "tcp:127.0.0.1:6653")
        yield switch


def rules(switch: OpenVSwitch, command: str, *arguments: str) -> str:
    management = f"unix:{switch.folder / 's1.mgmt'}"
    done = ["ovs-ofctl", "-O", "OpenFlow13", command, management, *arguments]
    return subprocess.run(done, check=True, capture_output=True, text=True).stdout


def declared(switch: OpenVSwitch) -> list[str]:
    """Sluice's flows and meters on the switch, as they are declared; none while it starts."""
    try:
        flows = rules(switch, "dump-flows", "--no-stats").splitlines()
        meters = rules(switch, "dump-meters").splitlines()
    except subprocess.CalledProcessError:
        return []
    return sorted(line.strip() for line in flows + meters if "cookie=0x534c" in line or "rate=" in line)


def state(running) -> dict:
    """What the controller publishes of the switch; empty if nothing."""
    code, body = running.restconf("GET", STATE)
    return json.loads(body)["sluice-fabric:switch"][0] if code == 200 else {}


def ports_up(running) -> dict:
    return {port["number"]: port["up"] for port in state(running).get("port", [])}


@pytest.fixture
def attached(running, switch, wait_until) -> OpenVSwitch:
    wait_until(lambda: ports_up(running) == {1: True, 2: False} and "features" in state(running), 60)
    wait_until(lambda: "table=3" in rules(switch, "dump-flows"), 30)
    return switch


def qualify(running, switch_id: str) -> tuple[int, dict]:
    request = json.dumps({"input": {"switch": switch_id}})
    code, body = running.restconf("POST", "/rests/operations/sluice-fabric:qualify", request)
    return code, json.loads(body)


@pytest.mark.usefixtures("attached")
def test_a_switch_says_what_it_can_do(running):
    features = state(running)["features"]
    assert features["tables"] == 254
    assert {group["type"] for group in features["group"]} == {"all", "select", "indirect", "fast-failover"}
    assert all(group["max-groups"] > 1_000_000 for group in features["group"])
    assert features["max-meters"] > 1000
    assert features["max-bands"] >= 1
    assert features["meter-band"] == ["drop"]
    assert set(features["meter-capability"]) == {"kilobits", "packets", "burst", "statistics"}
    assert features["bundles"]
    (table,) = features["table"]
    assert (table["first"], table["last"], table["max-entries"]) == (0, 253, 1_000_000)
    assert {"in_port", "ipv6_nd_target", "tcp_src"} < set(table["match"])
    assert {"eth_dst", "ipv4_src", "ipv6_nd_sll"} < set(table["set"])


@contextlib.contextmanager
def snooping(switch: OpenVSwitch, wait_until) -> Iterator[pathlib.Path]:
    """Writes what the switch and its controller say to each other into a file."""
    path = switch.folder / "snoop.log"
    command = ["ovs-ofctl", "-O", "OpenFlow13", "-vvconn:dbg", "snoop", f"unix:{switch.folder / 's1.snoop'}"]
    with path.open("w") as log, subprocess.Popen(command, stdout=log, stderr=log) as snoop:
        try:
            wait_until(lambda: "negotiated" in path.read_text(), 10)
            yield path
        finally:
            snoop.terminate()


def repair(running) -> list[dict]:
    code, body = running.restconf("POST", "/rests/operations/sluice-fabric:sync", '{"input": {}}')
    assert code == 200, body
    return json.loads(body)["sluice-fabric:output"]["switch"][0].get("difference", [])


def agrees(running) -> bool:
    """True if the switch can be compared, which it can't while it connects, and has all that is declared."""
    code, body = running.restconf("POST", "/rests/operations/sluice-fabric:validate", '{"input": {}}')
    assert code == 200, body
    switches = json.loads(body)["sluice-fabric:output"].get("switch", [])
    return len(switches) == 1 and not {"error", "difference"} & switches[0].keys()


@pytest.mark.parametrize("port", ["6633", "6653"])
def test_what_somebody_deleted_comes_back_all_at_once(running, attached, wait_until, port):
    attached.vsctl("set-controller", "s1", f"tcp:127.0.0.1:{port}")
    wait_until(lambda: attached.is_connected("s1") and agrees(running), 60)
    before = declared(attached)
    assert len(before) > 10
    with snooping(attached, wait_until) as log:
        rules(attached, "del-flows", f"cookie={MARK}")
        repair(running)
        wait_until(lambda: "COMMIT_REPLY" in log.read_text(), 30)
    messages = log.read_text()
    assert declared(attached) == before
    assert messages.count("OFPT_FLOW_MOD") == messages.count("ONFT_BUNDLE_ADD_MESSAGE") > 10, messages


def test_what_is_refused_is_known_though_a_bundle_was_refused_as_a_whole(running, attached, wait_until):
    before = declared(attached)
    limit = ["--", "--id=@full", "create", "flow_table", "flow_limit=3", "overflow_policy=refuse"]
    rules(attached, "del-flows", f"cookie={MARK}")
    attached.vsctl("set", "bridge", "s1", "flow_tables:1=@full", *limit)
    try:
        differences = repair(running)
    finally:
        attached.vsctl("clear", "bridge", "s1", "flow_tables")
    refused = [difference for difference in differences if "refusal" in difference]
    assert 0 < len(refused) < len(differences), differences
    assert all("TABLEFULL" in difference["refusal"] for difference in refused), refused
    wait_until(lambda: set(before) <= set(declared(attached)), 60)


def test_all_of_sluice_works_on_open_vswitch(running, attached):
    rules(attached, "add-flow", FOREIGN)
    entries = rules(attached, "dump-flows", "--no-stats")
    groups, meters = rules(attached, "dump-groups"), rules(attached, "dump-meters")
    code, body = qualify(running, SWITCH)
    assert code == 200, body
    report = body["sluice-fabric:output"]
    print(json.dumps(report, indent=1))
    parts = [
        "steering of IPv4",
        "steering of IPv6",
        "splitting IPv4 by slots",
        "splitting IPv6 by slots",
        "ARP without the controller",
        "ND without the controller",
        "local repair",
        "metering",
        "marking IPv4 for queues",
        "marking IPv6 for queues",
    ]
    assert report["verdict"] == "; ".join(f"{part} works" for part in parts)
    assert {check["result"] for check in report["check"]} == {"works"}
    figures = {
        check["name"]: {f["name"]: int(f["value"]) for f in check.get("figure", [])} for check in report["check"]
    }
    assert all(0 < figures[name]["p50"] <= figures[name]["p99"] for name in TIMED)
    assert figures["flow-rate"]["rate"] > 0
    assert figures["tables"] == {"tables": 254}
    left = rules(attached, "dump-flows", "--no-stats")
    assert set(entries.splitlines()) <= set(left.splitlines())  # a host may have been learned meanwhile
    assert SCRATCH not in left
    assert rules(attached, "dump-groups") == groups
    assert rules(attached, "dump-meters").count("meter=") == meters.count("meter=")


def test_a_switch_that_is_not_there_is_refused(running):
    code, body = qualify(running, "openflow:99")
    assert code == 409
    assert "openflow:99 is not attached" in json.dumps(body)


def test_a_switch_that_left_is_still_listed(running, attached, wait_until):
    attached.vsctl("del-controller", "s1")
    wait_until(lambda: state(running).get("attached") is False, 60)
    assert "detached-since" in state(running)
    attached.vsctl("set-controller", "s1", "tcp:127.0.0.1:6653")
    wait_until(lambda: state(running).get("attached") is True, 60)
    assert "detached-since" not in state(running)


def test_a_switch_that_crashed_holds_again_what_is_declared(running, attached, wait_until):
    held = declared(attached)
    assert len(held) > 5
    attached.crash()
    wait_until(lambda: declared(attached) == held, 60)
    code, body = running.restconf("POST", "/rests/operations/sluice-fabric:validate", '{"input": {}}')
    assert code == 200, body
    assert '"difference"' not in body
    assert '"error"' not in body


def test_a_switch_that_left_for_good_is_forgotten(running, attached, wait_until):
    request = json.dumps({"input": {"switch": SWITCH}})
    forget = "/rests/operations/sluice-fabric:forget-switch"
    code, body = running.restconf("POST", forget, request)
    assert code == 409
    assert "openflow:1 is attached" in body
    attached.vsctl("del-controller", "s1")
    wait_until(lambda: state(running).get("attached") is False, 60)
    code, body = running.restconf("POST", forget, request)
    assert code == 204, body
    wait_until(lambda: state(running) == {}, 30)
    code, body = running.restconf("POST", forget, request)
    assert code == 409
    assert "no such switch has attached" in body
    attached.vsctl("set-controller", "s1", "tcp:127.0.0.1:6653")
    wait_until(lambda: state(running).get("attached") is True, 60)


def test_a_switch_whose_database_is_connected_fails_secure(running, attached, wait_until):
    assert state(running)["fail-mode"] == "unknown"
    attached.vsctl("set-fail-mode", "s1", "standalone")
    attached.vsctl("set-manager", "tcp:127.0.0.1:6640")
    wait_until(lambda: state(running)["fail-mode"] == "secure", 30)
    assert attached.vsctl("get-fail-mode", "s1") == "secure"
    attached.vsctl("del-manager")
    wait_until(lambda: state(running)["fail-mode"] == "unknown", 30)


def test_ports_of_a_switch_whose_database_is_connected_are_given_queues(running, attached, wait_until):
    def priorities() -> list[tuple[str, str]]:
        shown = running.exec("tc", "class", "show", "dev", "lit").stdout
        return sorted(re.findall(r"class htb 1:([12]) .*?prio (\d)", shown))

    def rows() -> list[str]:
        return [attached.vsctl("--bare", "--columns=external_ids", "list", table) for table in ("qos", "queue")]

    queues = [{"code-point": 46, "number": 0}, {"code-point": 10, "number": 1}]
    body = {"policy": "app-fair", "queue": queues, "make-queues": True}
    path = "/rests/data/sluice-bandwidth:bandwidth"
    code, answer = running.restconf("PUT", path, json.dumps({"sluice-bandwidth:bandwidth": body}))
    assert code in {201, 204}, answer
    attached.vsctl("set-manager", "tcp:127.0.0.1:6640")
    wait_until(lambda: priorities() == [("1", "0"), ("2", "1")], 30)
    entries = rules(attached, "dump-flows", "--no-stats")
    for family in ("ip", "ipv6"):
        assert f"{family},nw_tos=184 actions=set_queue:0,goto_table:1" in entries
        assert f"{family},nw_tos=40 actions=set_queue:1,goto_table:1" in entries
    assert running.restconf("DELETE", path)[0] == 204
    wait_until(lambda: rows() == ["", ""] and "set_queue" not in rules(attached, "dump-flows"), 30)
    attached.vsctl("del-manager")
