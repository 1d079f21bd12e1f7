# SPDX-License-Identifier: EPL-2.0
from sluice_lab.bandwidth import Allocation


def test_a_flow_is_short_if_its_rate_is_below_its_demand():
    assert not Allocation.of({"status": "unmetered"}).is_short
    assert not Allocation.of({"utility": 1_000_000, "binding-link": "a->b"}).is_short
    short = Allocation.of({"utility": 999_999, "binding-link": "a->b"})
    assert (short.is_short, short.link) == (True, "a->b")
    assert not Allocation.of({"utility": 0, "binding-link": "a->b", "idle": True}).is_short


def test_an_allocation_tells_what_is_needed_given_and_used():
    told = Allocation.of({"demand": "3", "rate": "2", "measured-rate": "1", "idle": False})
    assert (told.demand_bps, told.rate_bps, told.measured_bps) == (3, 2, 1)
    assert Allocation.of({}).demand_bps is None
