# SPDX-License-Identifier: EPL-2.0
"""Two forwarders of a site, F1 with two lcores, its bus, and hosts around them with a real NAT.

client --- cl0 [F1] wan0 === VXLAN === wan1 [F2] sv0 --- server
             vin0 | | vout0                             each in a namespace of its own; the proxy of the
                  NAT                                   bus is beside F1, and F2 reaches it by bus0 - bus1

A second NAT is linked to F1 by vin1 and vout1.
"""

import contextlib
import copy
import json
import pathlib
import secrets
import socket
import subprocess
from collections.abc import Callable, Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORWARDER, BUS = (ROOT / "forwarder-dpdk" / "target" / name for name in ("sluice-forwarder", "sluice-bus"))
MODELS = ROOT / "models" / "src" / "main" / "yang"
PROXY = "tcp://10.255.0.1:5570"
METRICS_PORT = 9475
CHAIN, EGRESS = 100, 203
CONTENT_BYTES = 300_000
GATEWAY = "02:00:00:00:00:fe"  # nobody: whatever a host sends goes to its forwarder
TUNNELS = "udp port 4789"
NARROW_MTU = 1458  # of the underlay at F2: what a host sends there whole does not fit
INNER_MTU = NARROW_MTU - 58  # without tunnel and labels
NAT_ADDRESS, SECOND_NAT_ADDRESS = "10.9.2.1", "10.9.4.1"
# Links of the forwarders: to whom, by whom, the other end's MAC address and IP address.
HOSTS = {
    "cl0": ("client", "F1", "02:00:00:00:01:01", "10.1.0.1/24"),
    "vin0": ("nat", "F1", "02:00:00:00:02:01", "10.9.1.1/24"),
    "vout0": ("nat", "F1", "02:00:00:00:02:02", f"{NAT_ADDRESS}/24"),
    "vin1": ("nat2", "F1", "02:00:00:00:02:03", "10.9.3.1/24"),
    "vout1": ("nat2", "F1", "02:00:00:00:02:04", f"{SECOND_NAT_ADDRESS}/24"),
    "sv0": ("server", "F2", "02:00:00:00:03:01", "10.2.0.1/24"),
}
# Addresses of the forwarder that asks by ARP on a port for MAC addresses, and is asked for its own.
ROUTERS = {"vin0": "10.9.1.254", "vout0": "10.9.2.254"}
LCORES = {"F1": "0@0,1@1,2@0", "F2": "0@1,1@0"}  # lcore and CPU; the first lcore controls, the others forward
PLACES = ["F1", "F2", "client", "nat", "nat2", "server"]
LABELS = {"chain-label": CHAIN, "egress-label": EGRESS}
LIMIT_S = 20
WaitUntil = Callable[[Callable[[], bool], float], None]


def side(port: str) -> dict:
    """An interface whose packets bear no labels."""
    return {"port": port, "mac-address": HOSTS[port][2], "stripped-labels": LABELS}


def member(name: str, weight: int = 1) -> dict:
    return {"name": name, "weight": weight}


# What belongs to each forwarder: its underlay, and rules that come over the bus.
UNDERLAYS = {"F1": ("wan0", "192.0.2.1", ["cl0", "vin0", "vout0"]), "F2": ("wan1", "192.0.2.2", ["sv0"])}
INSTANCES = {
    "F1": [
        {"name": "edge-a", "service": "edge", "egress-side": side("cl0")},
        {"name": "nat-1", "service": "nat", "ingress-side": side("vin0"), "egress-side": side("vout0")},
    ],
    "F2": [{"name": "edge-b", "service": "exit", "ingress-side": side("sv0")}],
}
STAGES = {
    "F1": [
        {"number": 0, "service": "edge", "instance": [member("edge-a")]},
        {
            "number": 1,
            "service": "nat",
            "instance": [member("nat-1", 5)],
            "next-hop": [member("F1")],
            "previous-hop": [member("F1")],
        },
        {"number": 2, "service": "exit", "next-hop": [member("F2")], "previous-hop": [member("F1")]},
    ],
    "F2": [
        {
            "number": 2,
            "service": "exit",
            "instance": [member("edge-b")],
            "next-hop": [member("F2")],
            "previous-hop": [member("F1")],
        }
    ],
}


