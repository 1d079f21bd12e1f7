# SPDX-License-Identifier: EPL-2.0
"""A request that is right for each thing that Sluice's models let clients write or ask."""

from __future__ import annotations

import dataclasses
from typing import Any

_FABRIC = "/data/sluice-fabric:fabric"
_MULTIPATH = "/data/sluice-multipath:multipath"
_BANDWIDTH = "/data/sluice-bandwidth:bandwidth"
_PLANNER = "/data/sluice-planner:planner"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Document:
    """A request that is right; ``body`` is JSON as RFC 7951 has it."""

    method: str
    path: str
    body: dict[str, Any]


_SWITCH = {"id": "openflow:9", "port": [{"number": 1, "capacity": "10000000"}]}
_SERVICE = {
    "name": "malformed",
    "transport": "udp",
    "virtual-address": "10.9.9.9",
    "virtual-port": 80,
    "pieces": 2,
    "strategy": "greedy",
    "server": [
        {
            "name": "s1",
            "address": "10.0.0.2",
            "max-load": 4,
            "port": [{"number": 6001, "piece": 1}, {"number": 6002, "piece": 2}],
        }
    ],
}
_TRANSFER = {
    "name": "malformed",
    "client": "10.0.0.1",
    "service": "malformed",
    "piece": [1, 2],
    "bandwidth": "1000",
}
_LOAD = {"service": "malformed", "server": "s1", "processor": 1, "memory": 2, "connections": 3}
_PATHS = {"source": "openflow:1", "destination": "10.0.0.2", "paths": 4, "disjointness": "node"}
_FLOW = {
    "name": "f1",
    "source": "10.0.0.1",
    "destination": "10.0.0.2",
    "protocol": "tcp",
    "destination-port": 6001,
    "stage": 2,
    "guarantee": "1000",
    "limit": "1000000",
}
_REPORT = {
    "name": "f1",
    "transferred": "1000",
    "sender-before": "1",
    "sender-after": "2",
    "receiver-before": "3",
    "receiver-after": "4",
}
_APPLICATION = {"tenant": "malformed", "application": "a1"}
_LINK = {"name": "a-b", "from": "a", "to": "b", "bandwidth": "1000000", "delay": 100}
_CHAIN = {
    "name": "office",
    "ingress": ["a"],
    "egress": ["a"],
    "vnf": ["firewall"],
    "forward": "1000",
}
_NETWORK = {
    "headroom": 100_000,
    "moves-interval": 3_600,
    "node": [{"name": "a"}, {"name": "b"}],
    "link": [_LINK, {**_LINK, "name": "b-a", "from": "b", "to": "a"}],
    "site": [{"name": "s", "node": "b", "capacity": "1000000"}],
    "vnf": [
        {
            "name": "firewall",
            "load": 8,
            "deployment": [{"site": "s", "capacity": "1000000"}],
        }
    ],
    "chain": [_CHAIN],
    "risk": [{"name": "duct", "link": ["a-b", "b-a"]}],
}
_LIMITS = {"time-limit": 1, "gap": 100}
_SITE = {"node": "a", "capacity": "1000", "vnf": ["firewall"]}
_REQUEST = {"name": "m2", "client": "10.0.0.1", "service": "malformed", "piece": [1]}


def _rpc(name: str, body: dict[str, Any]) -> Document:
    module = name.partition(":")[0]
    return Document(method="POST", path=f"/operations/{name}", body={f"{module}:input": body})


def _entry(path: str, entry: dict[str, Any]) -> Document:
    module = path.removeprefix("/data/").partition(":")[0]
    name = path.rpartition("/")[2].partition("=")[0]
    return Document(method="PUT", path=path, body={f"{module}:{name}": [entry]})


DOCUMENTS = (
    _entry(f"{_FABRIC}/switches/switch=openflow%3A9", _SWITCH),
    Document(
        method="PATCH",
        path=_FABRIC,
        body={
            "sluice-fabric:fabric": {"sampling-interval": 10_000, "switches": {"switch": [_SWITCH]}}
        },
    ),
    _entry(f"{_MULTIPATH}/service=malformed", _SERVICE),
    Document(method="POST", path=_MULTIPATH, body={"sluice-multipath:service": [_SERVICE]}),
    _entry(f"{_MULTIPATH}/transfer=malformed", _TRANSFER),
    Document(
        method="PATCH",
        path=_MULTIPATH,
        body={
            "sluice-multipath:multipath": {
                "strategy": "joint",
                "refresh-interval": 10_000,
                "cost-tolerance": 250_000,
                "least-gain": 100_000,
                "hold-time": 30_000,
                "idle-timeout": 30_000,
                "service": [_SERVICE],
                "transfer": [_TRANSFER],
            }
        },
    ),
    _rpc("sluice-fabric:validate", {"switch": "openflow:1"}),
    _rpc("sluice-fabric:sync", {"switch": "openflow:1"}),
    _rpc("sluice-multipath:request-transfer", {**_REQUEST, "bandwidth": "1000"}),
    _rpc("sluice-multipath:release-transfer", {"name": "m2"}),
    _rpc("sluice-multipath:report-load", _LOAD),
    _rpc("sluice-multipath:find-paths", _PATHS),
    _rpc("sluice-multipath:advise-links", {"service": "malformed"}),
    _rpc("sluice-multipath:explain", {"transfer": "malformed"}),
    _rpc("sluice-fabric:qualify", {"switch": "openflow:9"}),
    _rpc("sluice-fabric:forget-switch", {"switch": "openflow:9"}),
    _entry(
        f"{_BANDWIDTH}/tenant=malformed",
        {"name": "malformed", "application": [{"name": "a1", "weight": 2, "flow": [_FLOW]}]},
    ),
    _rpc("sluice-bandwidth:register-application", {**_APPLICATION, "weight": 2, "flow": [_FLOW]}),
    _rpc(
        "sluice-bandwidth:report-flows",
        {**_APPLICATION, "interval": 1_000_000, "flow": [_REPORT]},
    ),
    _rpc("sluice-bandwidth:explain", {**_APPLICATION, "flow": "f1"}),
    _rpc("sluice-bandwidth:unregister-application", {**_APPLICATION, "application": "a2"}),
    Document(method="PUT", path=_PLANNER, body={"sluice-planner:planner": _NETWORK}),
    _entry(f"{_PLANNER}/chain=office", _CHAIN),
    _rpc("sluice-planner:start-run", {"objective": "scale", **_LIMITS}),
    _rpc("sluice-planner:start-moves", {"max-moves": 3, **_LIMITS}),
    _rpc("sluice-planner:start-capacity", {"capacity": "1000000", **_LIMITS}),
    _rpc(
        "sluice-planner:start-placement",
        {
            "vnf": [{"name": "firewall", "new-sites": 2}],
            "new-sites": 1,
            "capacity": "1000",
            **_LIMITS,
        },
    ),
    _rpc("sluice-planner:cancel-run", {"number": 1}),
    _rpc("sluice-planner:apply-moves", {"number": 1}),
    _rpc("sluice-planner:admit", {**_CHAIN, "name": "branch", "oversubscribe": True}),
    _rpc("sluice-planner:explain", {"chain": "office"}),
    _rpc("sluice-planner:assess-risks", {"risk": ["duct"]}),
    _rpc("sluice-planner:what-if", {"added-site": _SITE}),
    _rpc("sluice-planner:what-if", {"link-down": ["a-b"]}),
)
