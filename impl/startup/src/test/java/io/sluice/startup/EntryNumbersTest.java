// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opendaylight.controller.cluster.access.concepts.MemberName;
import org.opendaylight.controller.cluster.datastore.identifiers.ShardIdentifier;
import org.opendaylight.controller.cluster.raft.persisted.NoopPayload;
import org.opendaylight.controller.cluster.raft.spi.DefaultLogEntry;
import org.opendaylight.controller.cluster.raft.spi.EntryJournalV1;
import org.opendaylight.controller.cluster.raft.spi.SnapshotFileFormat;
import org.opendaylight.raft.api.EntryInfo;
import org.opendaylight.raft.spi.CompressionType;

/** With upstream's own journals. */
class EntryNumbersTest {
    private static final ShardIdentifier SHARD =
        ShardIdentifier.create("default", MemberName.forName("member-1"), "config");
    private static final String TERMS = "TermInfo.properties";

    @TempDir
    private Path folder;
    private EntryNumbers numbers;

    @BeforeEach
    void before() {
        numbers = new EntryNumbers(folder, SHARD);
    }

    @Test
    void repeatedNumbersGoOnFromTheLastOne() throws IOException {
        write(7, 8, 9, 8, 9, 10);

        assertTrue(numbers.mend());
        assertEquals(List.of(7L, 8L, 9L, 10L, 11L, 12L), read(SHARD.toString()));
        assertEquals(6, mark());
        assertEquals("term", Files.readString(folder.resolve(SHARD.toString()).resolve(TERMS)));
    }

    @Test
    void formerJournalStaysBesideIt() throws IOException {
        write(7, 8, 8);
        Files.createDirectory(folder.resolve(SHARD + ".misnumbered"));

        assertTrue(numbers.mend());
        assertEquals(List.of(7L, 8L, 8L), read(SHARD + ".misnumbered"));
    }

    @Test
    void mendedJournalIsLeftAlone() throws IOException {
        write(7, 8, 7, 8);
        numbers.mend();

        assertFalse(numbers.mend());
        assertEquals(List.of(7L, 8L, 9L, 10L), read(SHARD.toString()));
    }

    @Test
    void numbersThatGoOnOneByOneAreLeftAlone() throws IOException {
        write(7, 8, 9);

        assertFalse(numbers.mend());
        assertEquals(List.of(7L, 8L, 9L), read(SHARD.toString()));
        assertFalse(Files.exists(folder.resolve(SHARD + ".misnumbered")));
    }

    @Test
    void leftOutNumbersAreFilled() throws IOException {
        write(7, 8, 12, 13);

        assertTrue(numbers.mend());
        assertEquals(List.of(7L, 8L, 9L, 10L), read(SHARD.toString()));
    }

    @Test
    void journalThatBeginsAfterItsSnapshotIsMovedUpToIt() throws IOException {
        write(12, 13);
        snapshot(3, 4);
        snapshot(9, 5);

        assertTrue(numbers.mend());
        assertEquals(List.of(10L, 11L), read(SHARD.toString()));
        assertFalse(numbers.mend());
    }

    @Test
    void whatTheSnapshotIncludesIsDiscarded() throws IOException {
        write(7, 8, 9, 10);
        mark(1);
        snapshot(8, 1);

        assertFalse(numbers.mend());
        assertEquals(List.of(9L, 10L), read(SHARD.toString()));
        assertEquals(2, mark());
    }

    @Test
    void snapshotThatIncludesAllLeavesNothing() throws IOException {
        write(7, 8);
        snapshot(8, 1);

        assertFalse(numbers.mend());
        assertEquals(List.of(), read(SHARD.toString()));
    }

    @Test
    void killBetweenTheTwoMovesLosesNothing() throws IOException {
        write(7, 8, 9);
        Files.move(folder.resolve(SHARD.toString()), folder.resolve(SHARD + ".mended"));

        assertTrue(numbers.mend());
        assertEquals(List.of(7L, 8L, 9L), read(SHARD.toString()));
    }

    @Test
    void killWhileItIsCopiedStartsAnew() throws IOException {
        write(7, 7);
        Files.createDirectory(folder.resolve(SHARD + ".mended"));
        Files.writeString(folder.resolve(SHARD + ".mended").resolve(TERMS), "half");

        assertTrue(numbers.mend());
        assertEquals(List.of(7L, 8L), read(SHARD.toString()));
    }

    @Test
    void entriesBeforeTheFirstThatIsKeptAreNotAskedFor() throws IOException {
        write(5, 6, 7, 8, 8);
        try (var journal = open(SHARD.toString())) {
            journal.discardHead(4);
        }

        assertTrue(numbers.mend());
        assertEquals(List.of(8L, 9L), read(SHARD.toString()));
    }

    @Test
    void firstStartHasNoFolder() throws IOException {
        assertFalse(numbers.mend());
    }

    private void write(final long... indices) throws IOException {
        final var files = Files.createDirectories(folder.resolve(SHARD.toString()));
        Files.writeString(files.resolve(TERMS), "term");
        try (var journal = open(SHARD.toString())) {
            for (final var index : indices) {
                journal.appendEntry(new DefaultLogEntry(index, 1, NoopPayload.INSTANCE));
            }
            journal.setApplyTo(indices.length);
        }
    }

    private void snapshot(final long lastIncluded, final long atS) throws IOException {
        final var format = SnapshotFileFormat.latest();
        final var file = folder.resolve(SHARD.toString()).resolve("snapshot-" + atS + format.extension());
        format.createNew(file, Instant.ofEpochSecond(atS), EntryInfo.of(lastIncluded, 1), null, CompressionType.NONE,
            List.of(), CompressionType.NONE, null).close();
    }

    private void mark(final long applyTo) throws IOException {
        try (var journal = open(SHARD.toString())) {
            journal.setApplyTo(applyTo);
        }
    }

    private List<Long> read(final String name) throws IOException {
        final var found = new ArrayList<Long>();
        try (var journal = open(name); var reader = journal.openReader()) {
            for (var entry = reader.nextEntry(); entry != null; entry = reader.nextEntry()) {
                found.add(entry.index());
            }
        }
        return found;
    }

    private long mark() throws IOException {
        try (var journal = open(SHARD.toString())) {
            return journal.applyToJournalIndex();
        }
    }

    private EntryJournalV1 open(final String name) throws IOException {
        return new EntryJournalV1(name, folder.resolve(name), CompressionType.NONE, false);
    }
}
