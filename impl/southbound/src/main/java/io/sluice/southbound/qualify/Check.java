// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import java.util.List;
import java.util.Locale;

/**
 * What one check of a switch found.
 *
 * @param reason why it did not work; empty if it did
 */
public record Check(Name name, Result result, String reason, List<Figure> figures) {
    /** What was checked. */
    public enum Name {
        /** There are as many tables as the pipeline has. */
        TABLES,
        /** Time of a barrier alone. */
        BARRIER,
        /** Time from a flow entry's message to its confirmation. */
        FLOW_ADD,
        FLOW_MODIFY,
        FLOW_DELETE,
        /** How fast many entries are taken with one barrier. */
        FLOW_RATE,
        /** Entries are read back as they were sent. */
        READ_BACK,
        /** Matches on some bits of a destination address, as labels need, and a second table. */
        MATCH_LABEL,
        /** Matches on connections: addresses, protocol and ports. */
        MATCH_IPV4,
        MATCH_IPV6,
        /** Matches on the lowest bits of an address, with and without a prefix, as slots of clients need. */
        MATCH_SLOT_IPV4,
        MATCH_SLOT_IPV6,
        SET_ETHERNET,
        SET_IPV4,
        SET_IPV6,
        /** Packets get a code point of differentiated services in one table, and are told by it in the next. */
        CODE_POINT_IPV4,
        CODE_POINT_IPV6,
        /** An ARP request becomes its answer in the switch. */
        ANSWER_ARP,
        /** An IPv6 neighbour solicitation becomes one by its target in the switch. */
        ASK_BACK,
        /** A packet from the controller passes the tables and comes back. */
        PACKET_LOOP,
        /** A fast-failover group is added, changed, read back and removed. */
        FAILOVER_GROUP,
        /** A packet takes the bucket whose port is up. */
        FAILOVER_LIVENESS,
        METER_KILOBITS,
        METER_PACKETS,
        /** What passes a meter in a time that is long for its bucket, octet for octet. */
        METER_RATE,
        /** What passes a meter at once, as much as senders need that wait for acknowledgements. */
        METER_BURST;

        /** The name as an operator reads it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * How a check ended. NOT_SUPPORTED: the switch says itself that it can't. NOT_MEASURED: what the measurement needs
     * is not there.
     */
    public enum Result { WORKS, FAILS, NOT_SUPPORTED, NOT_MEASURED }

    /** Unit of a figure. */
    public enum Unit { MICROSECONDS, ENTRIES, ENTRIES_PER_SECOND, KILOBITS, KILOBITS_PER_SECOND }

    /** Something measured. */
    public record Figure(String name, long value, Unit unit) { }

    public Check {
        figures = List.copyOf(figures);
    }

    static Check works(final Name name, final Figure... figures) {
        return new Check(name, Result.WORKS, "", List.of(figures));
    }

    static Check fails(final Name name, final String reason, final Figure... figures) {
        return new Check(name, Result.FAILS, reason, List.of(figures));
    }

    static Check notSupported(final Name name, final String reason) {
        return new Check(name, Result.NOT_SUPPORTED, reason, List.of());
    }

    static Check notMeasured(final Name name, final String reason) {
        return new Check(name, Result.NOT_MEASURED, reason, List.of());
    }
}
