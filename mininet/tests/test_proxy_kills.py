# SPDX-License-Identifier: EPL-2.0
import dataclasses

import pytest

from sluice_lab.campaign import Cell
from sluice_lab.experiments import proxy_kills
from sluice_lab.experiments.proxy_kills import ProxyKills
from sluice_lab.ovs import LabError

EXPERIMENT = ProxyKills(publishing=2, subscribing=2, topics=1, rate=1_000, duration_s=20, kills=4)
ACCOUNT = {"lost": 0, "duplicates": 0, "disordered": 0, "told as gone": 0, "slowest_s": 0.25}


def test_kills_come_from_the_seed_at_either_kind_of_site_while_messages_flow():
    kills = proxy_kills.schedule(EXPERIMENT, 7)
    assert kills == proxy_kills.schedule(EXPERIMENT, 7) != proxy_kills.schedule(EXPERIMENT, 8)
    assert [kill.site.publishes for kill in kills] == [True, False, True, False]
    assert all(5 * n < kill.at_s < 5 * (n + 1) for n, kill in enumerate(kills))


def test_every_publisher_has_its_share_of_the_rate_on_each_topic():
    assert EXPERIMENT.per_topic() == 1_000 * 20 / 2 / 2
    assert proxy_kills.expected(EXPERIMENT) == {
        "S000/node /load/0/site_S000_messages",
        "S000/node /load/everywhere/S000",
        "S001/node /load/0/site_S001_messages",
        "S001/node /load/everywhere/S001",
    }


def test_a_proxy_knows_the_other_sites_and_its_own_node(tmp_path, monkeypatch):
    def make_keys(_main, _command, _folder, *names):
        for name in names:
            (tmp_path / f"{name.replace('/', '_')}.keys").write_text(f"public-{name}\nsecret\n")

    monkeypatch.setattr(proxy_kills.java_processes, "run", make_keys)
    proxy_kills.write_settings(dataclasses.replace(EXPERIMENT, subscribing=1), tmp_path)
    assert (tmp_path / "S001.allow").read_text().splitlines() == [
        "S000 public-S000",
        "S002 public-S002",
        "S001/node public-S001/node",
    ]
    settings = (tmp_path / "S001.cfg").read_text()
    assert "bind = tcp://127.83.0.2:5570\n" in settings
    assert "remote.S002 = tcp://127.83.0.3:5570 public-S002\n" in settings
    assert "remote.S001" not in settings


def heard(**changes):
    """What a subscriber heard of all streams; of one of them as the changes say."""
    perfect = {"received": 5_000, "end": 5_000, "duplicates": 0, "disordered": 0}
    streams = {name: dict(perfect) for name in sorted(proxy_kills.expected(EXPERIMENT))}
    next(iter(streams.values())).update(changes)
    return {"torn": 0, "gone": 0, "slowest_us": 250_000, "streams": streams}


def test_what_is_missing_comes_again_or_late_is_counted_over_all_subscribers():
    assert proxy_kills.account(EXPERIMENT, [heard(), heard()]) == ACCOUNT
    found = proxy_kills.account(
        EXPERIMENT, [heard(received=4_990, end=4_999, duplicates=2), heard(disordered=1)]
    )
    assert found == {**ACCOUNT, "lost": 10, "duplicates": 2, "disordered": 1}


@pytest.mark.parametrize(
    "strange",
    [
        {**heard(), "torn": 1},
        heard(end=5_001),
        {**heard(), "streams": {**heard()["streams"], "S009/node /load/x": {"end": 0}}},
    ],
    ids=["torn", "a number too many", "another stream"],
)
def test_what_nobody_published_is_no_measurement(strange):
    with pytest.raises(LabError, match="nobody published"):
        proxy_kills.account(EXPERIMENT, [heard(), strange])


def check(late_s=0.0, renewals=(1, 0, 0, 2)):
    killed = [{"site": "S000"}, {"site": "S003"}, {"site": "S003"}]
    reports = [{"renewals": count} for count in renewals]
    proxy_kills.check_instrument(EXPERIMENT, 20 + late_s, killed, reports)


def test_a_rate_that_was_not_reached_or_a_kill_that_nobody_felt_is_no_measurement():
    check(late_s=15)
    with pytest.raises(LabError, match="60 s late"):
        check(late_s=60)
    with pytest.raises(LabError, match="2 kills at S003, and 1 sessions"):
        check(renewals=(1, 0, 0, 1))


def test_the_figure_is_all_that_went_wrong_in_all_runs():
    outcome = {**ACCOUNT, "published": 20_000, "per_second": 998.0, "kills": []}
    outcomes = {
        Cell(variant="loopback", policy="sluice", seed=1): {**outcome, "lost": 3, "disordered": 1},
        Cell(variant="loopback", policy="sluice", seed=2): {**outcome, "per_second": 1_000.0},
    }
    row = proxy_kills.measurement(EXPERIMENT, outcomes)
    assert (row["id"], row["value"], row["spread"]["max"]) == ("S3-kills", 4, 4)
    assert row["parameters"]["seeds"] == [1, 2]
    assert (row["peers"]["lost"], row["peers"]["published, per second"]) == (3, 998.0)
