# SPDX-License-Identifier: EPL-2.0
"""What is read from Open vSwitch and from the kernel about it."""

from sluice_lab import ovs

SOCKETS = """\
p_raw 0 0 [0]:* * users:(("ovs-vswitchd",pid=7,fd=9)) skmem:(r0,rb212992,t0,tb16777216,f0,w0,o0,d0)
p_raw 0 0 ALL:sl-eth1 * users:(("ovs-vswitchd",pid=7,fd=8)) skmem:(r0,rb9,t0,tb212992,f0,w0,o0,d0)
p_raw 0 0 [0]:* * users:(("tcpdump",pid=8,fd=3)) skmem:(r0,rb9,t0,tb4096,f0,w0,o0,d0)
"""


def test_send_buffers_are_those_of_the_switch_that_send():
    assert ovs.send_buffers(SOCKETS) == [16777216]


def test_a_switch_that_never_sent_has_none():
    assert ovs.send_buffers("") == []
