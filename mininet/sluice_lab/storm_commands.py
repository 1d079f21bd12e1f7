# SPDX-License-Identifier: EPL-2.0
"""The commands of sluice-lab for a Storm on a network: start one, submit to it, end a topology."""

from __future__ import annotations

import argparse
import pathlib
from collections.abc import Callable

from sluice_lab import storm_client, storm_launcher, topologies
from sluice_lab.steering import Lab

_LONGEST_INTERVAL_S = 1200  # of Nimbus's reports


def add(
    command: Callable[..., argparse.ArgumentParser],
    lab: Callable[[argparse.Namespace], Lab],
    topology_help: str,
) -> None:
    """Add the commands; ``command`` makes one, ``lab`` reads the options that all networks have."""

    def prompt(options: argparse.Namespace) -> None:
        topology = topologies.parse(options.topology)
        storm_launcher.prompt(topology, lab(options), options.share, options.interval)

    storm = command(
        "storm", prompt, "bring a topology up with Apache Storm on its hosts and give a prompt"
    )
    storm.add_argument("topology", help=topology_help)
    storm.add_argument(
        "--share",
        choices=storm_launcher.BANDWIDTH_POLICIES,
        default=storm_launcher.BANDWIDTH_POLICIES[0],
        help="how the controller shares links out to flows (%(default)s)",
    )
    storm.add_argument(
        "--interval",
        type=_interval,
        metavar="SECONDS",
        default=5,
        help="between rounds, 1 to 1200 (%(default)s)",
    )
    jar = command("storm-jar", _submit, "submit to the Storm of `storm`", network=False)
    jar.add_argument(
        "-c",
        dest="options",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="of the topology, as of Storm's own `storm jar`; several if need be",
    )
    jar.add_argument("jar", type=pathlib.Path, help="with the topology's classes")
    jar.add_argument("main", metavar="CLASS", help="that submits it")
    jar.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT", help="of the class")
    text = "end a topology of the Storm of `storm`"
    kill = command("storm-kill", _kill, text, network=False)
    kill.add_argument("name", help="of the topology")


def _interval(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= _LONGEST_INTERVAL_S:
        raise argparse.ArgumentTypeError(f"{text} is not 1 to {_LONGEST_INTERVAL_S} seconds")
    return int(text)


def _submit(options: argparse.Namespace) -> None:
    words = [options.main, *options.arguments]
    storm_client.run(storm_launcher.FOLDER, options.jar, words, options.options)


def _kill(options: argparse.Namespace) -> None:
    words = storm_client.kill_words(options.name)
    storm_client.run(storm_launcher.FOLDER, storm_client.WORKLOADS, words)
