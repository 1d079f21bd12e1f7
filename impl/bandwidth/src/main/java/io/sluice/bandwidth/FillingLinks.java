// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

import java.util.Arrays;

/**
 * The links that flows of a {@link Rise} may fill, how fast they do, and when they are full. Flows and links go by
 * their numbers in {@link Crossings}.
 */
final class FillingLinks {
    private final ProgressiveFilling filling;
    private final Crossings crossings;
    /** How fast the rate of each flow rises. */
    private final double[] pace;
    /** How fast each link fills: the pace of its flows, kept up change by change. */
    private final double[] slope;
    /** Of each link, the most that its slope has been since it was last summed up: what is left of it is rounding. */
    private final double[] steepest;
    /** What is left of each link, and the time of which that tells. */
    private final double[] room;
    private final double[] updatedAt;
    /** Those whose slope has changed. */
    private final NumberSet changed;

    /** Starts at time 0, with flows that stay as they are. */
    FillingLinks(final ProgressiveFilling filling, final Crossings crossings) {
        this.filling = filling;
        this.crossings = crossings;
        pace = new double[crossings.firstLink.length - 1];
        slope = new double[crossings.links.length];
        steepest = new double[slope.length];
        room = new double[slope.length];
        Arrays.setAll(room, link -> filling.room[crossings.links[link]]);
        updatedAt = new double[slope.length];
        changed = new NumberSet(slope.length);
    }

    boolean rises(final int flow) {
        return pace[flow] > 0;
    }

    void setPace(final int flow, final double fresh, final double now) {
        final double change = fresh - pace[flow];
        pace[flow] = fresh;
        for (int i = crossings.firstLink[flow]; i < crossings.firstLink[flow + 1]; i++) {
            final int link = crossings.linkAt[i];
            if (changed.add(link)) {
                update(link, now);
            }
            slope[link] += change * crossings.linkPart[i];
        }
    }

    /** Tells when links are full that since the last time got another slope. */
    void schedule(final double now, final Agenda agenda, final int firstItem) {
        for (int i = 0; i < changed.count(); i++) {
            final int link = changed.get(i);
            sumUp(link);
            agenda.set(firstItem + link, slope[link] > 0
                ? now + room[link] / slope[link] : Double.POSITIVE_INFINITY);
        }
        changed.clear();
    }

    /** Keeps what rounding has done to a slope small beside it. */
    private void sumUp(final int link) {
        steepest[link] = Math.max(steepest[link], slope[link]);
        if (slope[link] < steepest[link] / 2) {
            slope[link] = crossings.load(link, pace);
            steepest[link] = slope[link];
        }
    }

    /** Brings the room of a link up to now. */
    private void update(final int link, final double now) {
        final double left = room[link] - (now - updatedAt[link]) * slope[link];
        room[link] = filling.isFull(crossings.links[link], left) ? 0 : left;
        updatedAt[link] = now;
    }

    /**
     * Tells what is left of all links of the flows, now that these have risen. Of those that may fill, it is known here
     * whether they are full.
     *
     * @param flows by their numbers in the round
     */
    void end(final double now, final int[] flows, final double[] risen) {
        filling.takeRoom(flows, risen);
        for (int link = 0; link < room.length; link++) {
            update(link, now);
            filling.room[crossings.links[link]] = room[link];
        }
    }
}
