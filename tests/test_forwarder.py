# SPDX-License-Identifier: EPL-2.0
"""Rules published on the bus make two forwarders carry real TCP through a real NAT, and back; it shows what they do."""

import json
import re
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Iterator

import pytest
from forwarders import (
    BUS,
    CHAIN,
    CONTENT_BYTES,
    EGRESS,
    HOSTS,
    INNER_MTU,
    LABELS,
    LIMIT_S,
    METRICS_PORT,
    NAT_ADDRESS,
    ROOT,
    ROUTERS,
    UNDERLAYS,
    Site,
    captured,
    document,
    is_carried,
    start_forwarder,
    started_site,
)
from prometheus_client.parser import text_string_to_metric_families as parse_text

pytestmark = pytest.mark.net

# Words of one process that takes over from another: forwarder-dpdk/src/handover.h.
HANDOVER_VERSION = 0x536C756963655502
HELLO, ESTATE, _, STOP, STOPPED, _ = range(6)


@pytest.fixture(scope="module")
def site(tmp_path_factory, wait_until) -> Iterator[Site]:
    with started_site(tmp_path_factory.mktemp("site"), wait_until) as running:
        yield running


@pytest.fixture(scope="module")
def ruled(site: Site) -> Site:
    """The site after rules of generation 2 were published, and taken."""
    assert site.state("F1") == {"generation": "1", "refused-documents": "0"}, site.log("F1")
    assert site.fetch(2) is None
    for name in UNDERLAYS:
        site.publish(name, document(site, name, 2, has_rules=True))
        assert site.state(name)["generation"] == "2", site.log(name)
    return site


def settle(site: Site) -> None:
    """Waits until F1 counts nothing any more: hosts end their connections when their content is long there."""

    def is_quiet() -> bool:
        before = site.telemetry("F1", "/sluice/packets")
        time.sleep(1)
        return site.telemetry("F1", "/sluice/packets") == before

    site.wait_until(is_quiet, LIMIT_S)


def syn(source: str, port: int) -> bytes:
    """The first packet of a connection to the server, as a host sends it; checksums are nobody's business here."""
    addresses = bytes(int(part) for address in (source, "10.2.0.1") for part in address.split("."))
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 40, 0, 0, 64, 6, 0) + addresses
    tcp = struct.pack("!HHIIBBHHH", port, 8000, 1, 0, 0x50, 2, 65535, 0, 0)
    return bytes(12) + b"\x08\x00" + ip + tcp


def scrape(site: Site, forwarder: str, port: int = METRICS_PORT) -> dict[tuple[str, frozenset], float]:
    """All samples by name and labels, as Prometheus' own parser reads them."""
    text = site.must(forwarder, f"curl -fsS -m 5 http://127.0.0.1:{port}/metrics")
    families = list(parse_text(text))
    assert all(family.documentation and family.type in {"counter", "gauge"} for family in families)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def sample(samples: dict[tuple[str, frozenset], float], name: str, **labels: str) -> float:
    return samples[f"sluice_forwarder_{name}", frozenset(labels.items())]


def test_published_rules_carry_tcp_through_the_nat_and_back(ruled):
    assert is_carried(ruled)
    assert f"{NAT_ADDRESS} - - " in ruled.log("server")


@pytest.mark.parametrize(("place", "port", "destination"), [("F2", "wan1", "10.2.0.1"), ("F1", "wan0", NAT_ADDRESS)])
def test_packets_that_reach_a_forwarder_bear_both_labels(ruled, place, port, destination):
    lines = captured(ruled, place, port, "-e mpls.label -e ip.dst")
    assert lines == [f"{CHAIN},{EGRESS}\t{UNDERLAYS[place][1]},{destination}"] * 20


def mac_of(site: Site, place: str, port: str) -> str:
    return site.must(place, f"cat /sys/class/net/{port}/address").strip()


