# SPDX-License-Identifier: EPL-2.0
"""What an operator configured, and what moves in the network, survives kills of the controller."""

import json
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.soak
FABRIC = "/rests/data/sluice-fabric:fabric"


def test_configuration_survives_kills(idle_controller, soak_rounds, wait_until):
    idle_controller.command("start", timeout_s=330)
    for kill in range(soak_rounds(sample=1, full=100)):
        interval_ms = 1000 + kill
        configure(idle_controller, FABRIC, {"sluice-fabric:fabric": {"sampling-interval": interval_ms}})

        idle_controller.kill(signal.SIGKILL)
        idle_controller.command("start", timeout_s=330)

        wait_until(lambda interval_ms=interval_ms: configured_ms(idle_controller) == interval_ms, 30)


def configure(controller, path: str, document: dict) -> None:
    code, answer = controller.restconf("PUT", path, json.dumps(document))
    assert code in (201, 204), answer


def configured_ms(controller) -> int | None:
    """The configured sampling interval, None if there is none."""
    code, answer = controller.restconf("GET", f"{FABRIC}?content=config")
    return json.loads(answer)["sluice-fabric:fabric"]["sampling-interval"] if code == 200 else None


def test_entries_and_traffic_survive_kills(request, tmp_path, soak_rounds, capfd):
    """The row KILLS: its samples are kept and its figure is recorded with --soak=full only."""
    kills = ["-m", "sluice_lab.experiments.kills", str(tmp_path), "--runs", str(soak_rounds(sample=1, full=100))]
    if request.config.getoption("--soak") == "sample":
        kills.append("--trial")
    with capfd.disabled():  # its progress is shown while it runs
        done = subprocess.run([sys.executable, "-m", "sluice_lab.sandbox", sys.executable, *kills], check=False)
    assert done.returncode == 0
