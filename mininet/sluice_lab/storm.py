# SPDX-License-Identifier: EPL-2.0
"""A real Apache Storm on a network: ZooKeeper and Nimbus beside it, a supervisor on each host.

Tuples go over the network. All else, also what workers report, goes over a network of its own, a
bridge in the namespace of the caller, so that it takes nothing from links that are throttled.
"""

from __future__ import annotations

import contextlib
import csv
import dataclasses
import json
import os
import pathlib
import socket
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from sluice_lab import instruments, ovs
from sluice_lab.java_processes import MORTAL
from sluice_lab.net import Net, wait_for
from sluice_lab.ovs import LabError

TENANT = "lab-storm"
"""Tenant at the controller under which topologies are applications."""

_HOME = pathlib.Path(__file__).parents[2] / "engines" / "storm-home" / "target" / "home"
_CONTROL = "172.30.0"  # RFC 1918; hosts of topologies have addresses in 10/8
_MASTER = f"{_CONTROL}.254"
_LIGHT_JAVA = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_ZOOKEEPER_PORT = 2181
_NIMBUS_PORT = 6627
_SUPERVISOR_PORT = 6628
_REPORT_PORT = 6690
_START_LIMIT_S = 240
_TOPOLOGY = "lab"
_CLOSED_PORT = 1
_SLOTS = 2
_ZOOKEEPER = "org.apache.storm.shade.org.apache.zookeeper.server.quorum.QuorumPeerMain"
_NIMBUS = "org.apache.storm.daemon.nimbus.Nimbus"
_SUPERVISOR = "org.apache.storm.daemon.supervisor.Supervisor"
_SUBMIT = "io.sluice.engine.storm.workloads.Submit"
_KILL = "io.sluice.engine.storm.workloads.Kill"
_KILL_LIMIT_S = 60
# Storm's waiting is made for idle cores; here they are few, and tuples wait for the network.
_PATIENT = {
    f"topology.{kind}.wait.strategy": "org.apache.storm.policy.WaitStrategyPark"
    for kind in ("bolt", "backpressure", "spout")
} | {
    "topology.bolt.wait.park.microsec": 2000,
    "topology.backpressure.wait.park.microsec": 2000,
    "topology.spout.wait.park.microsec": 2000,
}
_LOG4J = """<Configuration><Appenders>
<File name="file" fileName="{file}"><PatternLayout pattern="%d %-5p %c{{1}} %m%n"/></File>
</Appenders><Loggers><Root level="info"><AppenderRef ref="file"/></Root></Loggers></Configuration>
"""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Engine:
    """How Storm is run: Sluice's scheduler places executors, Sluice's transport joins them.

    ``waiting_bytes`` may wait for a worker before who sends is held back, and ``kernel_bytes`` in
    the kernel beside them. ``heap_mb`` is that of a worker. Workers, which live for some minutes,
    do without Java's slower compiler, which would take processors from what is measured.
    """

    controller_url: str = "http://127.0.0.1:1"  # a closed port: nobody is told
    password: str = dataclasses.field(default="", repr=False)
    interval_s: int = 5
    waiting_bytes: int = 16 << 20
    kernel_bytes: int = 1 << 18
    heap_mb: int = 256

    def keys(self, password_file: pathlib.Path, worker_options: str = "") -> dict[str, Any]:
        """Return what storm.yaml says of this; workers get Java's options beside their own."""
        return {
            "storm.messaging.transport": "io.sluice.engine.storm.FlowTransport",
            "storm.scheduler": "io.sluice.engine.storm.FlowScheduler",
            "sluice.controller.url": self.controller_url,
            "sluice.controller.password.file": str(password_file),
            "sluice.tenant": TENANT,
            "sluice.interval.secs": self.interval_s,
            "sluice.report.port": _REPORT_PORT,
            "storm.messaging.netty.buffer.high.watermark": self.waiting_bytes,
            "storm.messaging.netty.buffer.low.watermark": self.waiting_bytes // 2,
            "storm.messaging.netty.buffer_size": self.kernel_bytes,
            "worker.childopts": " ".join([f"-Xmx{self.heap_mb}m", *_LIGHT_JAVA, worker_options]),
            "worker.heap.memory.mb": self.heap_mb,
        }


def own_transport() -> dict[str, Any]:
    """Return what a topology says that Storm's own transport shall join its workers."""
    return {"storm.messaging.transport": "org.apache.storm.messaging.netty.Context"}


def default_buffers() -> dict[str, Any]:
    """Return what a topology says that its buffers shall have the sizes of Storm 2.8's defaults."""
    return {
        "storm.messaging.netty.buffer.high.watermark": 16 << 20,
        "storm.messaging.netty.buffer.low.watermark": 8 << 20,
        "storm.messaging.netty.buffer_size": 5 << 20,
    }


def without_reports() -> dict[str, Any]:
    """Return what a topology says whose flows the controller shall not be told of."""
    return {"sluice.report.port": _CLOSED_PORT}


def without_pacing() -> dict[str, Any]:
    """Return what a topology says whose connections shall leave it to meters to slow them down."""
    return {"sluice.pacing": False}


