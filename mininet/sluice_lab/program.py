# SPDX-License-Identifier: EPL-2.0
"""The controller as a program of this machine, started and killed."""

from __future__ import annotations

import os
import pathlib
import select
import signal

from sluice_lab import ovs
from sluice_lab.ovs import LabError

_TOOL = pathlib.Path(__file__).parents[2] / "tools" / "controller"
_HTTP_PORT = 8181
_OPENFLOW_PORT = 6653
_START_LIMIT_S = 330
_END_LIMIT_S = 60


class Program:
    """A controller with settings, data and logs in ``folder``; what it stored outlives a kill.

    ``offset`` is added to every port; ``niceness`` is 0 to 19, 19 gives way to all others.
    """

    def __init__(self, folder: pathlib.Path, offset: int = 0, niceness: int = 0) -> None:
        self.url = f"http://127.0.0.1:{_HTTP_PORT + offset}/rests"
        self.openflow_port = _OPENFLOW_PORT + offset
        self._folder = folder
        self._words = ["nice", "-n", str(niceness), str(_TOOL)]
        self._words += ["--offset", str(offset), "--folder", str(folder)]

    def start(self, *, clean: bool = False) -> None:
        """Start and wait until RESTCONF answers; LabError if it does not.

        ``clean`` forgets settings, data and password first.
        """
        words = ["start", "--clean"] if clean else ["start"]
        ovs.call([*self._words, *words], timeout_s=_START_LIMIT_S)

    def kill(self) -> None:
        """End the process at once, unasked (SIGKILL), and wait until it is gone."""
        end(int((self._folder / "karaf.pid").read_text()), signal.SIGKILL)

    def password(self) -> str:
        """Return the password of user ``admin``."""
        return (self._folder / "password").read_text().strip()


def end(pid: int, signal_number: int) -> None:
    """Send a process a signal and wait until it is gone; LabError if it stays."""
    process = os.pidfd_open(pid)
    try:
        with select.epoll() as gone:
            gone.register(process, select.EPOLLIN)
            signal.pidfd_send_signal(process, signal_number)
            if not gone.poll(timeout=_END_LIMIT_S):
                raise LabError(f"process {pid} is still there after {_END_LIMIT_S} s")
    finally:
        os.close(process)
