// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.List;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;

/** What a {@link ConfigurationCommand} does at its place. */
interface Change {
    /**
     * A place, and what is to become of it.
     *
     * @param area of the place
     * @param path of the place, as it was written
     * @param place where that leads, neither to state nor to a key
     * @param values words that follow the path
     */
    record Target(String area, String path, DataPath.Found place, List<String> values) {
        public Target {
            values = List.copyOf(values);
        }
    }

    /** Name of the command. */
    String name();

    /** What it does, in a sentence. */
    String description();

    /** The command's help page, with {@code AREAS} in place of their names. */
    String help();

    /** Makes the change; returns when it is stored. */
    Answer make(Target target) throws InterruptedException, ReadFailedException, TransactionCommitFailedException;

    /** What the next word after {@code target} may be. */
    List<String> complete(Target target) throws InterruptedException;
}
