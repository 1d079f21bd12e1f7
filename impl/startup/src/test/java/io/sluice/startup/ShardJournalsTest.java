// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opendaylight.controller.cluster.access.concepts.MemberName;
import org.opendaylight.controller.cluster.datastore.identifiers.ShardIdentifier;
import org.opendaylight.controller.cluster.raft.persisted.NoopPayload;
import org.opendaylight.controller.cluster.raft.spi.DefaultLogEntry;
import org.opendaylight.controller.cluster.raft.spi.EntryJournalV1;
import org.opendaylight.raft.spi.CompressionType;

/** With upstream's own journals. */
class ShardJournalsTest {
    private static final ShardIdentifier SHARD =
        ShardIdentifier.create("default", MemberName.forName("member-1"), "config");

    @TempDir
    private Path folder;

    @Test
    void entryBeyondTheMarkIsMarked() throws IOException {
        write(SHARD, 3, 2);

        assertEquals(List.of(SHARD), new ShardJournals(folder).applyAll(List.of(SHARD)));
        assertEquals(3, mark(SHARD));
    }

    @Test
    void markThatIsRightStays() throws IOException {
        write(SHARD, 3, 3);

        assertEquals(List.of(), new ShardJournals(folder).applyAll(List.of(SHARD)));
        assertEquals(3, mark(SHARD));
    }

    @Test
    void shardThatIsNotNamedIsLeftAlone() throws IOException {
        write(SHARD, 3, 2);

        assertEquals(List.of(), new ShardJournals(folder).applyAll(List.of()));
        assertEquals(2, mark(SHARD));
    }

    @Test
    void entriesBeforeTheFirstThatIsKeptAreNotAskedFor() throws IOException {
        write(SHARD, 5, 2);
        try (var journal = open(SHARD)) {
            journal.discardHead(4);
        }

        assertEquals(List.of(SHARD), new ShardJournals(folder).applyAll(List.of(SHARD)));
        assertEquals(5, mark(SHARD));
        try (var journal = open(SHARD); var reader = journal.openReader()) {
            assertEquals(4, reader.nextJournalIndex());
        }
    }

    @Test
    void emptyJournalStaysEmpty() throws IOException {
        write(SHARD, 0, 0);

        assertEquals(List.of(), new ShardJournals(folder).applyAll(List.of(SHARD)));
        assertEquals(0, mark(SHARD));
    }

    @Test
    void firstStartHasNoFolder() throws IOException {
        assertEquals(List.of(), new ShardJournals(folder).applyAll(List.of(SHARD)));
    }

    private void write(final ShardIdentifier shard, final long entries, final long applyTo) throws IOException {
        Files.createDirectories(folder.resolve(shard.toString()));
        try (var journal = open(shard)) {
            for (var index = 0L; index < entries; index++) {
                journal.appendEntry(new DefaultLogEntry(index, 1, NoopPayload.INSTANCE));
            }
            journal.setApplyTo(applyTo);
        }
    }

    private long mark(final ShardIdentifier shard) throws IOException {
        try (var journal = open(shard)) {
            return journal.applyToJournalIndex();
        }
    }

    private EntryJournalV1 open(final ShardIdentifier shard) throws IOException {
        return new EntryJournalV1(shard.toString(), folder.resolve(shard.toString()), CompressionType.NONE, false);
    }
}
