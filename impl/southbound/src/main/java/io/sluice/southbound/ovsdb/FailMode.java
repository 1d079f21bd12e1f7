// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

/** What a switch does when it has lost all its controllers (OpenFlow 1.3.5, section 6.3.2). */
public enum FailMode {
    /** It goes on with its entries. */
    SECURE,
    /** It forgets its entries and becomes a learning switch; what Open vSwitch does if nothing is set. */
    STANDALONE,
    /** Nobody told. */
    UNKNOWN
}
