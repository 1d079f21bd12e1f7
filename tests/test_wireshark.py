# SPDX-License-Identifier: EPL-2.0
"""tools/wireshark/sluice-bus.lua reads the vectors of the bus as every implementation does."""

import json
import pathlib
import shutil
import struct
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parent.parent
DISSECTOR = ROOT / "tools/wireshark/sluice-bus.lua"
VECTORS = json.loads((ROOT / "docs/wire/bus-vectors.json").read_text())
USER0 = 147
NAMES = ["kind", "count", "epoch", "sequence", "mark", "node", "topic", "body"]
TIMEOUT_S = 120

pytestmark = pytest.mark.skipif(shutil.which("tshark") is None, reason="tshark is not installed")


def capture(path: pathlib.Path, frames: list[bytes]) -> None:
    """Write a capture with one frame a packet (the classic format of libpcap, little-endian)."""
    with path.open("wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 21, USER0))
        for frame in frames:
            out.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)


def dissect(path: pathlib.Path, frames: list[bytes]) -> list[dict]:
    """Return the layers that tshark makes of each frame."""
    capture(path, frames)
    run = subprocess.run(
        ["tshark", "-X", f"lua_script:{DISSECTOR}", "-r", path, "-T", "json"],
        capture_output=True,
        text=True,
        check=True,
        timeout=TIMEOUT_S,
    )
    assert "Lua Error" not in run.stdout + run.stderr, run.stderr
    return [packet["_source"]["layers"] for packet in json.loads(run.stdout)]


def value(layers: dict, name: str) -> str:
    return layers["sluice_bus"].get(f"sluice_bus.{name}", "")


def test_each_frame_is_read_as_the_vectors_say(tmp_path: pathlib.Path) -> None:
    vectors = VECTORS["frames"]
    all_layers = dissect(tmp_path / "frames.pcap", [bytes.fromhex(v["octets"]) for v in vectors])
    kinds = list(dict.fromkeys(v["kind"] for v in vectors))

    assert len(all_layers) == len(vectors)
    for vector, layers in zip(vectors, all_layers, strict=True):
        expected = vector | {"kind": kinds.index(vector["kind"]) + 1}
        read = {name: value(layers, name) for name in NAMES}
        assert read == {name: str(expected[name]) for name in NAMES}, vector["name"]
        assert "_ws.expert" not in layers["sluice_bus"], vector["name"]


def test_each_invalid_frame_is_marked(tmp_path: pathlib.Path) -> None:
    vectors = [v for v in VECTORS["invalid"] if v["octets"]]
    all_layers = dissect(tmp_path / "frames.pcap", [bytes.fromhex(v["octets"]) for v in vectors])

    for vector, layers in zip(vectors, all_layers, strict=True):
        assert "sluice_bus.broken" in json.dumps(layers["sluice_bus"]), vector["name"]


@pytest.mark.parametrize(("group", "kind"), [("filters", 5), ("topics", 7)])
def test_names_are_judged_as_the_vectors_say(tmp_path: pathlib.Path, group: str, kind: int) -> None:
    names = [
        (v["text"] if isinstance(v, dict) else v, valid)
        for valid in ("valid", "invalid")
        for v in VECTORS[group][valid]
    ]
    names = [(name, valid) for name, valid in names if len(name.encode()) <= 255]
    node = b"A/x" if kind == 7 else b""
    header = [struct.pack(">BBBBIQQQ", 1, kind, len(node), len(n.encode()), 1, 1, 1, 1) for n, _ in names]
    frames = [h + node + name.encode() for h, (name, _) in zip(header, names, strict=True)]

    for (name, valid), layers in zip(names, dissect(tmp_path / "f.pcap", frames), strict=True):
        marked = "sluice_bus.broken" in json.dumps(layers["sluice_bus"])
        assert marked == (valid == "invalid"), name
