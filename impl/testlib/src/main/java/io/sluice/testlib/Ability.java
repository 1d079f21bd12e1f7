// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

/** What some switches can't do. */
public enum Ability {
    /** Fast-failover groups. */
    FAILOVER_GROUPS,
    /** Meters. */
    METERS,
    /** Meters drop what exceeds them; without, they only count. */
    DROPPING_METERS,
    /** Matches on some bits of an Ethernet address. */
    MASKED_ETHERNET,
    /** Matches on bits of an IP address that are no prefix. */
    MASKED_IP,
    /** Setting of Ethernet addresses. */
    SET_ETHERNET,
    /** Setting of IP addresses. */
    SET_IP,
    /** Setting of code points of differentiated services. */
    SET_CODE_POINT,
    /** Setting of the fields of ARP. */
    SET_ARP,
    /** Setting of the fields of IPv6 neighbour discovery. */
    SET_ND,
    /** Buckets are chosen by the state of their ports; without, the first one takes everything. */
    WATCHED_PORTS
}
