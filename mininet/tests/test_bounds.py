# SPDX-License-Identifier: EPL-2.0
import pytest

from sluice_lab import topologies
from sluice_lab.bounds import (
    Commodity,
    UnservableError,
    concurrent_rate_bps,
    makespan_bound_s,
    max_min_rates_bps,
)
from sluice_lab.topology import MEGABIT, Builder

TEN = 10 * MEGABIT


def line(host_bps, *middle_bps):
    """Hosts h1 .. hn at a chain of n switches."""
    builder = Builder("line")
    names = [builder.switch(f"s{i}", i, "edge") for i in range(1, len(middle_bps) + 2)]
    for a, b, rate in zip(names, names[1:], middle_bps, strict=False):
        builder.cable(a, b, rate)
    for name in names:
        builder.host(name, host_bps)
    return builder.build()


def flow(source, *targets, **options):
    return Commodity(sources=(source,), targets=targets, **options)


def test_one_flow_gets_the_thinnest_link():
    assert concurrent_rate_bps(line(TEN, 4 * MEGABIT), [flow("h1", "h2")]) == pytest.approx(4e6)


def test_parallel_links_add_up():
    rates = topologies.LayerRates(host=100 * MEGABIT, edge=TEN, core=100 * MEGABIT)
    topology = topologies.figure10(rates)
    assert concurrent_rate_bps(topology, [flow("h1", "h8")]) == pytest.approx(40e6)


def test_links_are_full_duplex():
    both = [flow("h1", "h2"), flow("h2", "h1")]
    assert concurrent_rate_bps(line(TEN, TEN), both) == pytest.approx(10e6)


def test_the_common_rate_is_weighted_and_leaves_room_for_fixed_rates():
    commodities = [
        flow("h1", "h2", weight=3),
        flow("h1", "h2", weight=0, fixed_bps=1e6),
    ]
    assert concurrent_rate_bps(line(TEN, TEN), commodities) == pytest.approx(3e6)


def test_the_nearer_of_two_servers_helps_only_beyond_the_bottleneck():
    topology = line(TEN, TEN, 2 * MEGABIT)
    assert concurrent_rate_bps(topology, [flow("h1", "h3")]) == pytest.approx(2e6)
    assert concurrent_rate_bps(topology, [flow("h1", "h2", "h3")]) == pytest.approx(10e6)


def test_sources_may_be_several_too():
    topology = line(4 * MEGABIT, TEN, TEN)
    one_client = [Commodity(sources=("h1", "h3"), targets=("h2",))]
    assert concurrent_rate_bps(topology, one_client) == pytest.approx(4e6)


def test_what_cannot_fit_is_said():
    with pytest.raises(UnservableError):
        concurrent_rate_bps(line(TEN, TEN), [flow("h1", "h2", fixed_bps=11e6)])


def test_max_min_is_the_textbook_example():
    """Three flows on two links, 10 and 2 Mbit/s: the long one and the one on the thin link share
    the thin link, the third gets what is left of the wide one.
    """
    topology = line(100 * MEGABIT, TEN, 2 * MEGABIT)
    rates = max_min_rates_bps(topology, [flow("h1", "h3"), flow("h2", "h3"), flow("h1", "h2")])
    assert rates == pytest.approx([1e6, 1e6, 9e6], rel=1e-4)


def test_one_to_many_shares_need_not_overlap():
    """The paper's Table 2 loses a quarter to a shared first link; the optimum does not."""
    topology = topologies.figure10()
    rates = max_min_rates_bps(topology, [flow("h1", f"h{i}") for i in (5, 6, 7, 8)])
    assert rates == pytest.approx([10e6] * 4, rel=1e-4)


def test_makespan_of_the_plain_fat_tree_is_that_of_the_host_link():
    bound = makespan_bound_s(
        topologies.fat_tree(4),
        [flow("h1", "h9", "h10", weight=4)],
        [],
        size_bytes=1_250_000,
        payload_share=1.0,
    )
    assert bound == pytest.approx(4.0)


def test_makespan_counts_background_and_headers():
    topology = line(TEN, TEN)
    background = [flow("h1", "h2", weight=0, fixed_bps=5e6)]
    bound = makespan_bound_s(topology, [flow("h1", "h2")], background, 1_000_000, 0.8)
    assert bound == pytest.approx(8e6 / (5e6 * 0.8))
