// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.zeromq.ZMQ;

/** A node's key pair for CURVE, in Z85 (ZeroMQ RFC 32). The secret half is never printed. */
public final class CurveKeys {
    private static final String MODE = "rw-------";
    private static final FileAttribute<?> OWNER_ONLY =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(MODE));

    private final String publicKey;
    private final String secretKey;

    private CurveKeys(final String publicKey, final String secretKey) {
        this.publicKey = publicKey;
        this.secretKey = secretKey;
    }

    /** Makes a pair that is in no file. */
    public static CurveKeys generate() {
        final var pair = ZMQ.Curve.generateKeyPair();
        return new CurveKeys(pair.publicKey, pair.secretKey);
    }

    /**
     * Reads a file of two lines, the public and the secret key.
     *
     * @throws IOException if it can't be read, is no such file, or somebody but its owner may read or write it
     */
    public static CurveKeys load(final Path file) throws IOException {
        final var mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        if (!mode.equals(MODE)) {
            throw new IOException(file + " has mode " + mode + "; a secret key needs " + MODE + " (0600)");
        }
        final var lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
        if (lines.size() != 2 || lines.stream().anyMatch(line -> !isKey(line))) {
            throw new IOException(file + " does not have a public and a secret key in Z85, a line each");
        }
        return new CurveKeys(lines.getFirst(), lines.getLast());
    }

    /**
     * Writes the pair to a new file of mode 0600.
     *
     * @throws IOException if the file exists or can't be written
     */
    public void save(final Path file) throws IOException {
        Files.createFile(file, OWNER_ONLY);
        Files.write(file, List.of(publicKey, secretKey), StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
    }

    /**
     * Reads a file as {@link #load} does; if there is none, writes a new pair to it.
     *
     * @throws IOException if it can't be read or written, or is no such file
     */
    public static CurveKeys loadOrMake(final Path file) throws IOException {
        if (Files.exists(file)) {
            return load(file);
        }
        final var made = generate();
        made.replace(file);
        return made;
    }

    /**
     * Writes the pair to a file of mode 0600, in the place of one that may be there. A crash leaves the old file or the
     * new one.
     *
     * @throws IOException if it can't be written
     */
    public void replace(final Path file) throws IOException {
        DurableFile.replace(file, publicKey + "\n" + secretKey + "\n", OWNER_ONLY);
    }

    /** Returns whether the text can be a key. */
    static boolean isKey(final String text) {
        return text.matches("[0-9a-zA-Z.:+=^!/*?&<>()\\[\\]{}@%$#-]{40}");
    }

    /** Returns the public key in Z85, for other nodes' lists. */
    public String publicKey() {
        return publicKey;
    }

    /** Gives the socket this identity. */
    void identify(final ZMQ.Socket socket) {
        socket.setCurvePublicKey(publicKey.getBytes(StandardCharsets.US_ASCII));
        socket.setCurveSecretKey(secretKey.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return publicKey + " ***";
    }
}
