# SPDX-License-Identifier: EPL-2.0
import contextlib
import dataclasses
import datetime
import itertools
import logging
import tomllib

import pytest

from sluice_lab import campaign, cli, delay, spray, steering, topologies
from sluice_lab.experiments import completion, failover, metering, reaction, split, throughput
from sluice_lab.multipath import Assignment
from sluice_lab.ovs import LabError
from sluice_lab.restconf import ControllerError
from sluice_lab.steering import Policy, Request, Steered, crossing
from sluice_lab.traffic import PAYLOAD_SHARE

LINE = 10e6 * PAYLOAD_SHARE


class NetOf:
    def __init__(self, topology):
        self.topology = topology


class AnsweringController:
    """Answers every request with the given servers, all paths over switch a's first uplink."""

    def __init__(self, *servers):
        self.servers = servers
        self.declared = []
        self.asked = []
        self.released = []
        self.lost = ()
        self.left = ()

    def put_service(self, service):
        self.declared.append(service)

    def delete_service(self, name):
        self.declared = [service for service in self.declared if service.name != name]

    def services(self):
        return [service.name for service in self.declared]

    def transfers(self):
        return list(self.left)

    def request_transfer(self, name, client, service, pieces):
        self.asked.append((name, client, service, list(pieces)))
        return [
            Assignment(
                piece=i + 1,
                server=server,
                server_address=topologies.figure10().host(server).address,
                server_port=6001 + i,
                expected_bps=None,
                forward=(("openflow:1", 1),),
                backward=(("openflow:8", 5),),
            )
            for i, server in enumerate(self.servers)
        ]

    def release_transfer(self, name):
        if name in self.lost:
            raise ControllerError(f"no transfer {name}")
        self.released.append(name)


REQUEST = Request(client="h1", service="store", candidates=("h7", "h8"), pieces=2)


def test_a_baseline_goes_round_the_servers_and_needs_no_controller():
    network = Steered(NetOf(topologies.figure10()), Policy.ECMP, None)
    network.declare([REQUEST])
    placed = network.place(dataclasses.replace(REQUEST, pieces=3))
    assert [(p.server, p.port) for p in placed] == [("h7", 6001), ("h8", 6002), ("h7", 6003)]


def test_the_controllers_choice_is_taken_and_given_back():
    controller = AnsweringController("h8", "h8")
    network = Steered(NetOf(topologies.figure10()), Policy.SLUICE, controller)
    network.declare([REQUEST])
    placed = network.place(REQUEST)
    assert controller.asked == [("store-h1", "10.0.0.1", "store", [])]
    assert [(p.server, p.port) for p in placed] == [("h8", 6001), ("h8", 6002)]
    topology = topologies.figure10()
    crossed = [c for c in topology.cables if placed[0].crosses(topology, c)]
    assert [(c.a.switch, c.a.number) for c in crossed] == [("a", 1), ("h", 5)]
    network.withdraw([REQUEST])
    assert controller.released == ["store-h1"]
    assert not controller.declared


def test_what_a_killed_run_has_left_is_ended():
    controller = AnsweringController()
    controller.left = ("lab-m1-h1", "an-operators")
    controller.put_service(REQUEST.as_service(topologies.figure10()))
    left = dataclasses.replace(REQUEST, service="lab-m1")
    controller.put_service(left.as_service(topologies.figure10()))
    steering.end_leftovers(controller)
    assert controller.released == ["lab-m1-h1"]
    assert controller.services() == ["store"]


def test_a_transfer_that_cannot_be_ended_keeps_nothing_else_from_it():
    controller = AnsweringController("h8")
    network = Steered(NetOf(topologies.figure10()), Policy.SLUICE, controller)
    other = dataclasses.replace(REQUEST, client="h2")
    third = dataclasses.replace(REQUEST, client="h3")
    network.declare([REQUEST])
    network.place(REQUEST)
    network.place(other)
    network.place(third)
    controller.lost = ("store-h2", "store-h3")
    with pytest.raises(ControllerError, match="no transfer store-h3"):
        network.withdraw([REQUEST])
    assert controller.released == ["store-h1"]
    assert not controller.declared


