# SPDX-License-Identifier: EPL-2.0
"""B1, B2: what stream applications on a real Storm gain from rates of their own, over TCP.

As in Aljoby et al. 2019, section VI: eight hosts at one switch whose cables are the bottleneck, or
under seven switches whose cables between them are. Under ``tcp`` (cubic) Storm has its own
transport and no flow a rate, under ``tcp-defaults`` buffers of Storm's default sizes, too; under
``tcp-pairs`` each pair of tasks has a connection and no rate.
Executors are placed alike under all, round by round over the hosts.
"""

from __future__ import annotations

import contextlib
import dataclasses
import enum
import pathlib
import random
import time
from collections.abc import Iterator
from typing import Any, Self

from sluice_lab import (
    campaign,
    instruments,
    links,
    storm_home,
    storm_launcher,
    topologies,
    words,
)
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.controller import Controller
from sluice_lab.experiments.stream_observation import Shares, completed, lost_messages
from sluice_lab.net import Net, wait_for
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Policy, calibrated, need_controller
from sluice_lab.storm import Storm
from sluice_lab.storm_keys import (
    default_buffers,
    own_transport,
    placement,
    without_pacing,
    without_reports,
)
from sluice_lab.topology import MEGABIT, Topology
from sluice_lab.traffic import wait_until

UPLINK, MULTIHOP = "uplink", "multihop"
FREE = "free"
TOPICS, TRUCKING = "trending-topics", "trucking-iot"
RATES = ("10", "15", "20")
_FIRST_TUPLE_S = 180
_WORD_TABLE = "words.tsv"


class Sharing(enum.StrEnum):
    """Who decides how links are shared."""

    SLUICE = "sluice"
    METERS = "meters"
    APP_AWARE = "app-aware"
    TCP_PAIRS = "tcp-pairs"
    TCP_DEFAULTS = "tcp-defaults"
    TCP = "tcp"

    @property
    def policy(self) -> str | None:
        """The controller's policy, None if it is not told of flows."""
        if self in {Sharing.TCP_PAIRS, Sharing.TCP_DEFAULTS, Sharing.TCP}:
            return None
        return "app-aware" if self is Sharing.APP_AWARE else "app-max-min"

    @property
    def options(self) -> dict[str, Any]:
        """What topologies say for it."""
        return {
            Sharing.METERS: without_pacing,
            Sharing.TCP_PAIRS: without_reports,
            Sharing.TCP_DEFAULTS: lambda: own_transport() | default_buffers(),
            Sharing.TCP: own_transport,
        }.get(self, dict)()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Streams:
    """An application under several ways to share links.

    ``load`` are keys of its submission (engines/storm-workloads). A variant is where the bottleneck
    is, its rate in Mbit/s in the paper, of which ``scale`` is taken here, and the interval in
    seconds, if it is not the experiment's. ``waiting_bytes`` and ``kernel_bytes`` are the queues of
    senders, see Engine. The first is large enough for all that waits in a run: the method knows
    what a flow wants by what waits, and a source that is held back wants what it gets. The second
    is small, as the kernel sends what it has as fast as it can. Switches' queues hold
    ``queue_frames``. With ``random_places`` every task has a host by the seed, else executors go
    round the hosts.
    """

    id: str
    application: str
    load: dict[str, int]
    scale: float = 0.1
    waiting_bytes: int = 64 << 20
    kernel_bytes: int = 1 << 15
    queue_frames: int = 100
    hosts: int = 8
    random_places: bool = False
    interval_s: int = 5
    warm_up_s: int = 30
    counted_s: int = 90
    runs: int = 3
    variants: tuple[str, ...] = (
        *(f"{where}-{rate}" for where in (UPLINK, MULTIHOP) for rate in RATES),
        *(f"{where}-{FREE}" for where in (UPLINK, MULTIHOP)),
    )
    policies: tuple[str, ...] = (
        Sharing.SLUICE,
        Sharing.APP_AWARE,
        Sharing.TCP_PAIRS,
        Sharing.TCP,
    )

    def cells(self) -> list[Cell]:
        """Return the runs, those of a variant one after the other, policies interleaved."""
        return [
            cell
            for variant in self.variants
            for cell in campaign.interleaved([variant], self.policies, range(1, self.runs + 1))
        ]


