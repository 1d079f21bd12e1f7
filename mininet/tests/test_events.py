# SPDX-License-Identifier: EPL-2.0
import collections
import dataclasses

import pytest

from sluice_lab import cli, event_draw, frames, topologies
from sluice_lab.campaign import Cell
from sluice_lab.event_model import (
    AddServer,
    AddService,
    CableFlap,
    Claim,
    HostFlap,
    Move,
    Outage,
    RemoveServer,
    RemoveService,
    Say,
    State,
    ThereAndBack,
)
from sluice_lab.experiments import random_events
from sluice_lab.experiments.random_events import DEFAULT, Batch, Stage
from sluice_lab.net import Endpoint
from sluice_lab.ovs import LabError
from sluice_lab.residents import AT_ONCE, KEEPALIVED, Mistake
from sluice_lab.restconf import ControllerError
from sluice_lab.steering import Lab

LEAFSPINE = topologies.leaf_spine(3, 2, 2)
SEEDS = range(1, 6)


def drawn(topology=LEAFSPINE, seeds=SEEDS):
    return [event for seed in seeds for b in event_draw.batches(topology, seed, 50) for event in b]


@pytest.mark.parametrize("topology", [LEAFSPINE, topologies.fat_tree()], ids=lambda t: t.name)
def test_the_same_seed_draws_the_same_events_and_every_kind_occurs(topology):
    assert drawn(topology) == drawn(topology)
    assert drawn(topology, [1]) != drawn(topology, [2])
    kinds = collections.Counter(type(event) for event in drawn(topology))
    assert kinds.keys() == {
        *(Move, ThereAndBack, HostFlap, CableFlap, Outage, Claim),
        *(AddService, RemoveService, AddServer, RemoveServer),
    }
    at = {host.name: host.port.switch for host in topology.hosts}
    near = {at[one.source] == at[one.target] for one in drawn(topology) if isinstance(one, Move)}
    assert near == {True, False}


def test_two_topologies_have_other_events():
    assert drawn(topologies.fat_tree()) != drawn()


def test_batches_have_one_to_four_events_and_all_that_were_asked_for():
    sizes = [len(batch) for seed in SEEDS for batch in event_draw.batches(LEAFSPINE, seed, 50)]
    assert set(sizes) == {1, 2, 3, 4}
    assert sum(sizes) == 50 * len(SEEDS)
    assert DEFAULT.events * DEFAULT.runs * len(DEFAULT.variants) == 500


def test_events_happen_where_they_can():
    for seed in range(1, 40):
        state = event_draw.initial(LEAFSPINE, seed)
        for event in (one for batch in event_draw.batches(LEAFSPINE, seed, 50) for one in batch):
            moves = event.moves if isinstance(event, Outage) else [event]
            for move in moves:
                if isinstance(move, Move | ThereAndBack):
                    assert state.holders[move.address] == move.source != move.target
                    state = state.after(move)
                elif isinstance(move, Claim):
                    assert move.attacker != move.victim
                    assert state.holders.get(move.address, move.victim) == move.victim
            if isinstance(event, RemoveServer):
                assert event.server in state.services[event.service].servers
            if isinstance(event, AddServer):
                assert event.server not in state.services[event.service].servers
            state = state if isinstance(event, Outage | Move) else state.after(event)


def test_times_stay_in_their_limits():
    events = drawn(seeds=range(1, 40))
    away = [event.away_s for event in events if isinstance(event, ThereAndBack)]
    out = [event.seconds for event in events if isinstance(event, Outage)]
    assert 0.05 <= min(away) < 0.1
    assert 1.5 < max(away) <= 2
    assert 0.2 <= min(out) < 0.4
    assert 4 < max(out) <= 5


def test_a_move_is_silent_only_between_hosts_of_a_switch_without_its_controller():
    at = {host.name: host.port.switch for host in LEAFSPINE.hosts}
    events = drawn(seeds=range(1, 40))
    assert all(one.say is not Say.NOTHING for one in events if isinstance(one, Move))
    inside = [(one.switch, move) for one in events if isinstance(one, Outage) for move in one.moves]
    assert {move.say for _, move in inside} == {Say.NOTHING, Say.TWICE}
    for switch, move in inside:
        assert at[move.target] == switch
        assert (move.say is Say.NOTHING) == (at[move.source] == switch)


def test_floating_addresses_of_two_seeds_differ():
    assert (
        not event_draw.initial(LEAFSPINE, 1).holders.keys()
        & event_draw.initial(LEAFSPINE, 2).holders.keys()
    )


STATE = State(holders={"f1": "h1", "f2": "h2"}, services={})


