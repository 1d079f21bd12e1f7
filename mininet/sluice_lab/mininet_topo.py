# SPDX-License-Identifier: EPL-2.0
"""A topology as Mininet's ``Topo``, for ``mn --custom``."""

from mininet.topo import Topo

from sluice_lab.topology import MEGABIT, Port, Topology


class LabTopo(Topo):  # type: ignore[misc]
    """The same switches, hosts, ports and rates as the topology it is made from."""

    def build(self, topology: Topology) -> None:
        """Add everything; called by Mininet with what the constructor was given."""
        for switch in topology.switches:
            self.addSwitch(switch.name, dpid=f"{switch.dpid:016x}")
        for host in topology.hosts:
            self.addHost(host.name, ip=f"{host.address}/8", mac=host.mac)
            self._cable(host.name, 0, host.port, host.rate_bps)
        for cable in topology.cables:
            self._cable(cable.a.switch, cable.a.number, cable.b, cable.rate_bps)

    def _cable(self, near: str, near_port: int, far: Port, rate_bps: int | None) -> None:
        shaping = {} if rate_bps is None else {"bw": rate_bps / MEGABIT}
        self.addLink(near, far.switch, port1=near_port, port2=far.number, **shaping)
