# SPDX-License-Identifier: EPL-2.0
"""What is told at the end of a run of all tests."""

import importlib.machinery
import importlib.util
import pathlib
from xml.etree import ElementTree

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TAP = """<testsuite><testcase classname="bus" name="1 - holds"/><testcase classname="bus" name="2 - heals"><failure/>
</testcase><system-out>not ok 2 - heals
# 0x1 != 0x2</system-out><system-err>FWD_SEED=7</system-err></testsuite>"""
JUNIT = """<testsuite><testcase classname="Rates" name="fall"><error message="refused">line 1
line 2</error></testcase></testsuite>"""
PASSED = """<testsuite><testcase classname="Rates" name="fall"/><system-out>much</system-out></testsuite>"""


@pytest.fixture(scope="module")
def tool():
    """`tools/test-summary` as a module."""
    loader = importlib.machinery.SourceFileLoader("test_summary_tool", str(ROOT / "tools" / "test-summary"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (TAP, ["FAILED bus.2 - heals", "not ok 2 - heals", "# 0x1 != 0x2", "FWD_SEED=7"]),
        (JUNIT, ["FAILED Rates.fall", "line 1", "line 2"]),
        (PASSED, []),
    ],
    ids=["tap", "junit", "passed"],
)
def test_a_failure_is_named_with_what_its_runner_says(tool, report, said):
    assert tool.said_of_failures(ElementTree.fromstring(report)) == said
