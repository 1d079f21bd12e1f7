# SPDX-License-Identifier: EPL-2.0
"""Reads an erasure-coded object over HTTP from several servers at once; runs inside hosts.

``python -m sluice_lab.fetch MANIFEST`` prints ``ready`` and waits for a line of JSON: the URLs of
fragments 0, 1 ... (null where none is known). The first k known ones are fetched in parallel; one
that fails or is damaged is replaced by the next. Prints JSON: ``seconds``, ``bytes`` of the object,
``known`` fragments and those that ``failed``, with the reason. Exit status 1 if the object can't be
had whole.
"""

from __future__ import annotations

import concurrent.futures
import http.client
import json
import pathlib
import sys
import time
import urllib.request

from sluice_lab.erasure import DamagedError, Manifest, decode

_TIMEOUT_S = 120


def fetch(manifest: Manifest, urls: list[str | None]) -> tuple[bytes, dict[int, str]]:
    """Return the object, and why each fragment that could not be used failed."""
    spare = [index for index, url in enumerate(urls) if url]
    got: dict[int, bytes] = {}
    failed: dict[int, str] = {}
    with concurrent.futures.ThreadPoolExecutor(manifest.k) as pool:
        running = {
            pool.submit(_read, manifest, index, urls[index] or ""): index
            for index in spare[: manifest.k]
        }
        spare = spare[manifest.k :]
        while running:
            done, _ = concurrent.futures.wait(
                running, return_when=concurrent.futures.FIRST_COMPLETED
            )
            for future in done:
                index = running.pop(future)
                try:
                    got[index] = future.result()
                except (OSError, http.client.HTTPException, DamagedError) as error:
                    failed[index] = str(error)
                    if spare:
                        other = spare.pop(0)
                        running[pool.submit(_read, manifest, other, urls[other] or "")] = other
    return decode(manifest, got), failed


def _read(manifest: Manifest, index: int, url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=_TIMEOUT_S) as response:
        fragment: bytes = response.read()
    if not manifest.is_intact(index, fragment):
        raise DamagedError(f"fragment {index} is damaged")
    return fragment


def main() -> int:
    """Fetch as told on standard input."""
    manifest = Manifest.from_json(pathlib.Path(sys.argv[1]).read_text())
    print("ready", flush=True)
    urls = json.loads(sys.stdin.readline())
    begin = time.monotonic()
    try:
        content, failed = fetch(manifest, urls)
    except DamagedError as error:
        print(f"the object can't be had: {error}", file=sys.stderr)
        return 1
    seconds = time.monotonic() - begin
    known = len([url for url in urls if url])
    report = {"seconds": seconds, "bytes": len(content), "known": known, "failed": failed}
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
