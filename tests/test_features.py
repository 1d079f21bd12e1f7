# SPDX-License-Identifier: EPL-2.0
"""Each Karaf feature starts by itself, without what the others bring; all of them together start in other tests."""

import pathlib

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


@pytest.mark.net
@pytest.mark.parametrize("feature", FEATURES)
def test_feature_starts_alone(idle_controller, wait_until, feature):
    idle_controller.command("start", "--feature", feature, timeout_s=330)

    wait_until(lambda: not unsettled_bundles(idle_controller), 60)

    ours = [line for line in idle_controller.log().splitlines() if "| ERROR |" in line and "io.sluice" in line]
    assert not ours, ours
