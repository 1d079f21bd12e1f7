# SPDX-License-Identifier: EPL-2.0
"""The rules for Open vSwitch, by the packets that leave a switch which has them."""

import copy
import re
import struct

import pytest
from dummy_switch import dummy_switch

from sluice_lab import campaign
from sluice_lab.ovs import LabError
from sluice_lab.vswitch_affinity import (
    DatapathHashed,
    Hashed,
    Learned,
    Tracked,
    blocks,
    portions,
)
from sluice_lab.vswitch_rules import Rules

CHAIN, EGRESS = 100, 203
LABELS = {"chain-label": CHAIN, "egress-label": EGRESS}
OURS = "02:00:00:00:00:01"
BEFORE, OURSELVES, BEHIND = "192.0.2.10", "192.0.2.1", "192.0.2.12"
ETHERNET = bytes.fromhex("020000000001 020000000002")
MPLS, IPV4 = b"\x88\x47", b"\x08\x00"


PINNING = pytest.mark.parametrize("kind", [Learned, Tracked])


def member(name: str, weight: int = 1) -> dict:
    return {"name": name, "weight": weight}


def peer(name: str, address: str, mac: str) -> dict:
    return {"name": name, "address": address, "mac-address": mac}


def side(vlan: int, mac: str) -> dict:
    return {"port": "lan", "vlan": vlan, "mac-address": mac}


def page() -> dict:
    """The configuration of the test vectors in docs/wire/forwarder.md."""
    nat = {
        "name": "nat-0",
        "service": "nat",
        "ingress-side": side(10, "02:00:00:00:00:00"),
        "egress-side": side(11, "02:00:00:00:00:01"),
    }
    firewall = {
        "name": "firewall-0",
        "service": "firewall",
        "ingress-side": {**side(30, "02:00:00:00:01:00"), "stripped-labels": LABELS},
        "egress-side": {**side(31, "02:00:00:00:01:01"), "stripped-labels": LABELS},
    }
    ours = [member("F")]
    stages = [
        {
            "number": 1,
            "service": "nat",
            "instance": [member("nat-0")],
            "next-hop": ours,
            "previous-hop": [member("before")],
        },
        {
            "number": 2,
            "service": "firewall",
            "instance": [member("firewall-0")],
            "next-hop": ours,
            "previous-hop": ours,
        },
        {"number": 3, "service": "exit", "next-hop": [member("behind")], "previous-hop": ours},
    ]
    return {
        "sluice-forwarder:forwarder": {
            "name": "F",
            "ports": {
                "port": [
                    {"name": "wan", "device": "net_af_packet0,iface=wan"},
                    {"name": "lan", "device": "net_af_packet1,iface=lan"},
                ]
            },
            "underlay": {"port": "wan", "address": OURSELVES},
            "peers": {
                "peer": [
                    peer("before", BEFORE, "02:00:00:00:ff:00"),
                    peer("behind", BEHIND, "02:00:00:00:ff:02"),
                ]
            },
            "instances": {"instance": [nat, firewall]},
            "chains": {"chain": [{**LABELS, "stage": stages}]},
        }
    }


def two_nats(first: int, second: int) -> dict:
    """The same with two NATs of these weights and nothing else."""
    document = page()
    forwarder = document["sluice-forwarder:forwarder"]
    nat = forwarder["instances"]["instance"][0]
    other = {
        **nat,
        "name": "nat-1",
        "ingress-side": side(12, "02:00:00:00:00:02"),
        "egress-side": side(13, "02:00:00:00:00:03"),
    }
    forwarder["instances"]["instance"] = [nat, other]
    stages = forwarder["chains"]["chain"][0]["stage"]
    stages[0]["instance"] = [member("nat-0", first), member("nat-1", second)]
    exit_stage = {"number": 2, "service": "exit", "next-hop": [member("behind")]}
    forwarder["chains"]["chain"][0]["stage"] = [stages[0], exit_stage]
    return document


