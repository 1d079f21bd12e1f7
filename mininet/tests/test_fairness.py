# SPDX-License-Identifier: EPL-2.0
import contextlib
import types

import pytest

from sluice_lab import campaign, topologies
from sluice_lab.bandwidth import LimitedFlow
from sluice_lab.experiments import fairness
from sluice_lab.experiments.fairness import Fairness
from sluice_lab.net import Settings
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab

EXPERIMENT = Fairness(applications=3, alphas=(0.5, 1.0), runs=2)


@pytest.mark.parametrize(
    ("shares", "index"), [([2, 2, 2], 1), ([4, 0, 0, 0], 1 / 4), ([1, 3], 0.8), ([0, 0], 1)]
)
def test_the_index_is_one_where_all_have_the_same(shares, index):
    assert fairness.jain(shares) == pytest.approx(index)


def test_each_application_has_as_many_flows_as_its_number_and_all_cross_the_link():
    topology = topologies.leaf_spine(2, 1, 3)
    flows = fairness.flows_of(EXPERIMENT, topology)
    assert {name: len(of_one) for name, of_one in flows.items()} == {
        "app-1": 1,
        "app-2": 2,
        "app-3": 3,
    }
    ends = {host.name: host.port.switch for host in topology.hosts}
    for of_one in flows.values():
        assert len({flow.port for flow in of_one}) == len(of_one)
        assert all(ends[flow.client] != ends[flow.server] for flow in of_one)


def test_the_next_experiment_finds_links_shared_as_by_default(monkeypatch):
    told = []
    controller = types.SimpleNamespace(
        delete_tenant=lambda _name: None,
        register_application=lambda *_: None,
        share_links=lambda *values: told.append(values),
    )
    lab = Lab(url="", password="", settings=Settings())
    monkeypatch.setattr(Lab, "controller", lambda _: controller)

    @contextlib.contextmanager
    def steered(topology, *_):
        yield types.SimpleNamespace(net=types.SimpleNamespace(topology=topology))

    def fail(*_):
        raise LabError("no rates")

    monkeypatch.setattr(fairness, "steered", steered)
    monkeypatch.setattr(fairness, "measure_tcp", fail)
    monkeypatch.setattr(fairness.instruments, "CpuMeter", lambda: None)
    with pytest.raises(LabError, match="no rates"):
        fairness.measure(EXPERIMENT, lab, 0.5)
    assert [values[:1] for values in told] == [("app-fair",), ()]


def outcome(*shares):
    return {"shares_bps": list(shares), "link_bps": 10, "cpu": {"idle": sum(shares) / 10}}


def test_the_best_alpha_is_recorded_beside_the_others_and_tcp(monkeypatch):
    recorded = []
    monkeypatch.setattr(campaign, "record", recorded.append)
    found = {
        "app-fair-50": [outcome(4, 4), outcome(3, 3)],
        "app-fair-100": [outcome(2, 6), outcome(2, 6)],
        "tcp": [outcome(1, 3), outcome(1, 3)],
    }
    fairness.record(EXPERIMENT, found)
    (row,) = recorded
    assert (row["id"], row["value"], row["parameters"]["best"]) == ("B4", 1, "app-fair-50")
    assert row["peers"] == {"app-fair-100": pytest.approx(0.8), "tcp": pytest.approx(0.8)}
    assert row["parameters"]["link used"]["app-fair-50"] == pytest.approx(0.7)


def test_a_flow_without_a_limit_says_nothing_of_one():
    flow = LimitedFlow(name="f", source="a", destination="b", protocol="tcp", port=1)
    assert "limit" not in flow.body()
