// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

/**
 * What a node has published and its proxy has yet to confirm, over all sessions: no more than the node keeps, so that
 * nothing of it has to go before somebody can ask for it. A proxy has it when it has confirmed all frames of a session
 * up to one by which each topic's last value was sent. Not thread-safe.
 */
final class Unconfirmed {
    private static final long NONE = -1;

    private final BusLimits limits;
    private int messages;
    private long octets;
    /** What the proxy has when it has confirmed the frame {@code told} of the session. */
    private int toldMessages;
    private long toldOctets;
    private long told = NONE;

    Unconfirmed(final BusLimits limits) {
        this.limits = limits;
    }

    /** Returns whether a body of this size may be published; a single one always may. */
    boolean hasRoom(final int size) {
        return messages == 0 || messages < limits.retainedMessages() && octets + size <= limits.retainedOctets();
    }

    void add(final int size) {
        messages++;
        octets += size;
    }

    /** A session begins: what was told in another one may be lost. */
    void begun() {
        told = NONE;
    }

    /** Looks how far the proxy is. */
    void look(final Link link) {
        settle(link);
        if (told == NONE && messages > 0 && link.isUp() && !link.lacksValues()) {
            told = link.sent();
            toldMessages = messages;
            toldOctets = octets;
            settle(link);
        }
    }

    private void settle(final Link link) {
        if (told != NONE && link.isUp() && link.confirmed() >= told) {
            messages -= toldMessages;
            octets -= toldOctets;
            told = NONE;
        }
    }

    @Override
    public String toString() {
        return messages + " messages of " + octets + " octets";
    }
}