@pytest.mark.parametrize(("place", "port"), [("F2", "wan1"), ("F1", "wan0")])
def test_forwarders_ask_each_other_for_their_mac_addresses(ruled, place, port):
    outer_and_inner = f"{mac_of(ruled, place, port)},02:00:00:00:00:02"
    assert captured(ruled, place, port, "-e eth.dst") == [outer_and_inner] * 20


@pytest.mark.parametrize("port", ROUTERS)
def test_forwarder_and_vnf_ask_each_other_for_their_mac_addresses(ruled, port):
    ruled.must("nat", f"ip neigh flush dev {port}")
    assert is_carried(ruled)
    neighbour = ruled.must("nat", f"ip neigh show {ROUTERS[port]} dev {port}")
    assert f"lladdr {mac_of(ruled, 'F1', port)}" in neighbour
    mac = HOSTS[port][2]
    assert captured(ruled, "nat", port, "-e eth.dst", f"tcp and not ether src {mac}") == [mac] * 20


def test_forwarder_offers_the_weight_of_its_instances(ruled):
    assert ruled.told("F1", f"/c{CHAIN}/e{EGRESS}/vnf_nat/site_A_forwarders") == {
        "name": "F1",
        "underlay": {"address": "192.0.2.1"},
        "chains": {"chain": [{**LABELS, "stage": [{"number": 1, "offered-weight": "5"}]}]},
    }


def test_forwarder_tells_what_it_carries(ruled):
    def carried() -> dict:
        """Bytes on their way back that were sent to each instance, as they were told last."""
        told = ruled.told("F1", "/forwarder/F1/site_A_traffic")
        return {one["name"]: int(one["traffic"]["return-bytes"]) for one in told["instances"]["instance"]}

    def carried_by_stage() -> dict:
        chain = ruled.told("F1", f"/c{CHAIN}/e{EGRESS}/site_A_traffic", len(UNDERLAYS))["chains"]["chain"][0]
        return {stage["number"]: int(stage["traffic"]["return-bytes"]) for stage in chain["stage"]}

    def is_told_alike() -> bool:
        """True if what goes from instance to instance unchanged is told alike, in total and by stage."""
        after = carried()
        return (
            after["edge-a"] > before["edge-a"] + CONTENT_BYTES
            and after["nat-1"] - before["nat-1"] == after["edge-a"] - before["edge-a"]
            and carried_by_stage() == {0: 0, 1: after["edge-a"], 2: after["nat-1"]}
        )

    settle(ruled)
    before = {name: ruled.telemetry("F1", f"/sluice/hop,instance/{name}")["return_bytes"] for name in carried()}
    assert is_carried(ruled)
    ruled.wait_until(is_told_alike, LIMIT_S)


def test_prometheus_reads_what_is_carried(ruled):
    before = scrape(ruled, "F1")
    assert is_carried(ruled)
    settle(ruled)
    after = scrape(ruled, "F1")
    to_client = {"instance_name": "edge-a", "direction": "return"}
    carried = sample(after, "instance_bytes_total", **to_client) - sample(before, "instance_bytes_total", **to_client)
    assert carried > CONTENT_BYTES
    at_stage = {"chain_label": str(CHAIN), "egress_label": str(EGRESS), "stage": "1", "direction": "return"}
    assert sample(after, "stage_bytes_total", **at_stage) == sample(after, "instance_bytes_total", **to_client)
    assert sample(after, "pinned_flows_total") > sample(before, "pinned_flows_total")
    assert sample(after, "peer_flows", peer_name="F2") > 0
    assert sample(after, "handed_over_packets_total") > 0  # from one lcore to the other
    drops = sum(value for (name, _), value in after.items() if name == "sluice_forwarder_drops_total")
    came = sample(after, "received_packets_total") + sample(after, "made_packets_total")
    assert came == sample(after, "sent_packets_total") + sample(after, "heard_packets_total") + drops
    assert ruled.telemetry("F1", "/sluice/hop,instance/edge-a")["return_bytes"] == sample(
        scrape(ruled, "F1"), "instance_bytes_total", **to_client
    )


