# SPDX-License-Identifier: EPL-2.0
import dataclasses

import pytest

from sluice_lab import campaign, entries
from sluice_lab.campaign import Cell
from sluice_lab.experiments import meter_delay, meter_ids
from sluice_lab.experiments.meter_ids import MeterIds
from sluice_lab.ovs import LabError

METERS = """OFPST_METER_CONFIG reply (OF1.3) (xid=0x2):
meter=8192 pktps burst stats bands=
type=drop rate=500 burst_size=500

meter=131073 kbps burst stats bands=
type=drop rate=100 burst_size=49

meter=131072 kbps burst stats bands=
type=drop rate=100 burst_size=49
"""
FLOW = (
    " cookie=0x534c030000000000, duration=2.1s, table=0, n_packets=0, n_bytes=0, priority=1006,udp,"
    "in_port=1,nw_src=10.0.0.1,nw_dst=10.0.0.2,tp_dst={port} actions={actions}goto_table:1\n"
)
SMALL = MeterIds(flows=3, rounds=2, runs=1)


class Bed:
    """A controller that leaves some meters behind, and a switch that forgets nothing."""

    def __init__(self, leaks=0, kept=True):
        self.leaks = leaks
        self.kept = kept
        self.held = []
        self.first = 0
        self.configured = False
        self.kills = 0

    def create(self):
        if not self.configured:
            self.held = sorted({*self.held, *range(self.first, self.first + SMALL.flows)})
        self.configured = True

    def delete(self):
        self.configured = False
        self.held = self.held[: self.leaks]
        self.first += self.leaks

    def numbers(self):
        return self.held

    def meters(self):
        return dict(enumerate(self.held))

    def is_configured(self):
        return self.configured

    def kill(self):
        self.kills += 1

    def restart(self):
        if not self.kept:
            self.held = self.held[::-1]


@pytest.fixture(autouse=True)
def _hurry(monkeypatch):
    monkeypatch.setattr(meter_ids, "_LEFT_S", 0)


def test_meters_of_flows_are_told_from_others():
    assert meter_ids.numbers_of(METERS, entries.meter_bits(262_144)) == [0, 1]
    flows = FLOW.format(port=7, actions="meter:131072,") + FLOW.format(port=8, actions="")
    assert meter_ids.meters_by_port(flows) == {7: 131072}


def test_a_switch_without_the_meters_is_no_measurement():
    bed = Bed()
    bed.numbers = lambda: [0, 1]
    with pytest.raises(LabError, match="the switch holds 2 meters of 3 flows"):
        meter_ids.one_run(SMALL, bed, seed=1)


def test_a_run_without_a_leak_says_so():
    bed = Bed()
    outcome = meter_ids.one_run(SMALL, bed, seed=1)
    assert outcome["leaked"] == []
    assert (outcome["cycles"], outcome["metered at the kill"], outcome["other meter"]) == (6, 3, [])
    assert bed.kills == 1
    assert outcome["killed from"].endswith(" metered flows")
    assert meter_ids.one_run(SMALL, Bed(), seed=2)["killed from"].endswith(" meters")


def test_meters_that_stay_and_numbers_that_are_not_free_any_more_are_leaks():
    outcome = meter_ids.one_run(SMALL, Bed(leaks=1), seed=1)
    assert outcome["leaked"] == [0, 3, 0, 3, 4, 0]


def test_flows_that_got_another_meter_are_named():
    assert meter_ids.one_run(SMALL, Bed(kept=False), seed=1)["other meter"] == [0, 2]


def test_leaks_of_all_runs_are_the_figure():
    outcomes = {
        Cell(variant="switch", policy="sluice", seed=seed): {
            "leaked": leaked,
            "cycles": 6,
            "metered at the kill": 3,
            "other meter": [],
        }
        for seed, leaked in enumerate([[], [4, 5]], start=1)
    }
    row = meter_ids.measurement(SMALL, outcomes)
    assert (row["id"], row["value"], row["parameters"]["cycles"]) == ("METER-IDS", 2, 12)
    assert row["spread"]["max"] == 2
    assert row["parameters"]["kills"] == 2


def test_kills_that_found_no_flow_metered_are_no_measurement():
    outcome = {"leaked": [], "cycles": 6, "metered at the kill": 0, "other meter": []}
    cell = Cell(variant="switch", policy="sluice", seed=1)
    with pytest.raises(LabError, match="no kill found a flow that was metered"):
        meter_ids.measurement(SMALL, {cell: outcome})


def test_the_runs_make_a_hundred_thousand_cycles():
    experiment = meter_ids.DEFAULT
    assert experiment.flows * experiment.rounds * experiment.runs == 100_000


def test_the_99th_percentile_is_of_new_and_changed_meters_together(monkeypatch):
    recorded = []
    monkeypatch.setattr(campaign, "record", recorded.append)
    outcome = {"new": [30.0] * 50, "changed": [10.0] * 48 + [20.0, 500.0], "look": [4.0, 6.0, 8.0]}
    meter_delay.record(dataclasses.replace(meter_delay.DEFAULT, writes=100), [outcome])
    (row,) = recorded
    assert (row["id"], row["value"]) == ("B3-meter", 30.0)
    assert row["parameters"]["changed ms"] == {"median": 10.0, "p99": 500.0}
    assert row["parameters"]["look ms"] == 6.0


def test_a_meter_that_does_not_come_is_told_of(monkeypatch):
    monkeypatch.setattr(meter_delay, "_PATIENCE_S", 0)
    monkeypatch.setattr(meter_delay.ovs, "ofctl", lambda *_: METERS)
    watch = meter_delay.Watch("s1")
    watch.wait(lambda dump: "rate=100 " in dump, "a meter")
    with pytest.raises(LabError, match="in vain for a meter of 101 kbit/s"):
        watch.wait(lambda dump: "rate=101 " in dump, "a meter of 101 kbit/s")
    assert len(watch.looks_ms) == 2