def edge() -> dict:
    """One instance that knows no labels, and a peer: there is no choice."""
    document = page()
    forwarder = document["sluice-forwarder:forwarder"]
    egress_side = {**side(0, "02:00:00:00:02:00"), "stripped-labels": LABELS}
    forwarder["instances"]["instance"] = [
        {"name": "v0", "service": "vnf", "egress-side": egress_side}
    ]
    forwarder["chains"]["chain"][0]["stage"] = [
        {"number": 0, "service": "vnf", "instance": [member("v0")]},
        {"number": 1, "service": "exit", "next-hop": [member("behind")]},
    ]
    return document


def checksum(header: bytes) -> bytes:
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!H", ~(total + (total >> 16)) & 0xFFFF)


def addresses(*texts: str) -> bytes:
    return b"".join(bytes(map(int, text.split("."))) for text in texts)


def ipv4(protocol: int, source: str, destination: str, content: bytes) -> bytes:
    ends = addresses(source, destination)
    head = struct.pack("!BBHHHBB", 0x45, 0, 20 + len(content), 0, 0, 64, protocol)
    return head + checksum(head + b"\0\0" + ends) + ends + content


def connection(number: int, *, is_return: bool = False, answers: bool = False) -> bytes:
    """The packet of TCP that opens one of many connections, or that answers it."""
    ends = [f"10.0.{number >> 8}.{number & 255}", "11.0.0.1"]
    ports = [40000 + number, 80]
    if is_return:
        ends.reverse()
        ports.reverse()
    head = struct.pack("!HHIIBBH", *ports, 0, answers, 0x50, 0x12 if answers else 2, 0xFFFF)
    pseudo = addresses(*ends) + struct.pack("!HH", 6, 20)
    return ipv4(6, *ends, head + checksum(pseudo + head + b"\0\0\0\0") + b"\0\0")


def labelled(packet: bytes, chain: int = CHAIN, bottom: int = 0x100) -> bytes:
    return struct.pack("!II", chain << 12 | 64, EGRESS << 12 | bottom | 64) + packet


def tunnelled(
    packet: bytes, stage: int, *, is_return: bool = False, source: str = BEFORE, **labels: int
) -> bytes:
    inner = ETHERNET + MPLS + labelled(packet, **labels)
    vxlan = struct.pack("!II", 0x08000000, (2 * stage + is_return) << 8) + inner
    udp = struct.pack("!HHHH", 50000, 4789, 8 + len(vxlan), 0) + vxlan
    ours = bytes.fromhex(OURS.replace(":", ""))
    return ours + ETHERNET[6:] + IPV4 + ipv4(17, source, OURSELVES, udp)


def from_vnf(packet: bytes, vlan: int) -> bytes:
    return ETHERNET + struct.pack("!HH", 0x8100, vlan) + MPLS + labelled(packet)


def vlan_of(frame: bytes) -> int:
    return struct.unpack_from("!H", frame, 14)[0] & 0xFFF


@pytest.fixture
def switch(tmp_path):
    with dummy_switch(tmp_path) as running:
        yield running


def vectors() -> list[tuple[str, str, list[str]]]:
    """Way, port and bytes of each packet of the page's connection, which come first."""
    text = (campaign.ROOT / "docs" / "wire" / "forwarder.md").read_text()
    found = re.findall(r"^(in|out) (wan|lan)\n((?:[0-9a-f. ]+\n)+)", text, re.MULTILINE)
    return [(way, port, data.split()) for way, port, data in found][:12]


def chosen_freely(size: int) -> set[int]:
    """Offsets of MAC addresses that the page leaves open, or that Open vSwitch learns by itself."""
    return {*range(12), *range(50, 62)} if size > 100 else set(range(6, 12))


