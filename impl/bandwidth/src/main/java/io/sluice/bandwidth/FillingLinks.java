// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

/**
 * The links that flows of a {@link Rise} pass, how fast these fill them, and when they are full. Flows and links go by
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
    /** Links that are full if all flows rise by the most they may: of the others the room is known at the end. */
    private final boolean[] canFill;
    /** Of each link, the time of which its room tells. */
    private final double[] updatedAt;
    /** Those whose slope has changed. */
    private final NumberSet changed;

    /**
     * Starts at time 0, with flows that stay as they are.
     *
     * @param most of each flow, what its rate may rise by
     */
    FillingLinks(final ProgressiveFilling filling, final Crossings crossings, final double[] most) {
        this.filling = filling;
        this.crossings = crossings;
        pace = new double[most.length];
        final int count = crossings.links.length;
        slope = new double[count];
        steepest = new double[count];
        canFill = new boolean[count];
        updatedAt = new double[count];
        changed = new NumberSet(count);
        for (int link = 0; link < count; link++) {
            final int number = crossings.links[link];
            canFill[link] = filling.isFull(number, filling.room[number] - crossings.load(link, most));
        }
    }

    boolean rises(final int flow) {
        return pace[flow] > 0;
    }

    void setPace(final int flow, final double fresh, final double now) {
        final double change = fresh - pace[flow];
        pace[flow] = fresh;
        for (int i = crossings.firstLink[flow]; i < crossings.firstLink[flow + 1]; i++) {
            final int link = crossings.linkAt[i];
            if (canFill[link]) {
                if (changed.add(link)) {
                    update(link, now);
                }
                slope[link] += change * crossings.linkPart[i];
            }
        }
    }

    /** Tells when links are full that since the last time got another slope. */
    void schedule(final double now, final Agenda agenda, final int firstItem) {
        for (int i = 0; i < changed.count(); i++) {
            final int link = changed.get(i);
            sumUp(link);
            agenda.set(firstItem + link, slope[link] > 0
                ? now + filling.room[crossings.links[link]] / slope[link] : Double.POSITIVE_INFINITY);
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
        final int number = crossings.links[link];
        final double left = filling.room[number] - (now - updatedAt[link]) * slope[link];
        filling.room[number] = filling.isFull(number, left) ? 0 : left;
        updatedAt[link] = now;
    }

    /** Brings the room of all links up to the end, when rates have risen by {@code risen}. */
    void end(final double now, final double[] risen) {
        for (int link = 0; link < slope.length; link++) {
            if (canFill[link]) {
                update(link, now);
            } else {
                filling.room[crossings.links[link]] -= crossings.load(link, risen);
            }
        }
    }
}
