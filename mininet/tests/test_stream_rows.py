# SPDX-License-Identifier: EPL-2.0
import dataclasses

import pytest
from stream_runs import outcome, runs_of

from sluice_lab import campaign
from sluice_lab.campaign import Cell
from sluice_lab.experiments import shared_rows, stream_rows, streams
from sluice_lab.ovs import LabError

TT, TI = streams.TRENDING_TOPICS, streams.TRUCKING_IOT


def test_the_gain_is_formed_run_by_run_and_the_smallest_rate_counts(recorded):
    outcomes = runs_of(stream_rows.variants_of("uplink"))
    slow = [cell for cell in outcomes if cell.variant == "uplink-20" and cell.policy == "sluice"]
    outcomes |= {cell: outcome((100 + 10 * cell.seed) * cell.seed) for cell in slow}
    stream_rows.record_gain(TT, outcomes, "uplink")
    stream_rows.record_gain(TT, outcomes, "multihop")
    assert list(recorded) == ["B1-tt"]
    row = recorded["B1-tt"]
    assert row["value"] == pytest.approx(0.15)
    assert row["spread"] == pytest.approx({"min": 0.1, "median": 0.15, "max": 0.2, "runs": 2})
    assert row["parameters"]["weakest"] == "uplink-20"
    assert row["parameters"]["by variant"]["uplink-10"] == pytest.approx(0.5)
    assert row["peers"] == {"app-aware": pytest.approx(0.2)}
    assert row["parameters"]["tuples/s"]["uplink-10"]["tcp"] == 150
    assert row["parameters"]["largest sum of meters to capacity"] == 1.0
    assert row["parameters"]["machine idle"] == 0.4


def test_a_peer_that_lacks_a_variant_is_not_beside_the_gain(recorded):
    outcomes = runs_of(stream_rows.variants_of("uplink"))
    for seed in (1, 2):
        del outcomes[Cell(variant="uplink-10", policy="app-aware", seed=seed)]
    stream_rows.record_gain(TT, outcomes, "uplink")
    assert recorded["B1-tt"]["peers"] == {}


def test_rounds_are_timed_at_the_uplinks_under_sluice(recorded):
    outcomes = runs_of([*stream_rows.variants_of("uplink"), "multihop-10"])
    for cell, seen in outcomes.items():
        if cell.policy != "sluice" or cell.variant == "multihop-10":
            seen["round_ms"] = {"deciding": 7.0, "enforcing": 70.0}
    del outcomes[Cell(variant="uplink-10", policy="sluice", seed=1)]["round_ms"]
    stream_rows.record_rounds(TI, outcomes)
    row = recorded["B3-storm"]
    assert (row["value"], row["peers"]) == (2.0, {"until enforced": 10.0})
    assert (row["spread"]["max"], row["spread"]["runs"]) == (2.0, 5)


def test_the_time_of_rounds_waits_for_all_rates_at_the_uplinks(recorded, caplog):
    caplog.set_level("INFO")
    stream_rows.record_rounds(TI, runs_of(["uplink-10", "multihop-10"]))
    assert not recorded
    assert "B3-storm waits for uplink-15, uplink-20" in caplog.text


def test_a_gain_of_meters_that_overfill_a_link_is_none(recorded):
    outcomes = runs_of(stream_rows.variants_of("uplink"))
    outcomes[Cell(variant="uplink-15", policy="app-aware", seed=2)]["meters_of_capacity"] = 1.001
    with pytest.raises(LabError, match=r"1\.001 times a link's rate in B1-tt uplink-15\.app-"):
        stream_rows.record_gain(TT, outcomes, "uplink")
    assert not recorded


def test_a_row_tells_how_many_of_its_pairs_are_of_two_commits_or_machines(recorded, caplog):
    caplog.set_level("INFO")
    outcomes = runs_of(stream_rows.variants_of("uplink"))
    for seen in outcomes.values():
        seen |= {"commit": "old", "machine": "large"}
    stream_rows.record_gain(TI, outcomes, "uplink")
    note = "pairs of two commits or machines"
    assert note not in recorded["B1-ti"]["parameters"]
    assert "two commits" not in caplog.text
    outcomes[Cell(variant="uplink-10", policy="tcp", seed=2)]["commit"] = "new; old"
    outcomes[Cell(variant="uplink-20", policy="sluice", seed=1)]["machine"] = "small"
    outcomes[Cell(variant="uplink-20", policy="app-aware", seed=2)]["commit"] = "new"
    stream_rows.record_gain(TI, outcomes, "uplink")
    assert recorded["B1-ti"]["parameters"][note] == 4
    assert (
        "B1-ti: 4 of 12 pairs were measured at two commits or on two machines, "
        "those of B1-ti uplink-10.app-aware.002, B1-ti uplink-20.app-aware.002, "
        "B1-ti uplink-10.sluice.002, B1-ti uplink-20.sluice.001\n"
    ) in caplog.text


