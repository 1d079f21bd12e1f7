# SPDX-License-Identifier: EPL-2.0
"""Gathers all fragments of an object, and goes on elsewhere if a server dies; runs inside hosts.

``python -m sluice_lab.gather MANIFEST SILENCE MARK`` prints ``ready``, then reads lines of JSON:
first a list with the URL of each fragment, then ``{"fragment": i, "url": ...}`` for each that was
reported as lost, which is fetched on from there at the first missing byte. A fragment is lost when
SILENCE seconds pass without a byte of it, or its connection ends early.

Prints events, one JSON object a line, with ``at_ns`` (CLOCK_MONOTONIC):

=========== =========================================================================
``mark``    ``fragment`` has MARK bytes
``lost``    ``fragment`` is lost, with ``bytes`` of it there and the ``reason``
``resumed`` the first byte of a ``fragment`` that was lost has come
``done``    all are there and verified, and the object was put together from the last
            k of them: ``bytes``
=========== =========================================================================

Exit status 1 if a fragment or the object is damaged.
"""

from __future__ import annotations

import concurrent.futures
import http.client
import json
import pathlib
import queue
import sys
import threading
import time
import urllib.request
from collections.abc import Callable
from typing import TextIO

from sluice_lab.erasure import DamagedError, Manifest, decode

_CHUNK_BYTES = 64 * 1024

Say = Callable[..., None]


class Gathering:
    """All fragments on their way; ``say`` is called with an event's name and fields."""

    def __init__(self, manifest: Manifest, silence_s: float, mark: int, say: Say) -> None:
        self._manifest = manifest
        self._silence_s = silence_s
        self._mark = mark
        self._say = say
        self._elsewhere: list[queue.SimpleQueue[str]] = [
            queue.SimpleQueue() for _ in range(manifest.n)
        ]

    def move(self, fragment: int, url: str) -> None:
        """Say where a lost fragment is to be had now."""
        self._elsewhere[fragment].put(url)

    def gather(self, urls: list[str]) -> bytes:
        """Fetch all fragments at once and return the object; DamagedError if it is not whole."""
        with concurrent.futures.ThreadPoolExecutor(self._manifest.n) as pool:
            fragments = list(pool.map(self._fetch, range(self._manifest.n), urls))
        for index, fragment in enumerate(fragments):
            if not self._manifest.is_intact(index, fragment):
                raise DamagedError(f"fragment {index} is damaged")
        last = range(self._manifest.n - self._manifest.k, self._manifest.n)
        return decode(self._manifest, {index: fragments[index] for index in last})

    def _fetch(self, index: int, url: str) -> bytes:
        content = bytearray()
        was_lost = False
        while True:
            reason = "the connection ended early"
            try:
                self._read(index, url, content, was_lost)
            except (OSError, http.client.HTTPException) as error:
                reason = str(error) or type(error).__name__
            if len(content) >= self._manifest.fragment_size:
                return bytes(content)
            self._say("lost", fragment=index, bytes=len(content), reason=reason)
            was_lost = True
            url = self._elsewhere[index].get()

    def _read(self, index: int, url: str, content: bytearray, was_lost: bool) -> None:
        """Append what is missing, as far as it comes."""
        first = len(content)
        request = urllib.request.Request(url, headers={"Range": f"bytes={first}-"})
        with urllib.request.urlopen(request, timeout=self._silence_s) as response:
            while chunk := response.read1(_CHUNK_BYTES):
                if was_lost and len(content) == first:
                    self._say("resumed", fragment=index)
                if len(content) < self._mark <= len(content) + len(chunk):
                    self._say("mark", fragment=index)
                content += chunk


def _listen(source: TextIO, gathering: Gathering) -> None:
    for line in source:
        news = json.loads(line)
        gathering.move(news["fragment"], news["url"])


def _say(event: str, **fields: object) -> None:
    line = json.dumps({"event": event, "at_ns": time.monotonic_ns(), **fields})
    sys.stdout.write(f"{line}\n")  # in one piece: several threads speak
    sys.stdout.flush()


def main() -> int:
    """Gather as told on standard input."""
    file, silence_s, mark = sys.argv[1:]
    manifest = Manifest.from_json(pathlib.Path(file).read_text())
    gathering = Gathering(manifest, float(silence_s), int(mark), _say)
    print("ready", flush=True)
    urls = json.loads(sys.stdin.readline())
    threading.Thread(target=_listen, args=(sys.stdin, gathering), daemon=True).start()
    try:
        content = gathering.gather(urls)
    except DamagedError as error:
        print(f"the object can't be had: {error}", file=sys.stderr)
        return 1
    _say("done", bytes=len(content))
    return 0


if __name__ == "__main__":
    sys.exit(main())