def test_the_model_follows_moves_and_nothing_else():
    moved = STATE.after(Move(address="f1", source="h1", target="h3"))
    assert moved.holders == {"f1": "h3", "f2": "h2"}
    out = Outage(switch="l1", seconds=1, moves=(Move(address="f2", source="h2", target="h1"),))
    assert moved.after(out).holders == {"f1": "h3", "f2": "h1"}
    back = ThereAndBack(address="f1", source="h1", target="h2", away_s=1)
    claim = Claim(attacker="h3", victim="h1", address="f1", reply=True, borrowed=True)
    for event in (back, claim, HostFlap(host="h1", down_s=1), CableFlap(cable=0, down_s=1)):
        assert STATE.after(event) == STATE


def test_the_model_knows_who_answers_for_a_service():
    state = STATE.after(AddService(service="s", address="v", servers=("h1",)))
    assert state.virtual() == ["v"]
    assert state.wanted(LEAFSPINE)["h2"]["v"] == ("h1",)
    assert "v" not in state.wanted(LEAFSPINE)["h1"], "a server is no client of itself"
    state = state.after(AddServer(service="s", server="h2"))
    assert state.wanted(LEAFSPINE)["h3"]["v"] == ("h1", "h2")
    state = state.after(RemoveServer(service="s", server="h1"))
    assert state.wanted(LEAFSPINE)["h1"]["v"] == ("h2",)
    state = state.after(RemoveServer(service="s", server="h2"))
    assert state.wanted(LEAFSPINE)["h1"]["v"] == ()
    assert state.after(RemoveService(service="s")) == STATE


def test_every_host_wants_every_other_and_the_holders_of_addresses():
    wanted = STATE.wanted(LEAFSPINE)
    assert wanted.keys() == {host.name for host in LEAFSPINE.hosts}
    assert wanted["h1"]["f2"] == ("h2",)
    assert "f1" not in wanted["h1"]
    assert wanted["h1"][LEAFSPINE.host("h6").address] == ("h6",)
    assert len(wanted["h3"]) == 5 + 2


class FakeNet:
    """Notes what is done to it."""

    topology = LEAFSPINE

    def __init__(self, done):
        self.done = done

    def __getattr__(self, name):
        return lambda *words, **options: self.done.append((name, *words, *options.values()))


class FakeResidents(FakeNet):
    wrong = ()

    def mistakes(self, wanted, *, fresh, limit_s):
        assert wanted.keys() == {host.name for host in LEAFSPINE.hosts}
        self.done.append(("mistakes", set(fresh), limit_s))
        return list(self.wrong)


class FakeController(FakeNet):
    compared = ()

    def validate(self):
        if not self.compared:
            raise ControllerError("busy")
        return self.compared[0] if len(self.compared) == 1 else self.compared.pop(0)


@pytest.fixture
def done():
    return []


@pytest.fixture
def stage(done, monkeypatch):
    monkeypatch.setattr(random_events.time, "sleep", lambda s: done.append(("sleep", s)))
    parts = FakeNet(done), FakeController(done), FakeResidents(done)
    return Stage(*parts, Lab(endpoint=Endpoint("there", 1)), STATE)


def test_an_outage_takes_a_switchs_controller_and_moves_addresses_meanwhile(stage, done):
    move = Move(address="f1", source="h1", target="h2", say=Say.NOTHING)
    stage.act(Outage(switch="l1", seconds=3, moves=(move,)))
    assert done == [
        ("detach_controller", ["l1"]),
        ("sleep", 1.5),
        ("move", "f1", "h1", "h2", ()),
        ("sleep", 1.5),
        ("attach_controller", Endpoint("there", 1), ["l1"]),
    ]


def test_flaps_and_moves_do_what_they_say(stage, done):
    stage.act(ThereAndBack(address="f1", source="h1", target="h2", away_s=0.5))
    stage.act(Move(address="f1", source="h1", target="h2", say=Say.TWICE))
    stage.act(HostFlap(host="h1", down_s=0.2))
    stage.act(CableFlap(cable=1, down_s=0.3))
    cable = LEAFSPINE.cables[1]
    assert done == [
        ("move", "f1", "h1", "h2", AT_ONCE),
        ("sleep", 0.5),
        ("move", "f1", "h2", "h1", AT_ONCE),
        ("move", "f1", "h1", "h2", KEEPALIVED),
        *[("set_host_carrier", "h1", False), ("sleep", 0.2), ("set_host_carrier", "h1", True)],
        *[("set_carrier", cable, False), ("sleep", 0.3), ("set_carrier", cable, True)],
    ]


