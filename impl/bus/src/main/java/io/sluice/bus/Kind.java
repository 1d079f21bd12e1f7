// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.Optional;

/** What a frame is for; docs/wire/bus.md has the fields of each. The order gives the numbers on the wire, from 1. */
enum Kind {
    /** The caller of a link begins a session. */
    HELLO,
    /** The called side agrees. */
    WELCOME,
    /** The called side wants a new session. */
    AGAIN,
    /** What a side has sent and received. */
    STATUS,
    /** A filter is wanted on this link. */
    SUBSCRIBE,
    /** It is wanted no more. */
    UNSUBSCRIBE,
    /** A message, or the last value of a stream. */
    DATA,
    /** A question for messages of a stream. */
    REPLAY,
    /** A message that was asked for. */
    REPLAYED,
    /** Messages that were asked for and are gone. */
    GAP,
    /** A node asks another one. */
    REQUEST,
    /** The answer. */
    REPLY,
    /** The refusal. */
    REFUSED;

    private static final Kind[] ALL = values();

    int number() {
        return ordinal() + 1;
    }

    static Optional<Kind> of(final int number) {
        return number >= 1 && number <= ALL.length ? Optional.of(ALL[number - 1]) : Optional.empty();
    }

    /** Returns whether frames of this kind tell of a session instead of being counted in it. */
    boolean isOfSession() {
        return compareTo(STATUS) <= 0;
    }

    /** Returns whether frames of this kind carry messages of a stream. */
    boolean carriesMessage() {
        return this == DATA || this == REPLAYED;
    }

    /** Returns whether frames of this kind wait for credit: there may be more of them than a queue holds. */
    boolean needsCredit() {
        return carriesMessage() || this == SUBSCRIBE || this == UNSUBSCRIBE;
    }

    /** Returns whether frames of this kind name a stream: publisher, topic and epoch. */
    boolean namesStream() {
        return compareTo(DATA) >= 0 && compareTo(GAP) <= 0;
    }
}
