// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.opendaylight.controller.cluster.datastore.identifiers.ShardIdentifier;
import org.opendaylight.controller.cluster.raft.spi.DefaultLogEntry;
import org.opendaylight.controller.cluster.raft.spi.EntryJournalV1;
import org.opendaylight.controller.cluster.raft.spi.LogEntry;
import org.opendaylight.raft.spi.CompressionType;
import org.opendaylight.raft.spi.RestrictedObjectStreams;

/**
 * The numbers (indices of RAFT) of the entries in a shard's journal, while the datastore does not run.
 *
 * <p>Each entry has a higher number than the one before it. The datastore (controller 11.0.2) was seen to write
 * 526928, 526929, 526928, 526929, 526930 in one term, and it refuses to read that: the controller never starts again.
 * A shard of one member has agreed upon all that it wrote, in the order of its journal, so what repeats a number gets
 * the next one, and so does all behind it.
 *
 * <p>A copy is mended and put in the place of the journal, which stays beside it as {@code <shard>.repeated}.
 */
final class EntryNumbers {
    private static final RestrictedObjectStreams STREAMS =
        RestrictedObjectStreams.ofClassLoaders(ShardIdentifier.class, DefaultLogEntry.class);
    private static final String MENDED = ".mended";
    private static final String REPEATED = ".repeated";

    private final String name;
    private final Path files;
    private final Path mended;

    /** The journal of a shard in the folder of all shards. */
    EntryNumbers(final Path folder, final ShardIdentifier shard) {
        name = shard.toString();
        files = folder.resolve(name);
        mended = folder.resolve(name + MENDED);
    }

    /** Makes the numbers grow; returns whether they did not. */
    boolean mend() throws IOException {
        if (!Files.exists(files) && Files.exists(mended)) {
            Files.move(mended, files);
            return true;
        }
        final var repeated = Files.exists(files) ? firstRepeated() : OptionalLong.empty();
        if (repeated.isEmpty()) {
            return false;
        }
        final var former = files.resolveSibling(name + REPEATED);
        copy();
        renumber(repeated.getAsLong());
        delete(former);
        Files.move(files, former);
        Files.move(mended, files);
        return true;
    }

    /** Finds the entry that repeats the number of an earlier one; its place in the journal. */
    private OptionalLong firstRepeated() throws IOException {
        try (var journal = open(files); var reader = journal.openReader()) {
            long highest = -1;
            var place = reader.nextJournalIndex();
            for (var entry = reader.nextEntry(); entry != null; entry = reader.nextEntry()) {
                if (entry.index() <= highest) {
                    return OptionalLong.of(place);
                }
                highest = entry.index();
                place = reader.nextJournalIndex();
            }
        }
        return OptionalLong.empty();
    }

    /** The mark up to which entries are to be applied is a place, and stays. */
    private void renumber(final long place) throws IOException {
        try (var journal = open(mended)) {
            final var applyTo = journal.applyToJournalIndex();
            final var entries = readFrom(journal, place - 1);
            var number = entries.removeFirst().index();
            journal.discardTail(place);
            for (final var entry : entries) {
                number++;
                journal.appendEntry(new DefaultLogEntry(number, entry.term(), entry.command()));
            }
            journal.setApplyTo(applyTo);
        }
    }

    private static List<LogEntry> readFrom(final EntryJournalV1 journal, final long place) throws IOException {
        final var entries = new ArrayList<LogEntry>();
        try (var reader = journal.openReader()) {
            reader.resetToRead(place);
            for (var entry = reader.nextEntry(); entry != null; entry = reader.nextEntry()) {
                entries.add(entry.toLogEntry(STREAMS));
            }
        }
        return entries;
    }

    private void copy() throws IOException {
        delete(mended);
        Files.createDirectory(mended);
        try (var list = Files.list(files)) {
            for (final var file : list.toList()) {
                Files.copy(file, mended.resolve(file.getFileName()));
            }
        }
    }

    private static void delete(final Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (var all = Files.walk(folder)) {
                for (final var file : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** The compression is that of new entries. */
    private EntryJournalV1 open(final Path folder) throws IOException {
        return new EntryJournalV1(name, folder, CompressionType.NONE, false);
    }
}
