// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import java.util.List;

/**
 * What a switch did with one packet.
 *
 * @param sent copies that left, in order
 * @param toController copies for the controller
 * @param drops why copies, or the packet itself, went nowhere
 */
public record Outcome(List<Sent> sent, List<Packet> toController, List<Drop> drops) {
    public Outcome {
        sent = List.copyOf(sent);
        toController = List.copyOf(toController);
        drops = List.copyOf(drops);
    }

    /** A packet that left by {@code port}. */
    public record Sent(long port, Packet packet) { }

    /** Why a packet went nowhere. */
    public enum Drop {
        /** The port of arrival is down. */
        ARRIVED_AT_DOWN_PORT,
        /** No entry of the table takes it, and the table has no entry for misses. */
        TABLE_MISS,
        /** An entry took it and did nothing with it. */
        NO_OUTPUT,
        /** The output is the port of arrival (OpenFlow wants the reserved port IN_PORT for that). */
        OUTPUT_IS_INGRESS,
        /** The output is down. */
        OUTPUT_DOWN,
        /** No bucket of a fast-failover group watches a port that is up. */
        NO_LIVE_BUCKET,
        /** A meter that it passes has carried all that it may. */
        METERED,
        /** It left by a port that leads nowhere, or to hosts with other addresses. */
        NOBODY_THERE,
        /** It passed more switches than a path can have: a loop. */
        TOO_MANY_HOPS
    }
}
