# SPDX-License-Identifier: EPL-2.0
"""The bus inside the controller: it links with the proxy of another site, refuses strangers, and rotates its key."""

import dataclasses
import json
import pathlib
import signal
import stat
import subprocess
from collections.abc import Callable, Iterator

import pytest
from documents import ROOT

pytestmark = pytest.mark.net

DATA = "/rests/data/sluice-bus:bus"
OPERATIONS = "/rests/operations/sluice-bus:"
HERE, OWN_PORT, OTHER_PORT = "127.0.0.1", 5570, 5571
LINK_S = 30  # a handshake may hang and be tried again


@dataclasses.dataclass
class ControllerBus:
    """The bus of site A, in a controller, over RESTCONF."""

    controller: object
    wait_until: Callable[[Callable[[], bool], float], None]

    def put(self, path: str = "", **content: object) -> None:
        name = path.rpartition("/")[2].partition("=")[0]
        body = {f"sluice-bus:{name}": [content]} if name else {"sluice-bus:bus": content}
        code, answer = self.controller.restconf("PUT", DATA + path, json.dumps(body))
        assert code in (201, 204), answer

    def delete(self) -> None:
        self.controller.restconf("DELETE", DATA)

    def state(self) -> dict:
        """What it shows; nothing as long as that is nothing."""
        code, answer = self.controller.restconf("GET", f"{DATA}?content=nonconfig")
        return json.loads(answer)["sluice-bus:bus"] if code == 200 else {}

    def ask(self, rpc: str, **content: object) -> tuple[int, dict]:
        body = json.dumps({"sluice-bus:input": content})
        code, text = self.controller.restconf("POST", OPERATIONS + rpc, body)
        answer = json.loads(text) if text else {}
        return code, answer.get("sluice-bus:output", answer)

    def wait_for(self, condition: Callable[[dict], bool], limit_s: float = LINK_S) -> dict:
        """The state once it is so."""
        self.wait_until(lambda: condition(self.state()), limit_s)
        return self.state()

    def link(self, site: str) -> dict:
        return linked(self.state(), site)


def linked(state: dict, site: str) -> dict:
    """The link to a site; nothing if there is none."""
    return {entry["name"]: entry.get("link", {}) for entry in state.get("remote-site", [])}.get(site, {})


class SiteProcess:
    """The proxy of another site as a process, in the controller's network namespace."""

    def __init__(self, namespace: str, folder: pathlib.Path, site: str, port: int) -> None:
        folder.mkdir()
        self._folder = folder
        self._site = site
        self._port = port
        make_keys = [ROOT / "tools" / "bus-proxy", "--make-keys", folder / "keys"]
        self.key = subprocess.run(make_keys, capture_output=True, text=True, check=True).stdout.strip()
        self._command = ["ip", "netns", "exec", namespace, ROOT / "tools" / "bus-proxy", "--config", folder / "cfg"]
        self._process: subprocess.Popen | None = None

    def know(self, key: str) -> None:
        """Writes what it knows of site A; takes effect at once if it runs."""
        (self._folder / "allow").write_text(f"A {key}\n")
        (self._folder / "cfg").write_text(
            f"site = {self._site}\nbind = tcp://{HERE}:{self._port}\nkeys = keys\nallow = allow\n"
            f"remote.A = tcp://{HERE}:{OWN_PORT} {key}\n"
        )

    def start(self) -> None:
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def log(self) -> str:
        return (self._folder / "log").read_text()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ends it; kills what does not end, which fails the test."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            try:
                process.wait(timeout=30)
            finally:
                process.kill()
                process.wait()


@pytest.fixture
def bus(controller, wait_until) -> Iterator[ControllerBus]:
    """Site A, open and with nobody else; nothing is left at the end."""
    bus = ControllerBus(controller, wait_until)
    try:
        bus.put(site="A", address=HERE)
        bus.wait_for(lambda state: state.get("own-node", {}).get("up", False))
        yield bus
    finally:
        bus.delete()
        wait_until(lambda: not bus.state(), 10)


@pytest.fixture
def other(bus, tmp_path) -> Iterator[SiteProcess]:
    """Site B, which runs and knows site A; A does not know it yet."""
    other = SiteProcess(bus.controller.namespace, tmp_path / "B", "B", OTHER_PORT)
    try:
        other.know(bus.state()["public-key"])
        other.start()
        yield other
    finally:
        other.stop()


@pytest.fixture
def stranger(bus, tmp_path) -> Iterator[SiteProcess]:
    """Site 0, which comes before A and so connects to it; A never allows its key. Not started yet."""
    stranger = SiteProcess(bus.controller.namespace, tmp_path / "0", "0", OTHER_PORT + 1)
    try:
        stranger.know(bus.state()["public-key"])
        yield stranger
    finally:
        stranger.stop()


@pytest.fixture
def joined(bus, other) -> SiteProcess:
    """Site B once it is linked with A."""
    bus.put("/remote-site=B", name="B", address=HERE, port=OTHER_PORT, **{"public-key": other.key})
    bus.wait_for(lambda state: linked(state, "B").get("up", False))
    return other


def listening(controller) -> str:
    return controller.exec("ss", "-Hltn", f"sport = :{OWN_PORT}").stdout


def test_nothing_listens_until_it_is_configured(controller):
    bus = ControllerBus(controller, None)
    assert (bus.state(), listening(controller)) == ({}, "")
    code, answer = bus.ask("list-topics")
    assert 400 <= code < 500 and "no bus is configured" in json.dumps(answer), answer


