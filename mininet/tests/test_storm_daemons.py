# SPDX-License-Identifier: EPL-2.0
"""What runs of a Storm, and what is asked of it, without a network: its processes are stand-ins."""

from sluice_lab.storm_keys import Engine


def test_workers_get_javas_options_beside_their_own(tmp_path):
    words = Engine(heap_mb=64).keys(tmp_path, "-Dname=value")["worker.childopts"].split()
    assert words[0] == "-Xmx64m"
    assert words[-1] == "-Dname=value"
