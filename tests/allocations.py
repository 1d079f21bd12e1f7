# SPDX-License-Identifier: EPL-2.0
"""Flows of applications in the words of RESTCONF, and what the controller says of them."""

import json

PATH = "/rests/data/sluice-bandwidth:bandwidth"


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


def told(running) -> dict[str, dict]:
    """What the controller says of each flow."""
    code, body = running.restconf("GET", f"{PATH}?content=nonconfig")
    tenants = json.loads(body)["sluice-bandwidth:bandwidth"].get("tenant", []) if code == 200 else []
    listed = [flow for tenant in tenants for application in tenant["application"] for flow in application["flow"]]
    return {flow["name"]: flow["allocation"] for flow in listed}


def in_place(running, **rates: int) -> bool:
    """True if these flows and no others have meters or queues of these rates."""
    return {name: (flow["status"], int(flow.get("meter-rate", 0))) for name, flow in told(running).items()} == {
        name: ("in-place", rate) for name, rate in rates.items()
    }
