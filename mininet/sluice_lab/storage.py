# SPDX-License-Identifier: EPL-2.0
"""A real storage transfer: a client reads an erasure-coded object from HTTP servers in hosts."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import random
import sys
import tempfile

from sluice_lab import erasure, instruments, traffic
from sluice_lab.campaign import Outcome
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Policy, Request, Steered, steered
from sluice_lab.topology import Topology

_FIRST_PORT = 8001
_TIMEOUT_S = 600


@dataclasses.dataclass(frozen=True, kw_only=True)
class StoredObject:
    """A random object of ``size_bytes``; fragment i is on server i, and any k give it back."""

    size_bytes: int = 20_000_000
    k: int = 4
    client: str = "h1"
    servers: tuple[str, ...] = ("h9", "h10", "h11", "h12", "h13", "h14")
    seed: int = 1

    def request(self) -> Request:
        """Return the wish for the first k fragments; the others are spare."""
        return Request(
            client=self.client,
            service="lab-storage",
            candidates=self.servers,
            pieces=len(self.servers),
            first_port=_FIRST_PORT,
            spread=True,
            wanted=self.k,
        )


def transfer(stored: StoredObject, topology: Topology, policy: Policy, lab: Lab) -> Outcome:
    """Read the object once; return ``seconds``, ``goodput_bps`` and what the client reported.

    The time runs from the client's order to the object in its memory, reassembled and verified;
    asking the controller for paths is timed apart as ``placing_s``. ``on_path_bytes`` crossed
    cables of the paths that the controller chose, ``off_path_bytes`` others; all traffic counts.
    """
    content = random.Random(stored.seed).randbytes(stored.size_bytes)
    manifest, fragments = erasure.encode(content, stored.k, len(stored.servers))
    with (
        tempfile.TemporaryDirectory(prefix="sluice-lab-") as name,
        steered(topology, policy, lab, [stored.request()]) as network,
    ):
        folder = pathlib.Path(name)
        (folder / "manifest.json").write_text(manifest.to_json())
        _serve(network, stored, fragments, folder)
        return _read(network, stored, folder / "manifest.json")


def _serve(
    network: Steered, stored: StoredObject, fragments: list[bytes], folder: pathlib.Path
) -> None:
    for index, (server, fragment) in enumerate(zip(stored.servers, fragments, strict=True)):
        own = folder / server
        own.mkdir()
        (own / "fragment").write_bytes(fragment)
        command = [sys.executable, "-m", "http.server", str(_FIRST_PORT + index)]
        network.net.spawn(server, [*command, "--directory", str(own)])
    for index, server in enumerate(stored.servers):
        network.net.wait_listening(server, _FIRST_PORT + index)


def _read(network: Steered, stored: StoredObject, manifest: pathlib.Path) -> Outcome:
    net = network.net
    child = net.spawn(stored.client, [sys.executable, "-m", "sluice_lab.fetch", str(manifest)])
    if child.stdout is None or child.stdout.readline().strip() != "ready":
        raise LabError(f"{stored.client}: the client did not start")
    placements, placing_s = network.timed_place(stored.request())
    urls: list[str | None] = [
        f"http://{net.topology.host(server).address}:{_FIRST_PORT + index}/fragment"
        for index, server in enumerate(stored.servers)
    ]
    for placed in placements:
        address = net.topology.host(placed.server).address
        urls[placed.port - _FIRST_PORT] = f"http://{address}:{placed.port}/fragment"
    first = instruments.read_counters(net)
    out = traffic.finish(child, f"{stored.client}: fetch", _TIMEOUT_S, json.dumps(urls) + "\n")
    last = instruments.read_counters(net)
    report: Outcome = json.loads(out)
    crossed = {
        cable: sum(last.bytes[cable.a]) - sum(first.bytes[cable.a]) for cable in net.topology.cables
    }
    on_path = sum(
        count
        for cable, count in crossed.items()
        if any(placed.crosses(net.topology, cable) for placed in placements)
    )
    return {
        **report,
        "placing_s": placing_s,
        "goodput_bps": report["bytes"] * 8 / report["seconds"],
        "on_path_bytes": on_path,
        "off_path_bytes": sum(crossed.values()) - on_path,
    }
