# SPDX-License-Identifier: EPL-2.0
import itertools
import json
import pathlib
import re
from xml.etree import ElementTree

from sluice_lab import malformed
from sluice_lab.experiments import robustness
from sluice_lab.experiments.robustness import Answer
from sluice_lab.restconf import reason_of
from sluice_lab.right_requests import DOCUMENTS


def test_the_same_seed_gives_the_same_bodies():
    first, again, other = (list(malformed.bodies(seed, 5_000)) for seed in (1, 1, 2))
    assert first == again != other


def test_every_path_and_every_mutation_occurs():
    bodies = list(malformed.bodies(1, 2_000))
    assert {body.path for body in bodies} == {document.path for document in DOCUMENTS}
    assert len({body.mutation for body in bodies}) == 17
    assert {malformed.JSON, malformed.XML} <= {body.media_type for body in bodies}


def test_every_rpc_of_the_planner_is_asked():
    model = pathlib.Path(__file__).parents[2] / "models/src/main/yang/sluice-planner.yang"
    rpcs = set(re.findall(r"^  rpc (\S+)", model.read_text(), re.MULTILINE))
    paths = {document.path for document in DOCUMENTS}
    assert {f"/operations/sluice-planner:{rpc}" for rpc in rpcs} <= paths


def test_documents_stay_as_they_are():
    before = json.dumps([document.body for document in DOCUMENTS])
    list(malformed.bodies(1, 500))
    assert json.dumps([document.body for document in DOCUMENTS]) == before


def test_no_body_is_a_right_document():
    right = {json.dumps(document.body).encode() for document in DOCUMENTS}
    right |= {malformed.xml(document.body).encode() for document in DOCUMENTS}
    known = (malformed.JSON, malformed.XML)
    bodies = [body for body in malformed.bodies(1, 2_000) if body.media_type in known]
    found = [body for body in bodies if body.body in right]
    assert all(body.mutation in ("xml_as_json", "json_as_xml") for body in found)


def test_xml_has_the_modules_namespace():
    for document in DOCUMENTS:
        (name, _), *_ = document.body.items()
        module, _, local = name.partition(":")
        root = ElementTree.fromstring(malformed.xml(document.body))
        assert root.tag == f"{{{module.replace('sluice-', 'urn:sluice:')}}}{local}"
    lists = itertools.chain(*(d.body.values() for d in DOCUMENTS))
    assert any(isinstance(value, list) for value in lists)


def test_an_error_is_ours_if_an_rpc_gives_it_in_words():
    bodies = list(malformed.bodies(1, 200))
    rpc = next(body for body in bodies if "/operations/" in body.path)
    data = next(body for body in bodies if "/data/" in body.path)
    words = reason_of(b'{"errors": {"error": [{"error-tag": "operation-failed"}]}}')
    assert robustness.is_ours(rpc, Answer(status=500, reason=words))
    assert not robustness.is_ours(rpc, Answer(status=500, reason=reason_of(b"")))
    assert not robustness.is_ours(data, Answer(status=500, reason=words))
