# SPDX-License-Identifier: EPL-2.0
"""The distribution boots with nothing to configure, and keeps its secrets."""

import importlib.machinery
import importlib.util
import json
import re
import stat
import sys
from types import ModuleType

import pytest
from documents import ROOT

pytestmark = pytest.mark.net


def test_restconf_answers_under_both_servers(controller):
    probe = "/data/ietf-yang-library:yang-library?depth=1"
    assert controller.restconf("GET", f"/rests{probe}")[0] == 200
    netty = controller.exec("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:8182/restconf")
    assert netty.stdout == "401"


def test_console_says_when_restconf_answers(controller):
    console = (controller.folder / "console.log").read_text()
    assert re.search(r"^RESTCONF answers after \d+\.\d s: http://127\.0\.0\.1:8181/rests/data$", console, re.MULTILINE)


def test_jolokia_reads_and_does_nothing_else(controller):
    stranger = controller.exec("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "http://127.0.0.1:8181/jolokia")
    assert stranger.stdout == "401"
    code, answer = controller.restconf("GET", "/jolokia/read/java.lang:type=Runtime/VmVendor")
    assert (code, json.loads(answer)["status"]) == (200, 200)
    for request in ("exec/java.lang:type=Memory/gc", "write/java.lang:type=Memory/Verbose/true"):
        code, answer = controller.restconf("GET", f"/jolokia/{request}")
        assert code == 403 or json.loads(answer)["status"] == 403, answer


def test_explorer_is_there(controller):
    code, page = controller.restconf("GET", "/openapi/explorer/index.html", accept="text/html")
    assert code == 200
    assert "swagger" in page.lower()


def test_our_models_are_served(controller):
    for module in ("fabric", "multipath"):
        code, answer = controller.restconf("GET", f"/rests/data/sluice-{module}:{module}?content=config")
        assert code == 200 or "data-missing" in answer, answer


def test_factory_password_is_replaced(controller):
    command = ("curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-u", "admin:admin")
    assert controller.exec(*command, "http://127.0.0.1:8181/rests/data").stdout == "401"


def test_password_is_readable_by_its_owner_only(controller):
    for name in ("password", "etc/users.properties"):
        assert stat.S_IMODE((controller.folder / name).stat().st_mode) == 0o600
    assert controller.password() not in controller.log()


@pytest.fixture
def tool(monkeypatch) -> ModuleType:
    """`tools/controller` as a module."""
    loader = importlib.machinery.SourceFileLoader("controller_tool", str(ROOT / "tools" / "controller"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    monkeypatch.setitem(sys.modules, loader.name, module)
    loader.exec_module(module)
    return module


def test_settings_of_the_operator_come_last(tool, tmp_path):
    (tmp_path / "etc.local").mkdir()
    (tmp_path / "etc.local" / "io.sluice.ovsdb.cfg").write_text("port = 0\n")
    for _ in range(2):
        tool.Controller(tmp_path, 300).prepare(None, None)
        assert (tmp_path / "etc" / "io.sluice.ovsdb.cfg").read_text() == "port = 0\n"
        assert "8481" in (tmp_path / "etc" / "org.ops4j.pax.web.cfg").read_text()


def test_shell_listens_on_this_machine_only(controller):
    listening = controller.exec("ss", "-Hltn", "sport = 8101").stdout.split()
    assert listening[3] == "[::ffff:127.0.0.1]:8101"


def test_solver_works_inside(controller):
    answer = controller.command("shell", "sluice:solver-check")
    assert answer.startswith("optimal: 3x + 4y = 34.000 at x, y = 6.000, 4.000")


def test_our_settings_are_taken(controller):
    refused = [line for line in controller.log().splitlines() if "| ERROR |" in line and "configadmin" in line]
    assert refused == []
    assert controller.command("shell", "system:property ds.lock.timeout.milliseconds").strip() == "120000"


def test_second_start_is_refused_while_it_runs(controller):
    answer = controller.attempt("start")
    assert answer.returncode == 1
    assert "running already" in answer.stdout
