# SPDX-License-Identifier: EPL-2.0
"""What Storm's own command does, for a Storm of the lab: submit topologies and kill them."""

from __future__ import annotations

import json
import pathlib
import subprocess
import urllib.parse
from collections.abc import Sequence

from sluice_lab import storm_daemons, storm_home
from sluice_lab.ovs import LabError

WORKLOADS = storm_home.BUILT / "workloads" / "sluice-storm-workloads.jar"
_KILL = "io.sluice.engine.storm.workloads.Kill"
_HOME = "client"


def command(
    folder: pathlib.Path, jar: pathlib.Path, words: Sequence[str], options: Sequence[str] = ()
) -> list[str]:
    """Return the command line that runs a class of a jar against the Storm in ``folder``.

    The class and its arguments are ``words``; ``options`` are KEY=VALUE, of the topology that it
    submits, as of ``storm jar -c``: VALUE is JSON, or a word.
    """
    home = storm_home.lay_out(folder, _HOME)
    seeds = {
        "nimbus.seeds": [storm_daemons.MASTER],
        "storm.zookeeper.servers": [storm_daemons.MASTER],
    }
    (home / "conf" / "storm.yaml").write_text(json.dumps(seeds))
    told = ",".join(map(urllib.parse.quote, options))
    told_options = (f"-Dstorm.jar={jar}", f"-Dstorm.options={told}")
    return [*storm_home.java(folder, _HOME, *told_options, jars=(jar,)), *words]


def kill_words(topology: str) -> list[str]:
    """Return the class of ``WORKLOADS`` that ends a topology, with its argument."""
    return [_KILL, topology]


def run(
    folder: pathlib.Path, jar: pathlib.Path, words: Sequence[str], options: Sequence[str] = ()
) -> None:
    """Run a class as :func:`command` says, with the caller's output; LabError if it fails."""
    if not storm_daemons.is_running():
        raise LabError("no Storm listens: start one by sluice-lab storm, and wait for its prompt")
    if not jar.is_file():
        raise LabError(f"there is no jar {jar}")
    status = subprocess.run(command(folder, jar, words, options), check=False).returncode
    if status:
        raise LabError(f"{words[0]} ended with {status}")
