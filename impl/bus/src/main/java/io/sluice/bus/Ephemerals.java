// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The nodes of a proxy whose last values end with them.
 * <pre>
 *   HELLO             no session          a minute: all that it said is over
 *   -------&gt; CONNECTED ------------&gt; AWAY -------------------------------------------&gt; (forgotten)
 *               ^                     |
 *               +---------------------+ HELLO
 * </pre>
 * A minute after the first HELLO of a start, what earlier starts said is over, however often sessions break.
 * Not thread-safe.
 */
final class Ephemerals {
    /** Ticks after which a node that is away is taken for gone: a minute. */
    static final int GRACE_TICKS = 240;

    private final int graceTicks;
    private final Map<String, Node> nodes = new HashMap<>();

    Ephemerals(final int graceTicks) {
        this.graceTicks = graceTicks;
    }

    /** Last values that end: those of the node with an epoch below this one. */
    record Over(NodeName node, long below) { }

    private static final class Node {
        private final long epoch;
        private int known;
        private int away;

        Node(final long epoch) {
            this.epoch = epoch;
        }
    }

    /** Notes that a session of a node began; its epoch is that of its start, or 0 if its last values stay. */
    void begun(final String name, final long epoch) {
        if (epoch == 0) {
            nodes.remove(name);
        } else {
            nodes.compute(name, (same, node) -> node != null && node.epoch == epoch ? node : new Node(epoch));
        }
    }

    /** Lets a quarter of a second pass, and returns what is over. */
    List<Over> tick(final Predicate<String> isConnected) {
        final var over = new ArrayList<Over>();
        nodes.forEach((name, node) -> {
            node.known++;
            node.away = isConnected.test(name) ? 0 : node.away + 1;
            if (node.away == graceTicks) {
                over.add(new Over(NodeName.of(name), Long.MAX_VALUE));
            } else if (node.known == graceTicks) {
                over.add(new Over(NodeName.of(name), node.epoch));
            }
        });
        nodes.values().removeIf(node -> node.away == graceTicks);
        return over;
    }
}