def test_a_row_tells_how_many_messages_were_lost_if_any_were(recorded):
    outcomes = runs_of(stream_rows.variants_of("uplink"))
    stream_rows.record_gain(TI, outcomes, "uplink")
    assert "lost messages" not in recorded["B1-ti"]["parameters"]
    lost = {("sluice", 1): 3, ("sluice", 2): 0, ("app-aware", 1): 4, ("tcp", 1): None}
    for (policy, seed), number in lost.items():
        outcomes[Cell(variant="uplink-15", policy=policy, seed=seed)]["lost_messages"] = number
    stream_rows.record_gain(TI, outcomes, "uplink")
    assert recorded["B1-ti"]["parameters"]["lost messages"] == 7


def test_a_row_tells_how_many_runs_had_busy_processors_if_any_had(recorded, caplog):
    outcomes = runs_of(stream_rows.variants_of("uplink"))
    stream_rows.record_gain(TI, outcomes, "uplink")
    note = "runs with busy processors"
    assert note not in recorded["B1-ti"]["parameters"]
    outcomes[Cell(variant="uplink-15", policy="tcp", seed=2)]["cpu"] = {"idle": 0.099}
    stream_rows.record_gain(TI, outcomes, "uplink")
    assert recorded["B1-ti"]["parameters"][note] == 1
    assert "less than 0.1 of the processors was idle in B1-ti uplink-15.tcp.002;" in caplog.text


def test_the_gain_over_placements_is_that_of_each_with_its_own_tcp(recorded, monkeypatch):
    outcomes = runs_of(streams.PLACEMENTS.variants, runs=20)
    outcomes[Cell(variant="uplink-10", policy="sluice", seed=2)]["throughput"] = 220
    monkeypatch.setattr(streams, "measure_all", lambda *_: outcomes)
    stream_rows.run_placements(streams.PLACEMENTS, None)
    assert recorded["B1-seeds"]["spread"] == pytest.approx(
        {"min": 0.1, "median": 0.5, "max": 0.5, "runs": 20}
    )


@pytest.mark.parametrize(
    ("part", "missing"),
    [
        ({"runs": 19}, "uplink-10.tcp.020, uplink-10.sluice.020"),
        (
            {"policies": ("sluice",)},
            "uplink-10.tcp.001, uplink-10.tcp.002, uplink-10.tcp.003, uplink-10.tcp.004, "
            "uplink-10.tcp.005 and 15 more",
        ),
    ],
)
def test_the_gain_over_placements_waits_for_all_of_them(
    recorded, monkeypatch, caplog, part, missing
):
    caplog.set_level("INFO")
    told = measured_in_part(monkeypatch, streams.PLACEMENTS, part, runs=20)
    stream_rows.run_placements(told, None)
    assert not recorded
    assert f"B1-seeds waits for {missing}\n" in caplog.text


@pytest.mark.parametrize(
    ("part", "missing"),
    [
        ({"variants": ("uplink-10-1", "uplink-10-5")}, "uplink-10-2, uplink-10-10, uplink-10-20"),
        ({"policies": ("app-aware",)}, ", ".join(streams.INTERVALS.variants)),
    ],
)
def test_the_least_of_the_intervals_waits_for_all_of_them(
    recorded, monkeypatch, caplog, part, missing
):
    caplog.set_level("INFO")
    stream_rows.run_intervals(measured_in_part(monkeypatch, streams.INTERVALS, part), None)
    assert not recorded
    assert f"B1-interval waits for {missing}\n" in caplog.text


def measured_in_part(monkeypatch, experiment, part, runs=2):
    """An experiment as the command line changes it; what is measured is no more than it asks."""
    told = dataclasses.replace(experiment, **part)
    whole = runs_of(experiment.variants, runs=runs)
    outcomes = {cell: whole[cell] for cell in told.cells() if cell in whole}
    monkeypatch.setattr(streams, "measure_all", lambda *_: outcomes)
    return told


def test_an_interval_is_compared_with_the_best_one(recorded, monkeypatch):
    outcomes = runs_of(streams.INTERVALS.variants)
    for seed in (1, 2):
        outcomes[Cell(variant="uplink-10-20", policy="sluice", seed=seed)]["throughput"] = 180
    monkeypatch.setattr(streams, "measure_all", lambda *_: outcomes)
    stream_rows.run_intervals(streams.INTERVALS, None)
    row = recorded["B1-interval"]
    assert row["value"] == pytest.approx(180 / 225)
    runs = {"min": 150 / 225, "median": 180 / 225, "max": 300 / 225, "runs": 10}
    assert row["spread"] == pytest.approx(runs)
    assert row["parameters"]["tuples/s"]["uplink-10-20"]["app-aware"] == pytest.approx(180)


