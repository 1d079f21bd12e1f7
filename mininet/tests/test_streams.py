# SPDX-License-Identifier: EPL-2.0
import contextlib
import dataclasses
import sys
import time
import types

import pytest
from stream_runs import outcome

from sluice_lab import (
    bandwidth_demo,
    campaign,
    cli,
    links,
    storm_home,
    topologies,
    words,
)
from sluice_lab.bandwidth import Allocation
from sluice_lab.experiments import streams
from sluice_lab.experiments.streams import Setting, Sharing
from sluice_lab.instruments import Counters
from sluice_lab.ovs import LabError
from sluice_lab.storm import Second
from sluice_lab.storm_keys import Engine

RATE = 1_000_000
STAR = topologies.leaf_spine(1, 1, 3, rates=topologies.LayerRates(host=RATE, edge=None))
TT, TI = streams.TRENDING_TOPICS, streams.TRUCKING_IOT


def test_links_bear_the_names_that_the_controller_gives_them():
    assert links.between(STAR, "h1", "h3") == ["host->openflow:30001:2", "openflow:30001:4->host"]
    tree = topologies.seven_switches(topologies.LayerRates(host=None, edge=RATE, core=RATE))
    path = links.between(tree, "h1", "h8")
    assert [link.split("->")[0].rpartition(":")[0] for link in path[1:]] == [
        "openflow:30101",
        "openflow:20001",
        "openflow:10001",
        "openflow:20002",
        "openflow:30202",
    ]
    assert set(path) <= set(links.counted(tree))
    assert len(tree.switches) == 7
    assert len(links.between(tree, "h1", "h2")) == 2


def test_what_a_host_sends_is_counted_where_its_switch_receives():
    ports = {host.port for host in STAR.hosts} | {end for c in STAR.cables for end in (c.a, c.b)}
    first = Counters(10.0, dict.fromkeys(ports, (0, 0)))
    sent = dict.fromkeys(ports, (250_000, 62_500))
    used = links.utilisation(STAR, first, Counters(12.0, sent))
    assert used["host->openflow:30001:2"] == pytest.approx(1.0)
    assert used["openflow:30001:2->host"] == pytest.approx(0.25)
    assert len(used) == 6  # the cable to the spine has no rate


@pytest.mark.parametrize(
    ("variant", "where", "rate", "interval"),
    [
        ("uplink-10", "uplink", 10, 5),
        ("multihop-free", "multihop", None, 5),
        ("uplink-10-2", "uplink", 10, 2),
    ],
)
def test_a_variant_tells_place_rate_and_interval(variant, where, rate, interval):
    assert Setting.of(variant, TI) == Setting(where, rate, interval)


def test_rates_are_scaled_on_the_cables_that_are_the_bottleneck():
    star = Setting.of("uplink-15", TI).topology(TI)
    assert {host.rate_bps for host in star.hosts} == {1_500_000}
    assert len(star.hosts) == 8
    tree = Setting.of("multihop-15", TI).topology(TI)
    assert {cable.rate_bps for cable in tree.cables} == {1_500_000}
    assert {host.rate_bps for host in tree.hosts} == {None}
    for where in ("uplink", "multihop"):
        assert not list(Setting.of(f"{where}-free", TI).topology(TI).capacities())


def test_words_come_with_their_frequencies_or_it_is_said_what_is_missing(
    tmp_path, monkeypatch, capsys
):
    fake = types.SimpleNamespace(
        top_n_list=lambda _language, number: ["the", "of", "and"][:number],
        word_frequency=lambda word, _language: {"the": 0.05, "of": 0.025}[word],
    )
    monkeypatch.setitem(sys.modules, "wordfreq", fake)
    command = ["words", str(tmp_path / "words.tsv"), "--number", "2"]
    assert cli.main(command) == 0
    assert (tmp_path / "words.tsv").read_text() == "the\t5.000e-02\nof\t2.500e-02\n"
    with pytest.raises(LabError, match="can't be written: Is a directory"):
        words.write(tmp_path, 2)
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(LabError, match="wordfreq is missing"):
        words.write(tmp_path / "words.tsv", 2)
    assert cli.main(command) == 1
    assert "wordfreq is missing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sharing", "transport", "is_reported", "is_paced"),
    [
        ("sluice", "FlowTransport", True, True),
        ("meters", "FlowTransport", True, False),
        ("tcp-pairs", "FlowTransport", False, True),
        ("tcp-defaults", "Context", True, True),
        ("tcp", "Context", True, True),
    ],
)
def test_who_shares_links_says_which_transport_joins_workers(
    tmp_path, sharing, transport, is_reported, is_paced
):
    cluster = Engine().keys(tmp_path)
    topology = cluster | Sharing(sharing).options
    assert topology["storm.messaging.transport"].rpartition(".")[2] == transport
    assert (topology["sluice.report.port"] == cluster["sluice.report.port"]) == is_reported
    assert topology.get("sluice.pacing", True) == is_paced


class Opened:
    """Stands for what brings up clusters; tells which are up."""

    def __init__(self):
        self.said = []

    @contextlib.contextmanager
    def __call__(self, _experiment, setting, _lab):
        self.said.append(f"up {setting.rate_mbps}")
        yield types.SimpleNamespace(setting=setting)
        self.said.append(f"down {setting.rate_mbps}")


