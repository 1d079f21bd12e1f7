// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import io.sluice.bus.AllowList;
import io.sluice.bus.BusLimits;
import io.sluice.bus.CurveKeys;
import io.sluice.bus.Remote;
import io.sluice.bus.SiteProxy;
import io.sluice.bus.ZmqBus;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

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
        final var allowed = new HashMap<String, String>();
        final var remotes = new HashMap<String, Remote>();
        for (int site = 1; site <= sites; site++) {
            final var key = Keys.of(folder, site).publicKey();
            allowed.put(key, Scheme.site(site));
            remotes.put(Scheme.site(site), new Remote(Scheme.address(site, PORT), key));
        }
        final var node = open(folder, 0, 1, allowed, remotes)[0];
        final var topic = new Topic(Workload.TOPIC);
        return body -> node.publish(topic, body) instanceof Bus.Publication.Accepted;
    }

    @Override
    public void subscribe(final Path folder, final int site, final int subscribers, final Sink sink) {
        final var publisher = Keys.of(folder, 0).publicKey();
        final var nodes = open(folder, site, subscribers, new HashMap<>(Map.of(publisher, Scheme.site(0))),
            Map.of(Scheme.site(0), new Remote(Scheme.address(0, PORT), publisher)));
        for (int number = 0; number < subscribers; number++) {
            nodes[number].subscribe(new TopicFilter(Workload.TOPIC), new Subscriber(number, sink));
        }
    }

    /** Opens a proxy and the nodes of its site. */
    private Bus[] open(final Path folder, final int site, final int nodes, final Map<String, String> allowed,
            final Map<String, Remote> remotes) {
        final var keys = Keys.of(folder, site);
        final var own = new CurveKeys[nodes];
        for (int number = 0; number < nodes; number++) {
            own[number] = CurveKeys.generate();
            allowed.put(own[number].publicKey(), name(site, number).toString());
        }
        final var list = new AllowList(allowed);
        final var proxy = new SiteProxy(Scheme.site(site), Scheme.address(site, PORT), keys, list, limits);
        proxy.update(keys, list, remotes);
        final var way = new Remote(Scheme.address(site, PORT), keys.publicKey());
        final var opened = new Bus[nodes];
        for (int number = 0; number < nodes; number++) {
            opened[number] = new ZmqBus(name(site, number), way, own[number], limits, System.currentTimeMillis());
        }
        return opened;
    }

    private static NodeName name(final int site, final int number) {
        return new NodeName(Scheme.site(site), "node-" + number);
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
