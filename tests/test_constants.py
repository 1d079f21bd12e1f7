# SPDX-License-Identifier: EPL-2.0
"""Constants of Java programs that can't see each other agree where one counts on the other."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
METERING = "impl/bandwidth/src/main/java/io/sluice/bandwidth/engine/Metering.java"
PACE = "engines/storm/src/main/java/io/sluice/engine/storm/transport/Pace.java"


def constants(path: str) -> dict[str, float]:
    """The constants of a class that are made of numbers and of constants before them."""
    text = (ROOT / path).read_text()
    values: dict[str, float] = {}
    for name, expression in re.findall(r"static final \w+ (\w+) = ([A-Z\d_.+* ()]+);", text):
        values[name] = eval(re.sub(r"(\d)L\b", r"\1", expression), {}, values)
    return values


def test_storms_senders_have_no_more_on_the_way_than_a_meters_bucket_takes():
    meter, sender = constants(METERING), constants(PACE)
    assert sender["BUCKET_S"] * 1000 <= meter["BURST_MS"]
    assert sender["BUCKET_BYTES"] <= meter["LEAST_BURST_KILOBITS"] * 1000 / 8