class Site:
    """Namespaces, a proxy of the bus and two forwarders of site A."""

    def __init__(self, folder: pathlib.Path, wait_until: WaitUntil) -> None:
        self.folder = folder
        self.wait_until = wait_until
        self.mark = f"sluice-{secrets.token_hex(3)}"
        self.keys = {}
        self.children: dict[str, subprocess.Popen] = {}

    def words(self, place: str, *command: str) -> list[str]:
        return ["ip", "netns", "exec", f"{self.mark}-{place}", *command]

    def run(self, place: str, command: str, timeout_s: float = 30) -> subprocess.CompletedProcess:
        """Runs a command line; what it printed is in stdout."""
        return subprocess.run(
            self.words(place, "bash", "-c", command),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=timeout_s,
            check=False,
        )

    def must(self, place: str, command: str) -> str:
        done = self.run(place, command)
        assert done.returncode == 0, f"{command}: {done.stdout}"
        return done.stdout

    def start(self, name: str, place: str, *command: str) -> None:
        """Starts a program, whose output is in the file <name>.log."""
        with (self.folder / f"{name}.log").open("a") as log:
            child = subprocess.Popen(self.words(place, *command), cwd=self.folder, stdout=log, stderr=log)
        self.children[name] = child

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def kill(self, name: str) -> None:
        child = self.children.pop(name)
        child.kill()
        child.wait()

    def is_let_in(self, node: str) -> bool:
        """Whether the proxy lets a node in."""
        return self.bus(node, "--timeout", "3", "publish", f"/{node}", "here").returncode == 0

    def nodes(self) -> list[tuple[str, str]]:
        """All nodes of the site with their keys."""
        return [(name, key) for name, key in self.keys.items() if name != "A"]

    def bus(self, node: str, *words: str) -> subprocess.CompletedProcess:
        """Runs sluice-bus as a node of the site."""
        options = ["--proxy", PROXY, "--proxy-key", self.keys["A"], "--node", f"A/{node}"]
        options += ["--keys", f"{node}.keys", "--epoch", f"{node}.epoch", "--timeout", "20"]
        return subprocess.run(
            self.words("F1", str(BUS), *options, *words),
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def state(self, forwarder: str) -> dict:
        """What a forwarder says of its rules."""
        return self.told(forwarder, f"/forwarder/{forwarder}/site_A_state")["state"]

    def told(self, forwarder: str, topic: str, publishers: int = 1) -> dict:
        """What a forwarder said last on a topic, which so many speak on."""
        heard: dict[tuple[str, str], str] = {}

        def is_heard() -> bool:
            done = self.bus("observer", "--count", str(publishers), "subscribe", topic)
            assert done.returncode == 0, done.stderr
            for line in done.stdout.splitlines():
                on, publisher, text = line.split(" ", 2)
                heard[on, publisher] = text
            return (topic, f"A/{forwarder}") in heard

        self.wait_until(is_heard, LIMIT_S)  # others may say something twice before it is there
        document = json.loads(heard[topic, f"A/{forwarder}"])["sluice-forwarder:forwarder"]
        assert document["name"] == forwarder
        return document

    def telemetry(self, forwarder: str, command: str) -> dict:
        """What a forwarder answers to a command of DPDK's telemetry."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
            asked.settimeout(LIMIT_S)
            asked.connect(f"/var/run/dpdk/{self.mark}-{forwarder}/dpdk_telemetry.v2")
            size = json.loads(asked.recv(1024))["max_output_len"]
            asked.send(command.encode())
            return json.loads(asked.recv(size))[command.partition(",")[0]]

    def is_told(self, topic: str) -> bool:
        """Whether somebody's word on a topic stands."""
        done = self.bus("observer", "--timeout", "3", "--count", "1", "subscribe", topic)
        return done.returncode == 0

    def allow(self, *nodes: tuple[str, str]) -> None:
        """Lets these into the bus, each with a key."""
        (self.folder / "A.allow").write_text("".join(f"A/{name} {key}\n" for name, key in nodes))

    def publish(self, forwarder: str, document: dict) -> None:
        """Publishes rules, and waits until the forwarder tells what became of them."""
        before = self.state(forwarder)
        topic = f"/forwarder/{forwarder}/site_A_rules"
        done = self.bus("switchboard", "publish", topic, json.dumps(document))
        assert done.returncode == 0, done.stderr
        self.wait_until(lambda: self.state(forwarder) != before, LIMIT_S)

    def start_proxy(self) -> None:
        self.start("proxy", "F1", str(ROOT / "tools" / "bus-proxy"), "--config", "A.cfg")

    def fetch(self, timeout_s: int = 5, server: str = "10.2.0.1:8000") -> bytes | None:
        """Returns what the client gets from the server over TCP, or nothing."""
        done = subprocess.run(
            self.words("client", "curl", "-sfg", "-m", str(timeout_s), f"http://{server}/content"),
            capture_output=True,
            timeout=60,
            check=False,
        )
        return done.stdout if done.returncode == 0 else None


def is_carried(site: Site) -> bool:
    """Whether the client gets the server's content as it is."""
    return site.fetch() == (site.folder / "content").read_bytes()


def captured(site: Site, place: str, port: str, fields: str, packets: str = TUNNELS) -> list[str]:
    """What tshark saw of 20 packets, by default between forwarders, on a port, while content was fetched."""
    command = f"timeout 20 tshark -i {port} -l -Q -c 20 -f '{packets}' -d udp.port==4789,vxlan -T fields {fields}"
    with subprocess.Popen(
        site.words(place, "bash", "-c", command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as child:
        while child.poll() is None:
            assert is_carried(site)
        return child.stdout.read().splitlines()


def ask_for_mac_addresses(forwarder: dict) -> None:
    """Takes MAC addresses out of a configuration, where they can be asked for."""
    for peer in forwarder["peers"]["peer"]:
        del peer["mac-address"]
    for instance in forwarder["instances"]["instance"]:
        for one in (instance.get("ingress-side", {}), instance.get("egress-side", {})):
            if router := ROUTERS.get(one.get("port")):
                del one["mac-address"]
                one["address"] = HOSTS[one["port"]][3].partition("/")[0]
                one["own-ipv4-address"] = router


def document(
    site: Site, name: str, generation: int, *, has_rules: bool, has_bus: bool = True, asks: bool = True
) -> dict:
    """The configuration of a forwarder; if it asks nobody, all MAC addresses are in it."""
    wan, address, lan = UNDERLAYS[name]
    other = "F2" if name == "F1" else "F1"
    mtu = NARROW_MTU if name == "F2" else 1558
    queues = f"qpairs={LCORES[name].count('@') - 1}"
    ports = [{"name": wan, "device": f"net_af_packet0,iface={wan},{queues}", "mtu": mtu}]
    ports += [{"name": port, "device": f"net_af_packet{i},iface={port},{queues}"} for i, port in enumerate(lan, 1)]
    forwarder = {
        "name": name,
        "generation": str(generation),
        "take-over-socket": f"{name}.socket",
        "metrics": {"port": METRICS_PORT},
        "ports": {"port": ports},
        "underlay": {"port": wan, "address": address},
        "icmp-source": {"ipv4-address": "198.51.100.1"},
        "flow-table": {"capacity": 65536},
    }
    if has_bus:
        forwarder["bus"] = {
            "site": "A",
            "proxy": {"address": "10.255.0.1", "public-key": site.keys["A"]},
            "keys-file": f"{name}.keys",
            "epoch-file": f"{name}.epoch",
            "switchboard": "switchboard",
            "report-interval": 1,
        }
    if has_rules:
        peer = {"name": other, "address": UNDERLAYS[other][1], "mac-address": GATEWAY}
        forwarder["peers"] = {"peer": [peer]}
        forwarder["instances"] = {"instance": copy.deepcopy(INSTANCES[name])}
        forwarder["chains"] = {"chain": [{**LABELS, "stage": STAGES[name]}]}
        if asks:
            ask_for_mac_addresses(forwarder)
    return {"sluice-forwarder:forwarder": forwarder}


def link_hosts(site: Site) -> None:
    for place in PLACES:
        subprocess.run(["ip", "netns", "add", f"{site.mark}-{place}"], check=True)
        site.must(place, "sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1")
        site.must(place, "ip link set lo up")
    for name, mtu in (("wan", 1600), ("bus", 1500)):
        beyond = f"type veth peer name {name}1 mtu {mtu} netns {site.mark}-F2"
        site.must("F1", f"ip link add {name}0 mtu {mtu} {beyond} && ip link set {name}0 up")
        site.must("F2", f"ip link set {name}1 up")
    site.must("F1", "ip addr add 10.255.0.1/30 dev bus0")
    site.must("F2", "ip addr add 10.255.0.2/30 dev bus1")
    for port, (place, forwarder, mac, address) in HOSTS.items():
        site.must(forwarder, f"ip link add {port} type veth peer name {port} netns {site.mark}-{place}")
        site.must(forwarder, f"ip link set {port} up")
        site.must(place, f"ip link set {port} address {mac} up && ip addr add {address} dev {port}")
        site.must(place, f"ethtool -K {port} tx off")  # a checksum is needed by who gets the packet
    for place, port, route, gateway in (
        ("client", "cl0", "default", "10.1.0.254"),
        ("server", "sv0", "default", "10.2.0.254"),
        ("nat", "vin0", "10.1.0.0/24", "10.9.1.254"),
        ("nat", "vout0", "10.2.0.0/24", "10.9.2.254"),
        ("nat2", "vin1", "10.1.0.0/24", "10.9.3.254"),
        ("nat2", "vout1", "10.2.0.0/24", "10.9.4.254"),
    ):
        site.must(place, f"ip neigh add {gateway} lladdr {GATEWAY} dev {port}")
        site.must(place, f"ip route add {route} via {gateway} dev {port}")
    for place, port in (("nat", "vout0"), ("nat2", "vout1")):
        site.must(place, "sysctl -qw net.ipv4.ip_forward=1")
        chain = "'add chain ip nat out { type nat hook postrouting priority 100; }'"
        site.must(place, f"nft add table ip nat && nft {chain}")
        site.must(place, f"nft add rule ip nat out oifname {port} masquerade")


def make_keys(site: Site) -> None:
    for name in ("A", "F1", "F2", "switchboard", "observer", "stranger"):
        site.keys[name] = site.must("F1", f"{BUS} make-keys {name}.keys").strip()
    site.allow(*site.nodes())
    (site.folder / "A.cfg").write_text(f"site = A\nbind = {PROXY}\nkeys = A.keys\nallow = A.allow\n")


def start_forwarder(
    site: Site, name: str, configuration: dict, *options: str, prefix: str = "", lcores: str = ""
) -> None:
    """Starts it; DPDK's files of two processes that are there at a time need different prefixes."""
    (site.folder / f"{name}.json").write_text(json.dumps(configuration))
    memory = ["--no-huge", "-m", "256", "--no-pci", "--file-prefix", f"{site.mark}-{name}{prefix}"]
    ours = ["--models", str(MODELS), "--config", f"{name}.json", *options]
    site.start(name, name, str(FORWARDER), *memory, "--lcores", lcores or LCORES[name], "--", *ours)


@contextlib.contextmanager
def linked_site(folder: pathlib.Path, wait_until: WaitUntil) -> Iterator[Site]:
    """The site without forwarders and bus; whatever runs in it ends with it."""
    site = Site(folder, wait_until)
    try:
        link_hosts(site)
        (folder / "content").write_bytes(secrets.token_bytes(CONTENT_BYTES))
        site.start("server", "server", "python3", "-u", "-m", "http.server", "8000")
        yield site
    finally:
        for name in list(site.children):
            site.kill(name)
        for place in PLACES:
            subprocess.run(["ip", "netns", "delete", f"{site.mark}-{place}"], check=False)


@contextlib.contextmanager
def started_site(folder: pathlib.Path, wait_until: WaitUntil) -> Iterator[Site]:
    """The site while it runs; the forwarders have no rules but what is published."""
    with linked_site(folder, wait_until) as site:
        for port, router in ROUTERS.items():
            site.must(HOSTS[port][0], f"ip neigh del {router} dev {port}")
        make_keys(site)
        site.start_proxy()
        for name in UNDERLAYS:
            start_forwarder(site, name, document(site, name, 1, has_rules=False))
        yield site
