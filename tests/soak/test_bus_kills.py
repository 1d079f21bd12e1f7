# SPDX-License-Identifier: EPL-2.0
"""What is published on the bus reaches its subscribers through kills of proxies, as the rows S3-kills and S3-sites."""

import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.soak


@pytest.fixture
def try_out(tmp_path: pathlib.Path, capfd):
    """Runs an experiment, whose progress is shown, and keeps nothing; it fails unless it meets its bar."""

    def run(experiment: str, *options: str) -> None:
        lab = [sys.executable, "-m", "sluice_lab.sandbox", sys.executable, "-m", f"sluice_lab.experiments.{experiment}"]
        with capfd.disabled():
            done = subprocess.run([*lab, str(tmp_path), "--trial", *options], check=False)
        assert done.returncode == 0

    return run


def test_nothing_is_lost_or_comes_twice_through_kills_of_proxies(request, try_out):
    sample = ["--rate", "1000", "--duration-s", "20", "--kills", "2"]
    try_out("proxy_kills", *(sample if request.config.getoption("--soak") == "sample" else []))


def test_every_topic_reaches_all_who_subscribed_among_many_sites(try_out, soak_rounds):
    try_out("many_sites", "--sites", str(soak_rounds(sample=8, full=100)))
