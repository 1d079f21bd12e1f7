// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/** Small files that a crash leaves as they were before, or as they are after. */
final class DurableFile {
    private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private DurableFile() {
        // a function
    }

    /**
     * Writes a file, in the place of one that may be there; it is on the disk when this returns.
     *
     * @param text in ASCII
     * @param attributes of the file from its beginning on
     */
    static void replace(final Path file, final String text, final FileAttribute<?>... attributes)
            throws IOException {
        final var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        try (var out = FileChannel.open(fresh, NEW, attributes)) {
            out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            out.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (var folder = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true);
        }
    }
}
