# SPDX-License-Identifier: EPL-2.0
"""What an operator configured, and what moves in the network, survives kills of the controller."""

import json
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.soak
FABRIC = "/rests/data/sluice-fabric:fabric"


def test_configuration_survives_kills(idle_controller, soak_rounds):
    idle_controller.command("start", timeout_s=330)
    for kill in range(soak_rounds(sample=2, full=100)):
        interval_ms = 1000 + kill
        body = json.dumps({"sluice-fabric:fabric": {"sampling-interval": interval_ms}})
        code, answer = idle_controller.restconf("PUT", FABRIC, body)
        assert code in (201, 204), answer

        idle_controller.kill(signal.SIGKILL)
        idle_controller.command("start", timeout_s=330)

        code, answer = idle_controller.restconf("GET", f"{FABRIC}?content=config")
        assert code == 200, answer
        assert json.loads(answer)["sluice-fabric:fabric"]["sampling-interval"] == interval_ms


def test_entries_and_traffic_survive_kills(request, tmp_path, soak_rounds, capfd):
    """The row KILLS: its samples are kept and its figure is recorded with --soak=full only."""
    kills = ["-m", "sluice_lab.experiments.kills", str(tmp_path), "--runs", str(soak_rounds(sample=2, full=100))]
    if request.config.getoption("--soak") == "sample":
        kills.append("--trial")
    with capfd.disabled():  # its progress is shown while it runs
        done = subprocess.run([sys.executable, "-m", "sluice_lab.sandbox", sys.executable, *kills], check=False)
    assert done.returncode == 0
