# SPDX-License-Identifier: EPL-2.0
"""An experiment as a command of its own, to record its row or only to try it out."""

from __future__ import annotations

import argparse
import logging
import pathlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sluice_lab import campaign
from sluice_lab.campaign import Cell, Outcome
from sluice_lab.ovs import LabError
from sluice_lab.restconf import ControllerError

_VARIANT = "loopback"
_POLICY = "sluice"
_LOG = logging.getLogger(__name__)


def command(
    kind: Any,  # noqa: ANN401
    options: Sequence[str],
    measure: Callable[[Any, int, pathlib.Path], Outcome],
    measurement: Callable[[Any, Mapping[Cell, Outcome]], Outcome],
) -> int:
    """Run an experiment as the command line says; return the exit status: 0 if it has its goal.

    ``kind`` is its dataclass, of which ``options`` can be chosen. ``measure`` makes a run with a
    seed in a new folder, ``measurement`` says what bench/record.py is told of all runs.
    """
    parser = argparse.ArgumentParser(prog=kind.__name__, description=kind.__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="for keys, settings and logs")
    for name in options:
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, type=int, default=getattr(kind, name), help="(%(default)s)")
    parser.add_argument(
        "--trial", action="store_true", help="keep samples in the folder too, and record nothing"
    )
    parser.add_argument("--fresh", action="store_true", help="measure anew what is stored")
    told = vars(parser.parse_args())
    folder, trial, fresh = (told.pop(name) for name in ("folder", "trial", "fresh"))
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    experiment = kind(**told)
    raw = folder / "raw" if trial else campaign.RAW
    if fresh:
        campaign.forget(experiment.id, raw)

    def once(cell: Cell) -> Outcome:
        return measure(experiment, cell.seed, pathlib.Path(tempfile.mkdtemp(dir=folder)))

    cells = campaign.interleaved([_VARIANT], [_POLICY], range(1, experiment.runs + 1))
    return conclude(
        experiment.id,
        lambda: measurement(experiment, campaign.run(experiment.id, experiment, cells, once, raw)),
        recorded=not trial,
        goal=experiment.goal(),
    )


def conclude(name: str, measured: Callable[[], Outcome], *, recorded: bool, goal: float = 0) -> int:
    """Measure, record the row if it is to be, tell of it, and return the exit status.

    ``measured`` returns what bench/record.py is told. The status is 0 if the figure is the goal.
    """
    try:
        result = measured()
        if recorded:
            campaign.record(result)
    except (LabError, ControllerError) as error:
        print(f"{name}: {error}")
        return 1
    _LOG.info("%s = %d; %s", name, result["value"], result["peers"] or result["parameters"])
    return 0 if result["value"] == goal else 1