def placement(hosts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return what a topology says of the addresses of hosts for its components' tasks, in turn."""
    return {"sluice.placement": hosts}


@dataclasses.dataclass(frozen=True)
class Second:
    """What a sink completed in a second since 1970, and the mean latency in microseconds."""

    second: int
    completed: int
    mean_us: int


class Storm(contextlib.AbstractContextManager["Storm"]):
    """Storm on a net, from its start until its end; its files are in ``folder``."""

    def __init__(self, net: Net, folder: pathlib.Path, engine: Engine) -> None:
        if not _HOME.is_dir():
            raise LabError(f"{_HOME} is not built: mvn -pl engines/storm-home -am package")
        self._net = net
        self._folder = folder
        self._engine = engine
        self._password_file = folder / "password"
        self._names_file = folder / "hosts"
        self._bridge = f"{net.settings.prefix}ctl"
        self._daemons: list[subprocess.Popen[str]] = []
        self._submitted = 0

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._password_file.touch(mode=0o600)
        self._password_file.write_text(self._engine.password)
        addresses = [_MASTER, *(host.address for host in self._net.topology.hosts)]
        names = [f"127.0.0.1 localhost {socket.gethostname()}", *(f"{x} {x}" for x in addresses)]
        self._names_file.write_text("\n".join([*names, ""]))
        try:
            self._connect()
            self._start()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def submit(
        self, application: str, options: Mapping[str, object] | None = None, **values: object
    ) -> None:
        """Start ``trending-topics`` or ``trucking-iot``; values are those of its README.

        Options are Storm's keys for the topology. Before the next one is submitted it has to be
        killed.
        """
        self._submitted += 1
        self._results.mkdir(parents=True)
        told = {"name": self._name, "results": self._results, **values}
        self._command(
            f"{application} is not submitted",
            _SUBMIT,
            application,
            *(f"{key.replace('_', '-')}={value}" for key, value in told.items()),
            options=options or {},
        )

    def kill(self) -> None:
        """End the topology that was submitted last; return when nothing of it runs."""
        self._command(f"{self._name} is not killed", _KILL, self._name)
        wait_for(
            lambda: not self.flows() and not self._workers(),
            f"{self._name} to end",
            _KILL_LIMIT_S,
        )

    @property
    def _name(self) -> str:
        return f"{_TOPOLOGY}-{self._submitted}"

    @property
    def _results(self) -> pathlib.Path:
        return self._folder / "results" / self._name

    def _command(
        self, fault: str, *words: str, options: Mapping[str, object] | None = None
    ) -> None:
        """Run a class of the workloads as Storm's commands are run; LabError if it fails."""
        jar = str(_HOME / "workloads" / "sluice-storm-workloads.jar")
        conf = self._lay_out("submit") / "conf" / "storm.yaml"
        seeds = {"nimbus.seeds": [_MASTER], "storm.zookeeper.servers": [_MASTER]}
        conf.write_text(json.dumps(seeds))
        told = ",".join(
            urllib.parse.quote(f"{key}={json.dumps(value)}")
            for key, value in (options or {}).items()
        )
        java = self._java("submit", f"-Dstorm.jar={jar}", f"-Dstorm.options={told}", jars=(jar,))
        done = subprocess.run(
            [*java, *words],
            capture_output=True,
            text=True,
            timeout=_START_LIMIT_S,
            check=False,
        )
        if done.returncode:
            raise LabError(f"{fault}: {done.stderr[-500:]}")

    def flows(self) -> dict[str, Any]:
        """Return the map of flows, by topology; nothing if it is not there yet."""
        url = f"http://{_MASTER}:{_REPORT_PORT}/flows"
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                found: dict[str, Any] = json.load(answer)
                return found
        except (urllib.error.URLError, TimeoutError):
            return {}

    def completed(self) -> list[Second]:
        """Return what the sink has completed so far, second by second."""
        for file in self._results.glob("*.csv"):
            with file.open() as lines:
                rows = list(csv.DictReader(lines))
            return [
                Second(int(row["second"]), int(row["completed"]), int(row["mean_us"]))
                for row in rows
                if row["most_us"] is not None
            ]
        return []

    def workers_cpu_s(self) -> dict[str, float]:
        """Return how many seconds of a processor the workers of each host have taken."""
        taken = dict.fromkeys((host.name for host in self._net.topology.hosts), 0.0)
        for file in self._workers():
            with contextlib.suppress(OSError):  # the worker has just ended
                taken[file.relative_to(self._folder).parts[0]] += instruments.cpu_s(int(file.name))
        return taken

    def _workers(self) -> list[pathlib.Path]:
        """Return a file for each worker, under its host's name, that has its process's number."""
        return list(self._folder.glob("*/local/workers/*/pids/*"))

    def _connect(self) -> None:
        """Lay the network for all that are no tuples."""
        self._disconnect()  # of a run that was killed
        ovs.call(["ip", "link", "add", self._bridge, "type", "bridge"])
        ovs.call(["ip", "addr", "add", f"{_MASTER}/24", "dev", self._bridge])
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
            f"clientPortAddress={_MASTER}\nadmin.enableServer=false\nmaxClientCnxns=0\n"
        )
        self._spawn("zookeeper", [_ZOOKEEPER, str(zookeeper / "zoo.cfg")], heap_mb=96)
        self._wait("zookeeper", _ZOOKEEPER_PORT)
        self._spawn("nimbus", [_NIMBUS], heap_mb=256)
        self._wait("nimbus", _NIMBUS_PORT)
        for host in self._net.topology.hosts:
            words = self._daemon(host.name, [_SUPERVISOR], heap_mb=96)
            script = f"exec {' '.join(words)} > {self._folder / host.name}/out 2>&1"
            self._net.spawn(host.name, ["sh", "-c", script])
        for host in self._net.topology.hosts:
            self._net.wait_listening(host.name, _SUPERVISOR_PORT, timeout_s=_START_LIMIT_S)

    def _spawn(self, name: str, words: list[str], heap_mb: int) -> None:
        """Start a daemon beside the network, which does not outlive us."""
        command = [*MORTAL, *self._daemon(name, words, heap_mb)]
        with (self._folder / name / "out").open("w") as out:
            self._daemons.append(
                subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, text=True)
            )

    def _wait(self, name: str, port: int) -> None:
        """Wait until the daemon that was started last listens; LabError at once if it has ended."""

        def has_begun() -> bool:
            if self._daemons[-1].poll() is not None:
                said = (self._folder / name / "out").read_text()
                raise LabError(f"{name} has ended: {said[-500:].strip()}")
            return _listens(_MASTER, port)

        wait_for(has_begun, f"{name} to listen on port {port}", _START_LIMIT_S)

    def _daemon(self, name: str, words: list[str], heap_mb: int) -> list[str]:
        address = next(
            (host.address for host in self._net.topology.hosts if host.name == name), _MASTER
        )
        home = self._lay_out(name)
        conf = {
            "storm.zookeeper.servers": [_MASTER],
            "storm.zookeeper.port": _ZOOKEEPER_PORT,
            "nimbus.seeds": [_MASTER],
            "nimbus.monitor.freq.secs": 3,
            "storm.local.hostname": address,
            "storm.local.dir": str(self._folder / name / "local"),
            "storm.log4j2.conf.dir": str(home / "log4j2"),
            "supervisor.slots.ports": [6700 + slot for slot in range(_SLOTS)],
            "topology.worker.logwriter.childopts": "-Xmx32m -XX:+UseSerialGC",
        }
        keys = self._engine.keys(self._password_file, self._names())
        (home / "conf" / "storm.yaml").write_text(json.dumps(conf | _PATIENT | keys))
        return [*self._java(name, f"-Xmx{heap_mb}m"), *words]

    def _lay_out(self, name: str) -> pathlib.Path:
        """Make a folder of its own that looks like Storm's to a daemon."""
        home = self._folder / name
        for part in ("conf", "log4j2", "logs"):
            (home / part).mkdir(parents=True, exist_ok=True)
        for link, target in {"lib": "lib", "lib-worker": "lib", "extlib": "extlib"}.items():
            if not (home / link).exists():
                (home / link).symlink_to(_HOME / target)
        for kind, file in {"cluster": "daemon", "worker": "worker-${sys:worker.port}"}.items():
            text = _LOG4J.format(file=home / "logs" / f"{file}.log")
            (home / "log4j2" / f"{kind}.xml").write_text(text)
        return home

    def _java(self, name: str, *options: str, jars: tuple[str, ...] = ()) -> list[str]:
        home = self._folder / name
        return [
            f"{os.environ['SLUICE_JAVA_HOME']}/bin/java",
            *_LIGHT_JAVA,
            f"-Dstorm.home={home}",
            f"-Dstorm.log.dir={home}/logs",
            f"-Dlog4j.configurationFile={home}/log4j2/cluster.xml",
            self._names(),
            *options,
            "-cp",
            ":".join([f"{home}/conf", f"{home}/lib/*", f"{home}/extlib/*", *jars]),
        ]

    def _names(self) -> str:
        """Return the option that has Java ask nobody for names: no answer comes to these hosts."""
        return f"-Djdk.net.hosts.file={self._names_file}"

    def _stop(self) -> None:
        for daemon in self._daemons:
            daemon.kill()
            daemon.wait()
        self._daemons.clear()
        self._disconnect()

    def _disconnect(self) -> None:
        """Remove the network for all that are no tuples."""
        hosts = range(1, len(self._net.topology.hosts) + 1)
        for name in (*(f"{self._bridge}{number}" for number in hosts), self._bridge):
            with contextlib.suppress(LabError):  # it is not there
                ovs.call(["ip", "link", "delete", name])


def _listens(address: str, port: int) -> bool:
    done = subprocess.run(
        ["ss", "-Hltn", f"src {address} or src 0.0.0.0 or src [::]", f"sport = :{port}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return bool(done.stdout.strip())
