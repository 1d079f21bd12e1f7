# SPDX-License-Identifier: EPL-2.0
"""Addresses that move between hosts as keepalived moves them, while others talk to them."""

import time
from collections.abc import Iterator

import pytest
from sluice_lab import topologies, views
from sluice_lab.multipath import Strategy
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.residents import AT_ONCE, Residents
from sluice_lab.steering import attach
from sluice_lab.traffic import Echoes

pytestmark = pytest.mark.net

FLOATING = "10.0.0.200"
SERVERS = ("h1", "h2")  # at one switch
CLIENTS = ("h3", "h4")  # at their switch, and at another one
MOVES = 10
LIMIT_S = 1


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """Two leaves with three hosts each."""
    with Net(topologies.leaf_spine(2, 2, 3), Settings(prefix="ad")) as net:
        attach(net, api, Strategy.JOINT, Endpoint(running.address, 6653))
        yield net


@pytest.fixture(scope="module")
def residents(net) -> Residents:
    return Residents(net)


@pytest.fixture
def floating(residents, wait_until) -> Iterator[str]:
    """An address that the first server has and every client reaches."""
    residents.take(SERVERS[0], FLOATING, AT_ONCE)
    wait_until(lambda: not mistakes(residents, SERVERS[0]), 10)
    yield FLOATING
    for server in SERVERS:
        residents.drop(server, FLOATING)


def mistakes(residents: Residents, holder: str, limit_s: float = LIMIT_S) -> list:
    """What clients get from the address within a time, unless its holder answers all of them."""
    wanted = {client: {FLOATING: [holder]} for client in CLIENTS}
    return residents.mistakes(wanted, fresh=[FLOATING], limit_s=limit_s)


def differences(api) -> list[str]:
    return [text for switch in api.validate() for text in views.disagreements(switch)]


def test_an_address_moves_to_and_fro_at_one_switch_under_traffic(api, net, residents, floating, wait_until):
    echoes = [Echoes(net, client, floating) for client in CLIENTS]
    holder, other = SERVERS
    for move in range(1, MOVES + 1):
        residents.move(floating, holder, other, AT_ONCE)
        holder, other = other, holder
        assert mistakes(residents, holder) == [], f"after move {move}, to {holder}"
        wait_until(lambda: differences(api) == [], 10)
    end_ns = time.monotonic_ns()
    for client, seen in zip(CLIENTS, (one.finish() for one in echoes), strict=True):
        gap_ns = seen.longest_gap_ns(seen.sent_ns[0], end_ns)
        assert gap_ns < LIMIT_S * 1e9, f"{client} had no answer for {gap_ns / 1e6:.0f} ms"
