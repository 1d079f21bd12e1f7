# SPDX-License-Identifier: EPL-2.0
"""Runs of the planner over RESTCONF: a network goes in, routes with a proven gap come out."""

import json
from collections.abc import Iterator

import pytest
from planners import MBIT, ask, configured, ended_run, link, network, run, shown, start

pytestmark = pytest.mark.net

WAYS = ("a-b", "b-a", "a-c", "c-a")


@pytest.fixture
def planner(controller) -> Iterator:
    with configured(controller) as planner:
        yield planner


def puzzle() -> dict:
    """New sites for eight VNFs, on sites that are nearly full: to prove the best choice takes ten seconds or more."""
    ends = [(i, (i + step) % 7, 100 + 61 * (7 * i * step % 11)) for i in range(7) for step in (1, 2)]
    return {
        "node": [{"name": f"n{i}"} for i in range(7)],
        "link": [
            link(f"n{start}", f"n{end}", delay, 1000 * 10 * MBIT)
            for one, other, delay in ends
            for start, end in ((one, other), (other, one))
        ],
        "site": [{"name": f"site-{i}", "node": f"n{i}", "capacity": "170000000"} for i in range(4)],
        "vnf": [
            {
                "name": f"vnf-{i}",
                "load": 8000,
                "deployment": [{"site": f"site-{i % 4}", "capacity": "40000000"}],
            }
            for i in range(8)
        ],
        "chain": [
            {
                "name": f"chain-{i}",
                "ingress": [f"n{i % 7}"],
                "egress": [f"n{(i * i + 2) % 7}"],
                "vnf": [f"vnf-{vnf}" for vnf in range(8) if (i + 3 * vnf) % 8 < 5],
                "forward": str((1 + i % 5) * MBIT),
            }
            for i in range(18)
        ],
    }


def check_that_it_was_stopped(status: dict) -> None:
    """A run on the puzzle that ended before its time has sites, and is not sure that they are the best."""
    assert (status["task"], status["outcome"]) == ("placement", "found"), status
    assert status["gap"] > 0
    assert status["hint"]


def test_a_run_finds_the_routes_of_least_latency(planner, wait_until):
    status = run(planner, wait_until)
    assert status["outcome"] == "routed", status
    assert status["gap"] <= 100
    assert status["value"] == str(2 * 100 * MBIT)
    hops = [{"number": 1, "vnf": "firewall", "site": "site-b"}]
    route = {"index": 0, "share": 1_000_000, "ingress": "a", "hop": hops, "egress": "a", "delay": 200}
    assert status["chain"] == [{"name": "office", "route": [route]}]


def test_a_run_says_by_how_much_traffic_may_grow(planner, wait_until):
    status = run(planner, wait_until, objective="scale", **{"time-limit": 30})
    assert status["outcome"] == "routed", status
    # 8 cycles a byte, received and sent, are 2 Mcycle/s for each Mbit/s; two sites give 100 Mcycle/s each, and the two
    # links that leave a, and those that lead back, 10 Mbit/s each
    assert int(status["value"]) == pytest.approx(20 * MBIT, rel=1e-3)
    assert int(status["bound"]) == pytest.approx(20 * MBIT, rel=1e-3)
    # prices are relative: with all that binds twice as large the value would be, too
    binding = {item["resource"]: float(item["price"]) for item in status["binding"]}
    assert binding and set(binding) <= {f"link {way}" for way in WAYS}
    assert sum(binding.values()) == pytest.approx(1, rel=1e-3)


def test_too_much_traffic_is_told_with_what_would_fit(planner, wait_until):
    planner.configure(network(forward=1000 * MBIT))
    status = run(planner, wait_until)
    assert status["outcome"] == "overloaded", status
    assert status["reason"].startswith("no more than 0.0")
    full = max(status["binding"], key=lambda item: float(item["price"]))["resource"]
    assert f"it takes all of {full};" in status["reason"]


def test_a_run_that_is_cancelled_ends_with_its_best(planner, wait_until):
    planner.configure(puzzle())
    number = start(planner, "start-placement", gap=0, **{"time-limit": 86400})
    wait_until(lambda: len(shown(planner, number).get("progress", [])) > 1, 60)
    running = shown(planner, number)
    gaps = [step["gap"] for step in sorted(running["progress"], key=lambda step: step["elapsed"])]
    assert gaps == sorted(gaps, reverse=True)
    assert running["gap"] == gaps[-1]
    assert 0 <= running["remaining"] <= 86_400_000
    code, answer = ask(planner, "cancel-run", number=number)
    assert code in (200, 204), answer
    check_that_it_was_stopped(ended_run(planner, wait_until, number))


def test_a_run_that_is_out_of_time_ends_with_its_best(planner, wait_until):
    planner.configure(puzzle())
    check_that_it_was_stopped(run(planner, wait_until, "start-placement", gap=0, **{"time-limit": 4}))


def test_compute_is_added_where_traffic_can_grow(planner, wait_until):
    content = network()
    for site in content["site"]:
        site["capacity"] = "10000000"
    planner.configure(content)
    # 2 Mcycle/s for each Mbit/s: sites of 10 carry 5 each, and links that lead to each 10
    status = run(planner, wait_until, "start-capacity", capacity="20000000")
    assert (status["task"], status["outcome"]) == ("capacity", "found"), status
    assert int(status["value"]) == pytest.approx(20 * MBIT, rel=1e-3)
    assert {item["site"]: int(item["capacity"]) for item in status["addition"]} == pytest.approx(
        {"site-b": 10_000_000, "site-c": 10_000_000}, rel=1e-2
    )


def test_a_new_site_of_a_vnf_is_hinted_at(planner, wait_until):
    content = network()
    content["vnf"][0]["deployment"] = [{"site": "site-c", "capacity": "100000000"}]
    planner.configure(content)
    status = run(planner, wait_until, "start-placement")
    assert (status["task"], status["outcome"]) == ("placement", "found"), status
    assert status["value"] == status["bound"] == str(2 * 100 * MBIT)
    assert status["hint"] == [{"vnf": "firewall", "site": "site-b", "capacity": "2000000"}]


def test_a_reference_that_leads_nowhere_is_named(planner):
    content = network()
    content["chain"][0]["ingress"] = ["z"]
    planner.configure(content)
    code, answer = ask(planner, "start-run")
    assert 400 <= code < 500, answer
    assert "there is no node z" in json.dumps(answer)


def test_the_shell_starts_and_cancels_runs_too(planner, wait_until):
    planner.configure(puzzle())
    answer = planner.command("shell", "sluice:planner-start-placement --gap 0 --time-limit 86400 --json")
    number = json.loads(answer)["sluice-planner:output"]["number"]
    wait_until(lambda: "gap" in shown(planner, number), 60)
    planner.command("shell", f"sluice:planner-cancel-run --number {number}")
    check_that_it_was_stopped(ended_run(planner, wait_until, number))
