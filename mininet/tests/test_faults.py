# SPDX-License-Identifier: EPL-2.0
import random

import pytest

from sluice_lab import entries, faults
from sluice_lab.entries import Kind
from sluice_lab.faults import FaultClass, Switch

BITS = 13
GROUP = entries.group_id(2, 1)
METER = entries.meter_id(1, 1, BITS)
BASE = "cookie=0x534c010000000000"
PATH = "cookie=0x534c020000000001"
FLOWS = (
    f"{BASE}, priority=3000,dl_type=0x88cc actions=meter:{METER},CONTROLLER:65535",
    f"{PATH}, table=1, priority=9,dl_dst=52:53:00:00:00:01 actions=group:{GROUP}",
    f"{BASE}, table=1, priority=0 actions=drop",
    "cookie=0x7, priority=9,reg3=5 actions=drop",
)


@pytest.fixture
def switch():
    found = [entries.flow(line) for line in FLOWS]
    found.append(
        entries.group(
            f"group_id={GROUP},type=ff,bucket=watch_port:1,actions=output:1,"
            "bucket=watch_port:2,actions=output:2"
        )
    )
    found.append(
        entries.meter(
            f"meter={METER} pktps burst stats bands=\ntype=drop rate=500 burst_size=9", BITS
        )
    )
    return Switch({entry.key: entry for entry in found}, BITS)


def many(switch, count=400):
    rng = random.Random(7)
    return [faults.draw(rng, switch, ()) for _ in range(count)]


def test_the_same_seed_gives_the_same_faults(switch):
    assert many(switch) == many(switch)


def test_every_class_occurs_and_says_what_to_do(switch):
    drawn = many(switch)
    assert {fault.kind for fault in drawn} == set(FaultClass)
    assert all(fault.harms and fault.commands for fault in drawn)


def test_foreign_entries_are_never_harmed(switch):
    foreign = {key for key, entry in switch.contents.items() if not entry.ours}
    assert foreign
    assert not any(fault.harms & foreign for fault in many(switch))


def test_a_removed_group_or_meter_takes_its_flows_along(switch):
    for kind, line in ((FaultClass.GROUP_REMOVED, FLOWS[1]), (FaultClass.METER_REMOVED, FLOWS[0])):
        fault = next(fault for fault in many(switch) if fault.kind is kind)
        assert entries.flow(line).key in fault.harms
        assert len(fault.harms) == 2


def test_what_is_spent_is_not_harmed_again(switch):
    rng = random.Random(3)
    spent = set()
    for _ in range(20):
        fault = faults.draw(rng, switch, spent)
        assert not fault.harms & spent
        spent |= fault.harms


def test_changes_differ_from_what_is_there(switch):
    for fault in many(switch):
        if fault.kind in (FaultClass.GROUP_BUCKETS, FaultClass.METER_RATE, FaultClass.METER_UNIT):
            texts = {entry.text for entry in switch.contents.values()}
            assert fault.commands[0].argument not in texts


def test_stray_entries_bear_sluices_mark_and_foreign_ones_do_not(switch):
    for fault in many(switch):
        if fault.kind in (FaultClass.FLOW_STRAY, FaultClass.FLOW_STRANGE):
            assert entries.flow(fault.commands[0].argument).ours
    rng = random.Random(5)
    verbs = {"add-flow": entries.flow, "add-group": entries.group}
    for _ in range(100):
        command = faults.foreign(rng, switch)
        verb = command.words[-1]
        if verb in verbs:
            assert not verbs[verb](command.argument).ours
        else:
            assert verb == "add-meter"
            head = command.argument.split(",")[0]
            assert not entries.meter(head, BITS).ours


def test_a_switch_without_groups_and_meters_has_faults_of_flows(switch):
    flows = {key: entry for key, entry in switch.contents.items() if key.kind is Kind.FLOW}
    kinds = {fault.kind for fault in many(Switch(flows, BITS))}
    assert FaultClass.GROUP_BUCKETS not in kinds
    assert FaultClass.FLOW_ACTIONS in kinds
