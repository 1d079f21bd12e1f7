# SPDX-License-Identifier: EPL-2.0
"""The forwarders that are compared, and what each of them has to do.

Ours has a document, and Open vSwitch the same one (vswitch_rules.py). Besides, it may only balance
connections, without labels and tunnels: WAN is port 1 then, LAN port 2.
"""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
from collections.abc import Callable, Sequence

from sluice_lab import memif
from sluice_lab.memif import LAN, WAN
from sluice_lab.vswitch_affinity import TUPLE, DatapathHashed, Hashed, Learned, Tracked
from sluice_lab.vswitch_rules import Rules
from sluice_lab.vswitch_tables import Document

OURS = "sluice"
_LABELS = {"chain-label": 100, "egress-label": 203}
_INSTANCES = 4
_TUPLE_HASH = f"selection_method=hash,{TUPLE}"

Running = contextlib.AbstractContextManager[None]


@dataclasses.dataclass(frozen=True)
class Contender:
    """A forwarder, the mode of the traffic for it, and how many queues it sends to.

    Open vSwitch has a queue for each thread, and the one that forwards takes the second.
    ``start`` takes a folder for the forwarder's files. ``keeps`` says that every packet of a
    connection must reach the same instance.
    """

    mode: str
    queues: int
    start: Callable[[pathlib.Path], Running]
    keeps: bool = True


def vnf_document(devices: dict[str, str]) -> Document:
    """Return the configuration of a forwarder beside four instances that keep labels."""
    names = [f"v{number}" for number in range(_INSTANCES)]
    instances = [
        {
            "name": name,
            "service": "vnf",
            "ingress-side": _side(number, vlan=10 + 2 * number),
            "egress-side": _side(number, vlan=11 + 2 * number),
        }
        for number, name in enumerate(names)
    ]
    stages = [
        {
            "number": 1,
            "service": "vnf",
            "instance": [_member(name) for name in names],
            "previous-hop": [_member("A")],
        },
        {"number": 2, "service": "exit", "next-hop": [_member("B")]},
    ]
    return _document(devices, instances, stages)


def edge_document(devices: dict[str, str]) -> Document:
    """Return the configuration of a forwarder beside one instance that knows no labels."""
    side = {**_side(0), "stripped-labels": _LABELS}
    instances = [{"name": "v0", "service": "vnf", "egress-side": side}]
    stages = [
        {"number": 0, "service": "vnf", "instance": [_member("v0")]},
        {"number": 1, "service": "exit", "next-hop": [_member("B")]},
    ]
    return _document(devices, instances, stages)


def _document(
    devices: dict[str, str], instances: list[Document], stages: list[Document]
) -> Document:
    ports = [{"name": name, "device": device} for name, device in devices.items()]
    peers = [
        {"name": name, "address": f"192.0.2.{number}", "mac-address": f"02:00:00:00:00:{last}"}
        for name, number, last in (("A", 2, "0a"), ("B", 3, "0b"))
    ]
    return {
        "sluice-forwarder:forwarder": {
            "name": "F",
            "ports": {"port": ports},
            "underlay": {"port": WAN, "address": "192.0.2.1"},
            "flow-table": {"capacity": 1 << 20},
            "peers": {"peer": peers},
            "instances": {"instance": instances},
            "chains": {"chain": [{**_LABELS, "stage": stages}]},
        }
    }


def _side(instance: int, vlan: int = 0) -> Document:
    return {"port": LAN, "vlan": vlan, "mac-address": f"02:00:00:00:00:{0x10 + instance:02x}"}


def _member(name: str) -> Document:
    return {"name": name, "weight": 1}


def hashed_groups(selection: str) -> tuple[list[str], list[str]]:
    """Return groups and flows that pick an instance, or a forwarder behind it, packet by packet."""
    groups = [
        _select(1, selection, [f"{_to_instance(n)},output:2" for n in range(_INSTANCES)]),
        _select(2, selection, [f"{_to_peer(n)},output:1" for n in range(2)]),
    ]
    return groups, ["in_port=1,ip,actions=group:1", "in_port=2,ip,actions=group:2"]


def tracked_connections() -> tuple[list[str], list[str]]:
    """Return groups and flows that pick for the first packet, and keep the choice in ct_mark."""
    pick = f"multipath(symmetric_l3l4+udp,0,modulo_n,{_INSTANCES},0,NXM_NX_REG0[0..7])"
    flows = [
        "ip,actions=ct(table=1)",
        f"table=1,ct_state=+trk+rpl,in_port=2,ip,actions={_to_peer(0)},output:1",
        f"table=1,ct_state=+trk+new,in_port=1,ip,actions={pick},resubmit(,2)",
    ]
    for number in range(_INSTANCES):
        commit = f"ct(commit,exec(set_field:{number + 1}->ct_mark))"
        onward = f"{_to_instance(number)},output:2"
        known = f"table=1,ct_state=+trk+est,ct_mark={number + 1},in_port=1,ip"
        flows += [
            f"{known},actions={onward}",
            f"table=2,reg0={number},ip,actions={commit},{onward}",
        ]
    return [], flows


def _select(number: int, selection: str, buckets: Sequence[str]) -> str:
    listed = ",".join(f"bucket=bucket_id={n},weight=1,{b}" for n, b in enumerate(buckets))
    return f"group_id={number},type=select,{selection},{listed}"


def _to_instance(number: int) -> str:
    return f"set_field:02:00:00:00:00:{0x10 + number:02x}->eth_dst"


def _to_peer(number: int) -> str:
    return f"set_field:02:00:00:00:00:{0x0A + number:02x}->eth_dst"


Writer = Callable[[dict[str, str]], Document]


def _ours(mode: str, document: Writer) -> Contender:
    return Contender(
        mode, 1, lambda folder: memif.sluice_forwarder(folder, document(memif.devices(folder)))
    )


def _switch(mode: str, document: Writer, kind: type[Rules], *, keeps: bool = True) -> Contender:
    def start(folder: pathlib.Path) -> Running:
        return memif.switch_forwarder(folder, document(memif.devices(folder)), kind)

    return Contender(mode, 2, start, keeps)


def _plain(rules: tuple[list[str], list[str]]) -> Contender:
    return Contender("plain", 2, lambda folder: memif.plain_switch(folder, *rules))


CONTENDERS = {
    "S1-vs": {
        OURS: _ours("chain", vnf_document),
        "ct": _switch("chain", vnf_document, Tracked),
        "group": _switch("chain", vnf_document, Hashed, keeps=False),
        "dp-hash": _switch("chain", vnf_document, DatapathHashed, keeps=False),
        "plain-ct": _plain(tracked_connections()),
        "plain-group": _plain(hashed_groups(_TUPLE_HASH)),
        "plain-dp-hash": _plain(hashed_groups("selection_method=dp_hash")),
        "loop": Contender("chain", 1, memif.null_loop, keeps=False),
    },
    "S2": {
        OURS: _ours("edge", edge_document),
        "bridge": _plain(([], ["actions=NORMAL"])),
        "labels": _switch("edge", edge_document, Rules),
        "affinity": _switch("edge", edge_document, Learned),
    },
}
