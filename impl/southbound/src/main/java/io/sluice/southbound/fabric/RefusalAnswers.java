// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.PortId;
import io.sluice.southbound.packet.Rejection;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Answers packets whose connection can't be had, out of the port where they came in. A token bucket limits the answers
 * of all ports together: a flood of such packets must not become a flood of answers. Thread-safe.
 */
public final class RefusalAnswers {
    /** Answers a second. */
    static final int RATE = 1000;
    /** Answers that may go out at once after a pause. */
    static final int BURST = 1000;
    private static final long COST_NS = 1_000_000_000L / RATE;
    private static final long MOST_NS = BURST * COST_NS;

    private final PacketWire wire;
    private final LongSupplier nowNs;
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
    /** Unused time, worth an answer for each {@link #COST_NS}. */
    private long creditNs = MOST_NS;
    private long creditedNs;

    /** The end of a refused packet. */
    public enum Outcome {
        /** Answered by a TCP reset. */
        RESET,
        /** Answered by an ICMP error. */
        UNREACHABLE,
        /** Not answered: too many were answered within the last second. */
        WITHHELD,
        /** Not answered: the standards forbid it, or the packet is malformed. */
        UNANSWERABLE
    }

    RefusalAnswers(final PacketWire wire, final LongSupplier nowNs) {
        this.wire = wire;
        this.nowNs = nowNs;
        creditedNs = nowNs.getAsLong();
    }

    /** Answers a packet, if that is allowed now. */
    synchronized void answer(final PortId ingress, final byte[] frame) {
        outcomes.merge(Rejection.of(frame).map(answer -> sent(ingress, answer)).orElse(Outcome.UNANSWERABLE), 1L,
            Long::sum);
    }

    /** How many packets ended how; an outcome that never occurred is absent. */
    synchronized Map<Outcome, Long> outcomes() {
        return Map.copyOf(outcomes);
    }

    private Outcome sent(final PortId ingress, final Rejection answer) {
        final long now = nowNs.getAsLong();
        creditNs = Math.min(MOST_NS, creditNs + now - creditedNs);
        creditedNs = now;
        if (creditNs < COST_NS) {
            return Outcome.WITHHELD;
        }
        creditNs -= COST_NS;
        wire.send(ingress, answer.frame());
        return switch (answer.kind()) {
            case RESET -> Outcome.RESET;
            case UNREACHABLE -> Outcome.UNREACHABLE;
        };
    }
}
