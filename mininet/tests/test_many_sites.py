# SPDX-License-Identifier: EPL-2.0
import dataclasses
import socket

import pytest

from sluice_lab import sockets
from sluice_lab.campaign import Cell
from sluice_lab.experiments import many_sites
from sluice_lab.experiments.many_sites import ManySites
from sluice_lab.ovs import LabError
from sluice_lab.sockets import Socket, State

EXPERIMENT = ManySites(sites=5, heard=2, messages=3)


def test_each_site_hears_others_that_the_seed_chooses():
    planned = many_sites.plan(EXPERIMENT, 7)
    assert planned == many_sites.plan(EXPERIMENT, 7) != many_sites.plan(EXPERIMENT, 8)
    assert len({site.address for site in planned}) == 5
    for site in planned:
        assert len(set(site.hears) - {site.name}) == 2


def found(site, planned, **changes):
    """What came to a site, all of it; of one stream as the changes say."""
    perfect = {"received": 3, "end": 3, "duplicates": 0, "disordered": 0}
    names = sorted(many_sites.expected(site, planned))
    streams = {name: dict(perfect) for name in names}
    streams[names[0]].update(changes)
    return {"streams": 8, "heard": {"torn": 0, "gone": 0, "streams": streams}}


def test_a_site_is_delivered_when_all_came_once_and_nothing_else():
    planned = many_sites.plan(EXPERIMENT, 7)
    site = planned[2]

    def faults(came):
        return many_sites.faults_of(EXPERIMENT, site, planned, came)

    assert len(many_sites.expected(site, planned)) == 5 + 2
    assert faults(found(site, planned)) == []
    for change in ({"received": 2}, {"duplicates": 1}, {"disordered": 1}, {"end": 4}):
        assert len(faults(found(site, planned, **change))) == 1
    assert len(faults({**found(site, planned), "streams": 9})) == 1
    one_more = found(site, planned)
    one_more["heard"]["streams"]["S009/publisher /load/x"] = {}
    assert len(faults(one_more)) == 1
    told = found(site, planned)
    told["heard"]["gone"] = 4
    assert len(faults(told)) == 1


def test_links_are_counted_and_each_pair_has_one():
    planned = many_sites.plan(EXPERIMENT, 7)
    listed = [
        Socket(f"127.83.0.{1 + number}", 5570, 40_000 + caller, State.ESTABLISHED)
        for number in range(5)
        for caller in range(number + 2)
    ]
    waiting = Socket("127.83.0.1", 5570, 0, State.LISTEN)
    assert many_sites.links(planned, [*listed, waiting]) == 10
    for wrong in (listed[1:], [*listed, dataclasses.replace(listed[-1], remote_port=1)]):
        with pytest.raises(LabError, match="connections, not one with each of"):
            many_sites.links(planned, wrong)


@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_a_socket_is_listed_with_its_address(family):
    with socket.socket(family) as listener:
        mapped = "::ffff:" if family == socket.AF_INET6 else ""
        listener.bind((f"{mapped}127.83.0.9", 0))
        listener.listen()
        port = listener.getsockname()[1]
        listed = [one for one in sockets.listed("tcp") if one.local_port == port]
    assert listed == [Socket("127.83.0.9", port, 0, State.LISTEN)]


@pytest.mark.parametrize(("delivered", "value"), [([5, 5], 5), ([5, 4], 4)])
def test_the_figure_is_the_fewest_sites_of_all_runs(delivered, value):
    outcomes = {
        Cell(variant="loopback", policy="sluice", seed=seed): {
            **{"delivered": count, "links": 10, "ready_s": 9.0, "slowest_s": 0.1},
            **{"resident_mb": 700, "open_files": 1_200},
        }
        for seed, count in enumerate(delivered)
    }
    row = many_sites.measurement(EXPERIMENT, outcomes)
    assert (row["id"], row["value"]) == ("S3-sites", value)
    assert row["peers"]["links between proxies"] == 10
