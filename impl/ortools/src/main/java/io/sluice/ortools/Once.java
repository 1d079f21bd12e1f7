// SPDX-License-Identifier: EPL-2.0
package io.sluice.ortools;

import java.io.IOException;

/** Something that has to be done once, whoever asks first; others wait. After a failure the next one tries again. */
final class Once {
    private final Attempt attempt;
    private boolean isDone;

    /** What is done. */
    @FunctionalInterface
    interface Attempt {
        void run() throws IOException;
    }

    Once(final Attempt attempt) {
        this.attempt = attempt;
    }

    synchronized void run() throws IOException {
        if (!isDone) {
            attempt.run();
            isDone = true;
        }
    }
}
