// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

/** Numbers of IPv6 neighbour discovery (RFC 4861, sections 4.1 to 4.6). */
final class Nd {
    /** Proves that no router passed the message on. */
    static final int HOP_LIMIT = 255;

    static final int ROUTER_SOLICITATION = 133;
    static final int ROUTER_ADVERTISEMENT = 134;
    static final int NEIGHBOUR_SOLICITATION = 135;
    static final int NEIGHBOUR_ADVERTISEMENT = 136;

    static final int FLAG_SOLICITED = 0x4000_0000;
    static final int FLAG_OVERRIDE = 0x2000_0000;

    static final int OPTION_SOURCE_MAC = 1;
    static final int OPTION_TARGET_MAC = 2;

    private Nd() {
        // constants only
    }
}
