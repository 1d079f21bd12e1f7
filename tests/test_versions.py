# SPDX-License-Identifier: EPL-2.0
"""Versions stand once; those that Maven wants in several files are the same in all of them."""

import pathlib
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parent.parent
POM = {"": "http://maven.apache.org/POM/4.0.0"}


def versions(group: str) -> dict[str, str]:
    """The version that each of our poms names of a group's parents, or of itself."""
    found = {}
    for path in [ROOT / "pom.xml", *ROOT.glob("*/pom.xml"), *ROOT.glob("*/*/pom.xml")]:
        project = ET.parse(path).getroot()
        for element in (project, project.find("parent", POM)):
            if element is not None and element.findtext("groupId", "", POM) == group:
                found[f"{path.relative_to(ROOT)} {element.tag}"] = element.findtext("version", "", POM)
    return found


def test_opendaylights_parents_are_of_one_release():
    found = versions("org.opendaylight.odlparent")
    assert len(found) >= 2
    assert len(set(found.values())) == 1, found


def test_modules_name_no_versions_of_libraries():
    modules = [*ROOT.glob("*/pom.xml"), *ROOT.glob("*/*/pom.xml")]
    named = {
        (str(path.relative_to(ROOT)), version.text)
        for path in modules
        for element in ("dependency", "plugin")
        for version in ET.parse(path).getroot().iterfind(f".//{{*}}{element}/{{*}}version")
        if not version.text.startswith("${")
    }
    assert named == set()


def test_all_of_sluice_is_of_one_version():
    found = versions("io.sluice")
    assert len(found) > len(list(ROOT.glob("impl/*/pom.xml")))
    assert len(set(found.values())) == 1, found
