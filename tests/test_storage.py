# SPDX-License-Identifier: EPL-2.0
"""Clients read stored objects from several hosts."""

import pytest
from sluice_lab import ovs, storage, topologies
from sluice_lab.net import Datapath, Endpoint, Settings
from sluice_lab.steering import Lab, Policy
from sluice_lab.storage import StoredObject

pytestmark = pytest.mark.net


@pytest.mark.parametrize("datapath", Datapath)
def test_an_object_is_read_whole_over_paths_that_were_chosen_for_its_pieces(running, datapath):
    if datapath is Datapath.KERNEL and not ovs.has_kernel_datapath():
        pytest.skip("this kernel has no datapath of Open vSwitch")
    stored = StoredObject(size_bytes=400_000, client="h1", servers=("h5", "h6", "h7"), k=2)
    lab = Lab(
        settings=Settings(prefix="hs", datapath=datapath),
        url=f"http://{running.address}:8181/rests",
        password=running.password(),
        endpoint=Endpoint(running.address, 6653),
    )
    outcome = storage.transfer(stored, topologies.figure10(), Policy.SLUICE, lab)
    assert outcome["bytes"] == stored.size_bytes
    assert not outcome["failed"]
    assert outcome["on_path_bytes"] > stored.size_bytes
    assert outcome["off_path_bytes"] < stored.size_bytes / 10
