# SPDX-License-Identifier: EPL-2.0
import pathlib
import socket

from sluice_lab import agent
from sluice_lab.controller import ControllerError
from sluice_lab.multipath import Load

LOAD = Load(processor_ppm=1, memory_ppm=2, connections=3)


class FlakyController:
    def __init__(self, failures):
        self.failures = failures
        self.reports = []

    def report_load(self, service, server, load):
        if len(self.reports) < self.failures:
            self.reports.append(None)
            raise ControllerError("busy", 503)
        self.reports.append((service, server, load))


def test_a_report_that_fails_does_not_stop_the_next():
    controller = FlakyController(failures=1)
    assert agent.report(controller, "store", "h9", lambda: LOAD, 3) == 1
    assert controller.reports == [None, ("store", "h9", LOAD), ("store", "h9", LOAD)]


def test_established_connections_are_counted_by_local_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert agent.connections(frozenset({port})) == 0
        with socket.create_connection(("127.0.0.1", port)):
            assert agent.connections(frozenset({port})) == 1
            assert agent.connections(frozenset()) >= 2


def test_a_namespace_without_tcp_counts_none(tmp_path):
    assert agent.connections(frozenset(), tmp_path) == 0


def test_load_is_within_the_models_range():
    load = agent.measure(frozenset(), pathlib.Path("/proc/self/net"), 0.05)
    assert 0 <= load.processor_ppm <= 1_000_000
    assert 0 < load.memory_ppm <= 1_000_000
