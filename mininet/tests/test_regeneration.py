# SPDX-License-Identifier: EPL-2.0
"""A client whose server dies, and the node that takes its place, over real HTTP on the loopback."""

import contextlib
import dataclasses
import http.server
import json
import random
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import pytest

from sluice_lab import erasure, piece_server
from sluice_lab.campaign import Cell
from sluice_lab.erasure import DamagedError
from sluice_lab.experiments import regeneration
from sluice_lab.gather import Gathering

SEED = 20180928
CONTENT = random.Random(SEED).randbytes(30_000)


@contextlib.contextmanager
def served(handler):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def pieces(tmp_path):
    """Manifest, pieces and the URLs of four servers, any three of whose pieces are enough."""
    manifest, fragments = erasure.encode(CONTENT, 3, 4)
    with contextlib.ExitStack() as stack:
        urls = []
        for index, fragment in enumerate(fragments):
            file = tmp_path / str(index)
            file.write_bytes(fragment)
            urls.append(stack.enter_context(served(piece_server.handler_of(file))))
        yield manifest, fragments, urls


@pytest.fixture
def stalling():
    """Offers nothing but ``half``, then says no more until the test is over."""
    over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer():
            connection, _ = listener.accept()
            with connection:
                connection.recv(4_096)
                connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + CONTENT[:5_000])
                over.wait()

        thread = threading.Thread(target=answer)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        over.set()
        thread.join()


def get(url, **headers):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers)) as response:
            return response.status, response.headers["Content-Range"], response.read()
    except urllib.error.HTTPError as error:
        return error.code, None, b""


def test_a_piece_is_served_from_any_byte_on(tmp_path):
    file = tmp_path / "piece"
    with served(piece_server.handler_of(file)) as url:
        assert get(url)[0] == 404
        file.write_bytes(b"abcdef")
        assert get(url) == (200, None, b"abcdef")
        assert get(url, Range="bytes=0-") == (206, "bytes 0-5/6", b"abcdef")
        assert get(url, Range="bytes=4-") == (206, "bytes 4-5/6", b"ef")
        assert get(url, Range="bytes=6-")[0] == 416
        assert get(url, Range="bytes=-2") == (200, None, b"abcdef")


class Events:
    """Records what a gathering says; a lost fragment is to be had at ``elsewhere``."""

    def __init__(self, elsewhere):
        self.elsewhere = elsewhere
        self.seen = []
        self.gathering = None

    def __call__(self, event, **fields):
        self.seen.append((event, fields.get("fragment"), fields.get("bytes")))
        if event == "lost":
            self.gathering.move(fields["fragment"], self.elsewhere)


def gathering(manifest, events, mark=1, silence_s=30.0):
    events.gathering = Gathering(manifest, silence_s, mark, events)
    return events.gathering


def test_all_pieces_come_and_each_mark_is_seen_once(pieces):
    manifest, _, urls = pieces
    events = Events(None)
    assert gathering(manifest, events, mark=5_000).gather(urls) == CONTENT
    assert sorted(events.seen) == [("mark", index, None) for index in range(4)]


def test_a_silent_server_is_given_up_and_only_what_is_missing_is_fetched(pieces, stalling):
    manifest, fragments, urls = pieces
    events = Events(urls[0])
    found = gathering(manifest, events, silence_s=0.2).gather([stalling, *urls[1:]])
    assert found == CONTENT
    assert fragments[0].startswith(CONTENT[:5_000])
    assert ("lost", 0, 5_000) in events.seen
    assert events.seen.count(("resumed", 0, None)) == 1


def test_a_server_that_is_gone_is_noticed_at_once(pieces):
    manifest, _, urls = pieces
    with socket.create_server(("127.0.0.1", 0)) as listener:
        closed = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    events = Events(urls[3])
    assert gathering(manifest, events).gather([*urls[:3], closed]) == CONTENT
    assert [event for event in events.seen if event[0] != "mark"] == [
        ("lost", 3, 0),
        ("resumed", 3, None),
    ]


def test_a_piece_that_is_another_is_refused(pieces):
    manifest, _, urls = pieces
    with pytest.raises(DamagedError, match="fragment 3"):
        gathering(manifest, Events(None)).gather([*urls[:3], urls[0]])


def test_the_new_node_makes_the_lost_piece(pieces, tmp_path):
    manifest, fragments, urls = pieces
    (tmp_path / "manifest").write_text(manifest.to_json())
    command = [sys.executable, "-m", "sluice_lab.regenerate", tmp_path / "manifest", "3"]
    done = subprocess.run(
        [*command, tmp_path / "new"],
        input=json.dumps([*urls[:3], None]) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    ready, report = done.stdout.splitlines()
    assert ready == "ready"
    assert (tmp_path / "new").read_bytes() == fragments[3]
    times = json.loads(report)
    assert times["begun_ns"] < times["fetched_ns"] < times["written_ns"]


def test_the_bound_is_of_one_connection_over_one_path():
    second_bytes = round(10e6 * regeneration.PAYLOAD_SHARE / 8)
    experiment = dataclasses.replace(regeneration.DEFAULT, piece_bytes=second_bytes, silence_s=2)
    assert regeneration.lower_bounds_s(experiment) == pytest.approx(
        {"resumed_s": 3, "total_s": 4}, rel=1e-6
    )


def test_the_table_gives_medians_and_the_bound():
    experiment = dataclasses.replace(regeneration.DEFAULT, policies=("ecmp",))
    outcomes = {
        Cell(variant="fattree", policy="ecmp", seed=seed): {
            "resumed_s": 10.0 * seed,
            "total_s": 20.0 * seed,
        }
        for seed in (1, 2, 3)
    }
    _, ecmp, bound = regeneration.table(experiment, outcomes)
    assert ecmp.split("  ")[-1].strip() == "40.00 s (20.00 to 60.00)"
    assert bound.split() == ["bound", "7.23", "s", "12.46", "s"]
