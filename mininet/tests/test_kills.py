# SPDX-License-Identifier: EPL-2.0
import pytest

from sluice_lab import lifetimes
from sluice_lab.campaign import Cell
from sluice_lab.experiments import kills
from sluice_lab.experiments.kills import Way
from sluice_lab.lifetimes import Life
from sluice_lab.ovs import LabError
from sluice_lab.traffic import Arrivals

FLOW = (
    " cookie=0x534c020000000001, duration={age}s, table=1, n_packets={packets}, n_bytes=64, "
    "idle_age=3, priority=5,udp,nw_dst={to} actions=group:7\n"
)
GROUPS = (
    "OFPST_GROUP_DESC reply (OF1.3) (xid=0x2):\n"
    " group_id=7,type=ff,bucket=watch_port:1,actions=output:1\n"
)
AGES = (
    "OFPST_GROUP reply (OF1.3) (xid=0x6):\n"
    " group_id=7,duration={age}s,ref_count=1,packet_count=0,byte_count=0\n"
)


def reading(age_s, packets=1, to=("10.0.0.1",), now_s=100.0, groups=GROUPS):
    flows = "".join(FLOW.format(age=age_s, packets=packets, to=address) for address in to)
    return lifetimes.parse(flows, groups, AGES.format(age=age_s), now_s)


def test_a_reading_knows_flows_and_groups_without_their_counters():
    assert reading(9.5) == {
        "cookie=0x534c020000000001, table=1, priority=5,udp,nw_dst=10.0.0.1 actions=group:7": Life(
            since_s=90.5, packets=1
        ),
        "group_id=7,type=ff,bucket=watch_port:1,actions=output:1": Life(since_s=90.5, packets=0),
    }
    assert reading(9.5).keys() == reading(12.25, packets=99).keys()


def test_a_lost_and_a_new_entry_are_told_apart():
    before = reading(9, to=("10.0.0.1", "10.0.0.2"))
    after = reading(9, to=("10.0.0.2", "10.0.0.3"), groups="")
    difference = lifetimes.compare(before, after)
    assert [text[:5] for text in difference.missing] == ["cooki", "group"]
    assert "10.0.0.1" in difference.missing[0]
    assert ["10.0.0.3" in text for text in difference.stale] == [True]


def test_a_changed_group_is_missing_and_stale():
    difference = lifetimes.compare(
        reading(9), reading(9, groups=GROUPS.replace("port:1", "port:2"))
    )
    assert len(difference.missing) == len(difference.stale) == 1


@pytest.mark.parametrize(
    ("later", "anew"),
    [
        (reading(29.4, packets=50, now_s=120.0), 0),
        (reading(5.0, packets=50, now_s=120.0), 2),  # the group too
        (reading(29.4, packets=0, now_s=120.0), 1),
    ],
    ids=["older by the time between", "younger", "counts fewer packets"],
)
def test_an_entry_that_was_added_anew_shows(later, anew):
    assert len(lifetimes.added_anew(reading(9.4), later)) == anew


def arrivals(*losses, received=900, sent=1_000, limit=60_000):
    """What a probe that was stopped early prints: nothing beyond what the other sent came."""
    spans = (*losses, (sent, limit - 1))
    lost = sum(last - first + 1 for first, last in spans)
    return Arrivals(
        sent=sent, received=received, lost=lost, longest_us=0, gaps_ns=(), losses=spans
    ).of(sent)


def way(seen):
    return Way(name="h1 to h8", start_ns=0, interval_us=10_000, sent=1_000, arrivals=seen)


def test_what_was_never_sent_is_not_lost():
    assert arrivals().lost == 0
    assert arrivals((3, 3), (990, 999)).lost == 11
    open_end = Arrivals(sent=5, received=8, lost=92, longest_us=0, gaps_ns=(), losses=((8, 99),))
    assert open_end.of(10).losses == ((8, 9),)
    assert open_end.of(10).lost == 2


def test_losses_are_counted_by_number_and_dated_from_the_kill():
    found = kills.account([way(arrivals((150, 152))), way(arrivals())], killed_ns=1_000_000_000)
    assert (found["probes"], found["lost"]) == (2_000, 3)
    assert found["losses"] == [{"way": "h1 to h8", "numbers": [150, 152], "after_s": [0.5, 0.52]}]


def test_a_probe_that_never_arrives_is_no_measurement():
    with pytest.raises(LabError, match="h1 to h8"):
        kills.account([way(arrivals(received=0))], killed_ns=0)


def rounds(*each):
    """Outcomes of rounds: missing entries, probes lost under a kill and in the control."""
    return {
        Cell(variant="figure10", policy="killed", seed=number): {
            **{"missing": missing, "stale": [], "added anew": [], "disagreements": []},
            **{"lost": lost, "lost in the control": lost_in_control},
            **{"probes": 1_000, "entries": 80},
        }
        for number, (missing, lost, lost_in_control) in enumerate(each, start=1)
    }


@pytest.mark.parametrize(
    ("outcomes", "value"),
    [
        (rounds(([], 0, 0)), 0),
        (rounds(([], 5, 2)), 3),
        (rounds(([], 2, 5)), 0),
        (rounds((["b: x"], 0, 7)), 1),
        (rounds(([], 4, 0), ([], 0, 4)), 4),
    ],
    ids=["none", "beyond the control", "less than the control", "an entry", "each round alone"],
)
def test_the_figure_is_entries_and_the_loss_beyond_the_control(outcomes, value):
    measured = kills.measurement(kills.Kills(), outcomes)
    assert measured["value"] == value
    assert measured["spread"]["runs"] == len(outcomes)
    assert measured["parameters"]["probes a second"] == 400


def test_a_controller_that_never_agrees_counts():
    (outcome, *_) = (outcomes := rounds(([], 0, 0))).values()
    outcome["disagreements"] = ["waited in vain"]
    assert kills.value(outcomes) == 1
