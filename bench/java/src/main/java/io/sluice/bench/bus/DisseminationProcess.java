// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * One site's process:
 * <pre>
 *   keys FOLDER SITES                    writes key pairs
 *   publish SCHEME FOLDER QUEUE SITES    publishes twice a second, to warm up, until standard input has
 *                                        "COUNT INTERVAL-NS SIZE START-NS"; prints how many were taken
 *   subscribe SCHEME FOLDER QUEUE SITE N prints "ready" when all N have heard something, and what they heard for each
 *                                        line of standard input
 * </pre>
 * All but {@code keys} end with standard input. QUEUE is the high-water mark.
 * SCHEME is {@code sluice} or {@code mesh}. Times are of {@link System#nanoTime}, the same in all processes.
 */
public final class DisseminationProcess {
    private static final long WARM_UP_MS = 500;

    private DisseminationProcess() {
        // a command
    }

    /** Runs the command. */
    public static void main(final String[] args) throws IOException, InterruptedException {
        final var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        switch (args[0]) {
            case "keys" -> Keys.make(Path.of(args[1]),
                IntStream.rangeClosed(0, Integer.parseInt(args[2])).mapToObj(Scheme::site).toList());
            case "publish" -> publish(scheme(args[1], args[3]).publisher(Path.of(args[2]), Integer.parseInt(args[4])),
                input);
            case "subscribe" -> subscribe(scheme(args[1], args[3]), Path.of(args[2]), Integer.parseInt(args[4]),
                Integer.parseInt(args[5]), input);
            default -> throw new IllegalArgumentException("no such command: " + args[0]);
        }
        System.exit(0);
    }

    private static Scheme scheme(final String name, final String queue) {
        return switch (name) {
            case "sluice" -> new OverBus(Integer.parseInt(queue));
            case "mesh" -> new FullMesh(Integer.parseInt(queue));
            default -> throw new IllegalArgumentException("no such scheme: " + name);
        };
    }

    private static void publish(final Predicate<String> publisher, final BufferedReader input)
            throws IOException, InterruptedException {
        while (!input.ready()) {
            publisher.test(Workload.WARM_UP);
            Thread.sleep(WARM_UP_MS);
        }
        final var load = Workload.of(input.lines().findFirst().orElseThrow());
        int taken = 0;
        for (int number = 0; number < load.count(); number++) {
            LockSupport.parkNanos(load.dueNs(number) - System.nanoTime());
            taken += publisher.test(load.body(number)) ? 1 : 0;
        }
        System.out.println(taken);
        input.readLine();
    }

    private static void subscribe(final Scheme scheme, final Path folder, final int site, final int subscribers,
            final BufferedReader input) {
        final var hearing = new Hearing(subscribers);
        scheme.subscribe(folder, site, subscribers, (subscriber, body) -> {
            if (!body.equals(Workload.WARM_UP)) {
                hearing.take(subscriber, body);
            } else if (hearing.warm(subscriber)) {
                System.out.println("ready");
            }
        });
        input.lines().forEach(line -> System.out.println(hearing.report()));
    }
}
