# SPDX-License-Identifier: EPL-2.0
"""A Storm on a network of its own, whose switches the controller has: for runs, or for a prompt."""

from __future__ import annotations

import contextlib
import pathlib
import shutil
from collections.abc import Iterator

from sluice_lab import campaign, storm_daemons
from sluice_lab.net import Net
from sluice_lab.ovs import LabError
from sluice_lab.steering import Lab, Policy, need_controller, steered
from sluice_lab.storm import Storm
from sluice_lab.storm_keys import REPORT_PORT, TENANT, Engine
from sluice_lab.topology import Topology

FOLDER = campaign.RAW / "storm"
"""Where the files of the Storm are that has a prompt."""
BANDWIDTH_POLICIES = ("app-max-min", "app-aware", "max-min")
"""How the controller may share links; app-fair needs queues at every port."""


def engine(lab: Lab, **settings: int) -> Engine:
    """Return what a Storm is told whose topologies the lab's controller gives rates."""
    url = lab.url.removesuffix("/rests")
    return Engine(controller_url=url, user=lab.user, password=lab.password, **settings)


def make_way(folder: pathlib.Path) -> None:
    """Empty the folder of a Storm that is to be launched; LabError if a Storm of the lab runs."""
    if storm_daemons.is_running():
        raise LabError("a Storm of the lab runs already: leave its prompt, or end its run, first")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


@contextlib.contextmanager
def launched(
    topology: Topology, lab: Lab, folder: pathlib.Path, told: Engine
) -> Iterator[tuple[Net, Storm]]:
    """Bring up a network and a Storm; afterwards the controller shares links as by default."""
    controller = lab.controller()
    with steered(topology, Policy.SLUICE, lab, []) as network:
        controller.delete_tenant(TENANT)  # of a run that was killed
        try:
            with Storm(network.net, folder, told) as storm:
                yield network.net, storm
        finally:
            controller.delete_tenant(TENANT)
            controller.share_links()


def prompt(topology: Topology, lab: Lab, policy: str, interval_s: int) -> None:
    """Bring up a network and a Storm that shares it by ``policy``; give Mininet's prompt."""
    need_controller([Policy.SLUICE], lab)
    make_way(FOLDER)
    with launched(topology, lab, FOLDER, engine(lab, interval_s=interval_s)) as (net, _):
        lab.controller().share_links(policy, interval_s)
        print(
            f"Storm runs on {len(topology.hosts)} hosts; its logs are in {FOLDER}. "
            "From another terminal:\n"
            "  sluice-lab storm-jar TOPOLOGY.jar CLASS [ARGUMENT ...]\n"
            "  sluice-lab storm-kill NAME\n"
            f"  curl http://{storm_daemons.MASTER}:{REPORT_PORT}/flows\n"
            f"  tools/controller shell 'sluice:show bandwidth tenant={TENANT}'",
            flush=True,
        )
        net.interact()
