// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

/** Numbers of the IEEE's registry that this package reads and writes. */
final class EtherType {
    static final int IPV4 = 0x0800;
    static final int ARP = 0x0806;
    static final int VLAN = 0x8100;
    static final int IPV6 = 0x86dd;

    private EtherType() {
        // constants only
    }
}
