# SPDX-License-Identifier: EPL-2.0
"""Forwarders under load: a process that forwards, and traffic for it over two memif ports.

The forwarder has processor 1 for itself; traffic and everything else share processor 0.
forwarder-dpdk/bench/traffic.c says what is sent and what is counted.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import select
import subprocess
from collections.abc import Iterator, Sequence

from sluice_lab import campaign, ovs, vswitch
from sluice_lab.campaign import Outcome
from sluice_lab.net import wait_for
from sluice_lab.ovs import LabError
from sluice_lab.vswitch_rules import Rules
from sluice_lab.vswitch_tables import Document

WAN, LAN = "wan", "lan"
_FORWARDING, OTHERS = 1, 0  # processors
TARGET = campaign.ROOT / "forwarder-dpdk" / "target"
_MODELS = campaign.ROOT / "models" / "src" / "main" / "yang"
EAL = ["--in-memory", "--no-pci", "--no-telemetry", "--log-level=error"]
_OPEN_LIMIT_S = 660


def devices(folder: pathlib.Path, role: str = "role=server") -> dict[str, str]:
    """Return DPDK's names of the two ports of a forwarder; another role is the other end's."""
    return {
        name: f"net_memif{number},{role},id=0,socket={folder / name},socket-abstract=no,rsize=11"
        for number, name in enumerate((WAN, LAN))
    }


@contextlib.contextmanager
def null_loop(folder: pathlib.Path) -> Iterator[None]:
    """Send back whatever comes: what memif costs alone."""
    words = [str(TARGET / "traffic"), "-l", str(_FORWARDING), *EAL, *_vdevs(folder)]
    with _running([*words, "--", "loop"], folder):
        yield


@contextlib.contextmanager
def sluice_forwarder(folder: pathlib.Path, document: Document) -> Iterator[None]:
    """Run sluice-forwarder with a document."""
    file = folder / "forwarder.json"
    file.write_text(json.dumps(document))
    with _running(forwarder_command(file), folder):
        yield


def forwarder_command(config: pathlib.Path) -> list[str]:
    """Return the command line of sluice-forwarder with a configuration."""
    lcores = ["-l", f"{OTHERS},{_FORWARDING}", "--main-lcore", str(OTHERS)]
    ours = ["--models", str(_MODELS), "--config", str(config)]
    return [str(TARGET / "sluice-forwarder"), *lcores, *EAL, "--", *ours]


@contextlib.contextmanager
def switch_forwarder(folder: pathlib.Path, document: Document, kind: type[Rules]) -> Iterator[None]:
    """Run Open vSwitch with the rules of a document."""
    mac = "02:00:00:00:00:01"
    with vswitch.dpdk_daemon(_FORWARDING, OTHERS):
        vswitch.set_up(document, mac)
        vswitch.install(kind(document), folder)
        yield


@contextlib.contextmanager
def plain_switch(
    folder: pathlib.Path, groups: Sequence[str], flows: Sequence[str]
) -> Iterator[None]:
    """Run Open vSwitch with groups and flows as they are given; WAN is port 1 and LAN port 2."""
    with vswitch.dpdk_daemon(_FORWARDING, OTHERS):
        vswitch.set_up_plain(list(devices(folder).items()))
        ovs.replace_entries(vswitch.BRIDGE, groups, flows)
        yield


def load(
    afterwards: contextlib.ExitStack,
    folder: pathlib.Path,
    mode: str,
    flows: int,
    queues: int,
    times_s: tuple[int, int],
) -> Outcome:
    """Open so many connections, let them settle, measure, and return what traffic counted.

    ``queues`` is how many the forwarder sends to. Traffic ends ``afterwards``: a forwarder may not
    outlive the other end of its ports.
    """
    wait_for(lambda: all((folder / name).is_socket() for name in (WAN, LAN)), "memif ports")
    eal = ["-l", str(OTHERS), *EAL, "--single-file-segments"]
    eal += _vdevs(folder, "role=client,zero-copy=yes")
    words = [str(TARGET / "traffic"), *eal, "--", mode, *map(str, (flows, queues, *times_s))]
    log = folder / "traffic.log"
    with log.open("w") as errors:
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=errors, text=True)
    afterwards.callback(child.wait)
    afterwards.callback(child.kill)
    assert child.stdout
    select.select([child.stdout], [], [], _OPEN_LIMIT_S + sum(times_s))
    if child.poll() is not None:
        raise LabError(log.read_text())
    counted: Outcome = json.loads(child.stdout.readline())
    return counted


@contextlib.contextmanager
def _running(words: Sequence[str], folder: pathlib.Path) -> Iterator[None]:
    """Run a forwarder that is a program of its own; whatever fails meanwhile shows its log."""
    log = folder / "forwarder.log"
    with log.open("w") as out:
        child = subprocess.Popen(words, stdout=out, stderr=out)
    try:
        yield
    except LabError as error:
        raise LabError(f"{error} {log.read_text()}") from None
    finally:
        child.kill()
        child.wait()


def _vdevs(folder: pathlib.Path, *role: str) -> list[str]:
    return [f"--vdev={device}" for device in devices(folder, *role).values()]
