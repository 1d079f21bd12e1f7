# SPDX-License-Identifier: EPL-2.0
"""A controller for tests, in a network namespace of its own, so that others on this machine are not disturbed."""

import contextlib
import os
import pathlib
import secrets
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator

import pytest
from sluice_lab import program, traffic
from sluice_lab.controller import Controller
from sluice_lab.net import Net

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Tests boot many controllers and run none for long: what they run is compiled at once, if not well.
QUICK_COMPILER = {"EXTRA_JAVA_OPTS": "-XX:TieredStopAtLevel=1"}
HERE, THERE = "169.254.83.1", "169.254.83.2"  # RFC 3927: nobody's but this link's


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", choices=["sample", "full"], default="sample", help="how long the long tests run")


class NamespacedController:
    """tools/controller, with its usual ports, inside a network namespace."""

    def __init__(self, namespace: str, folder: pathlib.Path) -> None:
        self.namespace = namespace
        self.folder = folder
        self.address = "127.0.0.1"

    def exec(self, *command: str, timeout_s: float = 60) -> subprocess.CompletedProcess:
        """Runs a command in the namespace; returns its exit code and its output as text."""
        return subprocess.run(
            ["ip", "netns", "exec", self.namespace, *command],
            env=os.environ | QUICK_COMPILER,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def attempt(self, *arguments: str, timeout_s: float = 60) -> subprocess.CompletedProcess:
        """Runs tools/controller; returns its exit code and what it printed."""
        tool = str(ROOT / "tools" / "controller")
        return self.exec(tool, "--folder", str(self.folder), *arguments, timeout_s=timeout_s)

    def command(self, *arguments: str, timeout_s: float = 60) -> str:
        """Runs tools/controller; returns what it printed, or fails the test with it."""
        done = self.attempt(*arguments, timeout_s=timeout_s)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def restconf(self, method: str, path: str, body: str | None = None, accept: str = "application/yang-data+json"):
        """Asks RESTCONF under /rests; returns status code and body."""
        credentials = f'user = "admin:{self.password()}"\n'
        request = ["curl", "-s", "-K", "-", "-X", method, "-H", f"Accept: {accept}", "-w", "\n%{http_code}"]
        if body is not None:
            request += ["-H", "Content-Type: application/yang-data+json", "-d", body]
        done = subprocess.run(
            ["ip", "netns", "exec", self.namespace, *request, f"http://127.0.0.1:8181{path}"],
            input=credentials,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        text, _, code = done.stdout.rpartition("\n")
        return int(code), text

    def password(self) -> str:
        return (self.folder / "password").read_text().strip()

    def kill(self, signal_number: int) -> None:
        """Sends the controller's process a signal and waits until it is gone."""
        program.end(int((self.folder / "karaf.pid").read_text()), signal_number)

    def log(self) -> str:
        return (self.folder / "data" / "log" / "karaf.log").read_text()


@contextlib.contextmanager
def namespaced_controller(folder: pathlib.Path) -> Iterator[NamespacedController]:
    """A controller that is not started yet; it is stopped and its namespace removed at the end."""
    namespace = f"sluice-{secrets.token_hex(3)}"
    subprocess.run(["ip", "netns", "add", namespace], check=True)
    controller = NamespacedController(namespace, folder)
    try:
        controller.exec("ip", "link", "set", "lo", "up")
        yield controller
        controller.command("stop", timeout_s=150)
    finally:
        subprocess.run(["ip", "netns", "delete", namespace], check=True)


@pytest.fixture(scope="session")
def new_controller():
    """namespaced_controller, for tests that start one in their own way."""
    return namespaced_controller


@pytest.fixture
def idle_controller(tmp_path: pathlib.Path) -> Iterator[NamespacedController]:
    """A controller of this test alone, not started yet."""
    with namespaced_controller(tmp_path / "controller") as controller:
        yield controller


@pytest.fixture(scope="session")
def controller(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NamespacedController]:
    """A running controller with every feature, shared by the tests that change nothing about it."""
    with namespaced_controller(tmp_path_factory.mktemp("shared") / "controller") as shared:
        shared.command("start", timeout_s=330)
        yield shared


@pytest.fixture(scope="session")
def started_once(tmp_path_factory: pytest.TempPathFactory) -> tuple[pathlib.Path, pathlib.Path]:
    """A controller's folder, and a copy from when it had started once and nothing was configured.

    What starts from such files is ready in half of the time that the first start takes; they name their folder.
    """
    place = tmp_path_factory.mktemp("reached")
    folder, copy = place / "controller", place / "started-once"
    with namespaced_controller(folder) as controller:
        controller.command("start", timeout_s=330)
    shutil.copytree(folder, copy, symlinks=True)
    return folder, copy


@pytest.fixture(scope="module")
def running(started_once: tuple[pathlib.Path, pathlib.Path]) -> Iterator[NamespacedController]:
    """A running controller of this file alone, which switches of the main namespace reach at `address`."""
    folder, copy = started_once
    folder.rename(folder.with_suffix(f".{len(list(folder.parent.iterdir()))}"))  # what it says may be asked for
    shutil.copytree(copy, folder, symlinks=True)
    with namespaced_controller(folder) as controller:
        controller.address = THERE
        inside = f"ve{controller.namespace[-6:]}"
        link = f"ip link add {inside}h type veth peer name {inside} netns {controller.namespace}"
        subprocess.run(link.split(), check=True)
        controller.exec("ip", "addr", "add", f"{THERE}/30", "dev", inside)
        controller.exec("ip", "link", "set", inside, "up")
        subprocess.run(f"ip addr add {HERE}/30 dev {inside}h".split(), check=True)
        subprocess.run(f"ip link set {inside}h up".split(), check=True)
        controller.command("start", timeout_s=330)
        yield controller


@pytest.fixture(scope="module")
def api(running: NamespacedController) -> Controller:
    """RESTCONF of that controller."""
    return Controller(f"http://{running.address}:8181/rests", "admin", running.password())


@pytest.fixture(scope="session")
def wait_until() -> Callable[[Callable[[], bool], float], None]:
    """Fails the test if a condition does not hold within a number of seconds."""

    def wait(condition: Callable[[], bool], limit_s: float) -> None:
        end = time.monotonic() + limit_s
        while not condition():
            assert time.monotonic() < end, f"not within {limit_s} s"
            time.sleep(0.2)

    return wait


@pytest.fixture(scope="session")
def goodputs() -> Callable[..., list[float]]:
    """Measures the bit/s of TCP payload from a net's first host to its second, to several ports at once."""

    def measure(net: Net, ports: Iterable[int], duration_s: int = 6) -> list[float]:
        client, server = (host.name for host in net.topology.hosts[:2])
        flows = [traffic.Flow(client=client, server=server, port=port) for port in ports]
        return [flow.goodput_bps for flow in traffic.measure_tcp(net, flows, duration_s, cut_s=1)]

    return measure


@pytest.fixture
def soak_rounds(request: pytest.FixtureRequest) -> Callable[..., int]:
    """Chooses how often a long test repeats itself: soak_rounds(sample=2, full=100)."""
    return lambda **rounds: rounds[request.config.getoption("--soak")]