def test_packet_is_traced_through_both_forwarders(ruled):
    first = ruled.telemetry("F1", f"/sluice/trace,cl0,{syn('10.1.0.1', 7).hex()}")
    assert first["connection"] == "protocol 6, 10.1.0.1 port 7 to 10.2.0.1 port 8000"
    assert (first["from"], first["stage"]) == ("instance/edge-a", f"{CHAIN}/{EGRESS}/1, forward")
    assert (first["flow"], first["hop"]) == ("none", "instance/nat-1")
    assert first["lcore"] in ("1 of 2 that forward", "2 of 2 that forward")
    assert first["picked_from"] == "next hops of stage 1: here; instances of stage 1"
    assert first["verdict"] == "sent on port vin0, 54 bytes"
    behind = ruled.telemetry("F1", f"/sluice/trace,vout0,{syn(NAT_ADDRESS, 7).hex()}")
    assert (behind["hop"], behind["out_tunnel"]) == ("peer/F2", "VXLAN from 192.0.2.1 to 192.0.2.2, VNI 4")
    last = ruled.telemetry("F2", f"/sluice/trace,wan1,{''.join(behind['frame'])}")
    assert (last["from"], last["hop"]) == ("peer/F1", "instance/edge-b")
    assert last["verdict"] == "sent on port sv0, 54 bytes"
    stray = ruled.telemetry("F1", f"/sluice/trace,wan0,{syn('10.1.0.1', 7).hex()}")
    assert stray["verdict"] == "dropped: on the underlay, but no VXLAN to us (not_tunnel)"
    assert ruled.telemetry("F1", "/sluice/trace,lan,00") == {"refused": "there is no port lan"}


def test_tracing_changes_nothing(ruled):
    def is_unchanged() -> bool:
        before = ruled.telemetry("F1", "/sluice/packets"), ruled.telemetry("F1", "/sluice/table")
        ruled.telemetry("F1", f"/sluice/trace,cl0,{syn('10.1.0.1', 7).hex()}")
        return before == (ruled.telemetry("F1", "/sluice/packets"), ruled.telemetry("F1", "/sluice/table"))

    assert is_carried(ruled)
    settle(ruled)
    ruled.wait_until(is_unchanged, LIMIT_S)  # a host may ask for a MAC address any time


def test_tcp_finds_out_what_fits_into_the_tunnel(ruled):
    def n_too_big() -> int:
        drops = ruled.told("F2", "/forwarder/F2/site_A_traffic")["traffic"].get("drop", [])
        return sum(int(drop["packets"]) for drop in drops if drop["reason"] == "too_big")

    def of_chain() -> dict:
        """Packets of the chain that F2 dropped, by stage, as they were told last."""
        chain = ruled.told("F2", f"/c{CHAIN}/e{EGRESS}/site_A_traffic", len(UNDERLAYS))["chains"]["chain"][0]
        return {stage["number"]: stage["traffic"]["drop"] for stage in chain["stage"] if "drop" in stage["traffic"]}

    assert is_carried(ruled)
    assert f"mtu {INNER_MTU}" in ruled.must("server", f"ip route get {NAT_ADDRESS}")
    ruled.wait_until(lambda: n_too_big() > 0, LIMIT_S)
    before = n_too_big()
    ruled.must("server", "ip route flush cache")
    assert is_carried(ruled)
    ruled.wait_until(lambda: n_too_big() > before, LIMIT_S)
    ruled.wait_until(lambda: of_chain() == {2: [{"reason": "too_big", "return-packets": str(n_too_big())}]}, LIMIT_S)
    assert ruled.telemetry("F2", f"/sluice/stage,{CHAIN}/{EGRESS}/2")["return_dropped_too_big"] == n_too_big()
    at_stage = {"chain_label": str(CHAIN), "egress_label": str(EGRESS), "stage": "2"}
    too_big = {"direction": "return", "reason": "too_big"}
    assert sample(scrape(ruled, "F2"), "stage_drops_total", **at_stage, **too_big) == n_too_big()