@PINNING
def test_vectors_of_the_wire_format_hold(switch, kind):
    switch.set_up(page(), OURS)
    switch.install(page(), kind)
    packets = vectors()
    assert len(packets) == 12
    for (_, port, data), (_, out_port, expected) in zip(packets[::2], packets[1::2], strict=True):
        [(left_by, frame)] = switch.send(port, bytes.fromhex("".join(data)))
        got = [f"{byte:02x}" for byte in frame]
        free = chosen_freely(len(expected))
        free |= {i for i, byte in enumerate(expected) if byte == ".."}
        differing = [i for i, byte in enumerate(expected) if i not in free and got[i] != byte]
        assert (left_by, len(got), differing) == (out_port, len(expected), [])
        assert left_by == "lan" or struct.unpack_from("!H", frame, 34)[0] >= 49152


@PINNING
def test_connections_are_divided_by_weight_and_stay(switch, kind):
    switch.set_up(two_nats(3, 1), OURS)
    switch.install(two_nats(3, 1), kind)
    numbers = range(400)
    packets = [tunnelled(connection(number), 1) for number in numbers]
    first = [vlan_of(frame) for _, frame in switch.send("wan", *packets)]
    assert abs(first.count(10) / 400 - 3 / 4) < 0.08  # 3.7 standard deviations
    assert first.count(10) + first.count(12) == 400
    switch.install(two_nats(0, 1), kind)
    assert [vlan_of(frame) for _, frame in switch.send("wan", *packets)] == first
    new = [tunnelled(connection(number), 1) for number in range(400, 450)]
    assert {vlan_of(frame) for _, frame in switch.send("wan", *new)} == {12}


@pytest.mark.parametrize("kind", [Hashed, DatapathHashed])
def test_groups_divide_connections(switch, kind):
    switch.set_up(two_nats(1, 1), OURS)
    switch.install(two_nats(1, 1), kind)
    packets = [tunnelled(connection(number), 1) for number in range(400)]
    first = [vlan_of(frame) for _, frame in switch.send("wan", *packets)]
    assert abs(first.count(10) / 400 - 1 / 2) < 0.1
    assert [vlan_of(frame) for _, frame in switch.send("wan", *packets)] == first


@PINNING
def test_answers_go_the_way_that_their_connection_came(switch, kind):
    switch.set_up(two_nats(1, 1), OURS)
    switch.install(two_nats(1, 1), kind)
    numbers = range(60)
    there = [tunnelled(connection(number), 1) for number in numbers]
    into = [vlan_of(frame) for _, frame in switch.send("wan", *there)]
    assert set(into) == {10, 12}
    onward = [from_vnf(connection(n), vlan + 1) for n, vlan in zip(numbers, into, strict=True)]
    assert {port for port, _ in switch.send("lan", *onward)} == {"wan"}
    switch.install(two_nats(1, 0), kind)  # the same hash would be of no help
    back = [
        tunnelled(connection(n, is_return=True, answers=True), 2, is_return=True, source=BEHIND)
        for n in numbers
    ]
    through = [vlan_of(frame) for _, frame in switch.send("wan", *back)]
    assert through == [vlan + 1 for vlan in into]


@PINNING
def test_a_connection_opened_from_behind_is_pinned_as_well(switch, kind):
    switch.set_up(two_nats(1, 1), OURS)
    switch.install(two_nats(1, 1), kind)
    numbers = range(60)
    back = [
        tunnelled(connection(n, is_return=True), 2, is_return=True, source=BEHIND) for n in numbers
    ]
    into = [vlan_of(frame) for _, frame in switch.send("wan", *back)]
    assert set(into) == {11, 13}
    onward = [
        from_vnf(connection(n, is_return=True), vlan - 1)
        for n, vlan in zip(numbers, into, strict=True)
    ]
    assert {port for port, _ in switch.send("lan", *onward)} == {"wan"}
    switch.install(two_nats(1, 0), kind)
    there = [tunnelled(connection(number, answers=True), 1) for number in numbers]
    through = [vlan_of(frame) for _, frame in switch.send("wan", *there)]
    assert through == [vlan - 1 for vlan in into]


