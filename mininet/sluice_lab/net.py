# SPDX-License-Identifier: EPL-2.0
"""A running network: a context manager that leaves nothing behind."""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import json
import logging
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

from mininet.cli import CLI
from mininet.log import lg, setLogLevel
from mininet.net import Mininet

from sluice_lab import ovs, sockets, state
from sluice_lab.nodes import LabHost, LabSwitch, ShapedIntf
from sluice_lab.ovs import LabError
from sluice_lab.sockets import State
from sluice_lab.topology import MEGABIT, Cable, Port, Topology

logging.setLoggerClass(logging.Logger)  # Mininet 2.3 has put its own, which drops what is not its
_LONGEST_INTERFACE_NAME = 15
_STOP_TIMEOUT_S = 5.0
_NOBODY = "tcp:127.0.0.1:1"  # a closed port: secure bridges keep their entries and ask nobody


class Datapath(enum.StrEnum):
    """Which datapath of Open vSwitch carries the packets."""

    USER = "user"
    KERNEL = "kernel"


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """Where a controller listens for switches."""

    address: str = "127.0.0.1"
    port: int = 6653

    def __str__(self) -> str:
        return f"tcp:{self.address}:{self.port}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Settings:
    """How a topology is brought up.

    ``prefix`` begins every name that the run takes, so that two runs can stand side by side.
    ``queue_packets`` is each shaper's queue in frames: 100 at 10 Mbit/s drain as fast as the
    1,000 at 100 Mbit/s of the paper, in 120 ms. ``queues`` are code points of differentiated
    services: each shaper has a queue for each then, served by strict priority in their order, and
    what bears no mark goes first.
    """

    prefix: str = "sl"
    datapath: Datapath = Datapath.USER
    queue_packets: int = 100
    queues: tuple[int, ...] = ()
    ipv6: bool = False


