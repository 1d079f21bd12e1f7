// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import io.sluice.api.FlowMatch.MaskedMac;

/**
 * The mark that carries a packet along its path: a destination address of the locally administered kind, so that any
 * OpenFlow switch can match and set it and no byte is added.
 * <pre>
 *  47      40 39      32 31                             0
 *  | 0x52    | 0x53 "S" | number                         |
 * </pre>
 *
 * @param number 1..2^32-1
 */
public record PathLabel(long number) {
    private static final long MARK = 0x5253L << 32;

    /** Matches every label and nothing else. */
    public static final MaskedMac ANY = new MaskedMac(new MacAddress(MARK), new MacAddress(0xffffL << 32));

    public PathLabel {
        if (number < 1 || number > 0xffff_ffffL) {
            throw new IllegalArgumentException("label " + number + " is not in 1..2^32-1");
        }
    }

    public MacAddress mac() {
        return new MacAddress(MARK | number);
    }
}
