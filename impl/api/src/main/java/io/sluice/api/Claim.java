// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.List;
import java.util.Map;
import java.util.Set;
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

    /**
     * Has each validation compare what the owner declares with what {@code knowledge} says that it needs, and each sync
     * mend the difference.
     */
    void compareWith(Knowledge knowledge);

    /** Stops acting for the owner: what is still to be sent is not sent; entries stay on the switches. */
    @Override
    void close();

    /** What an owner knows to be needed, worked out from its knowledge and not from its declarations. */
    interface Knowledge {
        /** Works out what the owner's objects need now. */
        CompletionStage<Needs> needs();

        /** Declares {@code objects} as they are needed now, or withdraws them; completes when the switches answered. */
        CompletionStage<?> declareAgain(Set<Long> objects);
    }

    /**
     * What objects need.
     *
     * @param entries of each object that needs any, by switch
     * @param changing objects whose declaration or withdrawal is under way, so that a difference says nothing
     */
    record Needs(Map<Long, Map<SwitchId, List<Entry>>> entries, Set<Long> changing) {
        public Needs {
            entries = Map.copyOf(entries);
            changing = Set.copyOf(changing);
        }
    }

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
