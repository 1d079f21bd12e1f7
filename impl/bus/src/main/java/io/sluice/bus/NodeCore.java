// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Subscription;
import io.sluice.api.Topic;
import io.sluice.api.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A node without its socket: publishes into a log, tracks the streams it subscribes to, and keeps what it told its
 * proxy true through all sessions. Not thread-safe; listeners are called on an executor.
 */
final class NodeCore {
    private final NodeName name;
    private final BusLimits limits;
    private final Link link;
    private final RetainedLog log;
    private final Requests requests;
    private final Executor listeners;
    private final SubscriptionTable<Subscriber> filters = new SubscriptionTable<>();
    private final StreamTable<StreamTracker> trackers;
    private final Unconfirmed unconfirmed;
    private long duplicates;
    private long gaps;
    private boolean closed;

    /**
     * Makes a node that is not connected yet.
     *
     * @param epoch above all of the node's earlier starts
     * @param wire to the site's proxy
     * @param listeners calls listeners and handlers, in order
     * @param guarded runs what comes back from handlers, not at the same time as anything else here
     */
    NodeCore(final NodeName name, final long epoch, final BusLimits limits, final Predicate<Frame> wire,
            final Executor listeners, final Executor guarded) {
        this.name = name;
        this.limits = limits;
        this.listeners = listeners;
        link = new Link(wire, name.toString(), true, limits.window());
        unconfirmed = new Unconfirmed(limits);
        log = new RetainedLog(name.toString(), epoch, limits);
        trackers = new StreamTable<>(limits.streams());
        requests = new Requests(name, epoch, link, listeners, guarded);
    }

    Requests requests() {
        return requests;
    }

    LinkState link() {
        return link.state();
    }

    /** Returns how many messages came that were there already. */
    long duplicates() {
        return duplicates;
    }

    /** Returns how often listeners were told that messages are gone. */
    long gaps() {
        return gaps;
    }

    /** See {@link Bus#publish}. */
    Bus.Publication publish(final Topic topic, final String body) {
        if (closed) {
            return new Bus.Publication.Refused(false, name + " is closed");
        }
        final byte[] octets = body.getBytes(StandardCharsets.UTF_8);
        if (octets.length > FrameCodec.BODY_LIMIT) {
            return new Bus.Publication.Refused(false, "a body of " + octets.length + " octets is above 1 MiB");
        }
        if (topic.site().filter(site -> !site.equals(name.site())).isPresent()) {
            return new Bus.Publication.Refused(false, "only nodes of that site publish on " + topic);
        }
        if (link.isUp() && !link.hasCredit()) {
            return new Bus.Publication.Refused(true, "the site's proxy has yet to confirm what was sent");
        }
        if (!unconfirmed.hasRoom(octets.length)) {
            return new Bus.Publication.Refused(true, unconfirmed + " wait for the site's proxy to confirm them");
        }
        final var frame = log.append(topic.text(), octets);
        if (frame.isEmpty()) {
            return new Bus.Publication.Refused(false, limits.streams() + " topics have a value, or had one this day");
        }
        unconfirmed.add(octets.length);
        link.forward(new StreamId(name, topic), frame.orElseThrow(), 1);
        return new Bus.Publication.Accepted();
    }

    /** See {@link Bus#subscribe}. */
    Subscription subscribe(final TopicFilter filter, final Bus.Listener listener) {
        final var subscriber = new Subscriber(listener);
        trackers.forEach(filter, (stream, tracker) -> {
            if (tracker.last() != null && tracker.last().body().length > 0) {
                final var message = message(stream, tracker.last());
                tell(List.of(subscriber), each -> each.message(message));
            }
        });
        final boolean first = filters.holders(filter).isEmpty();
        filters.add(filter, subscriber);
        if (first) {
            link.subscribe(filter);
        }
        return () -> unsubscribe(filter, subscriber);
    }

    private void unsubscribe(final TopicFilter filter, final Subscriber subscriber) {
        subscriber.over = true;
        if (!filters.remove(filter, subscriber) || !filters.holders(filter).isEmpty()) {
            return;
        }
        trackers.removeIf(filter, stream -> filters.matching(stream.topic()).isEmpty());
        link.unsubscribe(filter);
    }

