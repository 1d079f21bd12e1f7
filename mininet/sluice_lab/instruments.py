# SPDX-License-Identifier: EPL-2.0
"""The instruments, checked before anything is measured, and watched while it is."""

from __future__ import annotations

import dataclasses
import pathlib
import re
import time

from sluice_lab import baselines, sockets, topologies
from sluice_lab.net import Net, Settings
from sluice_lab.ovs import LabError
from sluice_lab.sockets import State
from sluice_lab.topology import Cable, Port
from sluice_lab.traffic import PAYLOAD_SHARE, Flow, Probe, measure_tcp

_TOLERANCE = 0.05
_ATTEMPTS = 3
_TICKS_PER_S = 100  # USER_HZ of /proc/<pid>/stat


@dataclasses.dataclass(frozen=True, kw_only=True)
class Calibration:
    """What two hosts with two switches between them showed of the emulator.

    No delay and no loss are added anywhere (that would need netem): ``rtt_ms`` and ``loss`` are the
    emulator's own, at rest and under 1,000 small probes a second.
    """

    rate_bps: int
    measured_bps: float
    rate_error: float
    rtt_ms: float
    loss: float
    longest_gap_us: int


def calibrate(settings: Settings, rate_bps: int, duration_s: int = 6) -> Calibration:
    """Measure a small network of the given rate; LabError if it is over 5 % off three times."""
    for _ in range(_ATTEMPTS):
        calibration = _calibrate_once(settings, rate_bps, duration_s)
        if abs(calibration.rate_error) <= _TOLERANCE:
            return calibration
    raise LabError(
        f"the emulator gives {calibration.rate_error:+.1%} of a rate of {rate_bps} bit/s: "
        "is the machine busy?"
    )


def _calibrate_once(settings: Settings, rate_bps: int, duration_s: int) -> Calibration:
    rates = topologies.LayerRates(host=rate_bps, edge=rate_bps)
    with Net(topologies.leaf_spine(2, 1, 1, rates=rates), settings) as net:
        baselines.install(net, baselines.Baseline.SINGLE)
        flow = Flow(client="h1", server="h2", port=5201)
        rtt_ms = ping_ms(net, flow.client, flow.server)
        to_server, to_client = Probe(net, flow, duration_s=2).finish()
        goodput = measure_tcp(net, [flow], duration_s=duration_s, cut_s=2)[0].goodput_bps
    measured = goodput / PAYLOAD_SHARE
    return Calibration(
        rate_bps=rate_bps,
        measured_bps=measured,
        rate_error=measured / rate_bps - 1,
        rtt_ms=rtt_ms,
        loss=(to_server.lost + to_client.lost) / (to_server.sent + to_client.sent),
        longest_gap_us=max(to_server.longest_us, to_client.longest_us),
    )


def ping_ms(net: Net, client: str, server: str, count: int = 5) -> float:
    """Return the mean round-trip time in milliseconds; the first ping, which may wait, is cut."""
    address = net.topology.host(server).address
    text = net.run(client, ["ping", "-n", "-i", "0.2", "-c", str(count + 1), "-W", "2", address])
    times = [float(ms) for ms in re.findall(r"time=([0-9.]+) ms", text)]
    if len(times) < 2:
        raise LabError(f"{client} can't reach {server}: {text.splitlines()[-2:]}")
    return sum(times[1:]) / len(times[1:])


@dataclasses.dataclass(frozen=True)
class Counters:
    """Layer-2 bytes through the switches' ports since they were made: received, sent."""

    at_s: float
    bytes: dict[Port, tuple[int, int]]


def read_counters(net: Net) -> Counters:
    """Read the counters of all ports."""
    ports = [end for cable in net.topology.cables for end in (cable.a, cable.b)]
    ports += [host.port for host in net.topology.hosts]
    folder = pathlib.Path("/sys/class/net")

    def read(port: Port, name: str) -> int:
        return int((folder / net.interface(port) / "statistics" / name).read_text())

    at_s = time.monotonic()
    return Counters(at_s, {p: (read(p, "rx_bytes"), read(p, "tx_bytes")) for p in ports})


def network_load(cables: tuple[Cable, ...], first: Counters, last: Counters) -> float:
    """Return Guillen et al.'s (3): the mean over cables of used bandwidth over capacity, (4).

    Used bandwidth is received plus sent, as in (1), so a cable that is full both ways counts 2.
    """
    seconds = last.at_s - first.at_s
    ratios = []
    for cable in cables:
        if cable.rate_bps is None:
            raise ValueError(f"{cable.a} has no rate to compare with")
        used = sum(last.bytes[cable.a]) - sum(first.bytes[cable.a])
        ratios.append(used * 8 / seconds / cable.rate_bps)
    return sum(ratios) / len(ratios)


def connections_to(port: int) -> int:
    """Count this machine's established connections to a TCP port."""
    return sum(
        socket.remote_port == port and socket.state == State.ESTABLISHED
        for socket in sockets.listed("tcp")
    )


class CpuMeter:
    """How busy Open vSwitch and the machine are between two moments."""

    def __init__(self) -> None:
        self._start = _cpu_times(), time.monotonic()

    def read(self) -> dict[str, float]:
        """Return ``ovs_cores`` in use and the ``idle`` share of the machine, since the start.

        What runs at a low priority (``nice``) takes only what others leave, so that is idle too.
        """
        (ovs_s, idle, total), at_s = self._start
        now_ovs_s, now_idle, now_total = _cpu_times()
        return {
            "ovs_cores": (now_ovs_s - ovs_s) / (time.monotonic() - at_s),
            "idle": (now_idle - idle) / max(1, now_total - total),
        }


def cpu_s(pid: int) -> float:
    """Return how many seconds of a processor a process has taken; OSError if there is none."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def _cpu_times() -> tuple[float, int, int]:
    pid = int(pathlib.Path("/run/openvswitch/ovs-vswitchd.pid").read_text())
    machine = [int(x) for x in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    _, low_priority, _, idle, *_ = machine
    return cpu_s(pid), low_priority + idle, sum(machine)