def test_a_claim_is_one_forged_frame(stage, done):
    for borrowed, mac in ((True, LEAFSPINE.host("h1").mac), (False, LEAFSPINE.host("h3").mac)):
        claim = Claim(attacker="h3", victim="h1", address="10.2.0.1", reply=True, borrowed=borrowed)
        stage.act(claim)
        assert done.pop() == ("send", "h3", [frames.gratuitous_arp(mac, "10.2.0.1", reply=True)])


def test_services_are_configured(stage, done):
    stage.act(AddService(service="s", address="v", servers=("h1",)))
    (name, service) = done.pop()
    assert (name, service.virtual_address, service.transport) == ("put_service", "v", "udp")
    assert [one.address for one in service.servers] == [LEAFSPINE.host("h1").address]
    stage.act(AddServer(service="s", server="h2"))
    assert done.pop()[:2] == ("put_server", "s")
    stage.act(RemoveServer(service="s", server="h1"))
    assert done.pop() == ("delete_server", "s", "h1")
    stage.act(RemoveService(service="s"))
    assert done.pop() == ("delete_service", "s")


AGREED = [{"id": switch.id} for switch in LEAFSPINE.switches]
CHANGED = {"discrepancy": "missing", "kind": "flow", "entry": "table=3"}


def test_services_and_now_and_then_moved_addresses_are_asked_over_new_connections(stage, done):
    stage._controller.compared = [AGREED]
    stage.act(AddService(service="s", address="v", servers=("h1",)))
    done.clear()
    assert stage.check(fresh=False) == []
    assert stage.check(fresh=True) == []
    assert done == [("mistakes", {"v"}, 10), ("mistakes", {"v", "f1", "f2"}, 10)]


def test_what_validate_shows_first_may_go_within_the_time(stage):
    differs = [{**AGREED[0], "difference": [CHANGED]}, *AGREED[1:]]
    stage._controller.compared = [differs, AGREED[1:], AGREED]
    assert stage.check(fresh=False) == []


def test_mistakes_and_differences_that_stay_are_failures(stage):
    stage._residents.wrong = [Mistake(asker="h1", address="f2", wanted=("h2",), got=None)]
    stage._controller.compared = [[{**AGREED[0], "difference": [CHANGED]}, *AGREED[2:]]]
    assert stage.check(fresh=False, limit_s=0) == [
        "h1 asks f2: no answer, not h2",
        f"{AGREED[0]['id']}: missing flow table=3",
        f"{AGREED[1]['id']}: not compared",
    ]


CELL = Cell(variant="leafspine", policy="sluice", seed=7)
BAD = Batch(number=2, events=(HostFlap(host="h1", down_s=0.5),), failures=("a", "b"), seconds=10)
GOOD = dataclasses.replace(BAD, number=1, failures=())


def test_a_repeated_run_ends_at_the_batch_that_fails_and_names_seed_events_and_pairs(monkeypatch):
    monkeypatch.setattr(random_events, "need_controller", lambda *_: None)
    monkeypatch.setattr(random_events, "batches", lambda *_: iter([GOOD, BAD, None]))
    again = dataclasses.replace(DEFAULT, variants=("leafspine",), seed=7)
    with pytest.raises(LabError) as error:
        random_events.run(again, Lab())
    assert str(error.value) == (
        "leafspine seed 7 batch 2:\n  HostFlap(host='h1', down_s=0.5)\nfails:\n  a\n  b"
    )


def test_all_failures_are_summed_up_and_the_batches_named(recorded, monkeypatch):
    monkeypatch.setattr(random_events, "batches", lambda *_: iter([GOOD, BAD]))
    outcome = random_events._measure_cell(DEFAULT, Lab(), CELL)
    random_events.record(DEFAULT, {CELL: outcome, dataclasses.replace(CELL, seed=8): outcome})
    row = recorded["EVENTS"]
    assert row["value"] == 4
    assert row["parameters"]["failed"] == ["leafspine seed 7 batch 2", "leafspine seed 8 batch 2"]
    assert row["parameters"]["kinds"] == {"HostFlap": 4}


def test_only_events_can_be_repeated_by_a_seed(capsys, monkeypatch):
    monkeypatch.setattr(cli.os, "geteuid", lambda: 0)
    assert cli.main(["run", "M1", "--seed", "3"]) == 1
    assert "M1 has no run that could be repeated by its seed" in capsys.readouterr().err
    asked = []
    monkeypatch.setitem(cli.EXPERIMENTS, "EVENTS", (DEFAULT, lambda one, _: asked.append(one)))
    assert cli.main(["run", "EVENTS", "--seed", "3", "--variants", "fattree"]) == 0
    assert asked == [dataclasses.replace(DEFAULT, seed=3, variants=("fattree",))]