@pytest.mark.parametrize(
    ("ago_s", "believed"), [(0, False), (29.5, False), (30, True), (3_600, True)]
)
def test_links_of_an_earlier_network_are_believed_after_the_hold_time(ago_s, believed):
    now = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
    left = now - datetime.timedelta(seconds=ago_s)
    assert steering.is_believed(left, now) == believed


def test_every_policy_of_m4_has_its_rows():
    bars = tomllib.loads((campaign.ROOT / "bench" / "bars.toml").read_text())["bars"]
    ours, *others = completion.DEFAULT.policies
    wanted = {f"{label}-{policy}" for label in ("M4", "M4-plain") for policy in others}
    assert ours == "sluice"
    assert wanted <= {row["id"] for row in bars}


def test_spare_pieces_are_not_asked_for():
    controller = AnsweringController("h7")
    network = Steered(NetOf(topologies.figure10()), Policy.SLUICE, controller)
    network.place(dataclasses.replace(REQUEST, wanted=1))
    assert controller.asked[0][3] == [1]


def test_pieces_of_a_service_follow_the_request():
    def pieces(**changes):
        request = dataclasses.replace(REQUEST, **changes)
        return [s.pieces for s in request.as_service(topologies.figure10()).servers]

    assert pieces() == [{6001: 1, 6002: 2}] * 2
    assert pieces(spread=True) == [{6001: 1}, {6002: 2}]
    assert pieces(one_port=True) == [{6001: 1}] * 2


@pytest.mark.parametrize(
    ("experiment", "goodputs", "expected"),
    [
        (throughput.ONE_TO_ONE, [LINE, LINE, LINE, LINE], 1.0),
        (throughput.ONE_TO_ONE, [LINE, LINE, LINE, 0.0], 0.75),
        (throughput.ONE_TO_MANY, [LINE, LINE, LINE, LINE / 2], 0.5),
    ],
)
def test_throughput_is_measured_against_the_bound(experiment, goodputs, expected):
    outcome = {"flows": [{"goodput_bps": goodput} for goodput in goodputs]}
    assert throughput.figure(experiment, outcome) == pytest.approx(expected, rel=1e-4)


def test_background_follows_its_seed_and_stays_in_range():
    one, other = (completion.background(completion.DEFAULT, seed) for seed in (1, 2))
    assert one == completion.background(completion.DEFAULT, 1)
    assert one != other
    assert all(100_000 <= item.rate_bps <= 1_000_000 for item in one)
    assert [(i.flow.client, i.flow.server) for i in one][:2] == [("h1", "h9"), ("h2", "h10")]


def test_the_bound_without_background_is_that_of_the_uplinks():
    silent = dataclasses.replace(completion.DEFAULT, background_bps=(0, 0))
    one_flow_s = silent.size_bytes * 8 / LINE
    augmented = completion.lower_bound_s(silent, completion.AUGMENTED, 1)
    assert augmented == pytest.approx(one_flow_s, rel=1e-4)
    plain = completion.lower_bound_s(silent, completion.PLAIN, 1)
    assert plain == pytest.approx(4 * one_flow_s, rel=1e-4)


