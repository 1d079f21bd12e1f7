# SPDX-License-Identifier: EPL-2.0
"""Flows of applications in the words of RESTCONF, and what the controller says of them."""

import json

PATH = "/rests/data/sluice-bandwidth:bandwidth"
EXCESS = 0.1
SHORTFALL = 0.25


def write(running, flows: list[dict], **more: object) -> None:
    """Has these flows and no others, each an application of its own, a round every second, and what else is said."""
    applications = [{"name": flow["name"], "flow": [flow]} for flow in flows]
    tenants = [{"name": "t", "application": applications}] if applications else []
    body = {"interval": 1_000_000, "tenant": tenants} | more
    code, answer = running.restconf("PUT", PATH, json.dumps({"sluice-bandwidth:bandwidth": body}))
    assert code in {201, 204}, answer


def forget(running) -> None:
    """Has none any more."""
    assert running.restconf("DELETE", PATH)[0] == 204


def applications(running) -> list[dict]:
    """What the controller says of each application."""
    code, body = running.restconf("GET", f"{PATH}?content=nonconfig")
    tenants = json.loads(body)["sluice-bandwidth:bandwidth"].get("tenant", []) if code == 200 else []
    return [application for tenant in tenants for application in tenant["application"]]


def told(running) -> dict[str, dict]:
    """What the controller says of each flow."""
    return {flow["name"]: flow["allocation"] for one in applications(running) for flow in one["flow"]}


def in_place(running, **rates: int) -> bool:
    """True if these flows and no others have meters or queues of these rates."""
    return {name: (flow["status"], int(flow.get("meter-rate", 0))) for name, flow in told(running).items()} == {
        name: ("in-place", rate) for name, rate in rates.items()
    }


def assert_held(measured: dict[str, float], expected: dict[str, float]) -> None:
    """Nobody gets past a rate, and nobody is kept from it.

    A machine that stalls for a second takes it from who sends, and more from TCP: METER-TCP and METER-UDP are exact.
    """
    assert measured.keys() == expected.keys()
    beyond = {
        name: rate
        for name, rate in measured.items()
        if not expected[name] * (1 - SHORTFALL) <= rate <= expected[name] * (1 + EXCESS)
    }
    assert not beyond, f"{measured}, not {expected}"
