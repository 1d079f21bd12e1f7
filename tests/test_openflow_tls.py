# SPDX-License-Identifier: EPL-2.0
"""Switches come in by TLS with a certificate of our authority, and not otherwise."""

import pathlib
import subprocess

import pytest
from openvswitch import open_vswitch

pytestmark = pytest.mark.net
ROOT = pathlib.Path(__file__).resolve().parent.parent


def make_keys(folder: pathlib.Path, *switches: str) -> pathlib.Path:
    subprocess.run([ROOT / "tools" / "openflow-pki", folder, *switches], check=True)
    return folder


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    return make_keys(tmp_path_factory.mktemp("pki"), "s1")


@pytest.fixture(scope="module")
def tls_controller(tmp_path_factory, keys, new_controller):
    with new_controller(tmp_path_factory.mktemp("tls") / "controller") as controller:
        controller.command("start", "--tls", str(keys), timeout_s=330)
        yield controller


@pytest.fixture
def switch(tls_controller, tmp_path):
    with open_vswitch(tls_controller.namespace, tmp_path) as switch:
        switch.vsctl("add-br", "s1", "--", "set", "bridge", "s1", "datapath_type=netdev", "protocols=OpenFlow13")
        yield switch


def connect(switch, keys, certificate_keys, protocol):
    certificate = [certificate_keys / "s1-key.pem", certificate_keys / "s1-cert.pem"]
    switch.vsctl("set-ssl", *map(str, certificate), str(keys / "ca.pem"))
    switch.vsctl("set-controller", "s1", f"{protocol}:127.0.0.1:6653")


def never_connects(switch) -> bool:
    """True after three refused attempts; Open vSwitch counts none as a connection."""
    log = (switch.folder / "ovs-vswitchd.log").read_text()
    return log.count("connection failed") + log.count("connection dropped") >= 3 and not switch.is_connected("s1")


def test_switch_with_our_certificate_is_let_in(switch, keys, wait_until):
    connect(switch, keys, keys, "ssl")
    wait_until(lambda: switch.is_connected("s1"), 30)


def test_switch_of_another_authority_stays_out(switch, keys, tmp_path, wait_until):
    connect(switch, keys, make_keys(tmp_path / "other", "s1"), "ssl")
    wait_until(lambda: never_connects(switch), 60)


def test_plain_openflow_stays_out(switch, keys, wait_until):
    connect(switch, keys, keys, "tcp")
    wait_until(lambda: never_connects(switch), 60)
