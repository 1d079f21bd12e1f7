# SPDX-License-Identifier: EPL-2.0
"""What runs of a Storm, and what is asked of it, without a network: its processes are stand-ins."""

import http.client
import pathlib
import shlex
import subprocess
import types
import urllib.parse
from xml.etree import ElementTree

import pytest

from sluice_lab import (
    cli,
    ovs,
    storm,
    storm_client,
    storm_daemons,
    storm_home,
    storm_launcher,
    topologies,
)
from sluice_lab.ovs import LabError
from sluice_lab.storm import Storm
from sluice_lab.storm_daemons import Daemons
from sluice_lab.storm_keys import Engine

STAR = topologies.leaf_spine(1, 1, 2)


class Network:
    """Stands for a net; remembers what was started in its hosts."""

    topology = STAR
    settings = types.SimpleNamespace(prefix="x")

    def __init__(self):
        self.scripts = []
        self.interfaces = []

    def extend(self, interfaces):
        self.interfaces += interfaces

    def pid(self, _host):
        return 1

    def run(self, _host, _command):
        pass

    def spawn(self, _host, command):
        self.scripts.append(command[-1])

    def wait_listening(self, _host, _port, timeout_s):
        pass


@pytest.fixture
def net(monkeypatch, tmp_path):
    """A net beside which nothing is really started."""
    monkeypatch.setattr(storm_home, "BUILT", tmp_path)
    for part in ("lib", "extlib"):
        (tmp_path / part).mkdir()
    monkeypatch.setenv("SLUICE_JAVA_HOME", "/java")
    monkeypatch.setattr(ovs, "call", lambda *_: "")
    monkeypatch.setattr(storm_daemons, "MORTAL", ("true",))
    monkeypatch.setattr(Daemons, "_wait", lambda *_: None)
    return Network()


def test_no_password_stays_when_a_storm_has_ended(net, tmp_path):
    with Storm(net, tmp_path / "storm", Engine(password="secret")):
        assert (tmp_path / "storm" / "password").read_text() == "secret"
        assert (tmp_path / "storm" / "password").stat().st_mode & 0o777 == 0o600
    assert not (tmp_path / "storm" / "password").exists()


def test_no_password_stays_of_a_storm_that_does_not_start(net, tmp_path, monkeypatch):
    def fail(*_):
        raise LabError("zookeeper has ended")

    monkeypatch.setattr(Daemons, "_wait", fail)
    with pytest.raises(LabError, match="has ended"):
        Daemons(net, tmp_path / "storm", Engine(password="secret")).start()
    assert not (tmp_path / "storm" / "password").exists()


def test_what_control_goes_over_is_told_to_the_net_before_it_is_made(net, tmp_path, monkeypatch):
    made = []

    def call(words):
        if words[1:3] == ["link", "add"]:
            assert words[3] in net.interfaces
            made.append(words[3])
        return ""

    monkeypatch.setattr(ovs, "call", call)
    with Storm(net, tmp_path / "storm", Engine()):
        assert sorted(made) == ["xctl", "xctl1", "xctl2"]


def test_a_storm_is_launched_beside_no_other(tmp_path, monkeypatch):
    (tmp_path / "log").touch()
    monkeypatch.setattr(storm_daemons, "is_running", lambda: True)
    with pytest.raises(LabError, match="runs already: leave its prompt"):
        storm_launcher.make_way(tmp_path)
    assert (tmp_path / "log").exists()
    monkeypatch.setattr(storm_daemons, "is_running", lambda: False)
    storm_launcher.make_way(tmp_path)
    assert not list(tmp_path.iterdir())


def test_supervisors_start_whatever_signs_are_in_their_path(net, tmp_path):
    folder = tmp_path / "it's(1)&2"
    with Storm(net, folder, Engine()):
        words = shlex.split(net.scripts[0])
    assert words[1] == "/java/bin/java"
    assert f"-Dstorm.home={folder / 'h1'}" in words
    assert words[-2:] == [str(folder / "h1" / "out"), "2>&1"]
    log4j = ElementTree.parse(folder / "h1" / "log4j2" / "cluster.xml")
    assert log4j.find(".//File").get("fileName") == str(folder / "h1" / "logs" / "daemon.log")


