# SPDX-License-Identifier: EPL-2.0
"""Seeded bodies that no client of Sluice's models should send, made from those of right requests.

Nothing here sends anything.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import random
from collections.abc import Callable, Iterator
from typing import Any
from xml.sax import saxutils

from sluice_lab.right_requests import DOCUMENTS

JSON = "application/yang-data+json"
XML = "application/yang-data+xml"
_DEEP = 2_000
_HUGE = 10**40
_WRONG = (
    None,
    True,
    -1,
    1.5,
    _HUGE,
    2**64,
    "",
    "x",
    "\0",
    "ü" * 300,
    [],
    [[]],
    [None],
    {},
    {"": 0},
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Malformed:
    """A request that is not; ``mutation`` says what was done to the document."""

    method: str
    path: str
    media_type: str
    body: bytes
    mutation: str


def bodies(seed: int, count: int) -> Iterator[Malformed]:
    """Yield so many malformed requests, the same ones for the same seed."""
    rng = random.Random(seed)
    made = 0
    while made < count:
        document = rng.choice(DOCUMENTS)
        mutate = rng.choice(_MUTATIONS)
        media_type, body = mutate(rng, copy.deepcopy(document.body))
        if (media_type, body) in (_dump(document.body), (XML, xml(document.body).encode())):
            continue
        made += 1
        yield Malformed(
            method=document.method,
            path=document.path,
            media_type=media_type,
            body=body,
            mutation=mutate.__name__.strip("_"),
        )


_Mutation = Callable[[random.Random, dict[str, Any]], tuple[str, bytes]]


def _dump(body: object) -> tuple[str, bytes]:
    return JSON, json.dumps(body).encode()


def _places(node: Any) -> list[tuple[Any, Any]]:  # noqa: ANN401
    """Return every container below a node with each of its keys or indices."""
    items = node.items() if isinstance(node, dict) else enumerate(node)
    found = []
    for key, value in items:
        found.append((node, key))
        if isinstance(value, dict | list):
            found += _places(value)
    return found


def _members(body: dict[str, Any]) -> list[tuple[Any, Any]]:
    return [(node, key) for node, key in _places(body) if isinstance(node, dict)]


def _wrong_value(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    for _ in range(rng.randint(1, 2)):
        node, key = rng.choice(_places(body))
        node[key] = copy.deepcopy(rng.choice(_WRONG))
    return _dump(body)


def _missing(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    node, key = rng.choice(_members(body))
    del node[key]
    return _dump(body)


def _renamed(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    node, key = rng.choice(_members(body))
    names = (
        "",
        "no-such",
        "sluice-types:x",
        "nowhere:input",
        key.upper(),
        f"sluice-fabric:{key}",
        "@",
    )
    node[rng.choice(names)] = node.pop(key)
    return _dump(body)


def _nested(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    node, key = rng.choice(_places(body))
    node[key] = rng.choice(([node[key]], {str(key): node[key]}, [node[key]] * 2))
    return _dump(body)


def _moved(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    (source, name), (target, other) = rng.choice(_members(body)), rng.choice(_members(body))
    target[name] = copy.deepcopy(source[name])
    target[other] = copy.deepcopy(source[name])
    return _dump(body)


def _number(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    text = json.dumps(body)
    numbers = ("1e999", "-0", "00", "1" * 400, "0x10", "NaN", "-Infinity", "1.", "9" * 20)
    digits = [i for i, character in enumerate(text) if character.isdigit()]
    at = rng.choice(digits or [0])
    return JSON, (text[:at] + rng.choice(numbers) + text[at + 1 :]).encode()


def _duplicate(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    text = json.dumps(body)
    starts = [i for i, character in enumerate(text) if character == "{"]
    at = rng.choice(starts) + 1
    rest = text[at:]
    name = rest.split(":", 1)[0] if rest.startswith('"') else '"x"'
    return JSON, f"{text[:at]}{name}: 1, {name}: [2], {rest}".encode()


def _truncated(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    text = json.dumps(body).encode()
    return JSON, text[: rng.randrange(len(text))]


def _bytes(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    data = bytearray(json.dumps(body).encode())
    for _ in range(rng.randint(1, 4)):
        junk = rng.choice(
            (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\0", b"\\ud800", b"\xf8\x88", b'"', b"}")
        )
        at = rng.randrange(len(data))
        data[at : at + rng.randint(0, 2)] = junk
    return JSON, bytes(data)


def _shape(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    inner = next(iter(body.values()))
    deep = "[" * _DEEP + "]" * _DEEP
    texts = ("", " ", "null", "0", '"x"', "[]", "{}", deep, '{"a":' * _DEEP, json.dumps(inner))
    more = (json.dumps([body]), json.dumps(body) * 2, json.dumps({**body, "x:y": 1}), "\ufeff{}")
    return JSON, rng.choice((*texts, *more)).encode()


def _xml_bytes(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    data = bytearray(xml(body).encode())
    at = rng.randrange(len(data))
    junk = rng.choice(
        (b"", b"\xff", b"\0", b"&", b"<", b"&no-such;", b"&#0;", b"<!--", b"]]>", b"<a/>")
    )
    data[at : at + rng.randint(0, 3)] = junk
    return XML, bytes(data)


def _xml_truncated(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    text = xml(body).encode()
    return XML, text[: rng.randrange(len(text))]


def _xml_wrong_value(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    node, key = rng.choice(_places(body))
    node[key] = rng.choice(("", "x", -1, _HUGE, {"x": 1}, {}))
    return XML, xml(body).encode()


def _xml_shape(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    right = xml(body)
    entity = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    outside = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'
    texts = (
        "",
        "<a/>",
        right * 2,
        entity + right,
        f"{outside}<x>&a;</x>",
        right.replace("urn:sluice:", "urn:nobody:"),
        f"<x xmlns='urn:x'>{right}</x>",
        '<?xml version="1.0" encoding="UTF-16"?>' + right,
        "<a>" * _DEEP,
    )
    return XML, rng.choice(texts).encode()


def _xml_as_json(_: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    return JSON, xml(body).encode()


def _json_as_xml(_: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    return XML, json.dumps(body).encode()


def _other_type(rng: random.Random, body: dict[str, Any]) -> tuple[str, bytes]:
    types = (
        "text/plain",
        "application/json;charset=x",
        "application/yang-patch+json",
        "a/b",
        "*/*",
        "x",
    )
    return rng.choice(types), json.dumps(body).encode()


_MUTATIONS: tuple[_Mutation, ...] = (
    _wrong_value,
    _missing,
    _renamed,
    _nested,
    _moved,
    _number,
    _duplicate,
    _truncated,
    _bytes,
    _shape,
    _xml_bytes,
    _xml_truncated,
    _xml_wrong_value,
    _xml_shape,
    _xml_as_json,
    _json_as_xml,
    _other_type,
)


def xml(body: dict[str, Any]) -> str:
    """Return a JSON document as RFC 7950 has it in XML."""
    (name, value), *_ = body.items()
    module, _, local = name.partition(":")
    namespace = module.replace("sluice-", "urn:sluice:", 1)
    item = value[0] if isinstance(value, list) and value else value
    return _element(local, item, f' xmlns="{namespace}"')


def _element(name: str, value: Any, attribute: str = "") -> str:  # noqa: ANN401
    if isinstance(value, list):
        return "".join(_element(name, item, attribute) for item in value)
    if isinstance(value, dict):
        inside = "".join(_element(key, item) for key, item in value.items())
    else:
        inside = saxutils.escape(str(value))
    return f"<{name}{attribute}>{inside}</{name}>"
