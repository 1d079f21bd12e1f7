# SPDX-License-Identifier: EPL-2.0
"""The plan that is kept over RESTCONF: it follows the configuration, and questions about it change nothing."""

import json
from collections.abc import Iterator

import pytest
from planners import DATA, MBIT, MILLION, ask, configured, ended_run, network, run, sites

pytestmark = pytest.mark.net


@pytest.fixture
def planner(controller) -> Iterator:
    with configured(controller) as planner:
        yield planner


def plan(planner) -> dict:
    """The plan as it is shown."""
    code, body = planner.restconf("GET", f"{DATA}/plan?content=nonconfig")
    return json.loads(body)["sluice-planner:plan"] if code == 200 else {}


def explained(planner) -> dict:
    code, answer = ask(planner, "explain", chain="office")
    assert code == 200, answer
    return answer["sluice-planner:output"]


def admission(planner, **chain) -> dict:
    code, answer = ask(planner, "admit", **chain)
    assert code == 200, answer
    return answer["sluice-planner:output"]


def test_the_plan_follows_the_configuration_without_being_asked(planner, wait_until):
    def is_at(site: str) -> bool:
        chains = plan(planner).get("chain", [])
        return [(chain["name"], *map(sites, chain["route"])) for chain in chains] == [("office", [site])]

    wait_until(lambda: is_at("site-b"), 10)
    moves = int(plan(planner)["moves"])
    content = network()
    content["site"][0]["capacity"] = "0"
    planner.configure(content)
    wait_until(lambda: is_at("site-c"), 10)
    assert int(plan(planner)["moves"]) == moves + 1
    assert plan(planner)["carried"] == str(MBIT)

    del content["chain"]
    planner.configure(content)
    wait_until(lambda: plan(planner).get("chains") == 0, 10)
    assert "chain" not in plan(planner)


def test_the_plan_shows_what_changes_without_a_move_and_counts_what_moves(planner, wait_until):
    content = network()
    (firewall,), (office,) = content["vnf"], content["chain"]
    near, far = firewall["deployment"]

    def follows(site: str = "site-b", ingress: str = "a", delay: int = 300, fullest: int = 400_000) -> None:
        """Configures the content, and waits until the plan shows 2 Mbit/s and this."""

        def told() -> tuple:
            now = plan(planner)
            (chain,) = now.get("chain") or [{"route": []}]
            figures = (now.get("demand"), now.get("carried"), chain.get("carried"), now.get("fullest"))
            return figures, [(sites(route), route["ingress"], route["delay"]) for route in chain["route"]]

        planner.configure(content)
        wait_until(lambda: told() == ((str(2 * MBIT),) * 3 + (fullest,), [([site], ingress, delay)]), 10)

    firewall["deployment"] = [near]
    office["forward"] = str(2 * MBIT)
    follows(delay=200, fullest=200_000)
    moves = int(plan(planner)["moves"])
    for each in content["link"][:2]:
        each["delay"] = 150
    follows(fullest=200_000)
    for each in content["link"]:
        each["background"] = str(5 * MBIT)
    content["site"].append({"name": "site-a", "node": "c", "capacity": "100000000"})
    firewall["deployment"] = [far | {"site": "site-a"}, near]
    follows()
    assert int(plan(planner)["moves"]) == moves

    firewall["deployment"] = [far]
    follows(site="site-c", delay=1000)
    office["ingress"] = ["b"]
    follows(site="site-c", ingress="b", delay=600)
    assert int(plan(planner)["moves"]) == moves + 2


def test_moves_are_proposed_for_the_plan_that_is_kept(planner, wait_until):
    content = network()
    near = content["vnf"][0]["deployment"].pop(0)
    planner.configure(content)
    assert sites(explained(planner)["route"][0]) == ["site-c"]
    content["vnf"][0]["deployment"].insert(0, near | {"capacity": "0"})
    planner.configure(content)
    assert sites(explained(planner)["route"][0]) == ["site-c"]
    content["vnf"][0]["deployment"][0] = near
    planner.configure(content)
    assert sites(explained(planner)["route"][0]) == ["site-c"], "it stays until somebody moves it"
    assert sites(explained(planner)["runner-up"]) == ["site-b"]
    assert int(explained(planner)["runner-up"]["extra"]) < 0
    status = run(planner, wait_until, "start-moves", **{"max-moves": 1})
    assert (status["task"], status["outcome"]) == ("moves", "found"), status
    (move,) = status["move"]
    assert (move["chain"], move["gain"]) == ("office", str(2 * 400 * MBIT))
    assert [(sites(route), route["delay"]) for route in move["route"]] == [(["site-b"], 200)]
    assert sites(explained(planner)["route"][0]) == ["site-c"], "it was proposed only"
    code, answer = ask(planner, "apply-moves", number=status["number"])
    assert (code, answer) == (200, {"sluice-planner:output": {"moved": ["office"]}})
    assert sites(explained(planner)["route"][0]) == ["site-b"]
    assert ask(planner, "apply-moves", number=status["number"] + 1)[0] >= 400


def test_moves_are_looked_for_unasked(planner, wait_until):
    first = run(planner, wait_until)["number"]
    planner.configure(network(forward=2 * MBIT) | {"moves-interval": 1})
    status = ended_run(planner, wait_until, first + 1)
    assert (status["task"], status["outcome"]) == ("moves", "found"), status