@PINNING
def test_nobody_gets_new_connections_if_all_are_drained(switch, kind):
    switch.set_up(two_nats(0, 0), OURS)
    switch.install(two_nats(0, 0), kind)
    assert switch.send("wan", tunnelled(connection(1), 1)) == []


@pytest.mark.parametrize("kind", [Rules, Learned, Tracked, Hashed, DatapathHashed])
def test_labels_are_put_on_and_taken_off_by_all_kinds_of_rules(switch, kind):
    switch.set_up(edge(), OURS)
    switch.install(edge(), kind)
    [(port, frame)] = switch.send("lan", ETHERNET + IPV4 + connection(1))
    assert (port, frame[46:50]) == ("wan", bytes([0, 0, 2, 0]))
    assert frame[62:] == MPLS + labelled(connection(1))
    answer = connection(1, is_return=True)
    packet = tunnelled(answer, 1, is_return=True, source=BEHIND)
    mac = bytes.fromhex("020000000200")
    assert switch.send("wan", packet) == [("lan", mac + ETHERNET[6:] + IPV4 + answer)]


@pytest.mark.parametrize(
    "packet",
    [
        tunnelled(connection(1), 1, source="192.0.2.99"),
        tunnelled(connection(1), 1, chain=CHAIN + 1),
        tunnelled(connection(1), 5),
        tunnelled(connection(1), 65),
        tunnelled(struct.pack("!I", 7 << 12 | 0x140) + connection(1), 1, bottom=0),
    ],
    ids=["stranger", "unknown chain", "unknown stage", "other VNI", "third label"],
)
def test_what_belongs_to_no_chain_goes_nowhere(switch, packet):
    switch.set_up(page(), OURS)
    switch.install(page())
    left = switch.send("wan", packet, tunnelled(connection(2), 1), leaving=1)
    assert [frame[-40:] for _, frame in left] == [connection(2)]


def test_labels_alone_leave_no_choice():
    with pytest.raises(LabError, match="can't choose between nat-0, nat-1"):
        Rules(two_nats(1, 1))


def test_a_hop_that_is_not_there_is_refused():
    document = copy.deepcopy(page())
    forwarder = document["sluice-forwarder:forwarder"]
    forwarder["chains"]["chain"][0]["stage"][2]["next-hop"] = [member("nobody")]
    with pytest.raises(LabError, match="nobody"):
        Learned(document)


def test_a_mac_address_that_would_have_to_be_asked_for_is_refused():
    document = page()
    del document["sluice-forwarder:forwarder"]["peers"]["peer"][0]["mac-address"]
    with pytest.raises(LabError, match="before: rules can't ask for a mac-address"):
        Rules(document)
    document = page()
    nat = document["sluice-forwarder:forwarder"]["instances"]["instance"][0]
    nat["egress-side"]["address"] = "10.0.0.1"
    del nat["egress-side"]["mac-address"]
    with pytest.raises(LabError, match="nat-0: rules can't ask for a mac-address"):
        Learned(document)


def test_a_single_side_is_refused():
    document = page()
    nat = document["sluice-forwarder:forwarder"]["instances"]["instance"][0]
    nat["single-side"] = nat.pop("egress-side")
    with pytest.raises(LabError, match="nat-0: rules can't serve a single-side"):
        Learned(document)


def test_slots_are_divided_by_largest_remainder():
    assert portions([3, 1], 256) == [192, 64]
    assert portions([1, 1, 1], 256) == [86, 85, 85]
    assert sum(portions([5, 7, 11, 13], 256)) == 256


def test_blocks_make_up_their_range():
    for begin, end in ((0, 256), (1, 200), (86, 171), (7, 7)):
        covered = [
            slot
            for slot in range(256)
            for value, mask in blocks(begin, end)
            if slot & mask == value
        ]
        assert covered == list(range(begin, end))
