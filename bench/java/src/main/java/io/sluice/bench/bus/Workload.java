// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is published: numbered messages of a size, one each interval.
 *
 * @param count messages
 * @param intervalNs between two of them
 * @param size bytes of a message's body
 * @param startNs when the first one is due, by {@link System#nanoTime}
 */
record Workload(int count, long intervalNs, int size, long startNs) {
    /** The topic of everything. */
    static final String TOPIC = "/load/site_A_messages";
    /** The body of a message that tells subscribers only that they are connected. */
    static final String WARM_UP = "warm-up";
    private static final int NUMBER_DIGITS = 10;
    private static final int TIME_DIGITS = 19;
    private static final Pattern BODY = Pattern.compile("[0-9]{" + (NUMBER_DIGITS + TIME_DIGITS) + "}x*");

    /** A message as a subscriber reads it. */
    record Message(int number, long sentNs) { }

    /** Reads {@code COUNT INTERVAL-NS SIZE START-NS}. */
    static Workload of(final String line) {
        final var words = line.split(" ");
        return new Workload(Integer.parseInt(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2]),
            Long.parseLong(words[3]));
    }

    /** Returns when a message is due. */
    long dueNs(final int number) {
        return startNs + number * intervalNs;
    }

    /** Returns the body of a message that is sent now. */
    String body(final int number) {
        final var text = new byte[size];
        Arrays.fill(text, (byte) 'x');
        put(text, NUMBER_DIGITS, NUMBER_DIGITS, number);
        put(text, NUMBER_DIGITS + TIME_DIGITS, TIME_DIGITS, System.nanoTime());
        return new String(text, StandardCharsets.US_ASCII);
    }

    /** Writes so many digits of a number, the last one before {@code end}. */
    private static void put(final byte[] text, final int end, final int digits, final long number) {
        long rest = number;
        for (int at = end - 1; at >= end - digits; at--) {
            text[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /** Returns what the body of a message says, or nothing if it is none. */
    static Optional<Message> read(final String body) {
        return BODY.matcher(body).matches() ? Optional.of(new Message(
            Integer.parseInt(body.substring(0, NUMBER_DIGITS)),
            Long.parseLong(body.substring(NUMBER_DIGITS, NUMBER_DIGITS + TIME_DIGITS)))) : Optional.empty();
    }
}
