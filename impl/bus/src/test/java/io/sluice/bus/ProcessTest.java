// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proxy as a process of its own: its command line, its files, and kill -9. */
class ProcessTest {
    private static final Topic TOPIC = new Topic("/c1/site_A_instances");

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private int run(final String... args) throws InterruptedException {
        final var printed = new PrintStream(out, true, StandardCharsets.UTF_8);
        return ProxyCommand.run(args, printed, printed);
    }

    @Test
    void helpNamesEveryOptionAndAWrongCommandLineIsRefused() throws InterruptedException {
        assertEquals(0, run("--help"));
        assertTrue(List.of("--config", "--metrics", "--make-keys", "allow", "remote.SITE").stream()
            .allMatch(out.toString()::contains));
        assertEquals(2, run("--confg", "x"));
        assertEquals(2, run("--config", "x", "--metric", "127.0.0.1:0"));
        for (final var wrong : List.of("127.0.0.1", "9475", "127.0.0.1:65536", "a b:1", "127.0.0.1:1/x", "")) {
            assertEquals(1, run("--config", "x", "--metrics", wrong), wrong);
            assertTrue(out.toString().contains("--metrics is not ADDRESS:PORT: " + wrong), out::toString);
        }
    }

    @Test
    void keysAreForTheirOwnerAlone() throws IOException, InterruptedException {
        final var file = folder.resolve("keys");
        assertEquals(0, run("--make-keys", file.toString()));
        final var keys = CurveKeys.load(file);

        assertEquals(out.toString().strip(), keys.publicKey());
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertFalse(keys.toString().contains(Files.readAllLines(file).getLast()));
        assertEquals(1, run("--make-keys", file.toString()), "keys that are there are kept");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertTrue(assertThrows(IOException.class, () -> CurveKeys.load(file)).getMessage().contains("0600"));
    }

    @Test
    void aWrongListIsRefusedWithItsLine() throws IOException {
        final var file = folder.resolve("allow");
        final var key = CurveKeys.generate().publicKey();
        Files.writeString(file, "# nodes\n\nA/one " + key + "\n");
        assertEquals("A/one", AllowList.load(file).name(key).orElseThrow());
        for (final var line : List.of("A/one", "A/one short", "A/ " + key, "A/one " + key + "\nA/two " + key)) {
            Files.writeString(file, line);
            assertThrows(IOException.class, () -> AllowList.load(file), line);
        }
    }

    @Test
    void aWrongConfigurationIsRefused() throws IOException, InterruptedException {
        final var file = folder.resolve("proxy.cfg");
        assertEquals(0, run("--make-keys", folder.resolve("keys").toString()));
        Files.writeString(folder.resolve("allow"), "");
        final var right = "site=A\nbind=tcp://127.0.0.1:*\nkeys=keys\nallow=allow\n";
        Files.writeString(file, right);
        assertEquals("A", ProxyConfig.load(file).site());
        for (final var wrong : List.of("site=A/x\n", "sites=A\n", "remote.B=tcp://127.0.0.1:1\n",
                "remote.B=127.0.0.1:1 " + "x".repeat(40) + "\n", "keys=absent\n",
                "bind=tcp://127.0.0.1:65536\n", "keys=\\u00zz\n")) {
            Files.writeString(file, right + wrong);
            assertEquals(1, run("--config", file.toString()), wrong);
        }
        Files.writeString(file, right + "keys=\\u00zz\n");
        assertTrue(assertThrows(IOException.class, () -> ProxyConfig.load(file)).getMessage().startsWith(file + ": "));
        Files.writeString(file, right + "remote.B=tcp://192.0.2.1:65536 " + CurveKeys.generate().publicKey() + "\n");
        final var refusal = assertThrows(IOException.class, () -> ProxyConfig.load(file));
        assertTrue(refusal.getMessage().contains("a port is from 1 to 65535"), refusal::getMessage);
    }

    /** A process that runs until it is killed. */
    private Process start(final Path file) throws IOException {
        final var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        final var process = new ProcessBuilder(java, "-cp", System.getProperty("java.class.path"),
            ProxyCommand.class.getName(), "--config", file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final var first = process.inputReader().readLine();
        assertTrue(first != null && first.startsWith("site A listens on "), () -> "said " + first);
        out.writeBytes(first.substring("site A listens on ".length()).getBytes(StandardCharsets.UTF_8));
        return process;
    }

    @Test
    void killedAndStartedAgainItLosesNothingAndANewKeyNeedsNoRestart()
            throws IOException, InterruptedException {
        final var proxyKeys = CurveKeys.generate();
        final var publisherKeys = CurveKeys.generate();
        final var subscriberKeys = CurveKeys.generate();
        final var file = folder.resolve("proxy.cfg");
        proxyKeys.save(folder.resolve("keys"));
        Files.writeString(folder.resolve("allow"), "A/publisher " + publisherKeys.publicKey() + "\n");
        Files.writeString(file, "site=A\nbind=tcp://127.0.0.1:*\nkeys=keys\nallow=allow\n");
        var process = start(file);
        final var remote = new Remote(out.toString(), proxyKeys.publicKey());
        Files.writeString(file, "site=A\nbind=" + remote.address() + "\nkeys=keys\nallow=allow\n");
        Files.writeString(folder.resolve("allow"), "A/publisher " + publisherKeys.publicKey() + "\nA/subscriber "
            + subscriberKeys.publicKey() + "\n");
        try (var publisher = new ZmqBus(new NodeName("A", "publisher"), remote, publisherKeys, BusLimits.DEFAULT,
                1);
                var subscriber = new ZmqBus(new NodeName("A", "subscriber"), remote, subscriberKeys,
                    BusLimits.DEFAULT, 1)) {
            Sites.until(() -> publisher.link().up() && subscriber.link().up());
            final var received = new Received();
            subscriber.subscribe(new TopicFilter("/c1/"), received);
            final var stream = new StreamId(new NodeName("A", "publisher"), TOPIC);
            publish(publisher, 1, 100);
            received.await(stream, 100);
            process.destroyForcibly().waitFor();
            publish(publisher, 101, 200);
            process = start(file);
            publish(publisher, 201, 300);

            received.await(stream, 300);
            assertEquals(List.of(), received.gaps);
            received.check(stream, received.streams.get(stream).getFirst(), 300);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void publish(final Bus bus, final int first, final int last) {
        for (int i = first; i <= last; i++) {
            assertEquals(new Bus.Publication.Accepted(), bus.publish(TOPIC, Integer.toString(i)));
        }
    }
}
