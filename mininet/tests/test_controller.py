# SPDX-License-Identifier: EPL-2.0
import dataclasses
import http.server
import json
import threading

import pytest

from sluice_lab import topologies
from sluice_lab.bandwidth import LimitedFlow, Rounds
from sluice_lab.controller import Controller
from sluice_lab.multipath import Load, Server, Service, Strategy
from sluice_lab.restconf import ControllerError

SERVICE = Service(
    name="store",
    pieces=2,
    servers=(Server(name="h9", address="10.0.0.9", pieces={6001: 1, 6002: 2}),),
)

FABRIC_STATE = "/rests/data/sluice-fabric:fabric?content=nonconfig"


class FakeController(http.server.ThreadingHTTPServer):
    """Remembers requests and answers each path from a table: status and body."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests = []
        self.answers = {}

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/rests"


class Handler(http.server.BaseHTTPRequestHandler):
    def _answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.requests.append((self.command, self.path, json.loads(body or "null")))
        self.server.authorization = self.headers["Authorization"]
        status, answer = self.server.answers.get(self.path, (200, {}))
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_PUT = do_POST = do_DELETE = _answer  # noqa: N815

    def log_message(self, *_):
        pass


@pytest.fixture
def fake():
    server = FakeController()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def controller(fake):
    return Controller(fake.url)


def error_body(**fields):
    return {"errors": {"error": [{"error-type": "application", **fields}]}}


def test_capacities_are_written_switch_by_switch_as_strings(fake, controller):
    controller.set_capacities(topologies.leaf_spine(2, 1, 1))
    assert [path for _, path, _ in fake.requests] == [
        f"/rests/data/sluice-fabric:fabric/switches/switch=openflow%3A{dpid}"
        for dpid in (20001, 30001, 30002)
    ]
    method, _, body = fake.requests[0]
    assert method == "PUT"
    assert body == {
        "sluice-fabric:switch": [
            {
                "id": "openflow:20001",
                "port": [
                    {"number": 1, "capacity": "10000000"},
                    {"number": 2, "capacity": "10000000"},
                ],
            }
        ]
    }
    assert fake.authorization == "Basic YWRtaW46YWRtaW4="


def test_capacities_of_ports_that_are_not_shaped_any_more_are_forgotten(fake, controller):
    unshaped = topologies.LayerRates(host=None, edge=None)
    controller.set_capacities(topologies.leaf_spine(1, 1, 1, rates=unshaped))
    assert [body for _, _, body in fake.requests] == [
        {"sluice-fabric:switch": [{"id": f"openflow:{dpid}"}]} for dpid in (20001, 30001)
    ]


def test_a_service_and_a_strategy_are_written_as_modelled(fake, controller):
    server = dataclasses.replace(SERVICE.servers[0], weight=3)
    controller.put_service(
        dataclasses.replace(SERVICE, servers=(server,), virtual_address="10.0.0.100", slots=16)
    )
    controller.set_strategy(Strategy.LEAST_LOADED)
    assert fake.requests == [
        (
            "PUT",
            "/rests/data/sluice-multipath:multipath/service=store",
            {
                "sluice-multipath:service": [
                    {
                        "name": "store",
                        "transport": "tcp",
                        "pieces": 2,
                        "virtual-address": "10.0.0.100",
                        "slots": 16,
                        "server": [
                            {
                                "name": "h9",
                                "address": "10.0.0.9",
                                "max-load": 4,
                                "weight": 3,
                                "port": [
                                    {"number": 6001, "piece": 1},
                                    {"number": 6002, "piece": 2},
                                ],
                            }
                        ],
                    }
                ]
            },
        ),
        (
            "PUT",
            "/rests/data/sluice-multipath:multipath/strategy",
            {"sluice-multipath:strategy": "least-loaded"},
        ),
    ]


def test_a_server_is_declared_in_its_service_alone(fake, controller):
    path = "/rests/data/sluice-multipath:multipath/service=store"
    controller.put_server("store", SERVICE.servers[0])
    method, put, body = fake.requests[-1]
    assert (method, put) == ("PUT", f"{path}/server=h9")
    assert body == {"sluice-multipath:server": [SERVICE.servers[0].body()]}
    fake.answers[f"{path}?content=config"] = (409, b"")
    with pytest.raises(ControllerError, match="no service store; declare it first"):
        controller.put_server("store", SERVICE.servers[0])


def test_a_transfer_is_answered_in_order_of_pieces(fake, controller):
    def assignment(piece, **more):
        return {"piece": piece, "server-address": "10.0.0.9", "server-port": 6000 + piece, **more}

    fake.answers["/rests/operations/sluice-multipath:request-transfer"] = (
        200,
        {
            "sluice-multipath:output": {
                "assignment": [
                    assignment(2),
                    assignment(
                        1,
                        server="h9",
                        **{
                            "expected-rate": "9000000",
                            "forward": {
                                "hop": [
                                    {"index": 1, "switch": "openflow:2", "port": 5},
                                    {"index": 0, "switch": "openflow:1", "port": 1},
                                ]
                            },
                        },
                    ),
                ]
            }
        },
    )
    first, second = controller.request_transfer("t1", "10.0.0.1", "store", [1, 2])
    assert (first.piece, first.server_port, first.expected_bps) == (1, 6001, 9_000_000)
    assert first.forward == (("openflow:1", 1), ("openflow:2", 5))
    assert (second.piece, second.expected_bps) == (2, None)
    assert fake.requests[0][2] == {
        "sluice-multipath:input": {
            "name": "t1",
            "client": "10.0.0.1",
            "service": "store",
            "piece": [1, 2],
        }
    }


def test_load_is_reported_in_parts_per_million(fake, controller):
    load = Load(processor_ppm=250_000, memory_ppm=500_000, connections=3)
    controller.report_load("store", "h9", load)
    assert fake.requests[0][2]["sluice-multipath:input"] == {
        "service": "store",
        "server": "h9",
        "processor": 250_000,
        "memory": 500_000,
        "connections": 3,
    }


def test_a_refusal_gives_its_reason(fake, controller):
    fake.answers["/rests/operations/sluice-multipath:request-transfer"] = (
        409,
        error_body(**{"error-message": "piece 3 is nowhere", "error-app-tag": "no-server"}),
    )
    with pytest.raises(
        ControllerError, match=r"piece 3 is nowhere \[no-server\] \(409\)"
    ) as caught:
        controller.request_transfer("t1", "10.0.0.1", "store")
    assert caught.value.status == 409


@pytest.mark.parametrize("body", [b"<html>oops</html>", {"errors": 7}, b""])
def test_a_strange_error_body_is_survived(fake, controller, body):
    fake.answers["/rests/data/sluice-multipath:multipath/strategy"] = (500, body)
    with pytest.raises(ControllerError, match=r"\(500\)"):
        controller.set_strategy(Strategy.JOINT)


def test_deleting_what_is_not_there_is_no_error(fake, controller):
    fake.answers["/rests/data/sluice-multipath:multipath/service=store"] = (409, error_body())
    controller.delete_service("store")
    assert fake.requests[0][0] == "DELETE"


def test_services_and_transfers_are_listed_by_name(fake, controller):
    path = "/rests/data/sluice-multipath:multipath?content=config"
    fake.answers[path] = 404, error_body(**{"error-tag": "data-missing"})
    assert controller.transfers() == []
    tree = {"transfer": [{"name": "lab-m1-h1"}, {"name": "copy"}], "service": [{"name": "web"}]}
    fake.answers[path] = 200, {"sluice-multipath:multipath": tree}
    assert controller.transfers() == ["lab-m1-h1", "copy"]
    assert controller.services() == ["web"]


def test_nobody_at_the_address_is_one_sentence():
    with pytest.raises(ControllerError, match="no controller at http"):
        Controller("http://127.0.0.1:1/rests").set_strategy(Strategy.JOINT)


def fabric_of(topology):
    """Return the operational state of a controller that sees all of a topology."""
    ids = {switch.name: switch.id for switch in topology.switches}
    links = [
        {
            "source-switch": ids[a.switch],
            "source-port": a.number,
            "destination-switch": ids[b.switch],
            "destination-port": b.number,
        }
        for cable in topology.cables
        for a, b in ((cable.a, cable.b), (cable.b, cable.a))
    ]
    ports = {(link["source-switch"], link["source-port"]) for link in links}
    ports |= {(ids[host.port.switch], host.port.number) for host in topology.hosts}
    switches = [
        {
            "id": switch,
            "attached": True,
            "features": {"tables": 254},
            "port": [{"number": port, "up": True} for owner, port in ports if owner == switch],
        }
        for switch in ids.values()
    ]
    return {"links": {"link": links}, "switches": {"switch": switches}}


def test_the_fabric_is_complete_with_all_links_ports_and_features(fake, controller):
    topology = topologies.leaf_spine(2, 1, 1)
    fabric = fabric_of(topology)
    fake.answers[FABRIC_STATE] = (200, {"sluice-fabric:fabric": fabric})
    controller.wait_fabric(topology, timeout_s=0.1)

    link = fabric["links"]["link"].pop()
    fabric["links"]["link"].append({**link, "destination-port": 99})
    with pytest.raises(ControllerError, match="fabric of leafspine"):
        controller.wait_fabric(topology, timeout_s=0.1)
    fabric["links"]["link"][-1] = link

    switch = fabric["switches"]["switch"][0]
    features = switch.pop("features")
    with pytest.raises(ControllerError, match="fabric of leafspine"):
        controller.wait_fabric(topology, timeout_s=0.1)
    switch["features"] = features

    switch["port"][0]["up"] = False
    with pytest.raises(ControllerError, match="fabric of leafspine"):
        controller.wait_fabric(topology, timeout_s=0.1)


def test_hosts_announce_themselves_until_all_are_known_where_they_are(fake, controller):
    topology = topologies.leaf_spine(2, 1, 1)
    ids = {switch.name: switch.id for switch in topology.switches}
    hosts = [
        {"address": [host.address], "switch": ids[host.port.switch], "port": host.port.number}
        for host in topology.hosts
    ]
    moved = [{**hosts[0], "port": 99}, hosts[1]]
    fabric = {"hosts": {"host": moved}}
    fake.answers[FABRIC_STATE] = (200, {"sluice-fabric:fabric": fabric})
    controller.wait_hosts(topology, lambda: fabric["hosts"].update(host=hosts), timeout_s=2)
    fabric["hosts"]["host"] = moved
    told = []
    with pytest.raises(ControllerError, match=r"hosts of leafspine-2-1-1: missing: h1$"):
        controller.wait_hosts(
            topology, lambda: None, timeout_s=0.1, progress=lambda *words: told.append(words)
        )
    assert told == [("hosts known", 1, 2)]


def test_a_wrong_password_is_not_waited_for(fake, controller):
    fake.answers["/rests/data/sluice-fabric:fabric"] = (401, b"")
    with pytest.raises(ControllerError, match="401"):
        controller.wait_ready(timeout_s=60)


def test_limits_are_declared_by_tenant_and_in_place_once_a_meter_has_their_rate(fake, controller):
    tenant = "/rests/data/sluice-bandwidth:bandwidth/tenant=lab"
    flow = LimitedFlow(
        name="f",
        source="10.0.0.1",
        destination="10.0.0.2",
        protocol="udp",
        port=5201,
        limit_bps=1_000_000,
    )
    controller.put_tenant("lab", [flow])
    method, path, body = fake.requests[-1]
    assert (method, path) == ("PUT", tenant)
    assert body["sluice-bandwidth:tenant"][0]["application"] == [
        {
            "name": "f",
            "flow": [
                {
                    "name": "f",
                    "source": "10.0.0.1",
                    "destination": "10.0.0.2",
                    "protocol": "udp",
                    "destination-port": 5201,
                    "limit": "1000000",
                }
            ],
        }
    ]

    assert controller.allocations("lab") == {}
    state = {"name": "f"}
    shown = {"sluice-bandwidth:tenant": [{"name": "lab", "application": [{"flow": [state]}]}]}
    fake.answers[f"{tenant}?content=nonconfig"] = (200, shown)
    assert not controller.allocations("lab")["f"].is_in_place(1_000_000)
    state["allocation"] = {"status": "in-place", "meter-rate": "1000000"}
    assert controller.allocations("lab")["f"].is_in_place(1_000_000)
    assert not controller.allocations("lab")["f"].is_in_place(2_000_000)
    state["allocation"]["status"] = "pending"
    assert not controller.allocations("lab")["f"].is_in_place(1_000_000)

    controller.delete_tenant("lab")
    assert fake.requests[-1][:2] == ("DELETE", tenant)


def test_queues_that_are_not_asked_for_are_removed_while_nothing_needs_them(fake, controller):
    root = "/rests/data/sluice-bandwidth:bandwidth"
    there = {"sluice-bandwidth:bandwidth": {"queue": [{"code-point": 10}, {"code-point": 12}]}}
    fake.answers[f"{root}?content=config"] = (200, there)
    controller.share_links("app-fair", code_points=(12, 14))
    controller.share_links()
    told = [f"{method} {path.removeprefix(root)}" for method, path, _ in fake.requests]
    first = ["PUT /interval", "PUT /alpha", "GET ?content=config", "PUT /policy"]
    gone = ["DELETE /queue=10", "DELETE /queue=12"]
    assert told == [
        *[*first, *gone, "PUT /queue=12", "PUT /queue=14", "PUT /policy"],
        *[*first, *gone, "PUT /policy"],
    ]


def test_rounds_have_a_mean_since_an_earlier_look(fake, controller):
    assert controller.rounds() == Rounds(count=0, refused=0, deciding_us=0, enforcing_us=0)
    times = {"deciding-time": "9000", "enforcing-time": "40000"}
    shown = {"rounds": "7", "refused": "1", **times}
    path = "/rests/data/sluice-bandwidth:bandwidth/round-events?content=nonconfig"
    fake.answers[path] = (200, {"sluice-bandwidth:round-events": shown})
    early = controller.rounds()
    assert early == Rounds(count=7, refused=1, deciding_us=9_000, enforcing_us=40_000)
    late = Rounds(count=9, refused=2, deciding_us=12_000, enforcing_us=90_000)
    assert late.mean_ms(early) == {"deciding": 1.5, "enforcing": 50.0}
    assert late.mean_ms(late) == early.mean_ms(late) == {}