def test_buffers_are_the_same_under_all_but_where_the_defaults_are_asked_for(tmp_path):
    key = "storm.messaging.netty.buffer_size"
    cluster = Engine(kernel_bytes=1 << 15).keys(tmp_path)
    told = {sharing: (cluster | sharing.options)[key] for sharing in Sharing}
    assert told.pop(Sharing.TCP_DEFAULTS) == 5 << 20
    assert set(told.values()) == {1 << 15}


def test_runs_of_a_variant_share_a_cluster_and_none_is_up_beside_it(monkeypatch):
    opened = Opened()
    monkeypatch.setattr(streams, "_cluster", opened)
    with contextlib.ExitStack() as stack:
        clusters = streams.Clusters(TI, None, stack)
        for variant in ("uplink-10", "uplink-10", "uplink-15"):
            assert clusters.of(variant).setting == Setting.of(variant, TI)
    assert opened.said == ["up 10", "down 10", "up 15", "down 15"]


def test_a_run_stores_what_was_seen_until_its_end(monkeypatch):
    class Seen:
        """Storm, the controller and the processors, as a run looks at them."""

        def completed(self):
            now = int(time.time())
            return [Second(second, 10, 2_000) for second in range(now - 5, now + 5)]

        def flows(self):
            source, destination = (STAR.host(name).address for name in ("h1", "h3"))
            ends = {"source-host": source, "destination-host": destination}
            return {"t": {"flows": [{"name": "f", "lost-messages": 3, **ends}]}}

        def allocations(self, _tenant):
            link = "host->openflow:30001:2"
            has = {"status": "in-place", "meter_bps": RATE, "link": link, "is_short": True}
            return {"f": Allocation(**has)}

        def workers_cpu_s(self):
            return {"h1": 1.0}

        def rounds(self):
            return self

        def mean_ms(self, _since):
            return {}

        def read(self):
            return {"idle": 0.5}

    monkeypatch.setattr(storm_home, "versions", lambda: {"storm": "1.2.3"})
    seen = Seen()
    monkeypatch.setattr(streams, "wait_until", lambda _: None)
    monkeypatch.setattr(streams.instruments, "CpuMeter", Seen)
    ports = {host.port: (0, 0) for host in STAR.hosts}
    reads = iter([Counters(1.0, ports), Counters(2.0, ports)])
    monkeypatch.setattr(streams.instruments, "read_counters", lambda _: next(reads))
    setting, net = Setting("uplink", 10, 1), types.SimpleNamespace(topology=STAR)
    cluster = streams.Cluster(setting, None, net, seen, seen)
    brief = dataclasses.replace(TI, warm_up_s=0, counted_s=3)
    stored = streams.observe(brief, cluster, Sharing.SLUICE)
    assert (stored["throughput"], stored["lost_messages"]) == (10, 3)
    assert (stored["bound"], stored["meters_of_capacity"]) == (["host->openflow:30001:2"], 1.0)


def test_who_asks_for_a_figure_that_is_not_there_reads_which_there_are(capsys):
    assert cli.main(["plot", "M9"]) == 1
    assert "no figure of M9; there are: M1, M2, M3, M4, " in (told := capsys.readouterr().err)
    assert told.rstrip().endswith("B1-seeds")


def test_versions_are_those_of_what_runs(tmp_path, monkeypatch):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "storm-client-2.8.3.jar").touch()
    (tmp_path / "release").write_text('IMPLEMENTOR="Somebody"\nJAVA_VERSION="21.0.8"\n')
    monkeypatch.setattr(storm_home, "BUILT", tmp_path)
    monkeypatch.setenv("SLUICE_JAVA_HOME", str(tmp_path))
    assert storm_home.versions() == {"storm": "2.8.3", "java": "21.0.8"}


def test_random_places_follow_the_seed_and_name_every_component():
    one, same, other = (streams.random_places(streams.PLACEMENTS, seed, STAR) for seed in (1, 1, 2))
    assert one == same != other
    assert one.keys() == {"trucks", "traffic", "combine", "act"}
    assert all(sorted(hosts) == [host.address for host in STAR.hosts] for hosts in one.values())


def test_the_demo_tells_each_policy_against_the_first():
    cells = campaign.interleaved(["uplink-10"], bandwidth_demo.DEMO.policies, [1])
    text = bandwidth_demo.table(
        bandwidth_demo.DEMO, {cells[0]: outcome(20), cells[1]: outcome(30, 2_000)}
    )
    assert "tcp                20.0 tuples/s    1.00x      0.10 s           40%" in text
    assert "sluice             30.0 tuples/s    1.50x      2.00 s           40%" in text


def test_the_demo_tells_of_a_policy_under_which_nothing_came_through():
    cells = campaign.interleaved(["uplink-10"], bandwidth_demo.DEMO.policies, [1])
    text = bandwidth_demo.table(
        bandwidth_demo.DEMO, {cells[0]: outcome(0.0, None), cells[1]: outcome(30)}
    )
    assert "tcp                 0.0 tuples/s        -           -           40%" in text
    assert "sluice             30.0 tuples/s        -      0.10 s           40%" in text


def test_policies_of_networks_are_none_of_storm(capsys, monkeypatch):
    monkeypatch.setattr(cli.os, "geteuid", lambda: 0)
    assert cli.main(["run", "B1-ti", "--policies", "ecmp"]) == 1
    assert "no policy ecmp; there are: sluice, meters, app-aware" in capsys.readouterr().err
