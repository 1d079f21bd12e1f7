# SPDX-License-Identifier: EPL-2.0
"""Runs a command among namespaces of its own, with an Open vSwitch of its own.

``python -m sluice_lab.sandbox COMMAND [ARGUMENT...]``. Network, processes and ``/run`` are the
command's alone, so that it meets no other lab, and nobody pins or stops what it measures. When the
command ends, or whoever started it dies in whatever way, the kernel ends every process inside and
with them go networks, switches and ``/run``. Files elsewhere are shared and stay.
"""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
from collections.abc import Sequence

from sluice_lab import ovs
from sluice_lab.ovs import LabError

_SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema"
_RUN = pathlib.Path("/run/openvswitch")


def _command(words: Sequence[str]) -> list[str]:
    """Return the command line that runs ``words`` in a sandbox; it ends with its parent."""
    mortal = ["setpriv", "--pdeathsig", "KILL"]
    alone = ["unshare", "--net", "--mount", "--mount-proc", "--pid", "--fork", "--kill-child"]
    return [*mortal, *alone, sys.executable, "-m", "sluice_lab.sandbox", *words]


def main() -> int:
    """Enter a sandbox; inside, as its first process, begin what belongs there and wait."""
    words = sys.argv[1:]
    if not words:
        print("usage: python -m sluice_lab.sandbox COMMAND [ARGUMENT...]", file=sys.stderr)
        return 2
    try:
        if os.getpid() != 1:
            ovs.raise_default_buffers()  # in another network namespace it can't be
            line = _command(words)
            os.execvp(line[0], line)
        _furnish()
    except LabError as error:
        print(f"sandbox: {error}", file=sys.stderr)
        return 1
    return _supervise(words)


def _furnish() -> None:
    ovs.call(["mount", "-t", "tmpfs", "tmpfs", "/run"])
    ovs.call(["mount", "-t", "sysfs", "sysfs", "/sys"])  # it shows the network that mounts it
    ovs.call(["ip", "link", "set", "lo", "up"])
    _RUN.mkdir()
    database = str(_RUN / "conf.db")
    ovs.call(["ovsdb-tool", "create", database, _SCHEMA])
    background = ["--detach", "--no-chdir", "--pidfile", "-vconsole:off", "-vsyslog:off"]
    ovs.call(["ovsdb-server", database, f"--remote=punix:{_RUN / 'db.sock'}", *background])
    ovs.call(["ovs-vsctl", "--no-wait", "init"])
    ovs.call(["ovs-vswitchd", *background])


def _supervise(words: Sequence[str]) -> int:
    """Run the command and return its exit status; bury the orphans that come to process 1."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # the command decides when it ends
    child = subprocess.Popen(words)
    while True:
        pid, status = os.wait()
        if pid == child.pid:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


if __name__ == "__main__":
    raise SystemExit(main())
