# SPDX-License-Identifier: EPL-2.0
import pytest

from sluice_lab import entries
from sluice_lab.entries import FlowWords, Key, Kind

OURS = "cookie=0x534c010000000007,"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (
            f" {OURS} priority=3000,dl_type=0x88cc actions=drop",
            "table 0, priority 3000, eth_type=0x88cc",
        ),
        (f" {OURS} priority=0 actions=drop", "table 0, priority 0, any"),
        (
            f" {OURS} table=1, dl_type=0x800 actions=drop",
            "table 1, priority 32768, eth_type=0x0800",
        ),
        (
            f" {OURS} table=1, priority=9,dl_dst=52:53:00:00:00:00/ff:ff:00:00:00:00 actions=drop",
            "table 1, priority 9, eth_dst=52:53:00:00:00:00/ff:ff:00:00:00:00",
        ),
        (
            f" {OURS} idle_timeout=9, send_flow_rem priority=9,tcp,nw_src=10.0.0.1,"
            "nw_dst=10.0.0.0/8,tp_src=0x10/0xf0,tp_dst=80 actions=group:7,goto_table:2",
            "table 0, priority 9, eth_type=0x0800,ip_proto=6,ip_src=10.0.0.1/32,ip_dst=10.0.0.0/8,"
            "l4_src=16/240,l4_dst=80",
        ),
        (
            f" {OURS} priority=9,in_port=3,ipv6,ipv6_dst=ff02::/16 actions=drop",
            "table 0, priority 9, in_port=3,eth_type=0x86dd,ip_dst=ff02:0:0:0:0:0:0:0/16",
        ),
        (f" {OURS} priority=9,dl_vlan=7 actions=drop", "table 0, priority 9, other match"),
        (
            f" {OURS} priority=9,arp,in_port=3,arp_spa=10.0.0.1,arp_tpa=10.0.0.2,arp_op=1,"
            "arp_sha=00:00:00:00:00:01 actions=IN_PORT",
            "table 0, priority 9, in_port=3,eth_type=0x0806,arp_op=1,arp_sha=00:00:00:00:00:01,"
            "arp_spa=10.0.0.1,arp_tpa=10.0.0.2",
        ),
        (
            f" {OURS} priority=9,icmp6,in_port=3,ipv6_src=fe80::1,icmp_type=135,nd_target=fe80::2,"
            "nd_sll=00:00:00:00:00:01 actions=IN_PORT",
            "table 0, priority 9, in_port=3,eth_type=0x86dd,ip_proto=58,icmpv6_type=135,"
            "ipv6_src=fe80:0:0:0:0:0:0:1,ipv6_nd_sll=00:00:00:00:00:01,"
            "ipv6_nd_target=fe80:0:0:0:0:0:0:2",
        ),
        (
            f" {OURS} priority=9,arp,arp_op=2,arp_spa=10.0.0.1,arp_tpa=10.0.0.2,"
            "arp_sha=00:00:00:00:00:01 actions=drop",
            "table 0, priority 9, other match",
        ),
    ],
)
def test_a_flow_has_the_name_that_sluice_gives_it(line, name):
    assert entries.flow(line).key == Key(Kind.FLOW, name)


def test_what_is_no_flow_entry_is_refused():
    with pytest.raises(ValueError, match="not a flow entry"):
        entries.flow("OFPST_FLOW reply (OF1.3):")


def test_parts_of_a_flow_make_the_same_flow_again():
    line = f"{OURS} table=1, priority=9,tcp,tp_dst=80 actions=drop"
    words = FlowWords.of(line)
    assert str(words) == "cookie=0x534c010000000007,table=1,priority=9,tcp,tp_dst=80 actions=drop"
    assert FlowWords.of(str(words)) == words


@pytest.mark.parametrize(
    ("cookie", "ours"),
    [("0x534c010000000007", True), ("0x0", False), ("0x534d010000000007", False)],
)
def test_a_flow_is_ours_by_its_cookie(cookie, ours):
    assert entries.flow(f"cookie={cookie}, priority=1 actions=drop").ours == ours


def test_a_group_is_ours_by_its_id():
    assert entries.group(f"group_id={entries.group_id(2, 5)},type=ff").ours
    assert not entries.group("group_id=5,type=all").ours


def test_a_meter_has_sluices_number_if_it_is_ours():
    text = "meter=8195 pktps burst stats bands=\ntype=drop rate=500 burst_size=500\n"
    found = entries.meter(text, entries.meter_bits(262_144))
    assert found.ours
    assert found.key == Key(Kind.METER, f"meter {1 << 16 | 3}")
    assert found.text == "meter=8195,pktps,burst,stats,band=type=drop,rate=500,burst_size=500"
    assert not entries.meter("meter=7 kbps bands=\ntype=drop rate=5\n", 13).ours


def test_meter_ids_hold_owner_and_number():
    assert entries.meter_bits(262_144) == 13
    assert entries.meter_bits(2**32 - 1) == 16
    assert entries.meter_id(1, 3, 13) == 8_195
    assert entries.meter_id(entries.METERS_FLOWS, 3, 13) == 131_075


@pytest.mark.parametrize("largest", [31, 255, 262_144])
def test_each_meter_id_has_one_owner(largest):
    bits = entries.meter_bits(largest)
    owned = {}
    for number in range(largest + 1):
        owner, own = entries.meter_owner(number, bits)
        if owner:
            assert entries.meter_id(owner, own, bits) == number
            owned[owner] = owned.get(owner, 0) + 1
    assert owned.pop(entries.METERS_FLOWS) == (largest + 1) // 2
    assert owned == dict.fromkeys({*range(1, 16)} - {entries.METERS_FLOWS}, 1 << bits)


def test_differences_are_sluices_alone_and_in_its_words():
    def held(*lines):
        return {entry.key: entry for entry in map(entries.flow, lines)}

    kept = f"{OURS} priority=1 actions=drop"
    declared = held(kept, f"{OURS} priority=2 actions=drop", f"{OURS} priority=3 actions=drop")
    found = held(
        kept,
        f"{OURS} priority=2 actions=output:1",
        f"{OURS} priority=4 actions=drop",
        "cookie=0x7, priority=5 actions=drop",
    )
    assert {(key.name, word) for key, word in entries.differences(declared, found)} == {
        ("table 0, priority 2, any", "changed"),
        ("table 0, priority 3, any", "missing"),
        ("table 0, priority 4, any", "stale"),
    }


def test_words_for_a_strange_match_are_not_compared():
    line = f"{OURS} priority=9,dl_vlan=7 actions=drop"
    reported = entries.as_reported("flow", "table 0, priority 9, other match Match{vlan=7}")
    assert reported == entries.flow(line).key
