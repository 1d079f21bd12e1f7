// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import io.sluice.bus.BusLimits;
import io.sluice.bus.Remote;
import io.sluice.bus.ZmqBus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Nodes that number what they publish and check what they hear:
 * <pre>
 *   keys FOLDER NAME...                                    writes a key pair for each site or node
 *   publish FOLDER NODE PROXY-ADDRESS RETAINED TOPIC...    a node that keeps so many messages for repair
 *   subscribe FOLDER NODE PROXY-ADDRESS RETAINED FILTER...
 *   sites FOLDER FIRST END                                 those sites of {@link PlannedSites}
 * </pre>
 * All but {@code keys} begin with a message that has no number on each topic, which shows subscribers that they are
 * connected, and end with standard input. A line {@code report} there is answered with a JSON object; any other is a
 * {@link Workload}, which is published and answered with how that went.
 */
public final class NumberedProcess {
    private NumberedProcess() {
        // a command
    }

    /** Runs the command. */
    public static void main(final String[] args) throws IOException, InterruptedException {
        final var folder = Path.of(args[1]);
        final var words = Arrays.asList(args).subList(2, args.length);
        switch (args[0]) {
            case "keys" -> Keys.make(folder, words);
            case "publish" -> publish(node(folder, words), words.subList(3, words.size()));
            case "subscribe" -> subscribe(node(folder, words), words.subList(3, words.size()));
            case "sites" -> {
                final var sites = PlannedSites.open(folder, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
                serve(sites.feeds(), sites::report);
            }
            default -> throw new IllegalArgumentException("no such command: " + args[0]);
        }
        System.exit(0);
    }

    /** Connects a node to its site's proxy, which is another process. */
    private static ZmqBus node(final Path folder, final List<String> words) {
        final var name = NodeName.of(words.getFirst());
        final var normal = BusLimits.DEFAULT;
        final var limits = new BusLimits(normal.window(), Integer.parseInt(words.get(2)), normal.retainedOctets(),
            normal.queue(), normal.streams());
        return new ZmqBus(name, new Remote(words.get(1), Keys.of(folder, name.site()).publicKey()),
            Keys.of(folder, name.toString()), limits, System.currentTimeMillis());
    }

    private static void publish(final ZmqBus node, final List<String> topics) throws IOException {
        serve(topics.stream().map(topic -> new Feed(node, new Topic(topic))).toList(),
            () -> report(node, new Numbering()));
    }

    private static void subscribe(final ZmqBus node, final List<String> filters) throws IOException {
        final var numbering = new Numbering();
        filters.forEach(filter -> node.subscribe(new TopicFilter(filter), numbering));
        serve(List.of(), () -> report(node, numbering));
    }

    private static String report(final ZmqBus node, final Numbering numbering) {
        return String.format(Locale.ROOT, "{\"renewals\": %d, \"heard\": %s}", node.link().renewals(),
            numbering.report());
    }

    private static void serve(final List<Feed> feeds, final Supplier<String> report) throws IOException {
        feeds.forEach(Feed::warm);
        final var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (var line = input.readLine(); line != null; line = input.readLine()) {
            if ("report".equals(line)) {
                System.out.println(report.get());
            } else {
                System.out.println(Feed.publish(feeds, Workload.of(line)));
            }
        }
    }
}
