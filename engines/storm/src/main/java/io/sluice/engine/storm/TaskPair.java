// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

/**
 * Two tasks of a topology, the first of which sends to the second.
 *
 * @param source number of the task that sends; {@link #SYSTEM} for a worker's system task
 * @param destination number of the task that receives
 */
public record TaskPair(int source, int destination) {
    /** Each worker has a task of this number, for its own measurements. */
    public static final int SYSTEM = -1;

    @Override
    public String toString() {
        return source + ">" + destination;
    }
}
