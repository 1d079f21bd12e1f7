// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import io.sluice.bus.BusLimits;
import io.sluice.bus.Remote;
import io.sluice.bus.ZmqBus;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Over the bus: a proxy for each site. */
final class OverBus implements Scheme {
    private static final int PORT = 5570;

    private final BusLimits limits;

    /** Has {@code queue} frames wait in a socket, a quarter of them unconfirmed, as by default. */
    OverBus(final int queue) {
        limits = new BusLimits(queue / 4, BusLimits.DEFAULT.retainedMessages(), BusLimits.DEFAULT.retainedOctets(),
            queue, BusLimits.DEFAULT.streams());
    }

    @Override
    public Predicate<String> publisher(final Path folder, final int sites) {
        final var remotes = new HashMap<String, Remote>();
        for (int site = 1; site <= sites; site++) {
            remotes.put(Scheme.site(site), remote(folder, site));
        }
        final var node = open(folder, 0, 1, remotes).getFirst();
        final var topic = new Topic(Workload.TOPIC);
        return body -> node.publish(topic, body) instanceof Bus.Publication.Accepted;
    }

    @Override
    public void subscribe(final Path folder, final int site, final int subscribers, final Sink sink) {
        final var nodes = open(folder, site, subscribers, Map.of(Scheme.site(0), remote(folder, 0)));
        for (int number = 0; number < subscribers; number++) {
            nodes.get(number).subscribe(new TopicFilter(Workload.TOPIC), new Subscriber(number, sink));
        }
    }

    private static Remote remote(final Path folder, final int site) {
        return new Remote(Scheme.address(site, PORT), Keys.of(folder, Scheme.site(site)).publicKey());
    }

    private List<ZmqBus> open(final Path folder, final int site, final int nodes, final Map<String, Remote> remotes) {
        final var name = Scheme.site(site);
        final var names = IntStream.range(0, nodes).mapToObj(number -> new NodeName(name, "node-" + number)).toList();
        return Site.open(Scheme.address(site, PORT), Keys.of(folder, name), names, remotes, limits).nodes();
    }

    /** Hands messages on; a gap is seen as numbers that never come. */
    private record Subscriber(int number, Sink sink) implements Bus.Listener {
        @Override
        public void message(final Bus.Message message) {
            sink.take(number, message.body());
        }

        @Override
        public void gap(final Bus.Gap gap) {
            System.err.println("gap of " + gap.messages() + ": " + gap.reason());
        }
    }
}
