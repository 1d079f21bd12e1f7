# SPDX-License-Identifier: EPL-2.0
"""Links that carry a fraction of what is configured: a transfer finds out, and is not slower than over one path."""

import concurrent.futures
import json
import subprocess
from collections.abc import Callable, Iterator

import pytest
from sluice_lab import topologies
from sluice_lab.multipath import Assignment, Server, Service
from sluice_lab.net import Endpoint, Net, Settings
from sluice_lab.topology import Port

pytestmark = pytest.mark.net

RATE = 10_000_000
FRACTION = RATE // 10
PIECES = {6001: 1, 6002: 2}
HOLD_TIME = "sluice-multipath:multipath/hold-time"
SECONDS = 20  # of traffic, many times what it takes to find out


@pytest.fixture(scope="module")
def net(running, api) -> Iterator[Net]:
    """Two leaves with a host each, joined by three spines; what is measured is reviewed every second."""
    rates = topologies.LayerRates(host=4 * RATE, edge=RATE)
    with Net(topologies.leaf_spine(2, 3, 1, rates=rates), Settings(prefix="sp")) as net:
        api.set_capacities(net.topology)
        put(running, "sluice-multipath:multipath/refresh-interval", 1000)
        put(running, "sluice-fabric:fabric/sampling-interval", 1000)
        net.attach_controller(Endpoint(running.address, 6653))
        api.wait_fabric(net.topology)
        api.wait_hosts(net.topology, net.announce_hosts)
        server = Server(name="s1", address=net.topology.hosts[1].address, pieces=PIECES)
        api.put_service(Service(name="store", pieces=len(PIECES), servers=(server,)))
        yield net


@pytest.fixture
def transfer(running, api, net, wait_until) -> Iterator[list[Assignment]]:
    """Two pieces over two of the spines; all links carry what is configured again at the end."""
    forget(running, api, wait_until)
    placed = api.request_transfer("t1", net.topology.hosts[0].address, "store")
    assert len({assignment.forward for assignment in placed}) == len(PIECES)
    yield placed
    api.release_transfer("t1")
    for assignment in placed:
        shape(net, assignment, RATE)


def put(running, path: str, value: int) -> None:
    module, leaf = path.partition(":")[0], path.rpartition("/")[2]
    code, body = running.restconf("PUT", f"/rests/data/{path}", json.dumps({f"{module}:{leaf}": value}))
    assert code in (201, 204), body


def forget(running, api, wait_until) -> None:
    """Waits until nothing moves and nothing is held against links: without a hold time that is forgotten at once."""
    put(running, HOLD_TIME, 0)
    wait_until(lambda: not shown(running).get("link-yield") and busiest(api) < FRACTION, 30)
    put(running, HOLD_TIME, 5000)


def shape(net: Net, assignment: Assignment, rate_bps: int) -> None:
    """Lets the first link of a piece's path carry another rate; the controller is not told."""
    switch, port = assignment.forward[0]
    name = next(known.name for known in net.topology.switches if known.id == switch)
    interface = net.interface(Port(name, port))
    rate = f"htb rate {rate_bps} burst 15000 quantum 1514"
    command = f"tc class change dev {interface} parent 5: classid 5:1 {rate}"
    subprocess.run(command.split(), check=True)


def shown(running) -> dict:
    code, body = running.restconf("GET", "/rests/data/sluice-multipath:multipath?content=nonconfig")
    assert code == 200, body
    return json.loads(body)["sluice-multipath:multipath"]


def busiest(api) -> int:
    """The highest rate on a link, in bit/s."""
    return max(int(link["load"]) for link in api.fabric()["links"]["link"])


def mode(running) -> str | None:
    return next((split["mode"] for split in shown(running).get("transfer-split", [])), None)


def test_a_transfer_over_two_slow_paths_falls_back_to_one_good_path(
    running, net, transfer, goodputs, wait_until: Callable[[Callable[[], bool], float], None]
):
    for assignment in transfer:
        shape(net, assignment, FRACTION)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        moving = pool.submit(goodputs, net, PIECES, SECONDS)
        wait_until(lambda: mode(running) == "single-path", SECONDS)
        together = sum(moving.result())
    assert together > 2 * len(PIECES) * FRACTION, together
    assert "split-changed transfer=t1 mode=SINGLE_PATH" in running.log()


def test_a_piece_leaves_a_path_that_carries_a_fraction(running, net, transfer, goodputs):
    shape(net, transfer[1], FRACTION)
    slow = goodputs(net, PIECES, SECONDS)[1]
    assert slow > 3 * FRACTION, slow
    switch, port = transfer[1].forward[0]
    yields = {(link["switch"], link["port"]): link["yield"] for link in shown(running)["link-yield"]}
    assert yields[switch, port] < 600_000, yields
    flows = {flow["piece"]: flow for flow in shown(running)["flow"] if flow.get("transfer") == "t1"}
    assert (flows[2]["forward"]["hop"][0]["switch"], flows[2]["forward"]["hop"][0]["port"]) != (switch, port)
