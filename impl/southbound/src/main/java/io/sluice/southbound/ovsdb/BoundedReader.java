// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/** Reads so many characters, and no more until it is refilled: a peer can't make a message endless. */
final class BoundedReader extends FilterReader {
    private final int limit;
    private int left;

    BoundedReader(final Reader in, final int limit) {
        super(in);
        this.limit = limit;
        left = limit;
    }

    void refill() {
        left = limit;
    }

    @Override
    public int read() throws IOException {
        return spend(super.read(), 1);
    }

    @Override
    public int read(final char[] buffer, final int offset, final int length) throws IOException {
        final int read = super.read(buffer, offset, length);
        return spend(read, read);
    }

    private int spend(final int read, final int count) throws IOException {
        left -= Math.max(0, count);
        if (left < 0) {
            throw new IOException("a message is longer than " + limit + " characters");
        }
        return read;
    }
}