def test_a_path_that_workers_can_not_be_told_of_is_refused(net, tmp_path):
    with pytest.raises(LabError, match="a clone has a blank"):
        Daemons(net, tmp_path / "a clone", Engine())


def test_a_command_that_does_not_end_is_one_sentence(net, tmp_path, monkeypatch):
    def wait(command, timeout, **_):
        raise subprocess.TimeoutExpired(command, timeout)

    with Storm(net, tmp_path / "storm", Engine()) as cluster:
        monkeypatch.setattr(subprocess, "run", wait)
        with pytest.raises(LabError, match="trucking-iot is not submitted: no answer within 240 s"):
            cluster.submit("trucking-iot")


@pytest.mark.usefixtures("net")
def test_a_topology_is_submitted_with_its_options_to_a_storm_that_runs(tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(
        subprocess,
        "run",
        lambda words, **_: ran.append(words) or subprocess.CompletedProcess(words, len(ran) - 1),
    )
    monkeypatch.setattr(storm_daemons, "is_running", lambda: True)
    folder, jar = tmp_path / "storm", tmp_path / "mine.jar"
    options = ["topology.workers=3", 'sluice.placement={"a": ["b,c"]}']
    with pytest.raises(LabError, match="there is no jar"):
        storm_client.run(folder, jar, ["Main"])
    jar.touch()
    storm_client.run(folder, jar, ["Main", "-x"], options)
    with pytest.raises(LabError, match="Main ended with 1"):
        storm_client.run(folder, jar, ["Main"])
    assert ran[0][-2:] == ["Main", "-x"]
    assert ran[0][-3].endswith(f":{jar}")
    assert f"-Dstorm.jar={jar}" in ran[0]
    (told,) = [word for word in ran[0] if word.startswith("-Dstorm.options=")]
    assert [urllib.parse.unquote(one) for one in told.split("=", 1)[1].split(",")] == options
    monkeypatch.setattr(storm_daemons, "is_running", lambda: False)
    with pytest.raises(LabError, match="no Storm listens"):
        storm_client.run(folder, jar, ["Main"])


def test_all_behind_the_class_is_its_own(monkeypatch):
    ran = []
    monkeypatch.setattr(storm_client, "run", lambda _, *told: ran.append(told))
    monkeypatch.setattr(cli.os, "geteuid", lambda: 0)
    command = ["storm-jar", "-c", "a=1", "-c", "b=2", "x.jar", "Main", "-v", "--help", "c=3"]
    assert cli.main(command) == 0
    assert ran == [(pathlib.Path("x.jar"), ["Main", "-v", "--help", "c=3"], ["a=1", "b=2"])]


@pytest.mark.parametrize("seconds", ["0", "1201", "five"])
def test_an_interval_that_nimbus_does_not_take_is_refused(capsys, seconds):
    with pytest.raises(SystemExit):
        cli.main(["storm", "figure10", "--interval", seconds])
    assert "is not 1 to 1200 seconds" in capsys.readouterr().err


@pytest.mark.parametrize(
    "fault",
    [
        http.client.RemoteDisconnected(),
        ConnectionResetError(),
        http.client.IncompleteRead(b"{"),
        TimeoutError(),
    ],
)
def test_an_answer_that_is_cut_off_tells_of_no_flows(net, tmp_path, monkeypatch, fault):
    def ask(*_, **__):
        raise fault

    monkeypatch.setattr(storm.urllib.request, "urlopen", ask)
    assert Storm(net, tmp_path, Engine()).flows() == {}


def test_workers_get_javas_options_beside_their_own(tmp_path):
    words = Engine(heap_mb=64).keys(tmp_path, "-Dname=value")["worker.childopts"].split()
    assert words[0] == "-Xmx64m"
    assert words[-1] == "-Dname=value"
