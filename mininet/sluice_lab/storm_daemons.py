# SPDX-License-Identifier: EPL-2.0
"""The processes of a Storm on a network: ZooKeeper and Nimbus beside it, a supervisor on each host.

Tuples go over the network. All else, also what workers report, goes over a network of its own, a
bridge in the namespace of the caller, so that it takes nothing from links that are throttled.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import shlex
import socket
import subprocess

from sluice_lab import ovs, storm_home
from sluice_lab.java_processes import MORTAL
from sluice_lab.net import Net, wait_for
from sluice_lab.ovs import LabError
from sluice_lab.storm_keys import Engine

_CONTROL = "172.30.0"  # RFC 1918; hosts of topologies have addresses in 10/8
MASTER = f"{_CONTROL}.254"
"""Address of all that is beside the network."""
_ZOOKEEPER_PORT = 2181
_NIMBUS_PORT = 6627
_SUPERVISOR_PORT = 6628
_START_LIMIT_S = 240
_SLOTS = 2
_ZOOKEEPER = "org.apache.storm.shade.org.apache.zookeeper.server.quorum.QuorumPeerMain"
_NIMBUS = "org.apache.storm.daemon.nimbus.Nimbus"
_SUPERVISOR = "org.apache.storm.daemon.supervisor.Supervisor"
# Storm's waiting is made for idle cores; here they are few, and tuples wait for the network.
_PATIENT = {
    f"topology.{kind}.wait.strategy": "org.apache.storm.policy.WaitStrategyPark"
    for kind in ("bolt", "backpressure", "spout")
} | {
    "topology.bolt.wait.park.microsec": 2000,
    "topology.backpressure.wait.park.microsec": 2000,
    "topology.spout.wait.park.microsec": 2000,
}


class Daemons:
    """What runs from the start of a Storm until its end; its files are in ``folder``."""

    def __init__(self, net: Net, folder: pathlib.Path, engine: Engine) -> None:
        if not storm_home.BUILT.is_dir():
            raise LabError(
                f"{storm_home.BUILT} is not built: mvn -pl engines/storm-home -am package"
            )
        if any(map(str.isspace, str(folder))):
            raise LabError(
                f"the path {folder} has a blank, and Storm's workers can't be told of files in it: "
                "work in a clone whose path has none"
            )
        self._net = net
        self._folder = folder
        self._engine = engine
        self._password_file = folder / "password"
        self._bridge = f"{net.settings.prefix}ctl"
        self._beside: list[subprocess.Popen[str]] = []

    def start(self) -> None:
        """Return when all of them listen; if one does not, all end."""
        try:
            self._write_files()
            self._connect()
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End what is beside the network, hosts end what is in them. No password stays."""
        for daemon in self._beside:
            daemon.kill()
            daemon.wait()
        self._beside.clear()
        self._password_file.unlink(missing_ok=True)
        self._disconnect()

    def _write_files(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._password_file.touch(mode=0o600)
        self._password_file.write_text(self._engine.password)
        addresses = [MASTER, *(host.address for host in self._net.topology.hosts)]
        names = [f"127.0.0.1 localhost {socket.gethostname()}", *(f"{x} {x}" for x in addresses)]
        storm_home.names_file(self._folder).write_text("\n".join([*names, ""]))

    def _connect(self) -> None:
        """Lay the network for all that are no tuples."""
        self._net.extend(self._interfaces())
        ovs.call(["ip", "link", "add", self._bridge, "type", "bridge"])
        ovs.call(["ip", "addr", "add", f"{MASTER}/24", "dev", self._bridge])
        ovs.call(["ip", "link", "set", self._bridge, "up"])
        for number, host in enumerate(self._net.topology.hosts, 1):
            here = f"{self._bridge}{number}"
            there = ["peer", "name", "ctl", "netns", str(self._net.pid(host.name))]
            ovs.call(["ip", "link", "add", here, "type", "veth", *there])
            ovs.call(["ip", "link", "set", here, "master", self._bridge, "up"])
            self._net.run(host.name, ["ip", "addr", "add", f"{_CONTROL}.{number}/24", "dev", "ctl"])
            self._net.run(host.name, ["ip", "link", "set", "ctl", "up"])
            route = [f"{host.address}/32", "via", f"{_CONTROL}.{number}"]
            ovs.call(["ip", "route", "add", *route])  # Nimbus knows supervisors by it

    def _start(self) -> None:
        zookeeper = self._folder / "zookeeper"
        zookeeper.mkdir()
        (zookeeper / "zoo.cfg").write_text(
            f"tickTime=2000\ndataDir={zookeeper}\nclientPort={_ZOOKEEPER_PORT}\n"
            f"clientPortAddress={MASTER}\nadmin.enableServer=false\nmaxClientCnxns=0\n"
        )
        self._spawn("zookeeper", [_ZOOKEEPER, str(zookeeper / "zoo.cfg")], heap_mb=96)
        self._wait("zookeeper", _ZOOKEEPER_PORT)
        self._spawn("nimbus", [_NIMBUS], heap_mb=256)
        self._wait("nimbus", _NIMBUS_PORT)
        for host in self._net.topology.hosts:
            words = self._daemon(host.name, [_SUPERVISOR], heap_mb=96)
            out = shlex.quote(str(self._folder / host.name / "out"))
            script = f"exec {shlex.join(words)} > {out} 2>&1"
            self._net.spawn(host.name, ["sh", "-c", script])
        for host in self._net.topology.hosts:
            self._net.wait_listening(host.name, _SUPERVISOR_PORT, timeout_s=_START_LIMIT_S)

    def _spawn(self, name: str, words: list[str], heap_mb: int) -> None:
        """Start a daemon beside the network, which does not outlive us."""
        command = [*MORTAL, *self._daemon(name, words, heap_mb)]
        with (self._folder / name / "out").open("w") as out:
            self._beside.append(
                subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, text=True)
            )

    def _wait(self, name: str, port: int) -> None:
        """Wait until the daemon that was started last listens; LabError at once if it has ended."""

        def has_begun() -> bool:
            if self._beside[-1].poll() is not None:
                said = (self._folder / name / "out").read_text()
                raise LabError(f"{name} has ended: {said[-500:].strip()}")
            return _listens(MASTER, port)

        wait_for(has_begun, f"{name} to listen on port {port}", _START_LIMIT_S)

    def _daemon(self, name: str, words: list[str], heap_mb: int) -> list[str]:
        address = next(
            (host.address for host in self._net.topology.hosts if host.name == name), MASTER
        )
        home = storm_home.lay_out(self._folder, name)
        conf = {
            "storm.zookeeper.servers": [MASTER],
            "storm.zookeeper.port": _ZOOKEEPER_PORT,
            "nimbus.seeds": [MASTER],
            "nimbus.monitor.freq.secs": 3,
            "storm.local.hostname": address,
            "storm.local.dir": str(self._folder / name / "local"),
            "storm.log4j2.conf.dir": str(home / "log4j2"),
            "supervisor.slots.ports": [6700 + slot for slot in range(_SLOTS)],
            "topology.worker.logwriter.childopts": "-Xmx32m -XX:+UseSerialGC",
        }
        keys = self._engine.keys(self._password_file, storm_home.names_option(self._folder))
        (home / "conf" / "storm.yaml").write_text(json.dumps(conf | _PATIENT | keys))
        return [*storm_home.java(self._folder, name, f"-Xmx{heap_mb}m"), *words]

    def _disconnect(self) -> None:
        """Remove the network for all that are no tuples."""
        for name in self._interfaces():
            with contextlib.suppress(LabError):  # it is not there
                ovs.call(["ip", "link", "delete", name])

    def _interfaces(self) -> list[str]:
        hosts = range(1, len(self._net.topology.hosts) + 1)
        return [*(f"{self._bridge}{number}" for number in hosts), self._bridge]


def is_running() -> bool:
    """Tell whether a Nimbus of the lab listens."""
    return _listens(MASTER, _NIMBUS_PORT)


def _listens(address: str, port: int) -> bool:
    done = subprocess.run(
        ["ss", "-Hltn", f"src {address} or src 0.0.0.0 or src [::]", f"sport = :{port}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return bool(done.stdout.strip())
