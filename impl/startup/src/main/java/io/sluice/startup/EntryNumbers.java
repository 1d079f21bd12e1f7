// SPDX-License-Identifier: EPL-2.0
package io.sluice.startup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.opendaylight.controller.cluster.datastore.identifiers.ShardIdentifier;
import org.opendaylight.controller.cluster.raft.spi.DefaultLogEntry;
import org.opendaylight.controller.cluster.raft.spi.EntryJournalV1;
import org.opendaylight.controller.cluster.raft.spi.LogEntry;
import org.opendaylight.controller.cluster.raft.spi.SnapshotFile;
import org.opendaylight.controller.cluster.raft.spi.SnapshotFileFormat;
import org.opendaylight.raft.spi.CompressionType;
import org.opendaylight.raft.spi.RestrictedObjectStreams;

/**
 * The numbers (indices of RAFT) of the entries in a shard's journal, while the datastore does not run.
 *
 * <p>They go on one by one from that of the last entry in the shard's snapshot, and the datastore (controller 11.0.2)
 * counts on it: it takes an entry's number, less the snapshot's, for its place in the log. Where the journal begins
 * later or earlier, what is trimmed and discarded after the next snapshots is not what it should be: entries are lost
 * that are in no snapshot, and a log that is trimmed to nothing numbers new entries like old ones. Such a journal it
 * refuses to read: the controller never starts again.
 *
 * <p>A shard of one member has agreed upon all that it wrote, in the order of its journal. So entries that the snapshot
 * includes are discarded, and those behind it are numbered anew where they do not go on one by one. That is done in a
 * copy, which is then put in the place of the journal; the journal stays beside it as {@code <shard>.misnumbered}.
 */
final class EntryNumbers {
    private static final RestrictedObjectStreams STREAMS =
        RestrictedObjectStreams.ofClassLoaders(ShardIdentifier.class, DefaultLogEntry.class);
    private static final String MENDED = ".mended";
    private static final String MISNUMBERED = ".misnumbered";

    private final String name;
    private final Path files;
    private final Path mended;

    /** The journal of a shard in the folder of all shards. */
    EntryNumbers(final Path folder, final ShardIdentifier shard) {
        name = shard.toString();
        files = folder.resolve(name);
        mended = folder.resolve(name + MENDED);
    }

    /** The first entry that does not have the number that it should have. */
    private record Fault(long place, long number) { }

    /** Makes the numbers go on one by one; returns whether they did not. */
    boolean mend() throws IOException {
        if (!Files.exists(files) && Files.exists(mended)) {
            Files.move(mended, files);
            return true;
        }
        final var fault = Files.exists(files) ? firstFault() : Optional.<Fault>empty();
        if (fault.isEmpty()) {
            return false;
        }
        final var former = files.resolveSibling(name + MISNUMBERED);
        copy();
        renumber(fault.orElseThrow());
        delete(former);
        Files.move(files, former);
        Files.move(mended, files);
        return true;
    }

    /** Discards what the snapshot includes, and looks at the rest. */
    private Optional<Fault> firstFault() throws IOException {
        final var included = lastIncluded();
        try (var journal = open(files); var reader = journal.openReader()) {
            var place = reader.nextJournalIndex();
            var entry = reader.nextEntry();
            while (entry != null && included.isPresent() && entry.index() <= included.getAsLong()) {
                place = reader.nextJournalIndex();
                entry = reader.nextEntry();
            }
            discardBefore(journal, place);
            var number = entry == null || included.isPresent() ? included.orElse(-1) + 1 : entry.index();
            while (entry != null && entry.index() == number) {
                number++;
                place = reader.nextJournalIndex();
                entry = reader.nextEntry();
            }
            return entry == null ? Optional.empty() : Optional.of(new Fault(place, number));
        }
    }

    private static void discardBefore(final EntryJournalV1 journal, final long place) throws IOException {
        journal.discardHead(place);
        if (journal.applyToJournalIndex() < place - 1) {
            journal.setApplyTo(place - 1);
        }
    }

    /** Returns the number of the last entry in the latest snapshot, if there is a snapshot. */
    private OptionalLong lastIncluded() throws IOException {
        SnapshotFile latest = null;
        try (var list = Files.list(files)) {
            for (final var file : list.toList()) {
                final var format = SnapshotFileFormat.forFileName(file.getFileName().toString());
                final var snapshot = format == null ? null : format.open(file);
                if (snapshot != null && (latest == null || snapshot.timestamp().isAfter(latest.timestamp()))) {
                    latest = snapshot;
                }
            }
        }
        return latest == null ? OptionalLong.empty() : OptionalLong.of(latest.lastIncluded().index());
    }

    /** The mark up to which entries are to be applied is a place, and stays. */
    private void renumber(final Fault fault) throws IOException {
        try (var journal = open(mended)) {
            final var applyTo = journal.applyToJournalIndex();
            final var entries = readFrom(journal, fault.place());
            journal.discardTail(fault.place());
            var number = fault.number();
            for (final var entry : entries) {
                journal.appendEntry(new DefaultLogEntry(number, entry.term(), entry.command()));
                number++;
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