def test_a_thousand_chains_are_planned_and_shown(planner, wait_until):
    content = network()
    content["link"] = [each | {"bandwidth": str(10_000 * MBIT)} for each in content["link"]]
    content["site"] = [each | {"capacity": "4000000000"} for each in content["site"]]
    (firewall,) = content["vnf"]
    firewall["deployment"] = [each | {"capacity": "4000000000"} for each in firewall["deployment"]]
    (office,) = content["chain"]
    content["chain"] = [office | {"name": f"office-{i}", "egress": ["abc"[i % 3]]} for i in range(1000)]
    planner.configure(content)
    wait_until(lambda: plan(planner).get("chains") == 1000, 60)
    assert plan(planner)["carried"] == plan(planner)["demand"] == str(1000 * MBIT)

    status = run(planner, wait_until)
    assert status["outcome"] == "routed", status["reason"]
    assert {chain["name"] for chain in status["chain"]} == {f"office-{i}" for i in range(1000)}


def test_what_if_tells_the_difference_and_touches_nothing(planner):
    before = planner.restconf("GET", f"{DATA}?content=config")
    code, answer = ask(planner, "what-if", **{"site-down": "site-b"})
    assert code == 200, answer
    output = answer["sluice-planner:output"]
    assert output["moved"] == ["office"]
    assert (output["before"]["delay"], output["after"]["delay"]) == (100, 500)
    assert output["after"]["carried"] == output["before"]["demand"] == str(MBIT)
    assert output["after"]["scale"] < output["before"]["scale"]
    assert planner.restconf("GET", f"{DATA}?content=config") == before


def test_what_if_tells_of_instances_that_fail(planner):
    code, answer = ask(planner, "what-if", **{"instances-down": {"vnf": "firewall", "site": "site-b"}})
    assert code == 200, answer
    output = answer["sluice-planner:output"]
    assert output["moved"] == ["office"]
    assert (output["before"]["delay"], output["after"]["delay"]) == (100, 500)


def test_far_too_much_traffic_is_told_with_what_is_short(planner):
    code, answer = ask(planner, "what-if", traffic=100 * MILLION)
    assert code == 200, answer
    output = answer["sluice-planner:output"]
    assert not output["partial"]
    assert int(output["after"]["carried"]) == pytest.approx(20 * MBIT, rel=1e-3)
    assert [short["chain"] for short in output["shortage"]] == ["office"]
    assert output["shortage"][0]["bottleneck"].startswith("link ")


def test_risks_of_the_plan_are_assessed(planner):
    content = network()
    content["risk"] = [{"name": "duct", "link": ["a-b", "b-a"]}, {"name": "all", "link": ["a-b", "a-c"]}]
    planner.configure(content)
    code, answer = ask(planner, "assess-risks")
    assert code == 200, answer
    output = answer["sluice-planner:output"]
    risks = {risk["name"]: risk for risk in output["risk"]}
    assert output["complete"]
    assert (risks["duct"]["carried"], risks["duct"]["moved"]) == (str(MBIT), 1)
    assert risks["all"]["carried"] == "0"
    assert [short["chain"] for short in risks["all"]["shortage"]] == ["office"]


def test_a_chain_is_admitted_refused_or_oversubscribed(planner):
    office = network(forward=30 * MBIT)["chain"][0]
    answers = {asked: admission(planner, **office, oversubscribe=asked) for asked in (False, True)}
    assert [answers[asked]["admission"] for asked in (False, True)] == ["refused", "oversubscribed"]
    assert int(answers[False]["fits"]) == pytest.approx(20 * MBIT, rel=1e-3)
    assert answers[False]["bottleneck"].startswith("link ")
    assert admission(planner, **office | {"forward": str(19 * MBIT)}) == {"admission": "admitted"}

    content = network(forward=30 * MBIT)
    planner.configure(content)
    assert int(explained(planner)["carried"]) == pytest.approx(20 * MBIT, rel=1e-3)
    assert explained(planner)["bottleneck"].startswith("link ")
    content["chain"][0]["oversubscribe"] = True
    planner.configure(content)
    assert explained(planner)["carried"] == str(30 * MBIT)
    assert "bottleneck" not in explained(planner)


def test_routing_that_is_given_is_followed(planner):
    content = network()
    ways = (("a", "b", ("a-c", "c-b")), ("b", "a", ("b-c", "c-a")))
    content["routing"] = [
        {"from": start, "to": end, "link": [{"name": name, "share": MILLION} for name in names]}
        for start, end, names in ways
    ]
    planner.configure(content)
    assert explained(planner)["route"][0]["delay"] == 2 * 600, "over c, there and back"
    content["routing"][0]["link"].pop()
    planner.configure(content)
    code, answer = ask(planner, "explain", chain="office")
    assert 400 <= code < 500, answer
    assert "routing from a to b: 1000000 ppm are missing at b" in json.dumps(answer)


@pytest.mark.parametrize(
    ("rpc", "content", "reason"),
    [
        ("what-if", {"site-down": "nowhere"}, "no site nowhere"),
        ("what-if", {"link-down": ["a-b", "a-z"]}, "no link a-z"),
        ("what-if", {}, "say what changes"),
        ("what-if", {"instances-down": {"vnf": "firewall", "site": "site-a"}}, "no site site-a"),
        ("cancel-run", {"number": 999}, "no run 999"),
        ("explain", {"chain": "nobody"}, "there is no chain nobody"),
        ("assess-risks", {"risk": ["fire"]}, "no risk fire"),
        ("explain", {}, "chain"),
        ("start-capacity", {}, "capacity"),
        ("start-capacity", {"capacity": str(2**63 - 1)}, "9223372036854775807 cycles/s"),
        ("start-placement", {"vnf": [{"name": "nat"}]}, "no VNF nat"),
        ("cancel-run", {}, "number"),
    ],
)
def test_a_question_about_nothing_is_refused_with_the_reason(planner, rpc, content, reason):
    code, answer = ask(planner, rpc, **content)
    assert 400 <= code < 500, answer
    assert reason in json.dumps(answer)
