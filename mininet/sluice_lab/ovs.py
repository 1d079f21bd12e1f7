# SPDX-License-Identifier: EPL-2.0
"""Open vSwitch by its command-line tools."""

from __future__ import annotations

import pathlib
import re
import subprocess
from collections.abc import Iterable, Sequence

_DAEMONS = ("ovsdb-server", "ovs-vswitchd")
_PID_FOLDER = pathlib.Path("/run/openvswitch")
# The userspace datapath sends through one socket for all ports. What waits in the queues of all
# ports together has to fit its buffer, or frames are lost before they reach a queue. It receives
# from each port through a socket, whose buffer has to hold what a sender sends at once: a window.
_BUFFER_BYTES = 16 << 20
_DEFAULTS = tuple(pathlib.Path(f"/proc/sys/net/core/{name}_default") for name in ("rmem", "wmem"))


class LabError(Exception):
    """Something around the lab is not as it must be; the text is a sentence for the user."""


def call(arguments: Sequence[str], text: str | None = None, timeout_s: float = 60) -> str:
    """Run a tool and return what it prints; LabError with its complaint if it fails."""
    try:
        done = subprocess.run(
            arguments, input=text, capture_output=True, text=True, timeout=timeout_s, check=False
        )
    except FileNotFoundError:
        raise LabError(f"{arguments[0]} is not installed") from None
    except subprocess.TimeoutExpired:
        raise LabError(f"no answer within {timeout_s:g} s: {' '.join(arguments)}") from None
    if done.returncode:
        raise LabError(f"{' '.join(arguments[:4])} failed: {done.stderr.strip()}")
    return done.stdout


def ensure_running() -> None:
    """Start the system's Open vSwitch unless it runs; it is left running, others may use it.

    The kernel's defaults for buffers are raised before, and one that was started with less to send
    with is started again; LabError if it has bridges, which might be missed. Ports get a socket to
    receive from when they are made.
    """
    raise_default_buffers()
    if not all(_is_running(daemon) for daemon in _DAEMONS):
        call(["service", "openvswitch-switch", "start"])
    elif any(size < _BUFFER_BYTES for size in send_buffers(call(["ss", "-0HOmp"]))):
        if names := bridges():
            raise LabError(
                "Open vSwitch runs with a send buffer that loses frames, and can't be started "
                f"again under its bridges {', '.join(sorted(names))}: remove them, or run "
                "'service openvswitch-switch restart'"
            )
        call(["service", "openvswitch-switch", "restart"])


def raise_default_buffers() -> None:
    """Let sockets that are opened from now on hold what Open vSwitch needs, in every namespace."""
    try:
        for default in _DEFAULTS:
            if int(default.read_text()) < _BUFFER_BYTES:
                default.write_text(str(_BUFFER_BYTES))
    except OSError as error:
        settings = " ".join(f"net.core.{default.name}={_BUFFER_BYTES}" for default in _DEFAULTS)
        raise LabError(
            f"the buffers that Open vSwitch needs can't be set: {error}; run as root, outside "
            f"network namespaces, or: sysctl -w {settings}"
        ) from None


def send_buffers(sockets: str) -> list[int]:
    """Return the buffer sizes in bytes of the sockets that Open vSwitch sends frames through.

    ``sockets`` is what ``ss -0HOmp`` prints. They bear protocol 0; those that receive have others.
    """
    return [int(size) for size in re.findall(r"\[0\]:\*.*\"ovs-vswitchd\".*?,tb(\d+)", sockets)]


def _is_running(daemon: str) -> bool:
    try:
        pid = (_PID_FOLDER / f"{daemon}.pid").read_text().strip()
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == daemon
    except OSError:
        return False


def bridges() -> set[str]:
    """Return the names of all bridges."""
    return set(call(["ovs-vsctl", "list-br"]).split())


def delete_bridges(names: Iterable[str]) -> None:
    """Delete those of the bridges that exist."""
    words: list[str] = []
    for name in names:
        words += ["--", "--if-exists", "del-br", name]
    if words:
        call(["ovs-vsctl", *words])


def plug(interface: str, bridge: str, number: int) -> None:
    """Take an interface from the bridge that it is on, and give it to another as that port."""
    words = ["del-port", interface, "--", "add-port", bridge, interface]
    call(["ovs-vsctl", *words, "--", "set", "interface", interface, f"ofport_request={number}"])


def has_kernel_datapath() -> bool:
    """Tell whether this kernel can carry the packets of bridges by itself."""
    try:
        call(["ovs-dpctl", "show"])
    except LabError:
        return False
    return True


def set_controller(names: Iterable[str], target: str) -> None:
    """Point bridges at one controller, for instance ``tcp:127.0.0.1:6653``.

    A bridge that had none loses all its entries; one that had another keeps them. Controllers
    are offered OpenFlow 1.3 and nothing else.
    """
    words: list[str] = []
    for name in names:
        words += ["--", "set", "bridge", name, "protocols=OpenFlow13"]
        words += ["--", "set-controller", name, target, "--", "set", "controller", name]
        words += ["max_backoff=1000", "connection-mode=out-of-band"]
    call(["ovs-vsctl", *words])


def wait_connected(names: Sequence[str], timeout_s: int) -> None:
    """Wait until every bridge has its controller; LabError with the names of those without."""
    words: list[str] = []
    for name in names:
        words += ["--", "wait-until", "controller", name, "is_connected=true"]
    try:
        call(["ovs-vsctl", f"--timeout={timeout_s}", *words], timeout_s=timeout_s + 5)
    except LabError:
        missing = [name for name in names if not _is_connected(name)]
        if missing:
            raise LabError(
                f"no controller after {timeout_s} s at {', '.join(missing)}; is it running?"
            ) from None


def _is_connected(name: str) -> bool:
    return call(["ovs-vsctl", "get", "controller", name, "is_connected"]).strip() == "true"


def ofctl(bridge: str, words: Sequence[str], *arguments: str) -> str:
    """Run an ovs-ofctl command on a bridge over OpenFlow 1.3."""
    return call(["ovs-ofctl", "-O", "OpenFlow13", *words, bridge, *arguments])


def largest_meter(bridge: str) -> int:
    """Return the largest meter id that a bridge takes, 0 if it has no meters."""
    found = re.search(r"max_meter:(\d+)", ofctl(bridge, ["meter-features"]))
    return int(found[1]) if found else 0


def replace_entries(bridge: str, groups: Sequence[str], flows: Sequence[str]) -> None:
    """Replace all flows and groups of a bridge, over OpenFlow 1.5 (for ``selection_method``)."""
    call(["ovs-vsctl", "set", "bridge", bridge, "protocols=OpenFlow13,OpenFlow15"])
    ofctl = ["ovs-ofctl", "-O", "OpenFlow15"]
    call([*ofctl, "del-flows", bridge])
    call([*ofctl, "del-groups", bridge])
    if groups:
        call([*ofctl, "add-groups", bridge, "-"], text="\n".join(groups) + "\n")
    if flows:
        call([*ofctl, "add-flows", bridge, "-"], text="\n".join(flows) + "\n")
