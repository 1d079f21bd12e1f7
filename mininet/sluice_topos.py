# SPDX-License-Identifier: EPL-2.0
"""The lab's topologies for Mininet's own command.

``sudo PYTHONPATH=mininet mn --custom mininet/sluice_topos.py --topo fattree,4,2 --link tc
--switch ovs,datapath=user,protocols=OpenFlow13 --controller remote``
"""

from sluice_lab import topologies
from sluice_lab.mininet_topo import LabTopo

topos = {
    name: lambda *arguments, name=name, **options: LabTopo(
        topologies.BY_NAME[name](*arguments, **options)
    )
    for name in topologies.BY_NAME
}
