# SPDX-License-Identifier: EPL-2.0
import concurrent.futures
import socket
import socketserver
import threading

import pytest

from sluice_lab import datagrams, refusals, sockets
from sluice_lab.experiments import virtual_address
from sluice_lab.experiments.virtual_address import FRAGMENTS, REFUSALS
from sluice_lab.net import wait_for


def test_a_datagram_begins_with_its_number():
    assert datagrams.payload(258, 16) == bytes.fromhex("0000000000000102") + bytes(8)
    assert FRAGMENTS.clients * FRAGMENTS.datagrams == 1_000
    assert FRAGMENTS.size == 4_000


def test_datagrams_are_sent_from_one_port_in_their_order():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(10)
        datagrams.send("127.0.0.1", receiver.getsockname()[1], 3, 4_000, 1)
        came = [receiver.recvfrom(5_000) for _ in range(3)]
    assert [text for text, _ in came] == [datagrams.payload(number, 4_000) for number in range(3)]
    assert len({sender for _, sender in came}) == 1


def is_bound(port):
    return any(one.local_port == port for one in sockets.listed("udp"))


def test_only_whole_datagrams_are_taken(monkeypatch):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    reader, writer = socket.socketpair()
    monkeypatch.setattr(datagrams.sys, "stdin", reader)
    with reader, concurrent.futures.ThreadPoolExecutor() as pool:
        taking = pool.submit(datagrams.serve, port, 100)
        wait_for(lambda: is_bound(port), "the receiver")
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            for number, size in ((5, 100), (6, 99), (7, 101), (8, 100)):
                sender.sendto(datagrams.payload(number, size), ("127.0.0.1", port))
        writer.close()
        assert taking.result(10) == {"127.0.0.1": [5, 8]}


@pytest.mark.parametrize(
    ("came", "missing", "elsewhere"),
    [
        ({"s1": {"a": [0, 1, 2], "b": []}, "s2": {"b": [2, 1, 0]}}, 0, 0),
        ({"s1": {"a": [0, 1]}, "s2": {"a": [2], "b": [0, 1, 2]}}, 0, 1),
        ({"s1": {"a": [0, 0]}, "s2": {}}, 2 + 3, 0),
        ({"s1": {"a": [0, 1, 2], "b": [0, 1, 2]}, "s2": {"a": [0]}}, 0, 1),
    ],
)
def test_what_did_not_come_and_what_came_elsewhere_is_counted(came, missing, elsewhere):
    outcome = virtual_address.tally(came, ["a", "b"], 3)
    assert (outcome["missing"], outcome["elsewhere"]) == (missing, elsewhere)


def test_missing_datagrams_are_named():
    outcome = virtual_address.tally({"s1": {"a": [0, 2], "b": [0, 1, 2]}}, ["a", "b"], 3)
    assert outcome["absent"] == {"a": [1]}
    assert outcome["servers"] == ["s1"]


def test_missing_and_misplaced_datagrams_are_one_figure(recorded, monkeypatch):
    outcome = {"missing": 3, "elsewhere": 2, "servers": [], "absent": {}}
    monkeypatch.setattr(virtual_address, "runs", lambda *_: [outcome])
    virtual_address.run_fragments(FRAGMENTS, None)
    assert recorded["FRAGMENTS"]["value"] == 5
    assert recorded["FRAGMENTS"]["parameters"]["at a second server"] == 2


def test_a_refusal_is_timed_and_told_from_a_connection():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert refusals.ask("127.0.0.1", port)[1] == refusals.CONNECTED
    seconds, answer = refusals.ask("127.0.0.1", port)
    assert answer == refusals.REFUSED
    assert 0 < seconds < refusals.LIMIT_S


def test_silence_ends_with_the_limit(monkeypatch):
    monkeypatch.setattr(refusals, "LIMIT_S", 0.1)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        waiting = []
        answer = refusals.CONNECTED
        while answer == refusals.CONNECTED and len(waiting) < 16:
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(server.getsockname())
            waiting.append(one)  # until the server's queue is full
            seconds, answer = refusals.ask(*server.getsockname())
        for one in waiting:
            one.close()
    assert (seconds, answer) == (0.1, refusals.NO_ANSWER)


def test_held_connections_are_used_until_the_end(monkeypatch, capsys):
    monkeypatch.setattr(refusals, "_PAUSE_S", 0.01)
    reader, writer = socket.socketpair()
    monkeypatch.setattr(refusals.sys, "stdin", reader)
    lines = []

    class Answers(socketserver.StreamRequestHandler):
        def handle(self):
            for line in self.rfile:
                lines.append((self.client_address, line))
                if len(lines) == 6:
                    writer.close()
                self.wfile.write(b"h1\n")

    with reader, socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answers) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        refusals.hold(*server.server_address, 2)
        server.shutdown()
        serving.join(10)
    assert len(lines) >= 6
    assert len({client for client, _ in lines}) == 2
    assert capsys.readouterr().out == "held\n"


def test_what_is_no_refusal_counts_as_if_nothing_had_come():
    answers = [(0.002, refusals.REFUSED), (0.001, refusals.CONNECTED), (3.0, refusals.NO_ANSWER)]
    outcome = virtual_address.judged(answers)
    assert outcome["ms"] == [2, 3_000, 3_000]
    assert outcome["answers"] == {"refused": 1, "connected": 1, "no answer": 1}


def test_the_99th_percentile_of_all_refusals_counts(recorded, monkeypatch):
    assert REFUSALS.clients * REFUSALS.each == 200
    outcome = {"ms": [1.0] * 197 + [7.0, 8.0, 9.0], "answers": {"refused": 200}}
    monkeypatch.setattr(virtual_address, "runs", lambda *_: [outcome])
    virtual_address.run_refusals(REFUSALS, None)
    assert recorded["REFUSED"]["value"] == 7.0
    assert recorded["REFUSED"]["parameters"]["answers"] == {"refused": 200}
