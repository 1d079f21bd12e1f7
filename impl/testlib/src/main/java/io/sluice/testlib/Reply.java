// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

/** What a switch answers to a change of its tables. */
public sealed interface Reply {
    /** The switch holds it. */
    record Done() implements Reply { }

    /** The switch holds what it held before. */
    record Refused(Reason reason) implements Reply { }

    /** Errors of OpenFlow 1.3.5, section 7.4.4. */
    enum Reason {
        /** A group that isn't there (OFPBAC_BAD_OUT_GROUP). */
        BAD_OUT_GROUP,
        /** A port that isn't there (OFPBAC_BAD_OUT_PORT). */
        BAD_OUT_PORT,
        /** An address is set that packets of this match don't have (OFPBAC_MATCH_INCONSISTENT). */
        MATCH_INCONSISTENT,
        /** A field that the switch can't set (OFPBAC_BAD_SET_TYPE). */
        BAD_SET_TYPE,
        /** A mask of an Ethernet address that the switch can't match (OFPBMC_BAD_DL_ADDR_MASK). */
        BAD_DL_ADDR_MASK,
        /** A mask of an IP address that the switch can't match (OFPBMC_BAD_NW_ADDR_MASK). */
        BAD_NW_ADDR_MASK,
        /** A table that isn't there (OFPBIC_BAD_TABLE_ID). */
        BAD_TABLE_ID,
        /** The group is there already (OFPGMFC_GROUP_EXISTS). */
        GROUP_EXISTS,
        /** The switch has no groups of this type (OFPGMFC_BAD_TYPE). */
        BAD_TYPE,
        /** The group to modify isn't there (OFPGMFC_UNKNOWN_GROUP). */
        UNKNOWN_GROUP,
        /** A bucket that leads to a group (OFPGMFC_CHAINING_UNSUPPORTED). */
        CHAINING_UNSUPPORTED,
        /** A bucket that watches a port that isn't there (OFPGMFC_BAD_WATCH). */
        BAD_WATCH,
        /** The meter is there already (OFPMMFC_METER_EXISTS). */
        METER_EXISTS,
        /** There is no room for another meter (OFPMMFC_OUT_OF_METERS). */
        OUT_OF_METERS,
        /** The meter to modify or pass isn't there (OFPMMFC_UNKNOWN_METER). */
        UNKNOWN_METER
    }
}
