# SPDX-License-Identifier: EPL-2.0
"""MALFORMED-5XX: malformed bodies to Sluice's RESTCONF paths, and what is answered.

Sluice's own code runs with a small network of real switches and a service, so that what passes the
parser gets as far as it can. Some bodies are taken: at the end all of Sluice's configuration goes.

An error counts as ours if it answers an RPC in the words of RFC 8040. Sluice's code runs behind
RPCs alone: a write to the datastore is answered before Sluice hears of it, and what breaks while
RESTCONF reads a body has no words at all.
"""

from __future__ import annotations

import base64
import collections
import dataclasses
import http.client
import logging
import urllib.parse
from typing import Any

from sluice_lab import campaign, malformed, topologies
from sluice_lab.campaign import Outcome
from sluice_lab.malformed import JSON, Malformed
from sluice_lab.ovs import LabError
from sluice_lab.restconf import reason_of
from sluice_lab.steering import Lab, Policy, Request, runs, steered

_LOG = logging.getLogger(__name__)
_TIMEOUT_S = 30
_SAY_EVERY = 500
_EXAMPLE_BYTES = 300


@dataclasses.dataclass(frozen=True, kw_only=True)
class Robustness:
    """``bodies`` of one seed; a run's number is its seed."""

    id: str = "MALFORMED-5XX"
    bodies: int = 10_000
    runs: int = 1


DEFAULT = Robustness()


@dataclasses.dataclass(frozen=True, kw_only=True)
class Answer:
    """HTTP's status, and the message of an RFC 8040 error; without one ``reason`` is empty."""

    status: int
    reason: str


class Sender:
    """One connection to RESTCONF after the other, as long as each lives."""

    def __init__(self, url: str, user: str, password: str) -> None:
        parts = urllib.parse.urlsplit(url)
        self._place = (parts.hostname or "", parts.port or 80)
        self._root = parts.path
        token = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {"Authorization": f"Basic {token}", "Accept": JSON}
        self._connection: http.client.HTTPConnection | None = None

    def send(self, request: Malformed) -> Answer:
        """Send a request; LabError if there is no answer on a fresh connection either."""
        for _ in range(2):
            try:
                return self._attempt(request)
            except (OSError, http.client.HTTPException) as error:
                reason = error
                self.close()
        raise LabError(f"no answer to {request.method} {request.path} {request.body!r}: {reason}")

    def close(self) -> None:
        """End the connection."""
        if self._connection:
            self._connection.close()
            self._connection = None

    def _attempt(self, request: Malformed) -> Answer:
        self._connection = self._connection or http.client.HTTPConnection(
            *self._place, timeout=_TIMEOUT_S
        )
        headers = {**self._headers, "Content-Type": request.media_type}
        self._connection.request(request.method, self._root + request.path, request.body, headers)
        response = self._connection.getresponse()
        return Answer(status=response.status, reason=reason_of(response.read()))


def run(experiment: Robustness, lab: Lab) -> None:
    """Measure and record how many answers were errors of ours."""
    outcomes = runs(experiment, lab, "leafspine", lambda cell: measure(experiment, lab, cell.seed))
    campaign.record_figure(
        experiment,
        [len(outcome["ours"]) for outcome in outcomes],
        notes={key: outcomes[0][key] for key in ("statuses", "upstream")},
    )


def measure(experiment: Robustness, lab: Lab, seed: int) -> Outcome:
    """Send all bodies; return the answers by status, our errors, and classes of upstream's."""
    wanted = Request(client="h1", service="lab-malformed", candidates=("h2",), pieces=2)
    statuses: collections.Counter[int] = collections.Counter()
    ours: list[dict[str, str]] = []
    upstream: dict[str, dict[str, Any]] = {}
    with steered(topologies.leaf_spine(2, 2, 1), Policy.SLUICE, lab, [wanted]):
        sender = Sender(lab.url, lab.user, lab.password)
        for number, body in enumerate(malformed.bodies(seed, experiment.bodies), start=1):
            answer = sender.send(body)
            statuses[answer.status] += 1
            if answer.status >= http.HTTPStatus.INTERNAL_SERVER_ERROR:
                example = _example(body, answer)
                if is_ours(body, answer):
                    ours.append(example)
                    _LOG.warning("ours: %s", example)
                else:
                    kind = f"{answer.status} {body.mutation}: {answer.reason or 'no words'}"
                    known = upstream.setdefault(kind, {"count": 0, "example": example})
                    known["count"] += 1
            if number % _SAY_EVERY == 0:
                _LOG.info("%d of %d: %s", number, experiment.bodies, dict(sorted(statuses.items())))
        sender.close()
    lab.controller().clear()
    return {"statuses": dict(sorted(statuses.items())), "ours": ours, "upstream": upstream}


def is_ours(request: Malformed, answer: Answer) -> bool:
    """Tell whether Sluice's code gave an error."""
    return request.path.startswith("/operations/") and bool(answer.reason)


def _example(request: Malformed, answer: Answer) -> dict[str, str]:
    return {
        "request": f"{request.method} {request.path} {request.media_type}",
        "body": request.body[:_EXAMPLE_BYTES].decode(errors="backslashreplace"),
        "answer": f"{answer.status} {answer.reason}"[:_EXAMPLE_BYTES],
    }