    /** Takes a frame from the proxy. */
    void receive(final Frame frame) {
        switch (link.receive(frame)) {
            case BEGUN -> begun();
            case FRAME -> handle(frame);
            case CREDIT, NONE, ENDED -> { }
            default -> throw new IllegalStateException("unknown event");
        }
        drain();
    }

    /** Sends what waits; returns whether something waits for room. */
    boolean drain() {
        final boolean waits = link.drain(stream -> log.last(stream.topic().text()));
        unconfirmed.look(link);
        return waits;
    }

    /** Lets a quarter of a second pass. */
    void tick() {
        link.tick();
        trackers.values().forEach(StreamTracker::tick);
        trackers.tick();
        log.tick();
        requests.tick();
    }

    /** Begins a new session, because the connection is a new one. */
    void reconnect() {
        link.renew();
    }

    /** Refuses what is published or asked from now on, and ends the requests that are under way. */
    void close() {
        closed = true;
        requests.close();
    }

    private void begun() {
        unconfirmed.begun();
        log.topics().forEach(topic -> link.lacks(new StreamId(name, new Topic(topic)), 1));
        filters.filters(link::hasInstalled).forEach(link::subscribe);
        trackers.values().forEach(StreamTracker::askAgain);
    }

    private void handle(final Frame frame) {
        switch (frame.kind()) {
            case DATA, REPLAYED, GAP -> track(frame);
            case REPLAY -> log.replay(frame).forEach(link::reply);
            case REQUEST, REPLY, REFUSED -> requests.handle(frame);
            default -> { }
        }
    }

    private void track(final Frame frame) {
        final var stream = frame.stream();
        if (frame.kind() == Kind.DATA && filters.matching(stream.topic()).isEmpty()) {
            return;
        }
        final var known = trackers.get(stream);
        if (known == null && frame.kind() != Kind.DATA) {
            return;
        }
        final var tracker = known == null ? new StreamTracker(new ToListeners(stream)) : known;
        if (trackers.put(stream, tracker)) {
            tracker.accept(frame);
        } else {
            tell(new Bus.Gap(stream.topic(), stream.publisher(), 1, "more streams than can be followed"));
        }
    }

    private void tell(final Bus.Gap gap) {
        gaps++;
        tell(filters.matching(gap.topic()), listener -> listener.gap(gap));
    }

    /** Tells each listener once, unless all of its subscriptions that want to know are closed by then. */
    private void tell(final Collection<Subscriber> subscribers, final Consumer<Bus.Listener> news) {
        subscribers.stream().collect(Collectors.groupingBy(each -> each.listener, LinkedHashMap::new,
            Collectors.toList())).forEach((listener, all) -> listeners.execute(() -> {
                if (!all.stream().allMatch(each -> each.over)) {
                    news.accept(listener);
                }
            }));
    }

    private static Bus.Message message(final StreamId stream, final Frame frame) {
        return new Bus.Message(stream.topic(), stream.publisher(), frame.text());
    }

    /** A subscription; what waits for its listener when it is closed is told to nobody. */
    private static final class Subscriber {
        private final Bus.Listener listener;
        private volatile boolean over;

        Subscriber(final Bus.Listener listener) {
            this.listener = listener;
        }
    }

    /** What a tracker finds goes to those who listen then. */
    private final class ToListeners implements StreamTracker.Outlet {
        private final StreamId stream;
        private boolean begun;

        ToListeners(final StreamId stream) {
            this.stream = stream;
        }

        @Override
        public void deliver(final Frame frame) {
            final boolean withdrawn = !begun && frame.body().length == 0;
            begun = true;
            trackers.note(stream, frame.body().length == 0);
            if (!withdrawn) {
                final var message = message(stream, frame);
                tell(filters.matching(stream.topic()), listener -> listener.message(message));
            }
        }

        @Override
        public void gap(final long messages, final String reason) {
            tell(new Bus.Gap(stream.topic(), stream.publisher(), messages, reason));
        }

        @Override
        public void ask(final long epoch, final long first, final long last) {
            link.offer(new Frame(Kind.REPLAY, stream.publisher().toString(), stream.topic().text(), epoch, first,
                last));
        }

        @Override
        public void duplicate() {
            duplicates++;
        }
    }
}
