# SPDX-License-Identifier: EPL-2.0
"""The ring that builds networks: run it as root with ``pytest -m net``."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

pytest.importorskip("mininet", reason="Mininet is not installed")
if os.geteuid():
    pytest.skip("needs root", allow_module_level=True)
if not shutil.which("ovs-vsctl"):
    pytest.skip("Open vSwitch is not installed", allow_module_level=True)

from sluice_lab import baselines, instruments, ovs, state, storage, topologies, traffic
from sluice_lab.baselines import Baseline
from sluice_lab.campaign import Cell
from sluice_lab.experiments import regeneration
from sluice_lab.net import Net, Settings
from sluice_lab.ovs import LabError
from sluice_lab.residents import Residents
from sluice_lab.steering import Lab, Policy
from sluice_lab.storage import StoredObject
from sluice_lab.topology import MEGABIT, Port
from sluice_lab.traffic import Echoes, Flow, Mover, Probe

pytestmark = pytest.mark.net
SETTINGS = Settings(prefix="t1")
RATE_BPS = 10_000_000
SIZE_BYTES = 1_500_000


def leftovers(prefix):
    interfaces = [p.name for p in pathlib.Path("/sys/class/net").iterdir()]
    return [name for name in (*interfaces, *ovs.bridges()) if name.startswith(prefix)]


@pytest.fixture
def figure10():
    with Net(topologies.figure10(), SETTINGS) as net:
        yield net
    assert not leftovers(SETTINGS.prefix)


def busy_uplinks(net, server="h8", connections=8):
    """Move data over several connections from h1; return which of switch a's uplinks carried."""
    ports = range(6001, 6001 + connections)
    traffic.serve_bulk(net, server, ports)
    before = instruments.read_counters(net).bytes
    movers = [Mover(net, "h1", SIZE_BYTES // connections) for _ in ports]
    for mover, port in zip(movers, ports, strict=True):
        mover.start(server, net.topology.host(server).address, port)
    for mover in movers:
        mover.finish(60)
    after = instruments.read_counters(net).bytes
    return {
        port.number
        for port in after
        if port.switch == "a" and after[port][1] - before[port][1] > SIZE_BYTES // connections
    }


def test_calibration_accepts_the_emulator():
    calibration = instruments.calibrate(SETTINGS, RATE_BPS, duration_s=5)
    assert abs(calibration.rate_error) <= 0.05
    assert not leftovers(SETTINGS.prefix)


def test_shapers_can_make_up_for_late_timers(figure10):
    cable = figure10.topology.cables[0]
    shown = ovs.call(["tc", "class", "show", "dev", figure10.interface(cable.a)])
    depths = dict(re.findall(r" (c?burst) (\d+)b", shown))
    assert depths.keys() == {"burst", "cburst"}
    assert min(int(depth) for depth in depths.values()) > 10 * 1_400, shown


def test_single_path_uses_one_uplink_and_ecmp_several(figure10):
    baselines.install(figure10, Baseline.SINGLE)
    assert busy_uplinks(figure10) == {1}
    baselines.install(figure10, Baseline.ECMP)
    assert len(busy_uplinks(figure10, server="h7")) > 1


def test_a_cut_cable_shows_in_the_probes_and_only_while_it_is_cut(figure10):
    baselines.install(figure10, Baseline.SINGLE)
    cable = next(c for c in figure10.topology.cables if (c.a.switch, c.a.number) == ("a", 1))
    probe = Probe(figure10, Flow(client="h1", server="h8", port=7001), duration_s=3)
    before = instruments.read_counters(figure10).bytes[cable.a][1]
    traffic.wait_until(probe.start_ns + 1_000_000_000)
    assert instruments.read_counters(figure10).bytes[cable.a][1] > before
    figure10.set_carrier(cable, up=False)
    traffic.wait_until(probe.start_ns + 1_500_000_000)
    figure10.set_carrier(cable, up=True)
    at_server, at_client = probe.finish()
    assert at_server.longest_us > 400_000
    assert at_server.received > 1_000
    assert at_client.losses


def test_a_probe_that_is_stopped_counts_what_was_sent_until_then(figure10):
    baselines.install(figure10, Baseline.SINGLE)
    probe = Probe(figure10, Flow(client="h1", server="h8", port=7001), duration_s=600)
    traffic.wait_until(probe.start_ns + 500_000_000)
    probe.stop()
    for seen in probe.finish():
        assert 400 < seen.sent < 600_000
        assert seen.lost < 100


def test_hosts_have_cubic_whatever_their_machine_has(figure10):
    routes = figure10.run("h1", ["ip", "route"]).splitlines()
    assert routes
    assert all("congctl cubic" in route for route in routes)


def test_without_entries_nothing_passes(figure10):
    figure10.set_neighbours()
    with pytest.raises(LabError, match="failed"):
        figure10.run("h1", ["ping", "-c1", "-W1", figure10.topology.host("h2").address])


def test_an_announcement_reaches_the_switch(figure10):
    before = instruments.read_counters(figure10)
    bridge = figure10.bridge("a")
    ovs.replace_entries(bridge, [], ["priority=1,arp,actions=output:1"])
    figure10.announce_hosts()
    after = instruments.read_counters(figure10)
    sent = [c.bytes[Port("a", 1)][1] for c in (before, after)]
    assert sent[1] - sent[0] >= 2 * 42  # of h1 and h2


def test_what_bears_the_mark_of_an_earlier_queue_gets_the_link():
    rates = topologies.LayerRates(host=40 * MEGABIT, edge=10 * MEGABIT)
    topology = topologies.leaf_spine(2, 1, 2, rates=rates)
    with Net(topology, Settings(prefix="t4", queues=(10, 20))) as net:
        baselines.install(net, Baseline.SINGLE)
        pairs = [("h1", "h3", 20, 5001), ("h2", "h4", 10, 5002)]
        for _, server, _, port in pairs:
            net.spawn(server, ["iperf3", "-s", "-1", "-p", str(port)])
            net.wait_listening(server, port)
        clients = []
        for client, server, mark, port in pairs:
            words = ["iperf3", "-J", "-t", "5", "-O", "1", "--dscp", str(mark), "-p", str(port)]
            clients.append(net.spawn(client, [*words, "-c", topology.host(server).address]))
        reports = [json.loads(traffic.finish(client, "iperf3", 30)) for client in clients]
        late, early = (one["end"]["sum_received"]["bits_per_second"] for one in reports)
        assert early > 0.85 * 10 * MEGABIT
        assert late < 0.1 * early


def test_two_nets_stand_side_by_side_and_a_prefix_is_taken_once():
    topology = topologies.leaf_spine(2, 1, 1)
    with Net(topology, SETTINGS) as one, Net(topology, Settings(prefix="t2")) as two:
        for net in (one, two):
            baselines.install(net, Baseline.SINGLE)
        assert instruments.ping_ms(one, "h1", "h2", count=1) < 1_000
        assert instruments.ping_ms(two, "h2", "h1", count=1) < 1_000
        with pytest.raises(LabError, match="in use"):
            Net(topology, SETTINGS).__enter__()
    assert not leftovers("t1")
    assert not leftovers("t2")


def test_multipath_tcp_takes_a_second_path(figure10):
    baselines.install(figure10, Baseline.ECMP)
    traffic.enable_mptcp(figure10)
    traffic.serve_bulk(figure10, "h8", [6001], mptcp=True)
    before = instruments.read_counters(figure10).bytes
    mover = Mover(figure10, "h1", SIZE_BYTES, mptcp=True)
    mover.start("h8", figure10.topology.host("h8").address, 6001)
    mover.finish(60)
    after = instruments.read_counters(figure10).bytes
    sent = [after[p][1] - before[p][1] for p in after if p.switch == "a"]
    assert len([count for count in sent if count > SIZE_BYTES / 20]) > 1


CRASHING = """
import sys
from sluice_lab import ovs, topologies
from sluice_lab.net import Net, Settings
with Net(topologies.leaf_spine(2, 2, 1), Settings(prefix="t3")) as net:
    net.spawn("h1", ["iperf3", "-s"])
    net.wait_listening("h1", 5201)
    net.extend(["t3beside"])
    ovs.call(["ip", "link", "add", "t3beside", "type", "bridge"])
    print("up", flush=True)
    sys.stdin.read()
"""


def test_nothing_is_left_of_a_killed_run_after_clean():
    child = subprocess.Popen(
        [sys.executable, "-c", CRASHING],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout.readline() == "up\n"
    [record] = [r for r in state.records() if r.prefix == "t3"]
    assert record.is_alive()
    assert record not in state.clean()
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert "t3beside" in leftovers("t3")

    assert record in state.clean()

    assert not leftovers("t3")
    assert not list(state.processes(record.run))
    assert not record.path.exists()


def test_an_object_is_read_whole_over_http():
    stored = StoredObject(size_bytes=400_000, client="h1", servers=("h5", "h6", "h7"), k=2)
    lab = Lab(settings=SETTINGS)
    outcome = storage.transfer(stored, topologies.figure10(), Policy.ECMP, lab)
    assert outcome["bytes"] == stored.size_bytes
    assert not outcome["failed"]
    assert not leftovers(SETTINGS.prefix)


def test_a_lost_piece_is_regenerated_and_the_rest_comes_from_there():
    experiment = regeneration.Regeneration(piece_bytes=1_500_000, silence_s=1)
    cell = Cell(variant="fattree", policy=Policy.ECMP, seed=1)
    outcome = regeneration.measure(experiment, Lab(settings=SETTINGS), cell)
    bounds_s = regeneration.lower_bounds_s(experiment)
    assert all(outcome[key] > bound_s * 0.98 for key, bound_s in bounds_s.items())
    assert sum(outcome["phases_s"].values()) == pytest.approx(outcome["total_s"])
    assert not outcome["false_losses"]
    assert not leftovers(SETTINGS.prefix)


def test_the_prompt_of_a_network_answers():
    command = [sys.executable, "-m", "sluice_lab.cli", "up", "leafspine,2,1,1"]
    done = subprocess.run(
        [*command, "--baseline", "single", "--prefix", SETTINGS.prefix],
        input="t1h1 ping -c 1 t1h2\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "1 received" in done.stderr  # where Mininet's prompt answers
    assert not leftovers(SETTINGS.prefix)


def test_residents_answer_by_name_and_echoes_are_lost_while_a_cable_is_cut():
    with Net(topologies.leaf_spine(2, 1, 2), SETTINGS) as net:
        baselines.install(net, Baseline.SINGLE)
        residents = Residents(net)
        names = {host.name: host.address for host in net.topology.hosts}
        wanted = {
            asker: {address: [name] for name, address in names.items() if name != asker}
            for asker in names
        }
        for fresh in ((), list(names.values())):
            assert residents.mistakes(wanted, fresh=fresh, limit_s=10) == []
        swapped = residents.mistakes({"h1": {names["h2"]: ["h3"]}}, limit_s=0.5)
        assert [(one.address, one.got) for one in swapped] == [(names["h2"], "h2")]
        echoes = Echoes(net, "h1", names["h4"])
        time.sleep(0.5)
        cut_ns = time.monotonic_ns()
        net.set_host_carrier("h4", up=False)
        time.sleep(0.5)
        net.set_host_carrier("h4", up=True)
        mended_ns = time.monotonic_ns()
        time.sleep(1)
        seen = echoes.finish()
        assert seen.lost(0, cut_ns - 20_000_000) == 0
        assert seen.lost(cut_ns, mended_ns) > 30
        assert seen.longest_gap_ns(cut_ns, mended_ns) > 400_000_000
    assert not leftovers(SETTINGS.prefix)
