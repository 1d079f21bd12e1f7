// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Owner;
import io.sluice.bandwidth.FlowId;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Numbers of flows, or of their meters, from 0; the smallest that is free is given next, since switches hold few. */
final class FlowNumbers {
    private final Map<FlowId, Integer> given = new HashMap<>();
    private final Map<Integer, FlowId> holders = new HashMap<>();
    private final BitSet used = new BitSet();
    private final BitSet kept = new BitSet();

    /** The number of a flow, which it keeps until it is freed; nothing if there is none left. */
    OptionalInt of(final FlowId flow) {
        final var known = given.get(flow);
        final int number = known == null ? used.nextClearBit(0) : known;
        if (number > Owner.MAX_METER) {
            return OptionalInt.empty();
        }
        take(flow, number);
        return OptionalInt.of(number);
    }

    /** The number that a flow has, if it has one. */
    Optional<Integer> known(final FlowId flow) {
        return Optional.ofNullable(given.get(flow));
    }

    /** Who has a number. */
    Optional<FlowId> holder(final int number) {
        return Optional.ofNullable(holders.get(number));
    }

    /** Whether a flow has a number although a smaller one is free. */
    boolean isAboveFree(final FlowId flow) {
        return given.containsKey(flow) && given.get(flow) > used.nextClearBit(0);
    }

    /** Gives a flow the number that it had with an earlier controller, unless somebody has it, or it has another. */
    boolean give(final FlowId flow, final int number) {
        final boolean isFree = !used.get(number) && !given.containsKey(flow);
        if (isFree) {
            take(flow, number);
        }
        return isFree;
    }

    /** Gives a number to nobody before {@link #release}: a switch holds something of it that will go. */
    void keep(final int number) {
        if (!used.get(number)) {
            used.set(number);
            kept.set(number);
        }
    }

    void release() {
        used.andNot(kept);
        kept.clear();
    }

    /** Gives each of two flows the number of the other, or none if that has none. */
    void exchange(final FlowId one, final FlowId other) {
        final var number = given.remove(one);
        final var others = given.remove(other);
        if (number != null) {
            take(other, number);
        }
        if (others != null) {
            take(one, others);
        }
    }

    /** The flow needs its number no more. */
    void free(final FlowId flow) {
        final var number = given.remove(flow);
        if (number != null) {
            used.clear(number);
            holders.remove(number);
        }
    }

    private void take(final FlowId flow, final int number) {
        used.set(number);
        given.put(flow, number);
        holders.put(number, flow);
    }
}
