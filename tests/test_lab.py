# SPDX-License-Identifier: EPL-2.0
"""The lab's own commands, on a controller that has done nothing yet."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.net


def test_the_first_pingall_on_a_cold_controller_loses_nothing(running):
    command = ["up", "fattree,4", "--prefix", "su", "--openflow", f"{running.address}:6653"]
    done = subprocess.run(
        [sys.executable, "-m", "sluice_lab.cli", *command, "--url", f"http://{running.address}:8181/rests"],
        input="pingall\n",
        env=os.environ | {"SLUICE_PASSWORD": running.password()},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    waiting, ready, prompt = done.stderr.partition(" ready\n")
    assert ready, done.stderr
    for awaited in ("links and ports: 144 of 144", "hosts known: 16 of 16", "pings answered: 240 of 240"):
        assert awaited in waiting
    assert "0% dropped (240/240 received)" in prompt