def test_alerts_and_questions_are_about_what_is_served(ruled):
    text = "".join((ROOT / "docs" / name).read_text() for name in ("sluice-alerts.yml", "prometheus.md"))
    assert is_carried(ruled)  # and something was too big, at F2
    served = {**scrape(ruled, "F1"), **scrape(ruled, "F2")}
    reasons = {dict(labels).get("reason") for _, labels in served}
    assert set(re.findall(r"\bsluice_forwarder_\w+", text)) - {name for name, _ in served} == set()
    told = re.findall(r'reason=~?"([^"]+)"', text)
    assert told and {one for some in told for one in some.split("|")} <= reasons


def test_wrong_document_changes_nothing_and_the_reason_is_told(ruled):
    wrong = document(ruled, "F1", 3, has_rules=True)
    wrong["sluice-forwarder:forwarder"]["instances"]["instance"][0]["egress-side"]["port"] = "nowhere"
    ruled.publish("F1", wrong)
    state = ruled.state("F1")
    assert (state["generation"], state["refused-documents"]) == ("2", "1")
    assert "nowhere" in state["refusal"]
    assert is_carried(ruled)


def test_rules_are_requested_and_refused_with_the_reason(ruled):
    other = ruled.bus("switchboard", "request", "A/F1", json.dumps(document(ruled, "F2", 4, has_rules=True)))
    assert (other.returncode, other.stderr) == (1, "sluice-bus: for forwarder F2, this is F1\n")
    right = ruled.bus("switchboard", "request", "A/F1", json.dumps(document(ruled, "F1", 4, has_rules=True)))
    assert right.returncode == 0, right.stderr
    told = json.loads(right.stdout)["sluice-forwarder:forwarder"]["state"]
    assert told["generation"] == "4" and "refusal" not in told
    assert is_carried(ruled)


def test_document_without_a_name_is_refused(ruled):
    nameless = document(ruled, "F1", 5, has_rules=True)
    del nameless["sluice-forwarder:forwarder"]["name"]
    done = ruled.bus("switchboard", "request", "A/F1", json.dumps(nameless))
    assert done.returncode == 1
    assert done.stderr.startswith('sluice-bus: Mandatory node "name" instance does not exist')
    assert ruled.state("F1")["generation"] == "4"
    assert is_carried(ruled)


def test_rules_of_another_node_are_refused(ruled):
    done = ruled.bus("stranger", "request", "A/F2", json.dumps(document(ruled, "F2", 5, has_rules=False)))
    assert (done.returncode, done.stderr) == (1, "sluice-bus: rules come from A/switchboard only\n")
    assert ruled.state("F2") == {"generation": "2", "refused-documents": "1"}
    assert is_carried(ruled)


def test_forwarder_goes_on_without_a_proxy_and_obeys_the_next_one(ruled):
    ruled.kill("proxy")
    assert is_carried(ruled)
    ruled.start_proxy()
    ruled.publish("F2", document(ruled, "F2", 6, has_rules=False))
    assert ruled.state("F2")["generation"] == "6"
    assert ruled.fetch(2) is None
    ruled.publish("F2", document(ruled, "F2", 7, has_rules=True))
    assert ruled.state("F2")["generation"] == "7"
    assert is_carried(ruled)


def test_key_is_replaced_without_a_restart(ruled):
    old = ruled.keys["F2"]
    ruled.must("F1", f"rm F2.keys && {BUS} make-keys F2.keys")
    ruled.keys["F2"] = (ruled.folder / "F2.keys").read_text().split()[0]
    ruled.allow(*ruled.nodes(), ("F2", old))
    (ruled.folder / "F2.json").write_text(json.dumps(document(ruled, "F2", 8, has_rules=True)))
    ruled.children["F2"].send_signal(signal.SIGHUP)
    ruled.wait_until(lambda: ruled.state("F2")["generation"] == "8", LIMIT_S)
    ruled.allow(*(node for node in ruled.nodes() if node[0] != "stranger"))
    ruled.wait_until(lambda: not ruled.is_let_in("stranger"), LIMIT_S)  # so the old key is not either
    ruled.publish("F2", document(ruled, "F2", 9, has_rules=True))
    assert is_carried(ruled)


