# SPDX-License-Identifier: EPL-2.0
"""Rules published on the bus make two forwarders carry real TCP through a real NAT, and back."""

import json
import signal
import subprocess
from collections.abc import Iterator

import pytest
from forwarders import (
    BUS,
    CHAIN,
    CONTENT_BYTES,
    EGRESS,
    LABELS,
    LIMIT_S,
    NAT_ADDRESS,
    UNDERLAYS,
    Site,
    document,
    started_site,
)

pytestmark = pytest.mark.net


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


def is_carried(site: Site) -> bool:
    return site.fetch() == (site.folder / "content").read_bytes()


def test_published_rules_carry_tcp_through_the_nat_and_back(ruled):
    assert is_carried(ruled)
    assert f"{NAT_ADDRESS} - - " in ruled.log("server")


@pytest.mark.parametrize(("place", "port", "destination"), [("F2", "wan1", "10.2.0.1"), ("F1", "wan0", NAT_ADDRESS)])
def test_packets_that_reach_a_forwarder_bear_both_labels(ruled, place, port, destination):
    fields = "-T fields -e mpls.label -e ip.dst"
    capture = f"timeout 20 tshark -i {port} -l -Q -c 20 -f 'udp port 4789' -d udp.port==4789,vxlan {fields}"
    with subprocess.Popen(
        ruled.words(place, "bash", "-c", capture), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        while child.poll() is None:
            assert is_carried(ruled)
        lines = child.stdout.read().splitlines()
    assert lines == [f"{CHAIN},{EGRESS}\t{UNDERLAYS[place][1]},{destination}"] * 20


def test_forwarder_offers_the_weight_of_its_instances(ruled):
    assert ruled.told("F1", f"/c{CHAIN}/e{EGRESS}/vnf_nat/site_A_forwarders") == {
        "name": "F1",
        "underlay": {"address": "192.0.2.1"},
        "chains": {"chain": [{**LABELS, "stage": [{"number": 1, "offered-weight": "5"}]}]},
    }


def test_forwarder_tells_what_it_carries(ruled):
    def carried() -> dict:
        """Bytes on their way back that were sent to each instance."""
        told = ruled.told("F1", "/forwarder/F1/site_A_traffic")
        return {one["name"]: int(one["traffic"]["return-bytes"]) for one in told["instances"]["instance"]}

    before = carried()
    assert is_carried(ruled)
    ruled.wait_until(lambda: carried()["edge-a"] > before["edge-a"] + CONTENT_BYTES, LIMIT_S)
    after = carried()
    assert after["nat-1"] - before["nat-1"] == after["edge-a"] - before["edge-a"]
    chain = ruled.told("F1", f"/c{CHAIN}/e{EGRESS}/site_A_traffic")["chains"]["chain"][0]
    carried_by_stage = {stage["number"]: int(stage["traffic"]["return-bytes"]) for stage in chain["stage"]}
    assert carried_by_stage == {0: 0, 1: after["edge-a"], 2: after["nat-1"]}


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


def test_forwarder_that_ends_withdraws_what_it_told(ruled):
    assert ruled.is_told(f"/c{CHAIN}/e{EGRESS}/vnf_exit/site_A_forwarders")
    ruled.children["F2"].terminate()
    assert ruled.children["F2"].wait(timeout=20) == 0, ruled.log("F2")
    for kind in ("state", "traffic"):
        assert not ruled.is_told(f"/forwarder/F2/site_A_{kind}")
    assert not ruled.is_told(f"/c{CHAIN}/e{EGRESS}/vnf_exit/site_A_forwarders")
    assert ruled.is_told("/forwarder/F1/site_A_state")
