# SPDX-License-Identifier: EPL-2.0
"""The lab's topologies for Mininet's own command, and the controller which it doesn't probe.

``PYTHONPATH=mininet mn --custom mininet/sluice_topos.py --topo fattree,4,2,core=40 --link tc
--switch ovs,datapath=user,protocols=OpenFlow13 --controller sluice``
"""

from mininet.node import RemoteController

from sluice_lab import topologies
from sluice_lab.mininet_topo import LabTopo


class Sluice(RemoteController):  # type: ignore[misc]
    """A controller that runs already; Mininet's ``remote`` probes it by telnet, which may hang."""

    def checkListening(self) -> None:  # noqa: N802
        """Leave it to the switches to find out whether it listens."""
        self.port = self.port or 6653


controllers = {"sluice": Sluice}
topos = {
    name: lambda *arguments, name=name, **rates: LabTopo(
        topologies.build(name, *arguments, **rates)
    )
    for name in topologies.BY_NAME
}
