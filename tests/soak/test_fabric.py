# SPDX-License-Identifier: EPL-2.0
"""What an operator configured survives kills of the controller."""

import json
import signal

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
