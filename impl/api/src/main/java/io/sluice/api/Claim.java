// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * What one application wants the switches to hold, object by object. A switch that is away gets its share when it
 * attaches; drift is repaired. Thread-safe.
 */
public interface Claim extends AutoCloseable {
    /**
     * Declares everything that {@code object} needs, in place of what it needed before. New entries are added before
     * old ones are removed. The stage completes after each switch has confirmed with a barrier; it never fails.
     *
     * @param object 0..{@link Owner#MAX_OBJECT}
     */
    CompletionStage<Installation> declare(long object, Map<SwitchId, List<Entry>> entries);

    /** Removes {@code object} from all switches; an unknown object is in place at once. */
    CompletionStage<Installation> withdraw(long object);

    /**
     * Says that everything that should survive from an earlier run has been declared: from now on whatever else bears
     * this owner's mark is stale, and removed.
     */
    void restored();

    /**
     * Reads from the switch what it holds of each of the owner's objects, as {@link #declare} takes it: flow entries,
     * and before them the meters and groups of the owner that they use. So it is known what an earlier run declared
     * there, but for entries that somebody else has changed.
     */
    CompletionStage<Map<Long, List<Entry>>> held(SwitchId switchId);

    /** Reads from the switch how much each object's flow entries in {@code tableId} have carried. */
    CompletionStage<Map<Long, Traffic>> traffic(SwitchId switchId, int tableId);

    /**
     * Reads from the switch what each of the owner's meters was given and dropped, by the number that the owner gave
     * it; meters that the switch does not count are left out.
     */
    CompletionStage<Map<Integer, Metered>> metered(SwitchId switchId);

    /** Stops acting for the owner: what is still to be sent is not sent; entries stay on the switches. */
    @Override
    void close();

    /** Packets and bytes (layer-2) since the entries were added. */
    record Traffic(long packets, long bytes) {
        public static final Traffic NONE = new Traffic(0, 0);

        public Traffic plus(final Traffic other) {
            return new Traffic(packets + other.packets, bytes + other.bytes);
        }

        public Traffic minus(final Traffic other) {
            return new Traffic(packets - other.packets, bytes - other.bytes);
        }
    }

    /**
     * What came to a meter, and what it dropped of that, since the meter was added, or changed at a switch where it
     * counts anew then.
     *
     * @param id by which the switch and its own tools know the meter
     * @param entered what it let pass and what it dropped
     */
    record Metered(long id, Traffic entered, Traffic dropped) {
        public Traffic passed() {
            return entered.minus(dropped);
        }
    }
}
