# SPDX-License-Identifier: EPL-2.0
"""Traffic between hosts, and what became of it."""

from __future__ import annotations

import dataclasses
import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

from sluice_lab import compiled
from sluice_lab.echoes import Seen
from sluice_lab.net import Net
from sluice_lab.ovs import LabError

PAYLOAD_SHARE = 1448 / 1514
"""Part of a full frame that TCP with time stamps carries as payload; shapers count frames."""

UDP_OVERHEAD_BYTES = 42
"""Ethernet, IPv4 and UDP headers of a probe."""

_LEAD_NS = 300_000_000  # both ends of a probe have started by then
_MARGIN_S = 30.0


@dataclasses.dataclass(frozen=True, kw_only=True)
class Flow:
    """Traffic from host ``client`` to a port of host ``server``."""

    client: str
    server: str
    port: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Throughput:
    """What iperf3's receiver saw of a flow, after the cut."""

    flow: Flow
    goodput_bps: float
    per_second_bps: tuple[float, ...]
    mean_rtt_us: float
    retransmits: int


def measure_tcp(
    net: Net, flows: Sequence[Flow], duration_s: int = 60, cut_s: int = 5
) -> list[Throughput]:
    """Send TCP (cubic) over all flows at once for ``duration_s``; the first ``cut_s`` are cut."""
    patience_ms = round((duration_s + _MARGIN_S) * 1000)  # a flow may have to wait for all others
    for flow in flows:
        command = ["iperf3", "-s", "-1", "-p", str(flow.port), "--rcv-timeout", str(patience_ms)]
        net.spawn(flow.server, command)
    for flow in flows:
        net.wait_listening(flow.server, flow.port)
    options = ["-J", "-C", "cubic", "--connect-timeout", "2000"]
    options += ["-O", str(cut_s), "-t", str(duration_s - cut_s)]
    clients = []
    for flow in flows:
        address = net.topology.host(flow.server).address
        command = ["iperf3", "-c", address, "-p", str(flow.port), *options]
        clients.append(net.spawn(flow.client, command))
    limit_s = duration_s + _MARGIN_S
    return [_throughput(f, c, limit_s) for f, c in zip(flows, clients, strict=True)]


def _throughput(flow: Flow, client: subprocess.Popen[str], limit_s: float) -> Throughput:
    report = json.loads(finish(client, f"iperf3 {flow}", limit_s))
    if "error" in report:
        raise LabError(f"iperf3 {flow}: {report['error']}")
    end = report["end"]
    return Throughput(
        flow=flow,
        goodput_bps=end["sum_received"]["bits_per_second"],
        per_second_bps=tuple(
            i["sum"]["bits_per_second"] for i in report["intervals"] if not i["sum"]["omitted"]
        ),
        mean_rtt_us=end["streams"][0]["sender"].get("mean_rtt", 0),
        retransmits=end["sum_sent"].get("retransmits", 0),
    )


def finish(child: subprocess.Popen[str], what: str, limit_s: float, text: str | None = None) -> str:
    """Wait for the end of a program; return what it printed. LabError if it fails or goes on."""
    try:
        out, err = child.communicate(text, timeout=limit_s)
    except subprocess.TimeoutExpired:
        child.kill()
        raise LabError(f"{what} did not end within {limit_s:g} s") from None
    if child.returncode:
        raise LabError(f"{what} failed: {err.strip() or out[-300:]}")
    return out


@dataclasses.dataclass(frozen=True, kw_only=True)
class Arrivals:
    """What one end of a probe saw of the other's; times are of the monotonic clock.

    ``gaps_ns`` are times [from, to] without an arrival, ``losses`` numbers [first, last] that never
    came.
    """

    sent: int
    received: int
    lost: int
    longest_us: int
    gaps_ns: tuple[tuple[int, int], ...]
    losses: tuple[tuple[int, int], ...]

    def of(self, sent: int) -> Arrivals:
        """Return the same, of an other end that sent no more than ``sent``."""
        losses = tuple((a, min(b, sent - 1)) for a, b in self.losses if a < sent)
        return dataclasses.replace(
            self, losses=losses, lost=sum(last - first + 1 for first, last in losses)
        )


