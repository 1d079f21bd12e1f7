# SPDX-License-Identifier: EPL-2.0
"""A sandbox is the command's alone, and leaves nothing."""

import os
import select
import shutil
import subprocess
import sys

import pytest

from sluice_lab import program

if os.geteuid():
    pytest.skip("needs root", allow_module_level=True)
if not shutil.which("ovs-vsctl"):
    pytest.skip("Open vSwitch is not installed", allow_module_level=True)

pytestmark = pytest.mark.net
SANDBOX = [sys.executable, "-m", "sluice_lab.sandbox"]


def test_it_has_switches_of_its_own_and_hands_on_the_status():
    script = 'test -z "$(ovs-vsctl list-br)" && ls /sys/class/net && exit 7'
    done = subprocess.run(
        [*SANDBOX, "sh", "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 7, done.stderr
    assert set(done.stdout.split()) <= {"lo", "ovs-netdev"}


def test_it_dies_with_whoever_started_it():
    inner = f"{sys.executable} -m sluice_lab.sandbox sh -c 'echo up; sleep 600'"
    outer = subprocess.Popen(["sh", "-c", f"{inner}; true"], stdout=subprocess.PIPE)
    assert outer.stdout.readline() == b"up\n"
    program.end(outer.pid, 9)
    outer.wait()
    with outer.stdout as pipe:
        assert select.select([pipe], [], [], 30)[0], "somebody inside holds the pipe"
        assert pipe.read() == b""
