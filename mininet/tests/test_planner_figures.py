# SPDX-License-Identifier: EPL-2.0
"""bench/plot_planner.py is used as benchmarks use it: as a command."""

import json
import pathlib
import subprocess
import sys

BENCH = pathlib.Path(__file__).parents[2] / "bench"
POINT = {"graph": "triangle", "load-percent": 5, "sb-lp": 1, "sb-dp": 1.1, "anycast": 2}


def labels(folder: pathlib.Path, point: dict) -> set[str]:
    """Which of the schemes the figure of a point names: an SVG has its texts in comments."""
    (folder / "S8-load.jsonl").write_text(json.dumps(point) + "\n")
    subprocess.run(
        [
            sys.executable,
            BENCH / "plot_planner.py",
            "--points",
            folder,
            "--to",
            folder,
            "S8-dp-load",
        ],
        check=True,
    )
    text = (folder / "S8-dp-load.svg").read_text()
    return {
        name
        for name in ("SB-LP", "SB-DP", "COMPUTE-AWARE", "ANYCAST")
        if f"<!-- {name} -->" in text
    }


def test_the_legend_names_the_curves_that_have_points(tmp_path):
    assert labels(tmp_path, POINT) == {"SB-LP", "SB-DP", "ANYCAST"}
    assert "COMPUTE-AWARE" in labels(tmp_path, POINT | {"compute-aware": 3})
