# SPDX-License-Identifier: EPL-2.0
import contextlib
import socket
import threading

import pytest

from sluice_lab import resident
from sluice_lab.residents import Mistake


@pytest.fixture
def answering(monkeypatch):
    """Residents' way to answer, at addresses of the loopback, by name; on a free port."""
    with contextlib.ExitStack() as open_:
        first = open_.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        first.bind(("127.0.0.2", 0))
        monkeypatch.setattr(resident, "PORT", first.getsockname()[1])

        def answer(server, names):
            for name in names:
                question, client = server.recvfrom(64)
                if name:
                    server.sendto(question + b" " + name.encode(), client)

        def start(address, *names):
            server = first
            if address != "127.0.0.2":
                server = open_.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
                server.bind((address, resident.PORT))
            threading.Thread(target=answer, args=(server, names), daemon=True).start()

        yield start


@pytest.fixture
def asker():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.bind(("127.0.0.1", 0))
        yield asker


@pytest.fixture
def ask(asker):
    return lambda wanted, limit_s: resident.ask(dict.fromkeys(wanted, asker), wanted, limit_s)


def test_a_right_answer_ends_the_question(answering, ask):
    answering("127.0.0.2", "h1")
    answering("127.0.0.3", "h2")
    wanted = {"127.0.0.2": ["h1"], "127.0.0.3": ["h1", "h2"]}
    assert ask(wanted, 20) == {}


def test_a_wrong_answer_is_kept_and_the_address_asked_again(answering, ask):
    answering("127.0.0.2", "", "h9", "h1")
    assert ask({"127.0.0.2": ["h1"]}, 20) == {}
    answering("127.0.0.2", *["h9"] * 9)
    assert ask({"127.0.0.2": ["h1"]}, 0.4) == {"127.0.0.2": "h9"}


def test_silence_is_named_where_an_answer_is_wanted_and_is_right_where_none_is(answering, ask):
    answering("127.0.0.2", *[""] * 99)
    assert ask({"127.0.0.2": ["h1"]}, 0.4) == {"127.0.0.2": None}
    assert ask({"127.0.0.2": []}, 20) == {}


def test_an_answer_where_none_is_wanted_is_named(answering, ask):
    answering("127.0.0.2", *["h1"] * 99)
    assert ask({"127.0.0.2": []}, 0.8) == {"127.0.0.2": "h1"}


def test_answers_to_older_questions_count_for_nothing(answering, asker, ask):
    answering("127.0.0.2", *["h1"] * 9)
    asker.sendto(b"5", ("127.0.0.2", resident.PORT))
    assert ask({"127.0.0.2": ["h1"]}, 20) == {}
    with contextlib.suppress(BlockingIOError):
        asker.setblocking(False)
        while asker.recv(64):
            pass
    assert ask({"127.0.0.9": ["h1"]}, 0.1) == {"127.0.0.9": None}


def test_a_mistake_says_who_asked_what_and_got_what():
    one = Mistake(asker="h3", address="10.0.0.200", wanted=("h1", "h2"), got="h4")
    assert str(one) == "h3 asks 10.0.0.200: h4, not h1 or h2"
    none = Mistake(asker="h3", address="10.0.0.200", wanted=(), got="h4")
    assert str(none) == "h3 asks 10.0.0.200: h4, not no answer"


def test_each_address_is_asked_from_its_own_port(answering, asker):
    answering("127.0.0.2", "h1")
    answering("127.0.0.3", "h2")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        askers = {"127.0.0.2": asker, "127.0.0.3": other}
        assert resident.ask(askers, {"127.0.0.2": ["h1"], "127.0.0.3": ["h2"]}, 20) == {}
        assert other.getsockname()[1] not in {0, asker.getsockname()[1]}
