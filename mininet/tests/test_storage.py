# SPDX-License-Identifier: EPL-2.0
import functools
import http.server
import itertools
import random
import threading

import pytest

from sluice_lab import erasure, fetch
from sluice_lab.erasure import DamagedError, Manifest

SEED = 20180928
CONTENT = random.Random(SEED).randbytes(10_007)


@pytest.mark.parametrize("size", [1, 3, 4, 5, 10_007])
def test_any_k_fragments_give_the_object_back(size):
    content = CONTENT[:size]
    manifest, fragments = erasure.encode(content, 4, 6)
    for indices in itertools.combinations(range(6), 4):
        assert erasure.decode(manifest, {i: fragments[i] for i in indices}) == content


def test_a_manifest_survives_being_written():
    manifest, _ = erasure.encode(CONTENT, 2, 3)
    assert Manifest.from_json(manifest.to_json()) == manifest


def test_too_few_or_wrong_fragments_are_noticed():
    manifest, fragments = erasure.encode(CONTENT, 2, 3)
    with pytest.raises(DamagedError, match="1 fragments, 2 are needed"):
        erasure.decode(manifest, {0: fragments[0]})
    with pytest.raises(DamagedError, match="checksum"):
        erasure.decode(manifest, {0: fragments[1], 1: fragments[0]})


def test_every_fragment_can_be_made_again():
    manifest, fragments = erasure.encode(CONTENT, 3, 4)
    assert {len(fragment) for fragment in fragments} == {manifest.fragment_size}
    for index, fragment in enumerate(fragments):
        assert erasure.regenerate(manifest, CONTENT, index) == fragment
    with pytest.raises(DamagedError, match="fragment 3"):
        erasure.regenerate(manifest, CONTENT[::-1], 3)


@pytest.mark.parametrize(("k", "n"), [(0, 3), (4, 3), (2, 257)])
def test_impossible_codes_are_refused(k, n):
    with pytest.raises(ValueError, match="need 1 <= k"):
        erasure.encode(CONTENT, k, n)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def web(tmp_path):
    handler = functools.partial(QuietHandler, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield tmp_path, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_missing_and_a_damaged_fragment_are_replaced_by_spare_ones(web):
    folder, url = web
    manifest, fragments = erasure.encode(CONTENT, 3, 5)
    for index, fragment in enumerate(fragments):
        (folder / str(index)).write_bytes(fragment)
    (folder / "0").unlink()
    (folder / "1").write_bytes(b"x" * len(fragments[1]))
    content, failed = fetch.fetch(manifest, [f"{url}/{index}" for index in range(5)])
    assert content == CONTENT
    assert sorted(failed) == [0, 1]
    assert "damaged" in failed[1]


def test_without_enough_good_fragments_the_object_is_refused(web):
    _, url = web
    manifest, _ = erasure.encode(CONTENT, 2, 3)
    with pytest.raises(DamagedError):
        fetch.fetch(manifest, [f"{url}/0", None, f"{url}/2"])