class Probe:
    """Numbered datagrams every ``interval_us`` for ``duration_s``, both ways or one way.

    ``size`` is the UDP payload in bytes; a frame has 42 more.
    """

    def __init__(
        self,
        net: Net,
        flow: Flow,
        *,
        duration_s: float,
        interval_us: int = 1_000,
        size: int = 64,
        one_way: bool = False,
        limit_us: int = 10_000,
    ) -> None:
        tool = str(compiled.program("probe"))
        self.flow = flow
        self.start_ns = time.monotonic_ns() + _LEAD_NS
        self.interval_us = interval_us
        self._limit_s = duration_s + _MARGIN_S
        client = net.topology.host(flow.client).address, str(_client_port(flow.port))
        server = net.topology.host(flow.server).address, str(flow.port)
        count = max(1, round(duration_s * 1e6 / interval_us))

        def start(host: str, ends: tuple[str, ...], sent_size: int) -> subprocess.Popen[str]:
            numbers = (self.start_ns, interval_us, count, sent_size, limit_us)
            return net.spawn(host, [tool, *ends, *map(str, numbers)])

        self._server = start(flow.server, server + client, 0 if one_way else size)
        self._client = start(flow.client, client + server, size)

    def sent_at_ns(self, number: int) -> int:
        """Return when probe ``number`` was due."""
        return self.start_ns + number * self.interval_us * 1_000

    def deafen(self) -> None:
        """Keep the server from reading until the end, which takes others the processor."""
        self._server.send_signal(signal.SIGSTOP)

    def finish(self) -> tuple[Arrivals, Arrivals]:
        """Wait for the end and return what the server saw, then what the client saw."""
        self._server.send_signal(signal.SIGCONT)
        at_server = _arrivals(self._server, self._limit_s)
        at_client = _arrivals(self._client, self._limit_s)
        return at_server.of(at_client.sent), at_client.of(at_server.sent)

    def stop(self) -> None:
        """End the sending before its time; call :meth:`finish` then."""
        for end in (self._server, self._client):
            end.terminate()


def _client_port(port: int) -> int:
    return port + 20_000


def _arrivals(child: subprocess.Popen[str], limit_s: float) -> Arrivals:
    seen = json.loads(finish(child, "probe", limit_s))
    for key in ("gaps_ns", "losses"):
        seen[key] = tuple((first, last) for first, last in seen[key])
    return Arrivals(**seen)


class Echoes:
    """Numbered echo requests from a host to an address, from now until :meth:`finish`."""

    def __init__(self, net: Net, host: str, address: str, interval_ms: int = 10) -> None:
        words = [sys.executable, "-m", "sluice_lab.echoes", address, str(interval_ms)]
        self._child = net.spawn(host, words)
        self._what = f"echoes from {host} to {address}"

    def finish(self) -> Seen:
        """End the sending and return what was sent and answered."""
        seen = json.loads(finish(self._child, self._what, _MARGIN_S, text=""))
        return Seen(**{name: tuple(moments) for name, moments in seen.items()})


def background(net: Net, flow: Flow, rate_bps: float, duration_s: float) -> Probe:
    """Send a constant rate of 1,042-byte frames (``rate_bps`` counts whole frames) one way."""
    size = 1_000
    interval_us = round((size + UDP_OVERHEAD_BYTES) * 8e6 / rate_bps)
    return Probe(net, flow, duration_s=duration_s, interval_us=interval_us, size=size, one_way=True)


def wait_until(moment_ns: int) -> None:
    """Wait for a moment of the monotonic clock."""
    time.sleep(max(0, moment_ns - time.monotonic_ns()) / 1e9)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Completion:
    """When a transfer began and ended, on the monotonic clock."""

    client: str
    server: str
    start_ns: int
    end_ns: int
    rtt_us: float
    retransmits: int


class Mover:
    """A client that is ready to move ``size_bytes`` and waits to be told where."""

    def __init__(
        self,
        net: Net,
        client: str,
        size_bytes: int,
        *,
        receive: bool = False,
        mptcp: bool = False,
        source_port: int = 0,
    ) -> None:
        self.client = client
        words = ["move", str(size_bytes), "--source-port", str(source_port)]
        words += ["--receive"] if receive else []
        self._child = net.spawn(client, bulk_command(words, mptcp=mptcp))
        assert self._child.stdout is not None
        if self._child.stdout.readline().strip() != "ready":
            raise LabError(f"{client}: no transfer client: {self._child.communicate()[1]}")
        self._server = ""

    def start(self, server: str, address: str, port: int) -> None:
        """Begin to move bytes to or from a server."""
        assert self._child.stdin is not None
        self._server = server
        self._child.stdin.write(f"{address} {port}\n")
        self._child.stdin.flush()

    def finish(self, limit_s: float = 900) -> Completion:
        """Wait until all bytes are with their receiver."""
        text = finish(self._child, f"transfer {self.client}-{self._server}", limit_s)
        return Completion(client=self.client, server=self._server, **json.loads(text))


def bulk_command(words: Sequence[str], *, mptcp: bool = False) -> list[str]:
    """Return the command line of :mod:`sluice_lab.bulk`."""
    options = ["--mptcp"] if mptcp else []
    return [sys.executable, "-m", "sluice_lab.bulk", *options, *words]


def serve_bulk(net: Net, server: str, ports: Sequence[int], *, mptcp: bool = False) -> None:
    """Start transfer servers on the ports of a host and wait until they listen."""
    for port in ports:
        net.spawn(server, bulk_command(["serve", str(port)], mptcp=mptcp))
    for port in ports:
        net.wait_listening(server, port)


def enable_mptcp(net: Net) -> None:
    """Give each host its second address, and leave to open and accept four subflows on it."""
    for host in net.topology.hosts:
        device = f"{host.name}-eth0"
        for command in (
            f"address replace {host.second_address}/8 dev {device}",
            "mptcp limits set subflow 4 add_addr_accepted 4",
            "mptcp endpoint flush",
            f"mptcp endpoint add {host.second_address} dev {device} subflow signal",
        ):
            net.run(host.name, ["ip", *command.split()])
