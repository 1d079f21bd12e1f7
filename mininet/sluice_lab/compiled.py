# SPDX-License-Identifier: EPL-2.0
"""The lab's programs in C, compiled once for each state of their source."""

from __future__ import annotations

import hashlib
import pathlib

from sluice_lab import ovs, state

_SOURCES = pathlib.Path(__file__).parents[1] / "tools"


def program(name: str) -> pathlib.Path:
    """Return the program made of ``tools/<name>.c``; LabError if it can't be compiled."""
    source = _SOURCES / f"{name}.c"
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:12]
    made = state.FOLDER / f"{name}-{digest}"
    if not made.exists():
        state.FOLDER.mkdir(parents=True, exist_ok=True)
        fresh = made.with_suffix(".new")
        ovs.call(["cc", "-O2", "-D_GNU_SOURCE", "-o", str(fresh), str(source)])
        fresh.rename(made)
    return made
