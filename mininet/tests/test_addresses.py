# SPDX-License-Identifier: EPL-2.0
import dataclasses
import itertools

import pytest

from sluice_lab import frames
from sluice_lab.echoes import Seen
from sluice_lab.experiments import addresses
from sluice_lab.experiments.addresses import FORGERIES, MOVES, Forgery, Form, Sender
from sluice_lab.ovs import LabError

MS = 1_000_000


def seen(answered_ms, sent_ms=None):
    """Requests that were sent every 10 ms unless told; None is one without an answer."""
    sent_ms = sent_ms or range(0, 10 * len(answered_ms), 10)
    return Seen(
        sent_ns=tuple(at * MS for at in sent_ms),
        answered_ns=tuple(None if at is None else at * MS for at in answered_ms),
    )


@pytest.mark.parametrize(
    ("answered_ms", "window_ms", "longest_ms"),
    [
        ([1, 11, 21, 31], (0, 40), 10),
        ([1, None, None, 31], (0, 40), 30),
        ([1, 11, None, None], (0, 100), 89),
        ([None, None], (0, 100), 100),
        ([1, 11, None, None], (5, 15), 6),
        ([35, 34, 33, 32], (30, 40), 5),
    ],
)
def test_a_gap_lies_between_two_answers_or_at_an_end(answered_ms, window_ms, longest_ms):
    begin, end = window_ms
    assert seen(answered_ms).longest_gap_ns(begin * MS, end * MS) == longest_ms * MS


def test_a_request_is_lost_at_the_time_at_which_it_was_sent():
    one = seen([1, None, 500, None])
    assert [one.lost(a * MS, b * MS) for a, b in ((0, 10), (10, 30), (30, 40))] == [0, 1, 1]


def test_each_move_has_its_own_gap():
    one = seen([at if at not in range(1_000, 1_150) else None for at in range(0, 3_000, 10)])
    gaps = addresses.gaps_ms(one, [1_000 * MS, 2_000 * MS], 1_000 * MS)
    assert gaps == [160, 10]


def test_the_worse_client_of_a_move_counts(recorded):
    gaps = {"same switch": [1.0] * 19 + [7.0], "other switch": [2.0] * 18 + [9.0, 1.0]}
    addresses.record_moves(MOVES, [{"gaps_ms": gaps}])
    row = recorded["MOVE"]
    assert row["value"] == 7.0
    assert row["spread"]["max"] == 9.0
    assert row["peers"] == {"client at the same switch": 1.0, "client at the other switch": 2.0}


def test_every_kind_of_forgery_comes_from_every_attacker():
    planned = addresses.forgeries(FORGERIES.forgeries)
    assert len(planned) == 50
    assert all(one.form is not Form.ADVERTISEMENT for one in planned[::2])
    assert all(one.form is Form.ADVERTISEMENT for one in planned[1::2])
    kinds = {(one.attacker, one.form, one.sender) for one in planned}
    assert kinds == set(itertools.product(("h2", "h5"), Form, Sender))


def test_a_forgery_claims_the_victims_address():
    victim, attacker = (addresses.topology().host(name) for name in ("h1", "h2"))
    own, borrowed, mixed = (
        Forgery(attacker="h2", form=Form.REQUEST, sender=one).frame(attacker, victim, "fd00::1")
        for one in Sender
    )
    assert own == frames.gratuitous_arp(attacker.mac, victim.address)
    assert borrowed == frames.gratuitous_arp(victim.mac, victim.address)
    assert mixed == frames.gratuitous_arp(attacker.mac, victim.address, source=victim.mac)
    nd = Forgery(attacker="h2", form=Form.ADVERTISEMENT, sender=Sender.OWN)
    assert nd.frame(attacker, victim, "fd00::1") == frames.advertisement(attacker.mac, "fd00::1")


def test_losses_belong_to_the_forgery_before_them():
    one = seen([at if at not in (1_200, 1_210, 2_500) else None for at in range(0, 4_000, 10)])
    lost = addresses.losses([one, one], 0, [1_000 * MS, 2_000 * MS], 1_000 * MS)
    assert lost == [4, 2]


def test_there_is_no_figure_if_packets_are_lost_without_a_forgery():
    one = seen([at if at != 500 else None for at in range(0, 4_000, 10)])
    with pytest.raises(LabError, match="1 packets were lost before anything was forged"):
        addresses.losses([one], 0, [1_000 * MS], 1_000 * MS)


def test_all_lost_packets_are_summed_up_by_kind(recorded, monkeypatch):
    outcome = {"kinds": ["a", "b", "a"], "lost": [1, 0, 2]}
    monkeypatch.setattr(addresses, "runs", lambda *_: [outcome, outcome])
    addresses.run_forgeries(dataclasses.replace(FORGERIES, runs=2), None)
    assert recorded["FORGE"]["value"] == 6
    assert recorded["FORGE"]["parameters"]["lost by kind of forgery"] == {"a": 6, "b": 0}
