// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Talks to one attached switch. A stage fails only if the switch went away or does not answer. */
public interface SwitchSession {
    /** What the switch said that it can do, before anything was sent to it. */
    SwitchFeatures features();

    /** Reads what the switch holds. */
    CompletionStage<Contents> read();

    /**
     * Carries out the changes, all at once if the switch can and in their order if not, and waits until it has
     * confirmed.
     *
     * @return what the switch refused, with its reason; empty if it took everything
     */
    CompletionStage<Map<EntryKey, String>> apply(List<Change> changes);

    /** Reads how much the flow entries in {@code tableId} with Sluice's mark have carried, summed up by cookie. */
    CompletionStage<Map<Long, Traffic>> traffic(int tableId);

    /** Reads what Sluice's meters were given and dropped, by meter number; those that the switch counts. */
    CompletionStage<Map<Integer, Metered>> metered();

    /**
     * What a switch holds.
     *
     * @param owned entries with Sluice's mark
     * @param foreign number of other entries
     */
    record Contents(Map<EntryKey, Held> owned, int foreign) {
        public Contents {
            owned = Map.copyOf(owned);
        }
    }
}
