# SPDX-License-Identifier: EPL-2.0
"""Regenerates one fragment of an object from k others, read over HTTP; runs inside hosts.

``python -m sluice_lab.regenerate MANIFEST FRAGMENT FILE`` prints ``ready`` and waits for a line of
JSON: the URLs of fragments 0, 1 ... (null where none is known). Fetches k of them at once, writes
the wanted fragment, verified, to FILE, and prints JSON: ``begun_ns``, ``fetched_ns`` and
``written_ns`` of CLOCK_MONOTONIC. Exit status 1 if the fragment can't be had.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time

from sluice_lab.erasure import DamagedError, Manifest, regenerate
from sluice_lab.fetch import fetch


def main() -> int:
    """Regenerate as told on standard input."""
    manifest = Manifest.from_json(pathlib.Path(sys.argv[1]).read_text())
    index, target = int(sys.argv[2]), pathlib.Path(sys.argv[3])
    print("ready", flush=True)
    urls = json.loads(sys.stdin.readline())
    begun_ns = time.monotonic_ns()
    try:
        content, _ = fetch(manifest, urls)
        fetched_ns = time.monotonic_ns()
        fragment = regenerate(manifest, content, index)
    except DamagedError as error:
        print(f"fragment {index} can't be had: {error}", file=sys.stderr)
        return 1
    fresh = target.with_suffix(".new")
    fresh.write_bytes(fragment)
    fresh.rename(target)
    written_ns = time.monotonic_ns()
    print(json.dumps({"begun_ns": begun_ns, "fetched_ns": fetched_ns, "written_ns": written_ns}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
