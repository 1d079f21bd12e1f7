# SPDX-License-Identifier: EPL-2.0
"""An Open vSwitch without root or network, as its own tests have it: packets in, packets out."""

import contextlib
import os
import pathlib
import struct
import subprocess
import time
from collections.abc import Iterator, Sequence

from sluice_lab import vswitch
from sluice_lab.vswitch_affinity import Learned
from sluice_lab.vswitch_rules import Rules

_SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema"
_PATIENCE_S = 2
_QUEUE_PACKETS = 100  # that a port holds which the switch has not looked at yet
_PCAP_HEADER_BYTES = 24
_BACKGROUND = ["--detach", "--no-chdir", "--pidfile", "-vconsole:off", "-vsyslog:off"]


class DummySwitch:
    """Bridges whose ports send to files."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self._read: dict[str, int] = {}

    def call(self, words: Sequence[str]) -> str:
        """Run a tool of Open vSwitch.

        Datapaths are dummies, and an interface's address is told to the switch instead.
        """
        words = [word.replace("datapath_type=netdev", "datapath_type=dummy") for word in words]
        if words[0] == "ip":
            if words[1] == "addr":
                address, device = words[3], words[5]
                self.call(["ovs-appctl", "netdev-dummy/ip4addr", device, address])
                self.call(["ovs-appctl", "ovs/route/add", address, device])
            return ""
        done = subprocess.run(
            words,
            env={**os.environ, "OVS_RUNDIR": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{' '.join(words)}: {done.stderr}"
        return done.stdout

    def set_up(self, document: dict, mac: str) -> None:
        """Make the bridges of a document, and files for what its ports send."""
        vswitch.set_up(document, mac, self.call)
        for port in document["sluice-forwarder:forwarder"]["ports"]["port"]:
            name = port["name"]
            pcap = f"options:tx_pcap={self.folder / name}.pcap"
            self.call(["ovs-vsctl", "set", "interface", name, pcap])
            self._read[name] = _PCAP_HEADER_BYTES

    def install(self, document: dict, kind: type[Rules] = Learned) -> None:
        vswitch.install(kind(document), self.folder, self.call)

    def send(
        self, port: str, *packets: bytes, leaving: int | None = None
    ) -> list[tuple[str, bytes]]:
        """Let packets in by a port; return what left, and by which ports.

        Waits for as many as came in, or are said to leave, but not for long.
        """
        sent: list[tuple[str, bytes]] = []
        for begin in range(0, len(packets), _QUEUE_PACKETS):
            some = packets[begin : begin + _QUEUE_PACKETS]
            self.call(["ovs-appctl", "netdev-dummy/receive", port, *(p.hex() for p in some)])
            sent += self._wait_for(len(some) if leaving is None else leaving)
        return sent

    def _wait_for(self, count: int) -> list[tuple[str, bytes]]:
        sent: list[tuple[str, bytes]] = []
        end = time.monotonic() + _PATIENCE_S
        while len(sent) < count and time.monotonic() < end:
            sent += [(name, packet) for name in self._read for packet in self._new(name)]
            time.sleep(0.01)
        return sent

    def _new(self, name: str) -> Iterator[bytes]:
        file = self.folder / f"{name}.pcap"
        data = file.read_bytes() if file.exists() else b""
        while self._read[name] + 16 <= len(data):
            begin = self._read[name] + 16
            (size,) = struct.unpack_from("=I", data, begin - 8)
            if begin + size > len(data):
                return
            self._read[name] = begin + size
            yield data[begin : begin + size]


@contextlib.contextmanager
def dummy_switch(folder: pathlib.Path) -> Iterator[DummySwitch]:
    """Start one, and end it."""
    switch = DummySwitch(folder)
    database = str(folder / "conf.db")
    try:
        switch.call(["ovsdb-tool", "create", database, _SCHEMA])
        remote = f"--remote=punix:{folder}/db.sock"
        switch.call(["ovsdb-server", database, remote, *_BACKGROUND])
        switch.call(["ovs-vsctl", "--no-wait", "init"])
        switch.call(["ovs-vswitchd", "--enable-dummy=system", "--disable-system", *_BACKGROUND])
        yield switch
    finally:
        for daemon in ("ovs-vswitchd", "ovsdb-server"):
            with contextlib.suppress(AssertionError):
                switch.call(["ovs-appctl", "-t", daemon, "exit"])
