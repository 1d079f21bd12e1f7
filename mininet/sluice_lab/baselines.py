# SPDX-License-Identifier: EPL-2.0
"""Forwarding without a controller, to measure peers and to test the lab itself.

Every switch knows for each host all ports that begin a shortest path to it. *Single* takes the
first of them for everything, as a spanning tree does: one path for all connections of a pair.
*ECMP* spreads connections over all of them by a hash of addresses, protocol and ports; each switch
has a seed of its own, or the second hop would repeat the choice of the first.
"""

from __future__ import annotations

import collections
import enum

from sluice_lab import ovs
from sluice_lab.net import Net
from sluice_lab.topology import Topology

_HASH = "selection_method=hash,fields(ip_src,ip_dst,ip_proto,tcp_src,tcp_dst,udp_src,udp_dst)"


class Baseline(enum.StrEnum):
    """Ways to forward that need no controller."""

    SINGLE = "single"
    ECMP = "ecmp"


def next_ports(topology: Topology) -> dict[str, dict[str, tuple[int, ...]]]:
    """Return, by switch and by host, the ports that begin a shortest path to the host."""
    far_ends: dict[str, list[tuple[int, str]]] = collections.defaultdict(list)
    for cable in topology.cables:
        far_ends[cable.a.switch].append((cable.a.number, cable.b.switch))
        far_ends[cable.b.switch].append((cable.b.number, cable.a.switch))
    table: dict[str, dict[str, tuple[int, ...]]] = {s.name: {} for s in topology.switches}
    for host in topology.hosts:
        hops = _hops_to(host.port.switch, far_ends)
        for switch, row in table.items():
            if switch == host.port.switch:
                row[host.name] = (host.port.number,)
            else:
                closer = [n for n, far in far_ends[switch] if hops[far] < hops[switch]]
                row[host.name] = tuple(sorted(closer))
    return table


def _hops_to(target: str, far_ends: dict[str, list[tuple[int, str]]]) -> dict[str, int]:
    hops = {target: 0}
    queue = collections.deque([target])
    while queue:
        at = queue.popleft()
        for _, far in far_ends[at]:
            if far not in hops:
                hops[far] = hops[at] + 1
                queue.append(far)
    return hops


def entries(topology: Topology, baseline: Baseline) -> dict[str, tuple[list[str], list[str]]]:
    """Return groups and flows of each switch in the notation of ovs-ofctl."""
    return {
        switch.name: _entries_of(topology, row, baseline, switch.dpid)
        for (name, row) in next_ports(topology).items()
        for switch in [topology.switch(name)]
    }


def _entries_of(
    topology: Topology, row: dict[str, tuple[int, ...]], baseline: Baseline, seed: int
) -> tuple[list[str], list[str]]:
    group_of: dict[tuple[int, ...], int] = {}
    flows = []
    for host, ports in row.items():
        action = f"output:{ports[0]}"
        if baseline is Baseline.ECMP and len(ports) > 1:
            action = f"group:{group_of.setdefault(ports, len(group_of) + 1)}"
        for address in topology.host(host).addresses:
            flows.append(f"priority=100,ip,nw_dst={address},actions={action}")
    groups = [
        f"group_id={number},type=select,selection_method_param={seed},{_HASH},"
        + ",".join(f"bucket=bucket_id={port},weight=1,actions=output:{port}" for port in ports)
        for ports, number in group_of.items()
    ]
    return groups, flows


def install(net: Net, baseline: Baseline) -> None:
    """Take all switches off their controller and fill them with a baseline's entries."""
    net.detach_controller()
    net.set_neighbours()
    for switch, (groups, flows) in entries(net.topology, baseline).items():
        ovs.replace_entries(net.bridge(switch), groups, flows)
