# SPDX-License-Identifier: EPL-2.0
"""Serves one file over HTTP, from any byte on; runs inside hosts.

``python -m sluice_lab.piece_server FILE PORT`` answers GET of any path with the file, or with what
follows byte N of it for ``Range: bytes=N-`` (RFC 9110, section 14); 404 as long as there is no such
file, 416 beyond its end. Other forms of ranges are answered with the whole, as the RFC allows.
"""

from __future__ import annotations

import http.server
import pathlib
import re
import sys
from http import HTTPStatus

_OPEN_RANGE = re.compile(r"bytes=(\d+)-")


def handler_of(file: pathlib.Path) -> type[http.server.BaseHTTPRequestHandler]:
    """Return a handler of requests for the file."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            try:
                content = file.read_bytes()
            except FileNotFoundError:
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            wanted = _OPEN_RANGE.fullmatch(self.headers.get("Range", ""))
            first = int(wanted[1]) if wanted else 0
            if wanted and first >= len(content):
                self.send_error(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
                return
            self.send_response(HTTPStatus.PARTIAL_CONTENT if wanted else HTTPStatus.OK)
            if wanted:
                last = len(content) - 1
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
            self.send_header("Content-Length", str(len(content) - first))
            self.end_headers()
            self.wfile.write(memoryview(content)[first:])

        def log_message(self, *_: object) -> None:
            """Say nothing: nobody reads it."""

    return Handler


def main() -> None:
    """Serve until stopped."""
    file, port = sys.argv[1:]
    handler = handler_of(pathlib.Path(file))
    http.server.ThreadingHTTPServer(("", int(port)), handler).serve_forever()


if __name__ == "__main__":
    main()
