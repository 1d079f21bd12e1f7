# SPDX-License-Identifier: EPL-2.0
"""RESTCONF (RFC 8040) of a controller: resources and RPCs as JSON, refusals as errors."""

from __future__ import annotations

import base64
import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

DEFAULT_URL = "http://127.0.0.1:8181/rests"
_MEDIA_TYPE = "application/yang-data+json"


class ControllerError(Exception):
    """The controller refused, or can't be reached; the text says why, ``status`` is HTTP's or 0."""

    def __init__(self, text: str, status: int = 0) -> None:
        super().__init__(text)
        self.status = status


class Restconf:
    """A client of one root. Every method may raise :class:`ControllerError`."""

    def __init__(self, url: str, user: str, password: str, timeout_s: float) -> None:
        self._url = url.rstrip("/")
        token = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {token}", "Accept": _MEDIA_TYPE}
        self._timeout_s = timeout_s

    def get(self, path: str) -> dict[str, Any] | None:
        """Return the resource, or None if there is none."""
        try:
            return self._send("GET", path)
        except ControllerError as error:
            if error.status in (http.HTTPStatus.NOT_FOUND, http.HTTPStatus.CONFLICT):
                return None
            raise

    def put(self, path: str, body: dict[str, Any]) -> None:
        """Write the resource, or replace it."""
        self._send("PUT", path, body)

    def delete(self, path: str) -> None:
        """Remove the resource; it is no error if there is none."""
        try:
            self._send("DELETE", path)
        except ControllerError as error:
            if error.status not in (http.HTTPStatus.NOT_FOUND, http.HTTPStatus.CONFLICT):
                raise

    def invoke(self, rpc: str, request: dict[str, Any]) -> dict[str, Any]:
        """Invoke ``module:rpc`` with its input; return the answer."""
        module = rpc.partition(":")[0]
        return self._send("POST", f"/operations/{rpc}", {f"{module}:input": request})

    def _send(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = self._headers if data is None else {**self._headers, "Content-Type": _MEDIA_TYPE}
        request = urllib.request.Request(
            self._url + path, data=data, headers=headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=self._timeout_s) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            reason = reason_of(error.read()) or error.reason
            raise ControllerError(f"{method} {path}: {reason} ({error.code})", error.code) from None
        except TimeoutError:
            raise ControllerError(
                f"{method} {path}: no answer within {self._timeout_s:g} s"
            ) from None
        except (OSError, http.client.HTTPException) as error:
            cause = error.reason if isinstance(error, urllib.error.URLError) else error
            raise ControllerError(f"no controller at {self._url}: {cause}") from None
        try:
            answer: dict[str, Any] = json.loads(text) if text else {}
        except ValueError:
            raise ControllerError(f"{method} {path}: the answer is not JSON") from None
        return answer


def key(value: str) -> str:
    """Return a key of a list as it stands in a path."""
    return urllib.parse.quote(value, safe="")


def reason_of(body: bytes) -> str:
    """Read the errors of an RFC 8040 error body, section 7.1; empty if it is none."""
    try:
        errors = json.loads(body)["errors"]["error"]
        return "; ".join(
            str(error.get("error-message") or error.get("error-tag", "no reason given"))
            + (f" [{error['error-app-tag']}]" if "error-app-tag" in error else "")
            for error in errors
        )
    except (ValueError, KeyError, TypeError):
        return ""
