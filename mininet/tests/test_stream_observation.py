# SPDX-License-Identifier: EPL-2.0
import json

import pytest

from sluice_lab import topologies
from sluice_lab.bandwidth import Allocation
from sluice_lab.experiments import stream_observation
from sluice_lab.experiments.stream_observation import Shares, completed, lost_messages
from sluice_lab.ovs import LabError
from sluice_lab.storm import Second

STAR = topologies.leaf_spine(1, 1, 3, rates=topologies.LayerRates(host=1_000_000, edge=None))


class Looked:
    """A Storm with two flows into h3, and a controller that gives them rates."""

    def __init__(self, *rates):
        self.rates = rates

    def flows(self):
        ends = {"destination-host": STAR.host("h3").address}
        named = [{"name": f"f{i}", "source-host": STAR.host(f"h{i}").address} for i in (1, 2)]
        return {"t": {"flows": [flow | ends for flow in named]}}

    def allocations(self, _tenant):
        link = "openflow:30001:4->host"
        return {
            f"f{i}": Allocation(
                status="in-place", meter_bps=rate, rate_bps=rate + 1, link=link, is_short=i == 2
            )
            for i, rate in enumerate(self.rates, 1)
        }


def test_meters_are_summed_over_each_link_and_what_binds_in_most_looks_is_a_bottleneck():
    shares = Shares(STAR)
    for given in ((400_000, 500_000), (300_000, 650_000), ()):
        looked = Looked(*given)
        shares.look(looked, looked)
    seen = shares.seen(is_told=True)
    assert seen["bound"] == ["openflow:30001:4->host"]
    assert seen["meters_of_capacity"] == 0.95
    shares.look(Looked(), Looked())
    shares.look(Looked(), Looked())
    assert shares.seen(is_told=True)["bound"] == []


def test_what_flows_had_in_the_last_look_is_kept_as_json_has_it():
    shares = Shares(STAR)
    for given in ((400_000, 500_000), (300_000,)):
        looked = Looked(*given)
        shares.look(looked, looked)
    allocations = shares.seen(is_told=True)["allocations"]
    told = {"meter_bps": 300_000, "rate_bps": 300_001, "demand_bps": None}
    assert list(json.loads(json.dumps(allocations))) == ["f1"]
    assert told.items() <= allocations["f1"].items()


def test_a_run_in_which_no_look_found_a_flow_has_no_sum_of_meters(monkeypatch):
    shares, looked = Shares(STAR), Looked(400_000, 500_000)
    monkeypatch.setattr(Looked, "flows", lambda _: {})
    shares.look(looked, looked)
    with pytest.raises(LabError, match="meters were not summed up"):
        shares.seen(is_told=True)
    assert shares.seen(is_told=False)["meters_of_capacity"] == 0


@pytest.mark.parametrize(
    ("flows", "lost"),
    [
        ([{"lost-messages": 2}, {"name": "no sender told of it"}, {"lost-messages": 5}], 7),
        ([{"lost-messages": 0}], 0),
        ([{"name": "no sender told of it"}], None),
    ],
)
def test_what_senders_have_lost_is_summed_up_if_any_tells(flows, lost):
    class Told:
        def flows(self):
            return {"t": {"flows": flows}}

    assert lost_messages(Told()) == lost


class Sink:
    def __init__(self, *seconds):
        self._seconds = seconds

    def completed(self):
        return [Second(*second) for second in self._seconds]


def test_seconds_outside_the_window_do_not_count_and_silent_ones_do():
    sink = Sink((9, 1000, 1), (10, 30, 2_000), (11, 0, 0), (12, 10, 6_000), (13, 1000, 1))
    seen = completed(sink, 10, 3)
    assert seen["throughput"] == pytest.approx(40 / 3)
    assert seen["latency_ms"] == pytest.approx(3.0)


def test_the_last_second_is_waited_for_if_it_comes(monkeypatch):
    class Slow(Sink):
        def completed(self):
            later = ((9, 5, 1), (10, 30, 1), (11, 10, 1), (12, 20, 1))
            self._seconds, told = later, super().completed()
            return told

    assert completed(Slow((9, 5, 1), (10, 30, 1)), 10, 3)["per_second"] == [30, 10, 20]
    monkeypatch.setattr(stream_observation, "_LAST_SECOND_S", 0)
    assert completed(Sink((9, 5, 1)), 10, 3)["latency_ms"] is None


@pytest.mark.parametrize(
    ("seconds", "reason"),
    [
        ((), "what it told before second 10 is gone"),
        ((10, 11, 12), "what it told before second 10 is gone"),
        ((9, 10, 12), "it told of 12 after 10"),
        ((9, 10, 15), "it told of 15 after 10"),
        ((9, 10, 10, 11, 12), "it told of 10 after 10"),
    ],
)
def test_a_sink_that_was_started_anew_gives_no_figure(monkeypatch, seconds, reason):
    monkeypatch.setattr(stream_observation, "_LAST_SECOND_S", 0)
    with pytest.raises(LabError, match=f"{reason}; find out why .* and run it again"):
        completed(Sink(*((second, 30, 1) for second in seconds)), 10, 3)
