# SPDX-License-Identifier: EPL-2.0
"""Sluice's controller, in the words of its YANG models."""

from __future__ import annotations

import datetime
import http
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from sluice_lab.bandwidth import Allocation, LimitedFlow, Rounds
from sluice_lab.multipath import Assignment, Load, Server, Service, Strategy
from sluice_lab.restconf import DEFAULT_URL, ControllerError, Restconf, key
from sluice_lab.topology import Host, Topology
from sluice_lab.views import Place, disagreements, missing_hosts, missing_parts

_PLANNER = "/data/sluice-planner:planner"
_BUS = "/data/sluice-bus:bus"
_BANDWIDTH = "/data/sluice-bandwidth:bandwidth"
_MULTIPATH = "/data/sluice-multipath:multipath"
_FABRIC = "/data/sluice-fabric:fabric"
_POLL_S = 0.2
_NAMED = 10  # things that are missing: an error names no more

Progress: TypeAlias = Callable[[str, int, int], None]
"""Takes what is waited for, how much of it there is, and how much there is to be."""


def silent(_what: str, _done: int, _every: int) -> None:
    """Take progress and say nothing."""


class Controller:
    """A client of one controller. Every method may raise :class:`ControllerError`."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        user: str = "admin",
        password: str = "admin",
        timeout_s: float = 30,
    ) -> None:
        self._rest = Restconf(url, user, password, timeout_s)

    def wait_ready(self, timeout_s: float = 120) -> None:
        """Wait until the controller serves Sluice's fabric."""

        def is_served() -> bool:
            self._rest.get(_FABRIC)  # an empty fabric is none, an unknown module an error
            return True

        self._wait(is_served, timeout_s, "the fabric's RESTCONF")

    def wait_fabric(
        self, topology: Topology, timeout_s: float = 60, progress: Progress = silent
    ) -> None:
        """Wait until a topology is known: its switches' features, ports, and links both ways."""
        every = len(missing_parts({}, topology))
        self._wait_none(
            lambda: missing_parts(self.fabric(), topology),
            timeout_s,
            f"fabric of {topology.name}",
            lambda missing: progress("links and ports", every - missing, every),
        )

    def wait_hosts(
        self,
        topology: Topology,
        announce: Callable[[], None],
        timeout_s: float = 60,
        progress: Progress = silent,
    ) -> None:
        """Wait until all hosts are known where they are; others announce themselves."""
        ids = {switch.name: switch.id for switch in topology.switches}
        wanted = {
            (host.address, ids[host.port.switch], host.port.number): host.name
            for host in topology.hosts
        }
        self._wait_seen(wanted, announce, timeout_s, f"hosts of {topology.name}", progress)

    def wait_addresses(
        self, host: Host, topology: Topology, addresses: Sequence[str], announce: Callable[[], None]
    ) -> None:
        """Wait until a host's addresses, further ones than its own, are known to be there."""
        switch = topology.switch(host.port.switch).id
        wanted = {(address, switch, host.port.number): address for address in addresses}
        self._wait_seen(wanted, announce, 60, f"addresses of {host.name}", silent)

    def _wait_seen(
        self,
        wanted: Mapping[Place, str],
        announce: Callable[[], None],
        timeout_s: float,
        what: str,
        progress: Progress,
    ) -> None:
        """Wait until addresses are known at the ports of the switches; others announce them."""

        def missing() -> list[str]:
            found = missing_hosts(self.fabric(), wanted)
            if found:
                announce()
            return found

        def tell(count: int) -> None:
            progress("hosts known", len(wanted) - count, len(wanted))

        self._wait_none(missing, timeout_s, what, tell)

    def fabric(self) -> dict[str, Any]:
        """Return switches, links and hosts as the controller sees them."""
        fabric = self._rest.get(f"{_FABRIC}?content=nonconfig") or {}
        state: dict[str, Any] = fabric.get("sluice-fabric:fabric", {})
        return state

    def last_detached(self) -> datetime.datetime | None:
        """Return when the last of the switches that are away left; None if none is away."""
        switches = self.fabric().get("switches", {}).get("switch", [])
        left = [switch["detached-since"] for switch in switches if "detached-since" in switch]
        return max(map(datetime.datetime.fromisoformat, left), default=None)

    def set_capacities(self, topology: Topology) -> None:
        """Tell what every shaped port can carry: a port's own speed knows nothing of shapers.

        What was told before of other ports of these switches is forgotten.
        """
        for switch in topology.switches:
            ports = [
                {"number": number, "capacity": str(bps)}
                for number, bps in sorted(
                    (number, bps) for at, number, bps in topology.capacities() if at.id == switch.id
                )
            ]
            told = {"id": switch.id} | ({"port": ports} if ports else {})
            self._rest.put(
                f"{_FABRIC}/switches/switch={key(switch.id)}", {"sluice-fabric:switch": [told]}
            )

    def set_strategy(self, strategy: Strategy) -> None:
        """Choose the strategy for all traffic whose service names none."""
        self._rest.put(f"{_MULTIPATH}/strategy", {"sluice-multipath:strategy": strategy.value})

    def set_times(self, **times_ms: int) -> None:
        """Set intervals and time-outs of sluice-multipath, for instance ``idle_timeout``."""
        for name, value_ms in times_ms.items():
            leaf = name.replace("_", "-")
            self._rest.put(f"{_MULTIPATH}/{leaf}", {f"sluice-multipath:{leaf}": value_ms})

    def set_sampling(self, interval_ms: int) -> None:
        """Set how often the rates of links are measured."""
        leaf = "sampling-interval"
        self._rest.put(f"{_FABRIC}/{leaf}", {f"sluice-fabric:{leaf}": interval_ms})

    def put_service(self, service: Service) -> None:
        """Declare a service, or replace it."""
        self._rest.put(
            f"{_MULTIPATH}/service={key(service.name)}",
            {"sluice-multipath:service": [service.body()]},
        )

    def put_server(self, service: str, server: Server) -> None:
        """Declare a server of a service that is declared, or replace it."""
        path = f"{_MULTIPATH}/service={key(service)}"
        if self._rest.get(f"{path}?content=config") is None:
            raise ControllerError(f"there is no service {service}; declare it first")
        self._rest.put(
            f"{path}/server={key(server.name)}", {"sluice-multipath:server": [server.body()]}
        )

    def delete_server(self, service: str, server: str) -> None:
        """Take a server from a service; it is no error if there is none."""
        self._rest.delete(f"{_MULTIPATH}/service={key(service)}/server={key(server)}")

    def delete_service(self, name: str) -> None:
        """Remove a service; it is no error if there is none."""
        self._rest.delete(f"{_MULTIPATH}/service={key(name)}")

    def request_transfer(
        self, name: str, client: str, service: str, pieces: Sequence[int] = ()
    ) -> list[Assignment]:
        """Ask for pieces (all if none are named); the answer comes when the paths are in place."""
        request: dict[str, Any] = {"name": name, "client": client, "service": service}
        if pieces:
            request["piece"] = list(pieces)
        output = self._rest.invoke("sluice-multipath:request-transfer", request)
        assignments = output.get("sluice-multipath:output", {}).get("assignment", [])
        return sorted(map(Assignment.of, assignments), key=lambda assignment: assignment.piece)

    def transfers(self) -> list[str]:
        """Return the names of the transfers that are configured."""
        return self._configured("transfer")

    def services(self) -> list[str]:
        """Return the names of the services that are configured."""
        return self._configured("service")

    def _configured(self, kind: str) -> list[str]:
        multipath = self._rest.get(f"{_MULTIPATH}?content=config") or {}
        tree = multipath.get("sluice-multipath:multipath", {})
        return [item["name"] for item in tree.get(kind, [])]

    def release_transfer(self, name: str) -> None:
        """End a transfer and withdraw its flows."""
        self._rest.invoke("sluice-multipath:release-transfer", {"name": name})

    def report_load(self, service: str, server: str, load: Load) -> None:
        """Say how busy a server is."""
        self._rest.invoke(
            "sluice-multipath:report-load",
            {
                "service": service,
                "server": server,
                "processor": load.processor_ppm,
                "memory": load.memory_ppm,
                "connections": load.connections,
            },
        )

    def flows(self) -> list[dict[str, Any]]:
        """Return the flows that are placed now."""
        state = self._rest.get(f"{_MULTIPATH}?content=nonconfig") or {}
        flows: list[dict[str, Any]] = state.get("sluice-multipath:multipath", {}).get("flow", [])
        return flows

    def share_links(
        self,
        policy: str = "app-max-min",
        interval_s: int = 5,
        alpha_ppm: int = 750_000,
        code_points: Sequence[int] = (),
    ) -> None:
        """Choose how links are shared out between flows of applications, and how often.

        Without values it is as in a controller that nobody told. The last two are of ``app-fair``:
        its weight, and the marks of its queues, best one first; there are no others then.
        """
        self._set_bandwidth("interval", interval_s * 1_000_000)
        self._set_bandwidth("alpha", alpha_ppm)
        found = self._rest.get(f"{_BANDWIDTH}?content=config") or {}
        queues = found.get("sluice-bandwidth:bandwidth", {}).get("queue", [])
        there = [queue["code-point"] for queue in queues]
        if there != list(code_points):
            self._set_bandwidth("policy", "app-max-min")  # one that can do without queues
            for point in there:
                self._rest.delete(f"{_BANDWIDTH}/queue={point}")
            for point in code_points:
                queue = {"sluice-bandwidth:queue": [{"code-point": point}]}
                self._rest.put(f"{_BANDWIDTH}/queue={point}", queue)
        self._set_bandwidth("policy", policy)

    def _set_bandwidth(self, leaf: str, value: object) -> None:
        self._rest.put(f"{_BANDWIDTH}/{leaf}", {f"sluice-bandwidth:{leaf}": value})

    def put_tenant(self, name: str, flows: Sequence[LimitedFlow]) -> None:
        """Declare a tenant's flows, each an application of its own, and no others of it."""
        applications = [{"name": flow.name, "flow": [flow.body()]} for flow in flows]
        tenant = {"name": name, "application": applications}
        self._rest.put(f"{_BANDWIDTH}/tenant={key(name)}", {"sluice-bandwidth:tenant": [tenant]})

    def delete_tenant(self, name: str) -> None:
        """Remove a tenant with its flows; it is no error if there is none."""
        self._rest.delete(f"{_BANDWIDTH}/tenant={key(name)}")

    def register_application(
        self, tenant: str, name: str, flows: Sequence[LimitedFlow]
    ) -> dict[str, Allocation]:
        """Declare an application; return what each flow has when the switches have confirmed it."""
        body = {"tenant": tenant, "application": name, "flow": [flow.body() for flow in flows]}
        output = self._rest.invoke("sluice-bandwidth:register-application", body)
        given = output.get("sluice-bandwidth:output", {}).get("flow", [])
        return {flow["name"]: Allocation.of(flow) for flow in given}

    def unregister_application(self, tenant: str, name: str) -> None:
        """Remove an application; the answer comes when the switches hold nothing of it."""
        self._rest.invoke(
            "sluice-bandwidth:unregister-application", {"tenant": tenant, "application": name}
        )

    def applications(self, tenant: str) -> list[str]:
        """Return the names of a tenant's applications that are configured."""
        found = self._rest.get(f"{_BANDWIDTH}/tenant={key(tenant)}?content=config") or {}
        return [
            application["name"]
            for entry in found.get("sluice-bandwidth:tenant", [])
            for application in entry.get("application", [])
        ]

    def allocations(self, tenant: str) -> dict[str, Allocation]:
        """Return what each of a tenant's flows has, by the flow's name."""
        found = self._rest.get(f"{_BANDWIDTH}/tenant={key(tenant)}?content=nonconfig") or {}
        return {
            flow["name"]: Allocation.of(flow.get("allocation", {}))
            for entry in found.get("sluice-bandwidth:tenant", [])
            for application in entry.get("application", [])
            for flow in application.get("flow", [])
        }

    def rounds(self) -> Rounds:
        """Return what the rounds of allocation have come to so far."""
        found = self._rest.get(f"{_BANDWIDTH}/round-events?content=nonconfig") or {}
        return Rounds.of(found.get("sluice-bandwidth:round-events", {}))

    def validate(self) -> list[dict[str, Any]]:
        """Compare all switches with what is declared; return a comparison for each."""
        return self._compare("validate")

    def sync(self) -> list[dict[str, Any]]:
        """Compare and repair; return the comparison from before the repair."""
        return self._compare("sync")

    def clear(self) -> None:
        """Remove all of Sluice's configuration."""
        for tree in (_MULTIPATH, _BANDWIDTH, _PLANNER, _BUS, _FABRIC):
            self._rest.delete(tree)

    def _compare(self, rpc: str) -> list[dict[str, Any]]:
        output = self._rest.invoke(f"sluice-fabric:{rpc}", {}).get("sluice-fabric:output", {})
        switches: list[dict[str, Any]] = output.get("switch", [])
        return switches

    def wait_agreement(self, topology: Topology, timeout_s: float = 120) -> None:
        """Wait until all links are known and all switches hold what is declared for them."""
        self.wait_fabric(topology, timeout_s)
        wanted = {switch.id for switch in topology.switches}

        def is_agreed() -> bool:
            compared = self.validate()
            if found := [text for switch in compared for text in disagreements(switch)]:
                raise ControllerError("; ".join(found))
            return wanted <= {switch["id"] for switch in compared}

        self._wait(is_agreed, timeout_s, f"agreement with all switches of {topology.name}")

    def _wait_none(
        self,
        missing: Callable[[], list[str]],
        timeout_s: float,
        what: str,
        tell: Callable[[int], None],
    ) -> None:
        """Wait until nothing is missing; the error names some of what is."""

        def is_there() -> bool:
            found = missing()
            tell(len(found))
            if found:
                rest = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
                raise ControllerError(f"missing: {', '.join(found[:_NAMED])}{rest}")
            return True

        self._wait(is_there, timeout_s, what)

    def _wait(self, condition: Any, timeout_s: float, what: str) -> None:  # noqa: ANN401
        deadline = time.monotonic() + timeout_s
        reason = "not complete"
        while time.monotonic() < deadline:
            try:
                if condition():
                    return
            except ControllerError as error:
                if error.status == http.HTTPStatus.UNAUTHORIZED:
                    raise
                reason = str(error)
            time.sleep(_POLL_S)
        raise ControllerError(f"waited {timeout_s:g} s in vain for {what}: {reason}")
