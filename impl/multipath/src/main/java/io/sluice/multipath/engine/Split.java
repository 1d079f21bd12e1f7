// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import java.time.Instant;

/**
 * How the pieces of a transfer travel, and what that was decided by.
 *
 * @param measured what they carried together when it was last measured
 * @param singlePath what they would get together on the best single path
 * @param since when the mode last changed, or was first measured
 */
public record Split(String transfer, Mode mode, Bandwidth measured, Bandwidth singlePath, Instant since) {
    /** Whether they go over several paths. */
    public enum Mode {
        /** Each where the placement puts it. */
        SPREAD,
        /** On one path, to see whether that is faster. */
        TRYING_SINGLE_PATH,
        /** On one path, which was faster. */
        SINGLE_PATH
    }

    Split measuredAt(final Bandwidth newMeasured) {
        return new Split(transfer, mode, newMeasured, singlePath, since);
    }

    Split entering(final Mode newMode, final Bandwidth newMeasured, final Instant now) {
        return new Split(transfer, newMode, newMeasured, singlePath, now);
    }
}
