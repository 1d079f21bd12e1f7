# SPDX-License-Identifier: EPL-2.0
"""Plain bridges between hosts and a fabric: nets that have some, and what the fabric sees of them."""

import dataclasses

from sluice_lab import ovs
from sluice_lab.net import Net
from sluice_lab.topology import Topology

LAYER = "bridge"


def seen(topology: Topology) -> Topology:
    """The same as the fabric sees it: hosts behind a bridge are at the port that the bridge is at."""
    uplinks = {cable.b.switch: cable for cable in topology.cables if topology.switch(cable.b.switch).layer == LAYER}
    return dataclasses.replace(
        topology,
        switches=tuple(switch for switch in topology.switches if switch.layer != LAYER),
        cables=tuple(cable for cable in topology.cables if cable not in uplinks.values()),
        hosts=tuple(
            dataclasses.replace(host, port=uplinks[host.port.switch].a) if host.port.switch in uplinks else host
            for host in topology.hosts
        ),
    )


def make_plain(net: Net) -> None:
    """Has the bridges of a net forward by themselves."""
    for switch in net.topology.switches:
        if switch.layer == LAYER:
            bridge = net.bridge(switch.name)
            ovs.call(["ovs-vsctl", "del-controller", bridge, "--", "set-fail-mode", bridge, "standalone"])
