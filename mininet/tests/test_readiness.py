# SPDX-License-Identifier: EPL-2.0
import logging

import pytest

from sluice_lab import readiness, topologies, views
from sluice_lab.ovs import LabError
from sluice_lab.readiness import Spoken

SMALL = topologies.leaf_spine(2, 1, 2)


def test_every_host_of_a_small_network_asks_every_other():
    asked = readiness.acquaintances(SMALL)
    addresses = {host.name: host.address for host in SMALL.hosts}
    assert {host: set(others) for host, others in asked.items()} == {
        host: set(addresses.values()) - {own} for host, own in addresses.items()
    }


def test_hosts_of_a_large_network_ask_those_that_follow():
    topology = topologies.leaf_spine(10, 1, 5)
    asked = readiness.acquaintances(topology)
    assert {len(others) for others in asked.values()} == {16}
    assert asked["h50"][:2] == ["10.0.0.1", "10.0.0.2"]
    answering = [address for others in asked.values() for address in others]
    assert {answering.count(host.address) for host in topology.hosts} == {16}


def test_one_host_has_nobody_to_ask():
    assert readiness.acquaintances(topologies.leaf_spine(1, 1, 1)) == {}


class Silence:
    """A network in which pings find their answer after some rounds."""

    topology = SMALL

    def __init__(self, rounds):
        self.rounds = rounds

    def spawn(self, host, command):
        return host, command[-1]

    def finish(self, child, *_):
        host, _ = child
        self.rounds -= host == "h1"
        return "10.0.0.3\n" if host == "h1" and self.rounds > 0 else ""


@pytest.fixture
def silence(monkeypatch):
    def start(rounds):
        net = Silence(rounds)
        monkeypatch.setattr(readiness, "finish", net.finish)
        return net

    monkeypatch.setattr(readiness, "_PAUSE_S", 0)
    return start


def test_hosts_ask_again_until_each_was_answered(silence):
    told = []
    readiness.greet(silence(3), lambda *words: told.append(words))
    assert told == [("pings answered", done, 12) for done in (11, 11, 12)]


def test_an_error_names_hosts_without_an_answer(silence):
    with pytest.raises(LabError, match=r"no answer within 0 s to h1 from h3; see sluice:show"):
        readiness.greet(silence(9_999), lambda *_: None, limit_s=0)


def test_an_error_names_a_few_of_many():
    left = {"h1": ["10.0.0.2"] * 7, "h2": ["10.0.0.1"] * 7}
    text = readiness.silence(SMALL, left, 60)
    assert text.count("h1 from h2") == 7
    assert "and 4 more" in text


def test_progress_is_said_when_it_changes(caplog):
    caplog.set_level(logging.INFO, "sluice_lab")
    progress = Spoken()
    for done in (1, 1, 2):
        progress("hosts known", done, 2)
    assert caplog.messages == ["hosts known: 1 of 2", "hosts known: 2 of 2"]


def test_what_is_missing_from_a_view_has_a_name():
    topology = topologies.leaf_spine(1, 1, 1)
    missing = views.missing_parts({}, topology)
    assert missing == [
        *("port openflow:20001:1", "port openflow:30001:1", "port openflow:30001:2"),
        "link openflow:20001:1 to openflow:30001:1",
        "link openflow:30001:1 to openflow:20001:1",
    ]
    host = topology.hosts[0]
    wanted = {(host.address, "openflow:30001", 2): "h1"}
    assert views.missing_hosts({}, wanted) == ["h1"]
    there = {"address": [host.address], "switch": "openflow:30001", "port": 2}
    assert views.missing_hosts({"hosts": {"host": [there]}}, wanted) == []
