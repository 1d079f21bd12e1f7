# SPDX-License-Identifier: EPL-2.0
import pytest

from sluice_lab import baselines, topologies
from sluice_lab.baselines import Baseline

TOPOLOGIES = [
    topologies.fat_tree(4, 2),
    topologies.figure10(),
    topologies.jellyfish(10, 3, seed=5),
    topologies.wan("geant"),
]


def far_end(topology, switch, number):
    for cable in topology.cables:
        for near, far in ((cable.a, cable.b), (cable.b, cable.a)):
            if (near.switch, near.number) == (switch, number):
                return far.switch
    return None


@pytest.mark.parametrize("topology", TOPOLOGIES, ids=lambda t: t.name)
def test_every_choice_of_ports_leads_to_the_host_by_a_shortest_path(topology):
    table = baselines.next_ports(topology)
    for host in topology.hosts:
        for start in topology.switches:
            reached, hops = {start.name}, 0
            while reached != {host.port.switch}:
                assert host.port.switch not in reached, "paths of different length"
                reached = {
                    far_end(topology, at, port) for at in reached for port in table[at][host.name]
                }
                hops += 1
                assert hops <= len(topology.switches)
        assert table[host.port.switch][host.name] == (host.port.number,)


def test_parallel_cables_are_choices_of_their_own():
    table = baselines.next_ports(topologies.figure10())
    assert table["a"]["h8"] == (1, 2, 3, 4)
    assert table["a"]["h3"] == (1, 2, 3, 4)
    assert table["a"]["h1"] == (5,)


def test_single_needs_no_groups_and_ecmp_has_one_for_each_set_of_ports():
    topology = topologies.figure10()
    assert all(not groups for groups, _ in baselines.entries(topology, Baseline.SINGLE).values())
    groups, flows = baselines.entries(topology, Baseline.ECMP)["a"]
    assert len(groups) == 1
    assert groups[0].count("bucket=") == 4
    assert "nw_dst=10.0.0.8,actions=group:1" in "".join(flows)
    assert "nw_dst=10.0.0.2,actions=output:6" in "".join(flows)


def test_each_switch_hashes_with_a_seed_of_its_own():
    entries = baselines.entries(topologies.fat_tree(4), Baseline.ECMP)
    seeds = {
        groups[0].split("selection_method_param=")[1] for groups, _ in entries.values() if groups
    }
    assert len(seeds) == len([1 for groups, _ in entries.values() if groups])