def test_metrics_move_when_the_file_is_read_again(ruled):
    moved = document(ruled, "F2", 10, has_rules=True)
    moved["sluice-forwarder:forwarder"]["metrics"]["port"] = METRICS_PORT + 1
    (ruled.folder / "F2.json").write_text(json.dumps(moved))
    ruled.children["F2"].send_signal(signal.SIGHUP)
    ask = f"curl -fsS -m 5 -o /dev/null http://127.0.0.1:{METRICS_PORT}/metrics"
    ruled.wait_until(lambda: ruled.run("F2", ask).returncode != 0, LIMIT_S)
    assert sample(scrape(ruled, "F2", METRICS_PORT + 1), "received_packets_total") > 0
    assert is_carried(ruled)


def begun_fetch(site: Site) -> subprocess.Popen:
    """A client that is getting the content, slowly."""
    fetching = subprocess.Popen(
        site.words("client", "curl", "-sf", "--limit-rate", "30k", "-m", "60", "http://10.2.0.1:8000/content"),
        stdout=subprocess.PIPE,
    )
    site.wait_until(lambda: site.run("client", "ss -Htn state established").stdout != "", LIMIT_S)
    return fetching


def is_fetched(site: Site, fetching: subprocess.Popen) -> bool:
    content, _ = fetching.communicate(timeout=90)
    return (fetching.returncode, content) == (0, (site.folder / "content").read_bytes())


def test_connection_lives_if_the_heir_dies_midway(ruled):
    """F1 has stopped its lcores and closed its ports for an heir that is gone then."""
    fetching = begun_fetch(ruled)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as heir:
        heir.settimeout(LIMIT_S)
        heir.connect(str(ruled.folder / "F1.socket"))
        for word, value, answer in ((HELLO, 0, ESTATE), (STOP, 1, STOPPED)):
            heir.send(struct.pack("=3Q", HANDOVER_VERSION, word, value))
            assert struct.unpack("=3Q", heir.recv(24))[1] == answer
    assert is_fetched(ruled, fetching)
    assert ruled.children["F1"].poll() is None, ruled.log("F1")


def test_connection_lives_through_an_upgrade(ruled):
    """F1's lcores change their process while a connection is open, whose flows are not pinned anew."""

    def told() -> dict:
        return ruled.told("F1", "/forwarder/F1/site_A_traffic")

    state = ruled.state("F1")
    fetching = begun_fetch(ruled)
    old = ruled.children.pop("F1")
    ruled.children["old"] = old
    start_forwarder(ruled, "F1", document(ruled, "F1", 1, has_rules=False), "--take-over", "F1.socket", prefix="-heir")
    assert old.wait(timeout=30) == 0, ruled.log("F1")
    assert is_fetched(ruled, fetching)
    ruled.wait_until(lambda: int(told()["traffic"]["received"]) > 0, LIMIT_S)
    assert told()["traffic"]["flows"] == "0"
    assert "no_neighbour" not in {drop["reason"] for drop in told()["traffic"].get("drop", [])}
    assert {"generation": state["generation"], "refused-documents": "0"} == ruled.state("F1")
    assert ruled.is_told(f"/c{CHAIN}/e{EGRESS}/vnf_nat/site_A_forwarders")
    assert sample(scrape(ruled, "F1"), "peer_flows", peer_name="F2") > 0
    assert is_carried(ruled)


def test_forwarder_that_ends_withdraws_what_it_told(ruled):
    assert ruled.is_told(f"/c{CHAIN}/e{EGRESS}/vnf_exit/site_A_forwarders")
    ruled.children["F2"].terminate()
    assert ruled.children["F2"].wait(timeout=20) == 0, ruled.log("F2")
    for kind in ("state", "traffic"):
        assert not ruled.is_told(f"/forwarder/F2/site_A_{kind}")
    assert not ruled.is_told(f"/c{CHAIN}/e{EGRESS}/vnf_exit/site_A_forwarders")
    assert ruled.is_told("/forwarder/F1/site_A_state")