def wait_for(condition: Callable[[], bool], what: str, timeout_s: float = 30) -> None:
    """Poll until the condition holds; LabError naming ``what`` if it does not in time."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise LabError(f"waited {timeout_s:g} s in vain for {what}")
        time.sleep(0.05)


class Net(contextlib.AbstractContextManager["Net"]):
    """A topology as bridges and namespaces. Without a controller hosts know their neighbours."""

    def __init__(self, topology: Topology, settings: Settings | None = None) -> None:
        self.topology = topology
        self.settings = settings or Settings()
        self._children: list[subprocess.Popen[str]] = []
        self._mininet: Mininet | None = None
        self._record: state.Record | None = None

    def __enter__(self) -> Self:
        ovs.ensure_running()
        if self.settings.datapath is Datapath.KERNEL and not ovs.has_kernel_datapath():
            raise LabError("the kernel has no datapath of Open vSwitch: modprobe openvswitch")
        setLogLevel("error")
        self._record = state.claim(self.settings.prefix, self._bridges(), self._interfaces())
        try:
            self._mininet = self._build(self._record.run)
            self._mininet.build()
            self._mininet.start()
            self.detach_controller()
            self._check_ports()
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

    def bridge(self, switch: str) -> str:
        """Return the name of the bridge that plays a switch."""
        return f"{self.settings.prefix}{switch}"

    def interface(self, port: Port) -> str:
        """Return the name of the interface that plays a switch's port."""
        return f"{self.bridge(port.switch)}-eth{port.number}"

    def extend(self, interfaces: Sequence[str]) -> None:
        """Take names of interfaces beside the switches', which go with the network at the latest.

        LabError if somebody else has one of them.
        """
        if self._record is None:
            raise LabError("the network is not up")
        self._record = state.extend(self._record, interfaces)

    def attach_controller(
        self, endpoint: Endpoint, timeout_s: int = 60, switches: Sequence[str] = ()
    ) -> None:
        """Hand switches, all unless some are named, to a controller; wait until they have it."""
        bridges = self._bridges(switches)
        ovs.set_controller(bridges, str(endpoint))
        ovs.wait_connected(bridges, timeout_s)

    def detach_controller(self, switches: Sequence[str] = ()) -> None:
        """Leave switches, all unless some are named, without a controller; they keep entries."""
        ovs.set_controller(self._bridges(switches), _NOBODY)

    def set_neighbours(self) -> None:
        """Tell each host every other's Ethernet address, for runs in which nobody answers ARP."""
        for host in self.topology.hosts:
            lines = [
                f"neigh replace {address} lladdr {other.mac} dev {host.name}-eth0 nud permanent"
                for other in self.topology.hosts
                if other is not host
                for address in other.addresses
            ]
            self.run(host.name, ["ip", "-batch", "-"], text="\n".join(lines) + "\n")

    def announce_hosts(self) -> None:
        """Let every host ask once for its predecessor's address, so that a controller sees it."""
        hosts = self.topology.hosts
        for i, host in enumerate(hosts):
            words = [f"{host.name}-eth0", host.mac, host.address, hosts[i - 1].address]
            self.run(host.name, [sys.executable, "-m", "sluice_lab.announce", *words])

    def set_carrier(self, cable: Cable, *, up: bool) -> None:
        """Cut a cable, or mend it: both of its ends lose or regain carrier."""
        ovs.call(["ip", "link", "set", "dev", self.interface(cable.a), "up" if up else "down"])

    def set_host_carrier(self, host: str, *, up: bool) -> None:
        """Cut a host's own cable, or mend it: both of its ends lose or regain carrier."""
        port = self.interface(self.topology.host(host).port)
        ovs.call(["ip", "link", "set", "dev", port, "up" if up else "down"])

    def plug(self, host: str, port: Port) -> None:
        """Plug a host's cable in at another port, or back where it was; it goes on unawares."""
        interface = self.interface(self.topology.host(host).port)
        ovs.plug(interface, self.bridge(port.switch), port.number)

    def spawn(self, host: str, arguments: Sequence[str]) -> subprocess.Popen[str]:
        """Start a program in a host; it is stopped with the network at the latest."""
        child: subprocess.Popen[str] = self._node(host).popen(
            list(arguments), stdin=subprocess.PIPE, text=True
        )
        self._children.append(child)
        return child

    def run(
        self,
        host: str,
        arguments: Sequence[str],
        text: str | None = None,
        timeout_s: float = 60,
    ) -> str:
        """Run a program in a host and return what it prints; LabError if it fails."""
        child = self.spawn(host, arguments)
        try:
            out, err = child.communicate(text, timeout=timeout_s)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            raise LabError(f"{host}: no end within {timeout_s:g} s: {arguments[0]}") from None
        finally:
            self._children.remove(child)
        if child.returncode:
            raise LabError(f"{host}: {' '.join(arguments[:3])} failed: {err.strip() or out[-300:]}")
        return out

    def pid(self, host: str) -> int:
        """Return the process in whose namespaces a host is."""
        pid: int = self._node(host).pid
        return pid

    def wait_listening(
        self, host: str, port: int, protocol: str = "tcp", timeout_s: float = 30
    ) -> None:
        """Wait until something in a host is bound to a port."""
        bound = {"tcp": State.LISTEN, "udp": State.UNCONNECTED}[protocol]

        def is_bound() -> bool:
            return any(
                socket.local_port == port and socket.state == bound
                for socket in sockets.listed(protocol, self._node(host).pid)
            )

        wait_for(is_bound, f"{host} to listen on {protocol} port {port}", timeout_s)

    def interact(self) -> None:
        """Give Mininet's own prompt until the user leaves it."""
        if self._mininet is not None:
            setLogLevel("output")  # what the prompt answers is a level of Mininet's log
            lg.propagate = False
            CLI(self._mininet)
            setLogLevel("error")

    def _bridges(self, switches: Sequence[str] = ()) -> list[str]:
        names = switches or [switch.name for switch in self.topology.switches]
        return list(map(self.bridge, names))

    def _node(self, host: str) -> LabHost:
        if self._mininet is None:
            raise LabError("the network is not up")
        node: LabHost = self._mininet.get(self.settings.prefix + host)
        return node

    def _interfaces(self) -> list[str]:
        ports = [host.port for host in self.topology.hosts]
        ports += [end for cable in self.topology.cables for end in (cable.a, cable.b)]
        names = [self.interface(port) for port in ports]
        longest = max(names, key=len)
        if len(longest) > _LONGEST_INTERFACE_NAME:
            raise LabError(f"{longest} has over 15 characters; choose a shorter prefix")
        return names

    def _build(self, run: str) -> Mininet:
        net = Mininet(
            switch=LabSwitch, host=LabHost, controller=None, build=False, autoStaticArp=False
        )
        prefix = self.settings.prefix
        for switch in self.topology.switches:
            net.addSwitch(
                prefix + switch.name,
                dpid=f"{switch.dpid:016x}",
                datapath=self.settings.datapath.value,
                run=run,
            )
        for host in self.topology.hosts:
            net.addHost(
                prefix + host.name,
                ip=f"{host.address}/8",
                mac=host.mac,
                ipv6=self.settings.ipv6,
                run=run,
            )
            self._link(net, host.name, f"{host.name}-eth0", host.port, host.rate_bps)
        for cable in self.topology.cables:
            self._link(
                net,
                cable.a.switch,
                self.interface(cable.a),
                cable.b,
                cable.rate_bps,
                near_port=cable.a.number,
            )
        return net

    def _link(
        self,
        net: Mininet,
        near: str,
        near_interface: str,
        far: Port,
        rate_bps: int | None,
        near_port: int = 0,
    ) -> None:
        shaping = {} if rate_bps is None else {"bw": rate_bps / MEGABIT}
        net.addLink(
            self.settings.prefix + near,
            self.bridge(far.switch),
            port1=near_port,
            port2=far.number,
            intfName1=near_interface,
            intfName2=self.interface(far),
            intf=ShapedIntf,
            queue_packets=self.settings.queue_packets,
            queues=self.settings.queues,
            **shaping,
        )

    def _check_ports(self) -> None:
        """Refuse to go on if a switch numbers a port otherwise than the topology says."""
        text = ovs.call(
            ["ovs-vsctl", "--format=json", "--columns=name,ofport", "list", "interface"]
        )
        actual = dict(json.loads(text)["data"])
        for host in self.topology.hosts:
            self._check_port(host.port, actual)
        for cable in self.topology.cables:
            self._check_port(cable.a, actual)
            self._check_port(cable.b, actual)

    def _check_port(self, port: Port, actual: dict[str, int]) -> None:
        number = actual.get(self.interface(port))
        if number != port.number:
            raise LabError(f"{self.interface(port)} has port number {number}, not {port.number}")

    def _stop(self) -> None:
        for child in self._children:
            if child.poll() is None:
                child.terminate()
        for child in self._children:
            try:
                child.communicate(timeout=_STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                child.kill()
                child.communicate()
        self._children.clear()
        try:
            if self._mininet is not None:
                self._mininet.stop()
        finally:
            self._mininet = None
            if self._record is not None:
                state.remove(self._record)
                self._record = None
