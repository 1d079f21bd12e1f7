// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What was declared for a flow: a meter, queues, a mark, or an entry that only counts.
 *
 * @param number of the flow
 * @param meterNumber of its meter among those of the switch
 * @param confirmed what its switch has confirmed last
 * @param ceiling the largest rate that the switch may hold, in kilobits per second: an earlier one, if it has not
 *     confirmed this one; a flow that had no meter, and is refused one, keeps nobody from rising
 * @param pending why it is not in place
 */
record Declaration(int number, OptionalInt meterNumber, Metering metering, Optional<Confirmed> confirmed, long ceiling,
        Set<String> links, Optional<String> pending) {
    /**
     * What a switch has confirmed.
     *
     * @param version another one for each metering of the flow
     */
    record Confirmed(Metering metering, long version) { }

    boolean isInPlace(final Target target) {
        return pending.isEmpty() && metering.equals(target.metering());
    }

    /** The version of this metering; empty as long as it is not known whether its switch holds it. */
    Optional<Long> version() {
        return confirmed.filter(last -> last.metering().equals(metering)).map(Confirmed::version);
    }

    /** Whether its switch has ever taken a meter of this number. */
    boolean isMeterKnown() {
        return confirmed.filter(last -> last.metering().hasMeter()).isPresent();
    }

    /** Its switch may hold more than it should. */
    boolean isToFall(final Target target) {
        return ceiling > target.metering().kilobits();
    }

    /**
     * What comes before a rise to {@code target}, be it that this has to wait: a fall that is not confirmed yet, or
     * what else has changed, such as the packets, at the rate that there is.
     */
    Optional<Target> before(final Target target) {
        final var same = target.at(metering.kilobits());
        return Optional.of(same).filter(asBefore -> isToFall(same)
            || !metering.isLeft() && !metering.equals(asBefore.metering()));
    }

    /** The same, but that it does not become what it should, for this reason. */
    Declaration kept(final Target target, final String reason) {
        return new Declaration(number, meterNumber, metering, confirmed, ceiling, target.links(), Optional.of(reason));
    }

    /** The same, but that its switch has been told to let go of it, and nobody knows whether it has. */
    Declaration released(final String reason) {
        return new Declaration(number, meterNumber, metering, confirmed, Metering.UNMETERED, links,
            Optional.of(reason));
    }
}