def test_ratios_are_formed_seed_by_seed(monkeypatch):
    recorded = {}
    monkeypatch.setattr(campaign, "record", lambda m: recorded.update({m["id"]: m}))
    experiment = dataclasses.replace(
        completion.DEFAULT, seeds=1, policies=("sluice", "ecmp", "single"), variants=("augmented",)
    )
    bound = completion.lower_bound_s(experiment, "augmented", 1)
    times = {"sluice": bound / 0.9, "ecmp": 2 * bound / 0.9, "single": 4 * bound / 0.9}
    outcomes = {
        campaign.Cell(variant="augmented", policy=policy, seed=1): {
            "makespan_s": time,
            "load": time,
            "mean_s": time / 2,
        }
        for policy, time in times.items()
    }
    completion.record(experiment, outcomes)
    expected = {"M4-bound": 0.9, "M4-ecmp": 2, "M4-single": 4, "M4-load": 0.5}
    expected["M4-mean"] = times["sluice"] / 2
    assert {row: m["value"] for row, m in recorded.items()} == pytest.approx(expected)
    assert recorded["M4-load"]["peers"] == {"load times makespan": pytest.approx(0.25)}


def test_split_declares_its_weights_as_capacities():
    capacities = {
        (switch.name, port): rate
        for switch, port, rate in split.weighted(split.DEFAULT).capacities()
    }
    assert [capacities["a", port] for port in (1, 2, 3, 4)] == [4e6, 3e6, 2e6, 1e6]


class Counter:
    """Takes flows as a sender does, and lets some of those that wait come out at each look."""

    def __init__(self, pace=7, lost=0):
        self.pace = pace
        self.lost = lost
        self.sent = 0
        self.out = 0
        self.most_waiting = 0

    def write(self, line):
        self.sent += int(line)
        self.most_waiting = max(self.most_waiting, self.sent - self.out)

    def flush(self):
        pass

    def counted(self):
        self.out = max(self.out, min(self.out + self.pace, self.sent - self.lost))
        return self.out


SMALL = dataclasses.replace(split.DEFAULT, flows=100, window=10, patience_s=0)


def test_flows_are_sent_as_fast_as_they_come_out(monkeypatch):
    monkeypatch.setattr(split.time, "sleep", lambda _: None)
    counter = Counter()
    split.pour(SMALL, counter, counter.counted)
    assert (counter.sent, counter.out) == (100, 100)
    assert counter.most_waiting == 10


def test_a_few_lost_flows_hold_up_nothing(monkeypatch):
    monkeypatch.setattr(split.time, "sleep", lambda _: None)
    counter = Counter(lost=5)
    split.pour(SMALL, counter, counter.counted)
    assert (counter.sent, counter.out) == (100, 95)


def test_there_is_no_figure_of_too_few_flows(monkeypatch):
    monkeypatch.setattr(split.time, "sleep", lambda _: None)
    counter = Counter(lost=6)
    with pytest.raises(LabError, match="no figure"):
        split.pour(SMALL, counter, counter.counted)


def test_each_variant_of_split_has_a_row(monkeypatch):
    recorded = {}
    monkeypatch.setattr(campaign, "record", lambda m: recorded.update({m["id"]: m}))
    cells = {
        ("connections", "sluice"): 0.01,
        ("connections", "ecmp"): 0.2,
        ("slots", "sluice"): 0.02,
    }
    outcomes = {
        campaign.Cell(variant=variant, policy=policy, seed=1): {"deviation": deviation}
        for (variant, policy), deviation in cells.items()
    }
    split.record(split.DEFAULT, outcomes)
    assert {row: (m["value"], m["peers"]) for row, m in recorded.items()} == {
        "SPLIT": (0.01, {"hashed group (ecmp)": 0.2}),
        "SPLIT-slots": (0.02, {}),
    }


def test_the_deviation_is_the_largest_of_a_share():
    assert split.deviation(split.DEFAULT, [400, 300, 200, 100]) == 0
    assert split.deviation(split.DEFAULT, [350, 300, 250, 100]) == pytest.approx(0.05)


def test_sprayed_flows_differ_and_follow_their_seed():
    def flows(seed):
        return list(itertools.islice(spray.sources(["10.0.0.1", "10.0.0.2"], seed), 1000))

    assert len(set(flows(1))) == 1000
    assert flows(1) == flows(1) != flows(2)


