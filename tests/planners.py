# SPDX-License-Identifier: EPL-2.0
"""A small network for the planner of a running controller, and how its RPCs are asked."""

import contextlib
import json
from collections.abc import Iterator

DATA = "/rests/data/sluice-planner:planner"
MILLION = MBIT = 1_000_000


def link(start: str, end: str, delay: int, bandwidth: int = 10 * MBIT) -> dict:
    return {"name": f"{start}-{end}", "from": start, "to": end, "bandwidth": str(bandwidth), "delay": delay}


def network(forward: int = MBIT) -> dict:
    """A triangle; the firewall runs near, at b, and far, at c, and the chain turns back where it came from."""
    return {
        "node": [{"name": name} for name in "abc"],
        "link": [
            link(*pair, delay)
            for ends, delay in ((("a", "b"), 100), (("b", "c"), 100), (("a", "c"), 500))
            for pair in (ends, ends[::-1])
        ],
        "site": [{"name": f"site-{node}", "node": node, "capacity": "100000000"} for node in "bc"],
        "vnf": [
            {
                "name": "firewall",
                "load": 8000,
                "deployment": [{"site": f"site-{node}", "capacity": "100000000"} for node in "bc"],
            }
        ],
        "chain": [{"name": "office", "ingress": ["a"], "egress": ["a"], "vnf": ["firewall"], "forward": str(forward)}],
    }


@contextlib.contextmanager
def configured(controller) -> Iterator:
    """The controller with the network configured; nothing is left at the end."""

    def configure(content: dict) -> None:
        code, body = controller.restconf("PUT", DATA, json.dumps({"sluice-planner:planner": content}))
        assert code in (201, 204), body

    configure(network())
    controller.configure = configure
    yield controller
    controller.restconf("DELETE", DATA)


def ask(planner, rpc: str, **content) -> tuple[int, dict]:
    code, body = planner.restconf("POST", f"/rests/operations/sluice-planner:{rpc}", json.dumps({"input": content}))
    return code, json.loads(body) if body else {}


def start(planner, rpc: str = "start-run", **content) -> int:
    """Starts a run; returns its number."""
    code, answer = ask(planner, rpc, **content)
    assert code == 200, answer
    return answer["sluice-planner:output"]["number"]


def run(planner, wait_until, rpc: str = "start-run", **content) -> dict:
    """Starts a run and returns it when it has ended."""
    return ended_run(planner, wait_until, start(planner, rpc, **content))


def shown(planner, number: int) -> dict:
    """A run as it is now; nothing if it is not shown yet."""
    code, body = planner.restconf("GET", f"{DATA}/run={number}?content=nonconfig")
    return json.loads(body)["sluice-planner:run"][0] if code == 200 else {}


def ended_run(planner, wait_until, number: int) -> dict:
    """A run when it has ended."""
    wait_until(lambda: shown(planner, number).get("outcome", "waiting") not in ("waiting", "running"), 60)
    return shown(planner, number)


def sites(route: dict) -> list[str]:
    return [hop["site"] for hop in route["hop"]]
