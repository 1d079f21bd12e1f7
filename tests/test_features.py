# SPDX-License-Identifier: EPL-2.0
"""Each Karaf feature starts by itself, without what the others bring; all of them together start in other tests."""

import pathlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
FEATURES = sorted(pom.parent.name for pom in (ROOT / "features").glob("odl-sluice-*/pom.xml"))
FEATURES.remove("odl-sluice-all")
SETTLED = {"Active", "Resolved"}  # a fragment stays resolved


def unsettled_bundles(controller) -> list[str]:
    listing = controller.command("shell", "bundle:list -t 0 --no-format")
    rows = [line.split("\t") for line in listing.splitlines() if "\t" in line]
    assert rows, listing
    return [" ".join(row) for row in rows if row[1].strip() not in SETTLED]


def start_alone(controller, feature: str, wait_until) -> None:
    controller.command("start", "--feature", feature, timeout_s=330)

    wait_until(lambda: not unsettled_bundles(controller), 60)

    ours = [line for line in controller.log().splitlines() if "| ERROR |" in line and "io.sluice" in line]
    assert not ours, ours


@pytest.fixture(scope="module")
def starts(new_controller, tmp_path_factory, wait_until) -> Iterator[dict[str, Future]]:
    """How each feature's start went; two go on at once."""

    def start(feature: str) -> None:
        with new_controller(tmp_path_factory.mktemp(feature) / "controller") as controller:
            start_alone(controller, feature, wait_until)

    with ThreadPoolExecutor(2) as pool:
        yield {feature: pool.submit(start, feature) for feature in FEATURES}


@pytest.mark.net
@pytest.mark.parametrize("feature", FEATURES)
def test_feature_starts_alone(starts, feature):
    starts[feature].result()
