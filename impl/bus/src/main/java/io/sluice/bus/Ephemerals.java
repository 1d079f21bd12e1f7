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
 *               a minute: what earlier starts said is over
 *             +---+
 *   HELLO     |   v   no session                a minute: all that it said is over
 *   -------&gt; CONNECTED ------------&gt; AWAY -------------------------------------------&gt; (forgotten)
 *               ^                     |
 *               +---------------------+ HELLO
 * </pre>
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
        private boolean connected = true;
        private int ticks;

        Node(final long epoch) {
            this.epoch = epoch;
        }
    }

    /** Notes that a session of a node began; its epoch is that of its start, or 0 if its last values stay. */
    void begun(final String name, final long epoch) {
        if (epoch == 0) {
            nodes.remove(name);
        } else {
            nodes.put(name, new Node(epoch));
        }
    }

    /** Lets a quarter of a second pass, and returns what is over. */
    List<Over> tick(final Predicate<String> isConnected) {
        final var over = new ArrayList<Over>();
        nodes.forEach((name, node) -> {
            if (isConnected.test(name) != node.connected) {
                node.connected = !node.connected;
                node.ticks = 0;
            }
            node.ticks++;
            if (node.ticks == graceTicks) {
                over.add(new Over(NodeName.of(name), node.connected ? node.epoch : Long.MAX_VALUE));
            }
        });
        nodes.values().removeIf(node -> !node.connected && node.ticks >= graceTicks);
        return over;
    }
}
