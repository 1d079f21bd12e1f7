// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.List;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.common.api.ReadFailedException;
import org.opendaylight.mdsal.common.api.TransactionCommitFailedException;

/** Removes what is configured at a place. */
final class UnsetChange implements Change {
    private final DataReader reader;
    private final DataWriter writer;

    UnsetChange(final DataReader reader, final DataWriter writer) {
        this.reader = reader;
        this.writer = writer;
    }

    @Override
    public String name() {
        return "unset";
    }

    @Override
    public String description() {
        return "Removes what is configured at a place; a default counts again.";
    }

    @Override
    public String help() {
        return """
            sluice:unset AREA PATH: removes what is configured at a place; a default counts again

            AREA        one of AREAS
            PATH        as in RESTCONF, from the area on: tenant=t/application=a
            --help      this page; after a PATH, what it leads to""";
    }

    @Override
    public Answer make(final Target target)
            throws InterruptedException, ReadFailedException, TransactionCommitFailedException {
        if (!target.values().isEmpty()) {
            return Answer.Refused.surplus(target.values().getFirst());
        }
        if (reader.read(LogicalDatastoreType.CONFIGURATION, target.place().path()).isEmpty()) {
            return Answer.Text.NOTHING;
        }
        writer.delete(target.place().path());
        return new Answer.Text("done");
    }

    @Override
    public List<String> complete(final Target target) {
        return List.of();
    }
}