TRENDING_TOPICS = Streams(
    id="B1-tt",
    application=TOPICS,
    load={"rate": 1500, "tasks": 4, "top": 20, "window": 30},
    scale=0.05,  # more would not be a bottleneck at the paper's highest rate
)
TRUCKING_IOT = Streams(
    id="B1-ti",
    application=TRUCKING,
    load={"rate": 250, "tasks": 2, "truck_bytes": 1_000, "traffic_bytes": 5_000},
)
INTERVALS = dataclasses.replace(
    TRUCKING_IOT,
    id="B1-interval",
    variants=tuple(f"{UPLINK}-10-{interval_s}" for interval_s in (1, 2, 5, 10, 20)),
    policies=(Sharing.SLUICE, Sharing.APP_AWARE),
)
PLACEMENTS = dataclasses.replace(
    TRUCKING_IOT,
    id="B1-seeds",
    random_places=True,
    runs=20,
    variants=(f"{UPLINK}-10",),
    policies=(Sharing.SLUICE, Sharing.TCP),
)
_COMPONENTS = {
    TOPICS: ("tweets", "split", "count", "aggregate", "report"),
    TRUCKING: ("trucks", "traffic", "combine", "act"),
}


@dataclasses.dataclass(frozen=True)
class Setting:
    """What a variant says; ``rate_mbps`` is the paper's, None without a bottleneck."""

    where: str
    rate_mbps: int | None
    interval_s: int

    @classmethod
    def of(cls, variant: str, experiment: Streams) -> Self:
        """Read a variant."""
        where, rate, *interval = variant.split("-")
        return cls(
            where,
            None if rate == FREE else int(rate),
            int(interval[0]) if interval else experiment.interval_s,
        )

    def topology(self, experiment: Streams) -> Topology:
        """Return the network."""
        rate = self.rate_mbps and round(self.rate_mbps * MEGABIT * experiment.scale)
        if self.where == MULTIHOP:
            rates = topologies.LayerRates(host=None, edge=rate, core=rate)
            return topologies.seven_switches(rates)
        rates = topologies.LayerRates(host=rate, edge=None)
        return topologies.leaf_spine(1, 1, experiment.hosts, rates=rates)


def measure_all(experiment: Streams, lab: Lab) -> dict[Cell, Outcome]:
    """Measure every cell that is not stored; those of a variant share a network and its Storm."""
    strange = [policy for policy in experiment.policies if policy not in set(Sharing)]
    if strange:
        raise LabError(f"no policy {strange[0]}; there are: {', '.join(Sharing)}")
    need_controller([Policy.SLUICE], lab)
    with contextlib.ExitStack() as stack:
        clusters = Clusters(experiment, lab, stack)
        return calibrated(
            experiment, lab, experiment.cells(), lambda cell: measure(experiment, clusters, cell)
        )


@dataclasses.dataclass(frozen=True)
class Cluster:
    """A Storm on a network that has a bottleneck, and the controller of its switches."""

    setting: Setting
    folder: pathlib.Path
    net: Net
    storm: Storm
    controller: Controller


class Clusters:
    """One cluster at a time, of the variant which was asked for last; it ends with the stack."""

    def __init__(self, experiment: Streams, lab: Lab, stack: contextlib.ExitStack) -> None:
        self._experiment = experiment
        self._lab = lab
        self._stack = stack
        self._cluster: Cluster | None = None

    def of(self, variant: str) -> Cluster:
        """Return the cluster of a variant."""
        setting = Setting.of(variant, self._experiment)
        if self._cluster is None or self._cluster.setting != setting:
            self._cluster = None
            self._stack.close()
            made = _cluster(self._experiment, setting, self._lab)
            self._cluster = self._stack.enter_context(made)
        return self._cluster


