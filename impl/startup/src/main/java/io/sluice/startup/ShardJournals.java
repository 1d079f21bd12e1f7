// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.opendaylight.controller.cluster.datastore.identifiers.ShardIdentifier;
import org.opendaylight.controller.cluster.raft.spi.EntryJournalV1;
import org.opendaylight.raft.spi.CompressionType;

/**
 * The journals of the datastore's shards, while the datastore does not run.
 *
 * <p>A journal holds entries, and up to which of them they are to be applied at the next start. A shard of one member
 * writes the entry, applies it, answers the client, and only then writes that mark: a kill in between leaves a write
 * that was acknowledged beyond the mark. The datastore (controller 11.0.2) reads such an entry and never applies it: a
 * shard that has to ask nobody becomes leader without the entry that would bring older ones with it, and the next write
 * moves the mark past them.
 */
final class ShardJournals {
    private final Path folder;

    /**
     * Reads nothing yet.
     *
     * @param folder holds a folder for each shard, named as {@link ShardIdentifier} does
     */
    ShardJournals(final Path folder) {
        this.folder = folder;
    }

    /**
     * Marks every entry as to be applied. Right only for a shard of one member: what it has stored is agreed upon.
     *
     * @param shards shards of one member; those without a folder have stored nothing yet
     * @return the shards that had entries to be marked
     */
    List<ShardIdentifier> applyAll(final Collection<ShardIdentifier> shards) throws IOException {
        final var marked = new ArrayList<ShardIdentifier>();
        for (final var shard : shards) {
            final var journal = folder.resolve(shard.toString());
            if (Files.exists(journal) && applyAll(shard.toString(), journal)) {
                marked.add(shard);
            }
        }
        return marked;
    }

    /** The compression is that of new entries, of which none is written. */
    private static boolean applyAll(final String name, final Path files) throws IOException {
        try (var journal = new EntryJournalV1(name, files, CompressionType.NONE, false)) {
            final var last = journal.nextToWrite() - 1;
            final var isBehind = journal.applyToJournalIndex() < last;
            if (isBehind) {
                journal.setApplyTo(last);
            }
            return isBehind;
        }
    }
}
