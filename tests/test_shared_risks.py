# SPDX-License-Identifier: EPL-2.0
"""Shared-risk groups, set and asked about over RESTCONF: figure 10 with single cables, where a path has four hops."""

import itertools
import json
from collections.abc import Iterator

import pytest
from sluice_lab import topologies
from sluice_lab.net import Endpoint, Net, Settings

pytestmark = pytest.mark.net

SOURCE, DESTINATION = "a", "g"
CORES = "ef"
# so that paths over both cores always share a duct
DUCTS = {7: ("be", "cf"), 8: ("bf", "ce")}
UPLINKS = {9: ("ab", "ac")}


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    with Net(topologies.figure10(parallel=1), Settings(prefix="sr")) as net:
        net.attach_controller(Endpoint(running.address, 6653))
        api.wait_fabric(net.topology)
        yield net


def ends(net: Net, cable: str) -> tuple[tuple[str, int], tuple[str, int]]:
    """The ports of the cable between two switches, as the models name them."""
    found = next(one for one in net.topology.cables if {one.a.switch, one.b.switch} == set(cable))
    return tuple((net.topology.switch(end.switch).id, end.number) for end in (found.a, found.b))


def set_groups(running, net: Net, groups: dict[int, tuple[str, ...]]) -> None:
    """Puts cables into groups, each at one of its ports, in place of what was set before."""
    ports = sorted((*ends(net, cable)[0], group) for group, cables in groups.items() for cable in cables)
    switches = [
        {"id": switch, "port": [{"number": number, "shared-risk-group": [group]} for _, number, group in entries]}
        for switch, entries in itertools.groupby(ports, key=lambda port: port[0])
    ]
    body = json.dumps({"sluice-fabric:fabric": {"switches": {"switch": switches}}})
    code, answer = running.restconf("PUT", "/rests/data/sluice-fabric:fabric", body)
    assert code in (201, 204), answer


def groups_of_ports(api) -> dict[tuple[str, int], set[int]]:
    """The groups of each link that is in any, by the port that it leaves by."""
    links = api.fabric()["links"]["link"]
    groups = {(one["source-switch"], one["source-port"]): set(one.get("shared-risk-group", ())) for one in links}
    return {port: numbers for port, numbers in groups.items() if numbers}


def find(running, net: Net, disjointness: str) -> dict:
    """The answer for two paths; of each path, the ports that it leaves switches by."""
    asked = {
        "source": net.topology.switch(SOURCE).id,
        "destination": net.topology.switch(DESTINATION).id,
        "disjointness": disjointness,
    }
    body = json.dumps({"sluice-multipath:input": asked})
    code, answer = running.restconf("POST", "/rests/operations/sluice-multipath:find-paths", body)
    assert code == 200, answer
    found = json.loads(answer)["sluice-multipath:output"]
    found["path"] = [{(hop["switch"], hop["port"]) for hop in path["hop"]} for path in found["path"]]
    return found


def cores(net: Net, path: set[tuple[str, int]]) -> set[str]:
    return {net.topology.switch(name).id for name in CORES} & {switch for switch, _ in path}


def risks(groups: dict[tuple[str, int], set[int]], path: set[tuple[str, int]]) -> set[int]:
    return set().union(*(groups.get(port, set()) for port in path))


def test_paths_keep_out_of_each_others_groups(running, api, net, wait_until):
    set_groups(running, net, DUCTS)
    wanted = {port: {group} for group, cables in DUCTS.items() for cable in cables for port in ends(net, cable)}
    wait_until(lambda: groups_of_ports(api) == wanted, 10)

    by_node = find(running, net, "node")
    assert (by_node["disjoint-paths"], by_node["proven"]) == (2, True)
    one, other = by_node["path"]
    assert cores(net, one) != cores(net, other)
    assert risks(wanted, one) == risks(wanted, other) != set()

    by_group = find(running, net, "shared-risk-group")
    assert (by_group["disjoint-paths"], by_group["proven"]) == (2, True)
    assert "shared" not in by_group
    one, other = by_group["path"]
    assert len(one) == len(other) == 4
    assert cores(net, one) == cores(net, other)
    assert risks(wanted, one) | risks(wanted, other) == {7, 8}
    assert not risks(wanted, one) & risks(wanted, other)


def test_a_group_that_no_path_can_avoid_is_named(running, api, net, wait_until):
    set_groups(running, net, UPLINKS)
    wanted = {port: {9} for cable in UPLINKS[9] for port in ends(net, cable)}
    wait_until(lambda: groups_of_ports(api) == wanted, 10)

    assert find(running, net, "link")["disjoint-paths"] == 2
    by_group = find(running, net, "shared-risk-group")
    assert (by_group["disjoint-paths"], by_group["proven"]) == (1, True)
    assert by_group["shared"] == ["shared-risk-group 9"]