def test_the_command_line_says_what_is_wrong_in_one_sentence(capsys):
    assert cli.main(["topo", "torus"]) == 1
    assert capsys.readouterr().err == (
        "sluice-lab: no topology torus; there are: "
        "fattree, figure10, sevenswitches, leafspine, jellyfish, wan\n"
    )
    with pytest.raises(SystemExit):
        cli.main(["run", "M1", "--policies", "magic"])
    assert "'magic'; there are: sluice" in capsys.readouterr().err


def test_variants_that_an_experiment_has_not_are_refused(capsys, monkeypatch):
    monkeypatch.setattr(cli.os, "geteuid", lambda: 0)
    assert cli.main(["run", "M1", "--variants", "plain"]) == 1
    assert "M1 has no such variants" in capsys.readouterr().err


def test_a_hundred_flows_go_between_different_pairs_of_edge_switches():
    topology = topologies.fat_tree(4, 2)
    wanted = reaction.between_edges(topology, reaction.INSTALL)
    assert sum(request.pieces for request in wanted) == 100
    pairs = {
        tuple(topology.host(name).port.switch for name in (request.client, *request.candidates))
        for request in wanted
    }
    assert len(pairs) == len(wanted)
    assert all(a != b for a, b in pairs)


def test_crossing_requests_lead_from_the_first_pods_to_the_last():
    topology = topologies.fat_tree()
    for request in crossing("lab", 2):
        ends = [topology.host(name).port.switch for name in (request.client, *request.candidates)]
        assert [int(end[1]) for end in ends] in ([1, 3], [2, 4])


def test_what_an_experiment_says_is_heard_though_mininet_is_imported():
    assert type(failover._LOG) is logging.Logger


def test_loads_of_a_meter_tell_rate_and_round_trip():
    assert list(metering.TCP.loads()) == ["1mbps", "10mbps", "100mbps"]
    assert metering.TCP.loads()["10mbps"] == (10_000_000, 0)
    assert metering.LONG_TCP.loads()["1mbps-200ms"] == (1_000_000, 200)
    assert len(metering.LONG_TCP.loads()) == 9


@pytest.mark.parametrize(
    ("times", "is_right"), [("20.3 24", True), ("19.9 24", False), ("25.1", False), ("", False)]
)
def test_a_delay_is_checked_by_the_fastest_ping(times, is_right):
    lines = "\n".join(f"64 bytes from 10.0.0.2: icmp_seq=1 time={x} ms" for x in times.split())
    asked = []
    outcome = contextlib.nullcontext() if is_right else pytest.raises(LabError, match="not 20")
    with outcome:
        delay.check(lambda words: asked.append(words) or lines, "10.0.0.2", 20)
    assert asked[0][-1] == "10.0.0.2"


def test_the_worst_load_of_a_meter_counts_and_what_was_not_offered_is_named(monkeypatch):
    outcomes = {"1mbps": [0.01, 0.03], "10mbps": [0.02, 0.02], "100mbps": [None, None]}

    def stored(_name, _experiment, cells, _measure):
        return {cell: {"figure": outcomes[cell.variant][cell.seed - 1]} for cell in cells}

    recorded = []
    monkeypatch.setattr(campaign, "run", stored)
    monkeypatch.setattr(campaign, "record", recorded.append)
    monkeypatch.setattr(metering, "need_controller", lambda *_: None)
    experiment = dataclasses.replace(metering.TCP, runs=2)
    metering.record_worst(experiment, None, dict.fromkeys(outcomes), dict, max)
    (row,) = recorded
    assert (row["id"], row["value"]) == ("METER-TCP", 0.03)
    assert row["parameters"]["by load"] == {"1mbps": 0.03, "10mbps": 0.02}
    assert row["parameters"]["not offered"] == ["100mbps"]

    outcomes |= {load: [None, None] for load in outcomes}
    with pytest.raises(LabError, match="no figure"):
        metering.record_worst(experiment, None, dict.fromkeys(outcomes), dict, max)
