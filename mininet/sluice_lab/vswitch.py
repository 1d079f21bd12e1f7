# SPDX-License-Identifier: EPL-2.0
"""Open vSwitch as a forwarder: its bridges, its rules, and its daemon on DPDK.

The rules stand in one bridge, the network between forwarders is another one, as the userspace
datapath wants it for tunnels: what leaves the first by its tunnel port goes out by the second.
"""

from __future__ import annotations

import contextlib
import pathlib
import re
import signal
from collections.abc import Callable, Iterator, Sequence

from sluice_lab import ovs, program
from sluice_lab.ovs import LabError
from sluice_lab.vswitch_rules import Rules, port_numbers
from sluice_lab.vswitch_tables import COOKIE, TUNNEL_PORT, Document

BRIDGE = "sl-chains"
UNDERLAY = "sl-underlay"
_TUNNEL = "sl-vxlan"
_PREFIX_LENGTH = 24  # of the underlay: all peers are in one network
_UNDERLAY_PORT = 1
_VXLAN = 4789
_SOURCE_PORTS = (49152, 65535)  # of tunnels
_DPDK_DAEMON = pathlib.Path("/usr/lib/openvswitch-switch-dpdk/ovs-vswitchd-dpdk")
_RUN = pathlib.Path("/run/openvswitch")
_PROGRAM = "ovs-vswitchd"
_FLOW_LIMIT = 1_000_000  # by default 200,000, which it reaches in minutes

Run = Callable[[Sequence[str]], object]


def set_up(document: Document, mac: str, run: Run = ovs.call) -> None:
    """Make the bridges of a forwarder, whose own address in the underlay is ``mac``.

    A device of net_af_packet is taken for its interface; all others belong to DPDK. ``run`` runs
    a command where the switch is.
    """
    forwarder = document["sluice-forwarder:forwarder"]
    wan, address = forwarder["underlay"]["port"], forwarder["underlay"]["address"]
    numbers = port_numbers(forwarder)
    words = [*_bridge(UNDERLAY), f'other_config:hwaddr="{mac}"', *_bridge(BRIDGE)]
    for port in forwarder["ports"]["port"]:
        is_wan = port["name"] == wan
        number = _UNDERLAY_PORT if is_wan else numbers[port["name"]]
        words += _port(UNDERLAY if is_wan else BRIDGE, port["name"], port["device"], number)
    words += ["--", "add-port", BRIDGE, _TUNNEL, "--", "set", "interface", _TUNNEL, "type=vxlan"]
    words += ["options:remote_ip=flow", "options:key=flow"]
    run(["ovs-vsctl", *words, f"ofport_request={TUNNEL_PORT}"])
    run(["ip", "addr", "add", f"{address}/{_PREFIX_LENGTH}", "dev", UNDERLAY])
    run(["ip", "link", "set", UNDERLAY, "up"])
    for way in (
        f"in_port={_UNDERLAY_PORT},actions=LOCAL",
        f"in_port=LOCAL,actions={_UNDERLAY_PORT}",
    ):
        run(["ovs-ofctl", "add-flow", UNDERLAY, f"udp,tp_dst={_VXLAN},{way}"])
    run(["ovs-appctl", "tnl/egress_port_range", *map(str, _SOURCE_PORTS)])
    for peer in forwarder["peers"]["peer"]:
        run(["ovs-appctl", "tnl/neigh/set", UNDERLAY, peer["address"], peer["mac-address"]])


def set_up_plain(devices: Sequence[tuple[str, str]]) -> None:
    """Make one bridge of devices of DPDK, by name; their numbers go by their order."""
    words = _bridge(BRIDGE)
    for number, (name, device) in enumerate(devices, start=1):
        words += _port(BRIDGE, name, device, number)
    ovs.call(["ovs-vsctl", *words])


def install(rules: Rules, folder: pathlib.Path, run: Run = ovs.call) -> None:
    """Put rules in the place of those before, flows all at once.

    Connections that were pinned stay, as long as hops keep their places in the document.
    """
    ofctl = ["ovs-ofctl", "-O", "OpenFlow15"]
    groups, flows = folder / "groups", folder / "flows"
    if rules.groups:
        groups.write_text("\n".join([*rules.groups, ""]))
        run([*ofctl, "del-groups", BRIDGE])
        run([*ofctl, "add-groups", BRIDGE, str(groups)])
    flows.write_text("\n".join([f"delete cookie={COOKIE:#x}/-1", *rules.flows, ""]))
    run([*ofctl, "--bundle", "add-flows", BRIDGE, str(flows)])


@contextlib.contextmanager
def dpdk_daemon(processor: int, others: int) -> Iterator[None]:
    """Run Open vSwitch on DPDK in the place of the sandbox's; it forwards on one processor.

    Whatever else it has to do is done on ``others``.
    """
    settings = ["dpdk-init=true", 'dpdk-extra="--no-pci --in-memory"']
    settings += [f"pmd-cpu-mask={1 << processor:#x}", f"flow-limit={_FLOW_LIMIT}"]
    words = [f"other_config:{setting}" for setting in settings]
    ovs.call(["ovs-vsctl", "--no-wait", "set", "Open_vSwitch", ".", *words])
    _end_daemon()
    background = ["--detach", "--no-chdir", "--pidfile", "-vconsole:off", "-vsyslog:off"]
    ovs.call(["taskset", "--cpu-list", str(others), _dpdk_program(), *background])
    try:
        ovs.call(["ovs-appctl", "upcall/set-flow-limit", str(_FLOW_LIMIT)])
        yield
    finally:
        ovs.delete_bridges([BRIDGE, UNDERLAY])
        _end_daemon()


def _dpdk_program() -> str:
    """Return the daemon under its usual name, by which tools find it."""
    if not _DPDK_DAEMON.exists():
        raise LabError("Open vSwitch on DPDK is missing: tools/setup openvswitch-switch-dpdk")
    alias = _RUN / _PROGRAM
    if not alias.exists():
        alias.symlink_to(_DPDK_DAEMON)
    return str(alias)


def _end_daemon() -> None:
    pid_file = _RUN / f"{_PROGRAM}.pid"
    if pid_file.exists():
        program.end(int(pid_file.read_text()), signal.SIGTERM)


def _bridge(name: str) -> list[str]:
    words = ["--", "add-br", name, "--", "set", "bridge", name, "datapath_type=netdev"]
    return [*words, "fail_mode=secure"]


def _port(bridge: str, name: str, device: str, number: int) -> list[str]:
    plain = re.fullmatch(r"net_af_packet\d*,iface=([^\s,]+)(?:,qpairs=\d+)?", device)
    interface = plain[1] if plain else f"sl-{name}"
    words = ["--", "add-port", bridge, interface, "--", "set", "interface", interface]
    words += [f"ofport_request={number}"]
    return words if plain else [*words, "type=dpdk", f'options:dpdk-devargs="{device}"']