@contextlib.contextmanager
def _cluster(experiment: Streams, setting: Setting, lab: Lab) -> Iterator[Cluster]:
    """Bring up a cluster; the files of Storm stay until the next one."""
    folder = campaign.RAW / experiment.id / "storm"
    storm_launcher.make_way(folder)
    if experiment.application == TOPICS:
        words.write(folder / _WORD_TABLE, words.NUMBER)
    queues = dataclasses.replace(lab.settings, queue_packets=experiment.queue_frames)
    here = dataclasses.replace(lab, settings=queues)
    told = storm_launcher.engine(
        lab,
        interval_s=setting.interval_s,
        waiting_bytes=experiment.waiting_bytes,
        kernel_bytes=experiment.kernel_bytes,
    )
    topology = setting.topology(experiment)
    with storm_launcher.launched(topology, here, folder, told) as (net, storm):
        yield Cluster(setting, folder, net, storm, lab.controller())


def measure(experiment: Streams, clusters: Clusters, cell: Cell) -> Outcome:
    """Run the application under a policy."""
    cluster, sharing = clusters.of(cell.variant), Sharing(cell.policy)
    options = sharing.options
    if experiment.random_places:
        options |= placement(random_places(experiment, cell.seed, cluster.net.topology))
    load: dict[str, object] = {"workers": experiment.hosts, "seed": cell.seed, **experiment.load}
    if experiment.application == TOPICS:
        load["words"] = cluster.folder / _WORD_TABLE
    cluster.controller.share_links(sharing.policy or "app-max-min", cluster.setting.interval_s)
    cluster.storm.submit(experiment.application, options, **load)
    outcome = observe(experiment, cluster, sharing)
    cluster.storm.kill()
    return outcome


def random_places(experiment: Streams, seed: int, topology: Topology) -> dict[str, list[str]]:
    """Return for each component the hosts of its tasks, in an order that the seed gives."""
    rng = random.Random(seed)
    hosts = [host.address for host in topology.hosts]
    return {
        component: rng.sample(hosts, len(hosts))
        for component in _COMPONENTS[experiment.application]
    }


def observe(experiment: Streams, cluster: Cluster, sharing: Sharing) -> Outcome:
    """Return what the sink completed, and what was seen of links and processors meanwhile."""
    net, storm, interval_s = cluster.net, cluster.storm, cluster.setting.interval_s
    wait_for(
        lambda: any(second.completed for second in storm.completed()),
        f"the first tuple of {experiment.application}; see logs in {cluster.folder}",
        _FIRST_TUPLE_S,
    )
    begin_ns = time.monotonic_ns() + experiment.warm_up_s * 1_000_000_000
    wait_until(begin_ns)
    shares = Shares(net.topology)
    cpu, workers_s = instruments.CpuMeter(), storm.workers_cpu_s()
    carried, begin = instruments.read_counters(net), time.time()
    rounds = cluster.controller.rounds()
    for at_s in range(interval_s, experiment.counted_s + 1, interval_s):
        wait_until(begin_ns + at_s * 1_000_000_000)
        shares.look(storm, cluster.controller)
    wait_until(begin_ns + experiment.counted_s * 1_000_000_000)
    seconds = time.time() - begin
    used = links.utilisation(net.topology, carried, instruments.read_counters(net))
    busy = {host: taken_s / seconds for host, taken_s in storm.workers_cpu_s().items()}
    machine, round_ms = cpu.read(), cluster.controller.rounds().mean_ms(rounds)
    return {
        **completed(storm, int(begin) + 1, experiment.counted_s - 1),
        "lost_messages": lost_messages(storm),
        "utilisation": used,
        **shares.seen(is_told=sharing.policy is not None),
        "round_ms": round_ms,
        "cpu": machine,
        "versions": storm_home.versions(),
        "worker_cores": {host: busy[host] - workers_s[host] / seconds for host in busy},
    }
