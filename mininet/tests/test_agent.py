# SPDX-License-Identifier: EPL-2.0
import socket
import sys

import pytest

from sluice_lab import agent
from sluice_lab.multipath import Load, Server
from sluice_lab.restconf import ControllerError

LOAD = Load(processor_ppm=1, memory_ppm=2, connections=3)
KNOWN = Server(name="h9", address="", pieces={})
NEW = Server(name="h9", address="10.0.0.9", pieces={6001: 1})


class FlakyController:
    """Refuses its first calls."""

    def __init__(self, failures):
        self.failures = failures
        self.taken = []

    def _take(self, *call):
        if self.failures:
            self.failures -= 1
            raise ControllerError("busy", 503)
        self.taken.append(call)

    def put_server(self, service, server):
        self._take("put", service, server)

    def report_load(self, service, server, load):
        self._take("report", service, server, load)


REPORT = ("report", "store", "h9", LOAD)


def test_a_report_that_fails_does_not_stop_the_next():
    controller = FlakyController(failures=1)
    assert agent.report(controller, "store", KNOWN, lambda: LOAD, 3) == 1
    assert controller.taken == [REPORT, REPORT]


def test_a_server_is_declared_once_as_soon_as_the_controller_takes_it():
    controller = FlakyController(failures=2)
    assert agent.report(controller, "store", NEW, lambda: LOAD, 4) == 2
    assert controller.taken == [("put", "store", NEW), REPORT, REPORT]


@pytest.mark.parametrize(
    "options", [["--address", "10.0.0.9"], ["--port", "80=1"], ["--port", "x"]]
)
def test_half_a_declaration_is_refused(options, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sluice-agent", "store", "h9", *options])
    with pytest.raises(SystemExit):
        agent.main()
    assert "PORT=PIECE" in capsys.readouterr().err


def test_established_connections_are_counted_by_local_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert agent.connections(frozenset({port})) == 0
        with socket.create_connection(("127.0.0.1", port)):
            assert agent.connections(frozenset({port})) == 1
            assert agent.connections(frozenset()) >= 2


def test_load_is_within_the_models_range():
    load = agent.measure(frozenset(), "self", 0.05)
    assert 0 <= load.processor_ppm <= 1_000_000
    assert 0 < load.memory_ppm <= 1_000_000