def test_every_row_is_known_and_what_the_paper_claims_is_of_them():
    text = (campaign.ROOT / "bench" / "bars.toml").read_text()
    for row in (*stream_rows.PAPER_GAIN, "B1-free", "B1-latency", "B1-interval", "B1-seeds", "B2"):
        assert f'id = "{row}"' in text
    assert stream_rows.PAPER_GAIN.keys() == stream_rows.PAPER_SAVED.keys()


@pytest.fixture
def stored(monkeypatch):
    """Two runs of each application, as if they were stored."""
    both = tuple(dataclasses.replace(one, runs=2) for one in shared_rows.APPLICATIONS)
    monkeypatch.setattr(shared_rows, "APPLICATIONS", both)
    found = {TT.id: runs_of(TT.variants), TI.id: runs_of(TI.variants, ours=2)}

    def load(name, cells):
        return {cell: found[name][cell] for cell in cells if cell in found[name]}

    monkeypatch.setattr(campaign, "load", load)
    return found


def test_rows_of_both_applications_have_the_runs_of_both(recorded, stored):
    shared_rows.record(TT.policies)
    assert {row: measured["value"] for row, measured in recorded.items()} == {
        "B1-free": pytest.approx(0.5),
        "B1-latency": pytest.approx(1 - 1 / 1.5),
        "B2": pytest.approx(0.9),
    }
    assert recorded["B1-free"]["parameters"]["by variant"].keys() == {
        f"{name} {where}-free" for name in ("B1-tt", "B1-ti") for where in ("uplink", "multihop")
    }
    assert recorded["B1-free"]["parameters"]["latency, ms"] == {
        f"{name} {where}-free": {"sluice": ours, "app-aware": 83.3, "tcp": 100.0}
        for name, ours in (("B1-tt", 66.7), ("B1-ti", 50.0))
        for where in ("uplink", "multihop")
    }
    assert recorded["B1-free"]["spread"]["runs"] == 2
    assert recorded["B1-free"]["parameters"]["weakest"] == "B1-tt uplink-free"
    latency = recorded["B1-latency"]["parameters"]["there, ms"]
    assert latency["tcp"] == pytest.approx(1.5 * latency["sluice"], abs=0.1)
    assert recorded["B1-latency"]["peers"].keys() == {"app-aware"}
    used = recorded["B2"]
    assert used["spread"]["runs"] == sum(
        cell.policy == "sluice" and "free" not in cell.variant
        for runs in stored.values()
        for cell in runs
    )
    assert used["parameters"]["beside"]["B1-ti"]["scale"] == TI.scale
    assert "run B1-tt" in used["command"]
    assert "&& sluice-lab run B1-ti" in used["command"]
    assert used["parameters"]["largest sum of meters to capacity"] == 1.0
    assert recorded["B1-latency"]["parameters"]["by variant"].keys() == {
        *(f"B1-tt {where}-{rate}" for where in ("uplink", "multihop") for rate in streams.RATES),
        *(f"B1-ti uplink-{rate}" for rate in streams.RATES),
    }


def test_a_row_of_both_waits_and_says_for_which_run(recorded, stored, caplog):
    caplog.set_level("INFO")
    del stored[TI.id][Cell(variant="uplink-15", policy="tcp", seed=2)]
    shared_rows.record(TT.policies)
    assert list(recorded) == ["B1-free"]
    assert "B2 waits for B1-ti uplink-15.tcp.002\n" in caplog.text


def test_a_peer_that_lacks_a_run_is_not_beside_the_use_of_bottlenecks(recorded, stored):
    shared_rows.record(TT.policies)
    assert recorded["B2"]["peers"].keys() == {"app-aware", "tcp"}
    del stored[TI.id][Cell(variant="multihop-15", policy="app-aware", seed=2)]
    shared_rows.record(TT.policies)
    assert recorded["B2"]["peers"].keys() == {"tcp"}


def test_a_row_of_both_says_what_kept_it_from_being_recorded(recorded, stored, caplog):
    tcp = Cell(variant="uplink-free", policy="tcp", seed=1)
    for seed in (1, 2):
        stored[TT.id][dataclasses.replace(tcp, seed=seed)] = outcome(0.0, None)
    shared_rows.record(TT.policies)
    assert "B1-free is not recorded: nothing was completed in B1-tt uplink-free" in caplog.text
    cell = Cell(variant="multihop-20", policy="sluice", seed=1)
    stored[TI.id][cell]["bound"] = []
    shared_rows.record(TT.policies)
    assert f"B2 is not recorded: in B1-ti {cell} no link kept flows short" in caplog.text
    assert list(recorded) == ["B1-latency", "B2"]


def test_a_row_of_both_is_none_if_meters_overfill_a_link(recorded, stored):
    stored[TI.id][Cell(variant="multihop-20", policy="sluice", seed=1)]["meters_of_capacity"] = 1.1
    with pytest.raises(LabError, match=r"1\.1 times a link's rate in B1-ti multihop-20\.sluice"):
        shared_rows.record(TT.policies)
    assert "B2" not in recorded
