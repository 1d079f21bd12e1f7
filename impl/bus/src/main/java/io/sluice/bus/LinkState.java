// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

/**
 * A link as an operator sees it.
 *
 * @param up whether there is a session
 * @param messages sent over it, replays included, since the link was made
 * @param unconfirmed frames of the session that the other side has not confirmed
 * @param behind filters, last values and replays that wait for credit or room
 * @param deferred frames that found no credit or a full queue, since the link was made
 * @param renewals sessions that had to be begun again
 */
public record LinkState(boolean up, long messages, long unconfirmed, int behind, long deferred, long renewals) {
    /** Of one that never connected. */
    public static final LinkState DOWN = new LinkState(false, 0, 0, 0, 0, 0);
}
