# SPDX-License-Identifier: EPL-2.0
"""An Open vSwitch of a test's own, inside a network namespace, beside the one that the machine runs."""

import contextlib
import pathlib
import signal
import subprocess
from collections.abc import Iterator

SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema"


class OpenVSwitch:
    """A database server and a switch daemon in `namespace`, with all their files in `folder`."""

    def __init__(self, namespace: str, folder: pathlib.Path) -> None:
        self.namespace = namespace
        self.folder = folder
        self.socket = folder / "db.sock"
        self._daemons: list[subprocess.Popen] = []

    def vsctl(self, *arguments: str) -> str:
        command = ["ovs-vsctl", f"--db=unix:{self.socket}", "--timeout=20", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def is_connected(self, bridge: str) -> bool:
        """True if the bridge's controller answers."""
        return self.vsctl("get", "controller", bridge, "is_connected") == "true"

    def crash(self) -> None:
        """Kills the switch daemon, which forgets all flows, groups and meters, and starts it again."""
        daemon = self._daemons.pop()
        daemon.kill()
        daemon.wait()
        self.start_switching()

    def start_database(self, *arguments: str) -> None:
        self._daemon("ovsdb-server", *arguments)

    def start_switching(self) -> None:
        self._daemon("ovs-vswitchd", f"unix:{self.socket}", "--pidfile")

    def stop(self) -> None:
        for daemon in reversed(self._daemons):
            daemon.send_signal(signal.SIGTERM)
            daemon.wait(timeout=30)

    def _daemon(self, *command: str) -> None:
        with (self.folder / f"{command[0]}.log").open("ab") as log:
            self._daemons.append(
                subprocess.Popen(
                    ["ip", "netns", "exec", self.namespace, *command],
                    env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "OVS_RUNDIR": str(self.folder)},
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
            )


@contextlib.contextmanager
def open_vswitch(namespace: str, folder: pathlib.Path) -> Iterator[OpenVSwitch]:
    """Starts an Open vSwitch; ends it and its bridges on the way out."""
    switch = OpenVSwitch(namespace, folder)
    database = folder / "conf.db"
    subprocess.run(["ovsdb-tool", "create", database, SCHEMA], check=True)
    remotes = [f"--remote=punix:{switch.socket}", "--remote=db:Open_vSwitch,Open_vSwitch,manager_options"]
    try:
        switch.start_database(str(database), *remotes)
        switch.vsctl("--retry", "--no-wait", "init")
        switch.start_switching()
        yield switch
        for bridge in switch.vsctl("list-br").split():
            switch.vsctl("del-br", bridge)
    finally:
        switch.stop()
