# SPDX-License-Identifier: EPL-2.0
"""Who follows the document has a switch that comes in by TLS; without a certificate of our authority none does."""

import pytest
from documents import Document, project

pytestmark = pytest.mark.net
ATTEMPTS = "ovs-appctl coverage/read-counter vconn_open"
REFUSED = 3  # attempts after which a switch is taken to stay out


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """A sandbox with what the document makes: keys, a controller that speaks TLS, a bridge s1 that is connected."""
    with project(tmp_path_factory.mktemp("tls")) as sandbox:
        sandbox.follow(Document("docs/openflow-tls.md"))
        yield sandbox


def is_connected(followed) -> bool:
    return followed.bash("ovs-vsctl get controller s1 is_connected") == "true"


def stays_out(followed, wait_until) -> bool:
    """True if the switch is refused again and again."""
    before = int(followed.bash(ATTEMPTS))
    wait_until(lambda: int(followed.bash(ATTEMPTS)) > before + REFUSED or is_connected(followed), 60)
    return not is_connected(followed)


def test_switch_with_our_certificate_is_let_in(followed):
    assert is_connected(followed)
    assert followed.bash("ovs-vsctl get-controller s1").startswith("ssl:")


def test_switch_of_another_authority_stays_out(followed, wait_until):
    followed.bash(
        "tools/openflow-pki other s1\n"
        "ovs-vsctl set-ssl $PWD/other/s1-key.pem $PWD/other/s1-cert.pem $PWD/keys/ca.pem\n"
        "ovs-vsctl del-controller s1\n"
        "ovs-vsctl set-controller s1 ssl:127.0.0.1:6653"
    )
    assert stays_out(followed, wait_until)


def test_plain_openflow_stays_out(followed, wait_until):
    followed.bash("ovs-vsctl set-controller s1 tcp:127.0.0.1:6653")
    assert stays_out(followed, wait_until)
