# SPDX-License-Identifier: EPL-2.0
import dataclasses
from collections import Counter

import pytest

from sluice_lab import topologies
from sluice_lab.topology import Builder, Port

ALL = [
    topologies.fat_tree(4, 2),
    topologies.figure10(),
    topologies.seven_switches(),
    topologies.leaf_spine(3, 2, 2, 2),
    topologies.jellyfish(12, 3, 2, seed=7),
    topologies.wan("abilene"),
]


def reachable(topology, start):
    near = {}
    for arc in topology.arcs():
        near.setdefault(arc.source, set()).add(arc.target)
    seen, frontier = {start}, [start]
    while frontier:
        frontier = [b for a in frontier for b in near[a] if b not in seen]
        seen.update(frontier)
    return seen


@pytest.mark.parametrize("topology", ALL, ids=lambda t: t.name)
def test_every_port_is_used_once_and_every_node_is_reached(topology):
    ports = [host.port for host in topology.hosts]
    ports += [end for cable in topology.cables for end in (cable.a, cable.b)]
    assert max(Counter(ports).values()) == 1
    for switch in topology.switches:
        numbers = sorted(port.number for port in ports if port.switch == switch.name)
        assert numbers == list(range(1, len(numbers) + 1))
    nodes = {node.name for node in (*topology.switches, *topology.hosts)}
    assert reachable(topology, topology.hosts[0].name) == nodes
    assert len({host.address for host in topology.hosts}) == len(topology.hosts)


@pytest.mark.parametrize(("k", "parallel"), [(2, 1), (4, 1), (4, 3), (8, 2)])
def test_fat_tree_has_the_textbook_size(k, parallel):
    topology = topologies.fat_tree(k, parallel)
    assert len(topology.switches) == 5 * k * k // 4
    assert len(topology.hosts) == k**3 // 4
    assert len(topology.cables) == k**3 // 4 * parallel + k**3 // 4


def test_the_largest_fat_tree_has_distinct_datapath_ids():
    switches = topologies.fat_tree(48).switches
    assert len({switch.dpid for switch in switches}) == 2_880


def test_figure10_has_the_cables_that_the_paper_names():
    topology = topologies.figure10()
    ends = {(cable.a, cable.b) for cable in topology.cables}
    for lower, upper in (
        (("a", 1), ("b", 1)),
        (("a", 2), ("b", 2)),
        (("a", 3), ("c", 1)),
        (("a", 4), ("c", 2)),
        (("g", 1), ("h", 1)),
        (("g", 3), ("i", 1)),
        (("j", 1), ("h", 3)),
        (("j", 2), ("h", 4)),
        (("j", 4), ("i", 4)),
    ):
        assert (Port(*lower), Port(*upper)) in ends
    assert [host.port.switch for host in topology.hosts] == list("aaddggjj")


def test_capacities_name_switches_as_the_models_do():
    capacities = {
        (switch.id, number): rate for switch, number, rate in topologies.figure10().capacities()
    }
    assert capacities["openflow:1", 1] == 10_000_000  # a_1
    assert capacities["openflow:1", 5] == 100_000_000  # h1
    assert len(capacities) == 8 + 2 * (16 + 8)


def test_unshaped_layers_have_no_capacity():
    rates = topologies.LayerRates(host=None, edge=None, core=None)
    assert not list(topologies.leaf_spine(rates=rates).capacities())


def test_jellyfish_is_regular_and_follows_its_seed():
    topology = topologies.jellyfish(20, 5, seed=3)
    degrees = Counter(e.switch for cable in topology.cables for e in (cable.a, cable.b))
    assert set(degrees.values()) == {5}
    pairs = [frozenset((cable.a.switch, cable.b.switch)) for cable in topology.cables]
    assert len(set(pairs)) == len(pairs)
    assert topology == topologies.jellyfish(20, 5, seed=3)
    assert topology.cables != topologies.jellyfish(20, 5, seed=4).cables


def test_every_backbone_file_can_be_read():
    names = sorted(file.stem for file in topologies.WAN_FOLDER.glob("*.json"))
    assert len(names) >= 4
    for name in names:
        assert topologies.wan(name).cables


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("torus,4", "no topology torus"),
        ("fattree,3", "even k"),
        ("jellyfish,5,3", "no regular graph"),
        ("wan,atlantis", "no backbone atlantis"),
        ("fattree,x", "it is fattree,K,PARALLEL,"),
        ("leafspine,1,2,3,4,5", "it is leafspine,LEAVES,SPINES,HOSTS,PARALLEL,"),
        ("figure10,4", "no arguments but rates"),
        ("sevenswitches,4", "no arguments but rates"),
        ("fattree,4,spine=10", "no layer spine; it has host, edge, core"),
        ("wan,geant,core=10", "no layer core; it has host, edge"),
        ("fattree,edge=0", "edge=0: a rate is a number"),
        ("fattree,edge=fast", "edge=fast: a rate is a number"),
        ("fattree,edge=inf", "edge=inf: a rate is a number"),
    ],
)
def test_what_cannot_be_built_is_refused_with_a_reason(text, reason):
    with pytest.raises(ValueError, match=reason):
        topologies.parse(text)


def test_parse_gives_the_leading_arguments():
    assert topologies.parse("fattree,4,2") == topologies.fat_tree(4, 2)
    assert topologies.parse("wan,geant").name == "wan-geant"


def test_rates_of_layers_are_in_megabits_and_others_stay():
    rates = topologies.LayerRates(host=40_000_000, core=None)
    assert topologies.parse("fattree,4,2,host=40,core=full") == topologies.fat_tree(4, 2, rates)
    assert topologies.build("fattree", 4, 2, host=40, core="full") == topologies.fat_tree(
        4, 2, rates
    )
    slow = dataclasses.replace(topologies.FIGURE10_RATES, edge=2_500_000)
    assert topologies.parse("figure10,edge=2.5") == topologies.figure10(slow)


def test_a_datapath_id_cannot_be_used_twice():
    builder = Builder("twins")
    builder.switch("a", 1, "edge")
    builder.switch("b", 1, "edge")
    with pytest.raises(ValueError, match="dpid"):
        builder.build()