def test_the_secret_key_is_in_one_file_of_its_owner(bus):
    file = bus.controller.folder / "data" / "sluice-bus" / "proxy.keys"
    public, secret = file.read_text().split()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert bus.state()["public-key"] == public
    for store in ("config", "nonconfig"):
        assert secret not in bus.controller.restconf("GET", f"{DATA}?content={store}")[1]
    assert secret not in bus.controller.log()


def test_messages_reach_the_other_site(bus, joined):
    before = int(bus.link("B")["messages"])
    code, answer = bus.ask("publish", topic="/c1/labels", body='{"label": 16}')
    assert code in (200, 204), answer
    state = bus.wait_for(lambda state: int(linked(state, "B")["messages"]) > before)
    assert state["streams"] >= 1
    bus.wait_for(lambda state: linked(state, "B")["unconfirmed"] == "0" and linked(state, "B")["waiting"] == 0)

    code, answer = bus.ask("list-topics", filter="/c1/")
    (topic,) = answer["topic"]
    (last,) = topic["last-value"]
    assert (topic["name"], last["publisher"], last["size"]) == ("/c1/labels", "A/controller", 13)
    assert bus.ask("read-topic", topic="/c1/labels")[1]["last-value"][0]["body"] == '{"label": 16}'
    assert joined.log().count("ERROR") == 0


def test_topics_are_listed_in_order(bus):
    for topic in ("/c2", "/c3", "/c1"):
        bus.ask("publish", topic=topic, body="{}")
    bus.wait_for(lambda state: state["streams"] == 3)
    assert [topic["name"] for topic in bus.ask("list-topics")[1]["topic"]] == ["/c1", "/c2", "/c3"]


def test_a_topic_of_another_site_is_refused(bus):
    code, answer = bus.ask("publish", topic="/c1/site_B_forwarders", body="{}")
    assert code == 400 and "only nodes of that site publish" in json.dumps(answer), answer


def test_an_unknown_key_is_refused_and_shown(bus, joined, stranger):
    stranger.start()
    state = bus.wait_for(lambda state: int(state["refused-connections"]) > 0)
    (refused,) = state["refused-key"]
    assert (refused["public-key"], refused["address"]) == (stranger.key, HERE)
    assert stranger.key in bus.controller.log()
    assert bus.link("B")["up"], joined.log()


def test_a_key_that_is_taken_is_a_fault(bus, other):
    for name in ("B", "C"):
        bus.put(f"/remote-site={name}", name=name, address=HERE, port=OTHER_PORT, **{"public-key": other.key})
    state = bus.wait_for(lambda state: any("fault" in entry for entry in state.get("remote-site", [])))
    (faulty,) = [entry for entry in state["remote-site"] if "fault" in entry]
    assert (faulty["name"], faulty["fault"]) == ("C", f"its key {other.key} is that of B")
    assert f'configuration-ignored item="remote-site C" reason="{faulty["fault"]}"' in bus.controller.log()


def test_the_link_comes_back_after_a_kill_of_the_other_side(bus, joined):
    before = len(bus.controller.log())
    joined.stop(signal.SIGKILL)
    bus.wait_for(lambda state: not linked(state, "B")["up"])
    joined.start()
    bus.wait_for(lambda state: linked(state, "B")["up"])
    assert "site-down site=B" in bus.controller.log()[before:]


def test_a_rotated_key_is_used_once_the_other_site_knows_it(bus, joined):
    before = bus.state()
    code, answer = bus.ask("rotate-key")
    assert code == 200, answer
    fresh = answer["public-key"]
    assert fresh != before["public-key"]
    bus.wait_for(lambda state: state["public-key"] == fresh and not linked(state, "B")["up"])
    joined.know(fresh)
    renewals = int(before["own-node"]["renewals"])
    bus.wait_for(lambda state: state["own-node"]["up"] and int(state["own-node"]["renewals"]) > renewals)
    bus.wait_for(lambda state: linked(state, "B")["up"])


def test_another_address_is_taken_without_a_restart(bus):
    bus.put(site="A", address=HERE, port=OWN_PORT + 10)
    bus.wait_for(lambda state: state.get("port") == OWN_PORT + 10 and state.get("own-node", {}).get("up", False))
    assert listening(bus.controller) == ""


def test_the_shell_shows_sites_topics_and_filters(bus, joined):
    shown = json.loads(bus.controller.command("shell", "sluice:show bus remote-site=B/link --json"))
    assert shown["sluice-bus:link"]["up"] is True
    bus.controller.command("shell", "sluice:bus-publish --topic /shell --body hello")
    bus.wait_for(lambda state: state["streams"] > 0)
    assert "/shell" in bus.controller.command("shell", "sluice:bus-list-topics")
    assert json.loads(bus.controller.command("shell", "sluice:bus-list-filters --json"))["sluice-bus:output"] == {
        "filters": 0
    }
    assert bus.link("B")["up"], joined.log()


def test_prometheus_sees_the_links(bus, joined):
    code, text = bus.controller.restconf("GET", "/metrics/", accept="text/plain")
    assert code == 200
    assert 'sluice_bus_remote_site_link_up{remote_site_name="B"} 1.0' in text
    assert "# TYPE sluice_bus_refused_connections_total counter" in text
    assert joined.key not in text
