# SPDX-License-Identifier: EPL-2.0
"""An object as n fragments of which any k give it back (Reed-Solomon, by zfec)."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Self

import zfec


class DamagedError(Exception):
    """Fragments are too few, or what they give is not what was stored."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Manifest:
    """All that is needed to put an object together; sizes in bytes, digests SHA-256."""

    size: int
    k: int
    n: int
    digest: str
    fragment_digests: tuple[str, ...]

    @property
    def fragment_size(self) -> int:
        """Bytes of each fragment."""
        return -(-self.size // self.k)

    def to_json(self) -> str:
        """Return the manifest as text."""
        return json.dumps(dataclasses.asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote."""
        fields = json.loads(text)
        return cls(**fields | {"fragment_digests": tuple(fields["fragment_digests"])})

    def is_intact(self, index: int, fragment: bytes) -> bool:
        """Tell whether fragment ``index``, from 0, is as it was stored."""
        return _digest(fragment) == self.fragment_digests[index]


def encode(content: bytes, k: int, n: int) -> tuple[Manifest, list[bytes]]:
    """Split ``content`` into k blocks (zeros fill the last) and add n - k redundant ones."""
    if not 1 <= k <= n <= 256 or not content:
        raise ValueError(f"need 1 <= k <= n <= 256 and some content: {k=}, {n=}")
    fragments = zfec.Encoder(k, n).encode(_blocks(content, k))
    manifest = Manifest(
        size=len(content),
        k=k,
        n=n,
        digest=_digest(content),
        fragment_digests=tuple(map(_digest, fragments)),
    )
    return manifest, fragments


def regenerate(manifest: Manifest, content: bytes, index: int) -> bytes:
    """Return fragment ``index`` of an object once more; DamagedError if it is not as stored."""
    encoder = zfec.Encoder(manifest.k, manifest.n)
    [fragment] = encoder.encode(_blocks(content, manifest.k), [index])
    if not manifest.is_intact(index, fragment):
        raise DamagedError(f"fragment {index} came out otherwise than it was stored")
    return bytes(fragment)


def decode(manifest: Manifest, fragments: Mapping[int, bytes]) -> bytes:
    """Return the object from any k of its fragments, by index; DamagedError if that fails."""
    if len(fragments) < manifest.k:
        raise DamagedError(f"{len(fragments)} fragments, {manifest.k} are needed")
    indices = sorted(fragments)[: manifest.k]
    blocks = zfec.Decoder(manifest.k, manifest.n).decode([fragments[i] for i in indices], indices)
    content = b"".join(blocks)[: manifest.size]
    if _digest(content) != manifest.digest:
        raise DamagedError("the checksum of the object is wrong")
    return content


def _blocks(content: bytes, k: int) -> list[bytes]:
    size = -(-len(content) // k)
    padded = content.ljust(size * k, b"\0")
    return [padded[i * size : (i + 1) * size] for i in range(k)]


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
