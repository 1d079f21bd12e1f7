// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import io.sluice.api.TopicFilter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A site's proxy without its sockets: who is connected, who wants what, and the last value of each stream. What nodes
 * of the site publish goes to its subscribers and, once, to each site that has any; what comes from another site goes
 * to the subscribers here. Of two sites the one whose name is first in ASCII connects. Not thread-safe.
 */
final class ProxyCore {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyCore.class);
    /** A network that cut a connection unseen has it replaced, too. */
    private static final int WORTH_A_WARNING = 3;
    private static final int FORGET_TICKS = 60;

    private final String site;
    private final BusLimits limits;
    private final Set<Peer> peers = new LinkedHashSet<>();
    private final Map<String, Peer> byName = new HashMap<>();
    private final SubscriptionTable<Peer> subscriptions = new SubscriptionTable<>();
    private final StreamTable<Frame> lastValues;
    private final Inventory inventory;
    private final Replays replays = new Replays();
    private final Ephemerals ephemerals;
    /** Filters that a node gave up since the last tick; another one, or the same again, may want them. */
    private final Set<TopicFilter> released = new LinkedHashSet<>();
    private final Set<Peer> blocked = new LinkedHashSet<>();
    private final Map<String, Integer> replaced = new HashMap<>();
    private long replacements;
    private long withdrawals;
    private final long[] refusals = new long[Refusal.values().length];

    ProxyCore(final String site, final BusLimits limits) {
        this(site, limits, Ephemerals.GRACE_TICKS);
    }

    /** Makes a proxy that takes an ephemeral node for gone after so many ticks. */
    ProxyCore(final String site, final BusLimits limits, final int graceTicks) {
        this.site = NodeName.checkSite(site);
        this.limits = limits;
        ephemerals = new Ephemerals(graceTicks);
        lastValues = new StreamTable<>(limits.streams());
        inventory = new Inventory(lastValues, subscriptions);
    }

    /** Makes a peer that connected here and has yet to say who it is. */
    Peer accept(final Predicate<Frame> wire) {
        return add(new Peer(new Link(wire, site, false, limits.window()), false, null));
    }

    /** Makes the peer for another site's proxy that this one connects to. */
    Peer call(final String remote, final Predicate<Frame> wire) {
        if (site.compareTo(remote) >= 0) {
            throw new IllegalArgumentException(remote + " connects to " + site + ", not the other way");
        }
        final var peer = add(new Peer(new Link(wire, site, true, limits.window()), true, remote));
        byName.put(remote, peer);
        return peer;
    }

    private Peer add(final Peer peer) {
        peers.add(peer);
        return peer;
    }

    /** Takes a frame; the name in a {@code HELLO} is one that the peer's key proves. */
    void receive(final Peer peer, final Frame frame) {
        if (frame.kind() == Kind.HELLO && !admit(peer, frame.node())) {
            refuse(Refusal.HELLO);
            return;
        }
        switch (peer.link.receive(frame)) {
            case BEGUN -> begun(peer, frame);
            case FRAME -> handle(peer, frame);
            case ENDED -> replays.forget(peer);
            case CREDIT, NONE -> { }
            default -> throw new IllegalStateException("unknown event");
        }
        if (peer.link.drain(lastValues::get)) {
            blocked.add(peer);
        }
    }

    /** Sends what waits for room, not for credit; returns whether some of it still does. */
    boolean drain() {
        blocked.removeIf(peer -> !peers.contains(peer) || !peer.link.drain(lastValues::get));
        return !blocked.isEmpty();
    }

    private boolean admit(final Peer peer, final String name) {
        final boolean proxy = name.indexOf('/') < 0;
        if (peer.caller || proxy && name.compareTo(site) >= 0 || !proxy && !NodeName.of(name).site().equals(site)) {
            return false;
        }
        final var former = byName.put(name, peer);
        if (former != null && former != peer) {
            noteReplaced(name, former);
            peer.replace(former);
            drop(former);
            byName.put(name, peer);
        }
        peer.introduce(name);
        return true;
    }

    /** A node that connects anew does so because its connection is gone, or it is there twice. */
    private void noteReplaced(final String name, final Peer former) {
        if (former.link.isUp()) {
            replacements++;
            if (replaced.merge(name, 1, Integer::sum) == WORTH_A_WARNING) {
                LOG.warn("{} connects again and again while it is connected: do two processes have its key?", name);
            }
        }
    }

    private void begun(final Peer peer, final Frame greeting) {
        peer.begun();
        if (peer.isNode()) {
            ephemerals.begun(peer.name(), greeting.epoch());
        }
        released.addAll(subscriptions.removeAll(peer));
        replays.forget(peer);
        replays.open(publisher -> comesFrom(peer, publisher.toString())).forEach(peer.link::offer);
        if (peer.isProxy()) {
            subscriptions.filters(peer.link::hasInstalled).forEach(filter -> install(filter, peer));
            lastValues.forEach((stream, last) -> {
                if (isOwn(stream) && stream.topic().site().isEmpty()) {
                    peer.link.lacks(stream, greeting.mark() != 0 ? 1 : last.sequence());
                }
            });
        }
    }

    private void handle(final Peer peer, final Frame frame) {
        switch (frame.kind()) {
            case SUBSCRIBE -> subscribe(peer, new TopicFilter(frame.topic()), frame.sequence() != 0);
            case UNSUBSCRIBE -> unsubscribe(peer, new TopicFilter(frame.topic()));
            case DATA -> data(peer, frame);
            case REPLAY -> replay(peer, frame);
            case REPLAYED, GAP -> {
                if (comesFrom(peer, frame.node())) {
                    blocked.addAll(replays.answer(frame));
                } else {
                    refuse(Refusal.PUBLISHER);
                }
            }
            case REQUEST, REPLY, REFUSED -> route(peer, frame);
            default -> throw new IllegalStateException("a frame of the session: " + frame.kind());
        }
    }

    private void subscribe(final Peer peer, final TopicFilter filter, final boolean resumed) {
        if (resumed) {
            peer.resume();
        }
        lastValues.forEach(filter, (stream, last) -> {
            if ((peer.isNode() || isOwn(stream))
                && (resumed || !subscriptions.matching(stream.topic()).contains(peer))) {
                peer.link.lacks(stream, resumed ? 1 : last.sequence());
            }
        });
        subscriptions.add(filter, peer);
        if (peer.isNode()) {
            peers.stream().filter(Peer::isProxy).toList().forEach(remote -> install(filter, remote));
        }
    }

    private void unsubscribe(final Peer peer, final TopicFilter filter) {
        subscriptions.remove(filter, peer);
        released.add(filter);
    }

    /** Installs a filter of this site's subscribers at another site, if topics of that site can match. */
    private void install(final TopicFilter filter, final Peer remote) {
        if (remote.link.isUp() && filter.concerns(remote.name()) && isWanted(filter) && remote.current.add(filter)
            && !remote.link.subscribe(filter)) {
            blocked.add(remote);
        }
    }

    private boolean isWanted(final TopicFilter filter) {
        return subscriptions.holders(filter).stream().anyMatch(Peer::isNode);
    }

    /** Uninstalls what no subscriber here wants any more, and forgets the last values that came for it. */
    private void sweep() {
        for (final var filter : released) {
            if (!isWanted(filter)) {
                peers.stream().filter(Peer::isProxy).forEach(remote -> uninstall(filter, remote));
                lastValues.removeIf(filter, stream -> !isOwn(stream) && stream.topic().site().isPresent()
                    && subscriptions.matching(stream.topic()).stream().noneMatch(Peer::isNode));
            }
        }
        released.clear();
    }

    private void uninstall(final TopicFilter filter, final Peer remote) {
        final boolean current = remote.current.remove(filter);
        if ((current || remote.link.hasInstalled(filter)) && !remote.link.unsubscribe(filter)) {
            blocked.add(remote);
        }
    }

    private void data(final Peer peer, final Frame frame) {
        final var stream = frame.stream();
        if (!comesFrom(peer, frame.node())) {
            refuse(Refusal.PUBLISHER);
            return;
        }
        if (stream.topic().site().filter(named -> !named.equals(stream.publisher().site())).isPresent()) {
            refuse(Refusal.SITE);
            return;
        }
        final var known = lastValues.get(stream);
        if (known != null && !frame.follows(known)) {
            refuse(frame.epoch() < known.epoch() ? Refusal.EPOCH : Refusal.DUPLICATE);
            return;
        }
        if (lastValues.put(stream, frame)) {
            tell(stream, frame);
        } else {
            refuse(Refusal.STREAMS);
        }
    }

    private void tell(final StreamId stream, final Frame frame) {
        lastValues.note(stream, frame.isEmpty());
        for (final var target : targets(stream)) {
            if (!target.link.forward(stream, frame, target.entitledFrom(frame.mark()))) {
                blocked.add(target);
            }
        }
    }

    /** Returns who gets a stream: nodes here, and if it is published here, each site that wants it, once. */
    private Set<Peer> targets(final StreamId stream) {
        final var targets = subscriptions.matching(stream.topic());
        if (!isOwn(stream)) {
            targets.removeIf(Peer::isProxy);
        } else if (stream.topic().site().isEmpty()) {
            peers.stream().filter(Peer::isProxy).forEach(targets::add);
        }
        return targets;
    }

    /** Withdraws last values in the place of a node that is gone, or started again and did not repeat them. */
    private void withdraw(final Ephemerals.Over over) {
        final var values = lastValues.of(over.node()).entrySet().stream()
            .filter(each -> each.getValue().epoch() < over.below() && !each.getValue().isEmpty()).toList();
        values.forEach(each -> {
            final var withdrawn = each.getValue().withdrawn();
            lastValues.put(each.getKey(), withdrawn);
            tell(each.getKey(), withdrawn);
        });
        if (!values.isEmpty()) {
            withdrawals += values.size();
            LOG.info("withdrew {} last values of {}, which is gone or started anew", values.size(), over.node());
        }
    }

    private void replay(final Peer peer, final Frame replay) {
        final var publisher = NodeName.of(replay.node());
        final var target = next(peer, publisher);
        if (target.isEmpty()) {
            refuse(Refusal.TARGET);
        } else if (replays.ask(peer, replay)) {
            target.orElseThrow().link.offer(replay);
        }
    }

    /** Returns the peer that leads to the node: itself, or its site's proxy if the frame does not come from one. */
    private Optional<Peer> next(final Peer from, final NodeName node) {
        if (!node.site().equals(site) && from.isProxy()) {
            return Optional.empty();
        }
        return Optional.ofNullable(byName.get(node.site().equals(site) ? node.toString() : node.site()))
            .filter(peer -> peer.link.isUp());
    }

    private void route(final Peer peer, final Frame frame) {
        if (!comesFrom(peer, frame.node())) {
            refuse(Refusal.PUBLISHER);
            return;
        }
        final var target = next(peer, NodeName.of(frame.topic()));
        if (target.isPresent() && target.orElseThrow().link.offer(frame)) {
            return;
        }
        if (frame.kind() == Kind.REQUEST) {
            final var reason = frame.topic() + (target.isPresent() ? " is busy" : " is not connected to the bus");
            peer.link.offer(new Frame(Kind.REFUSED, site, frame.node(), frame.epoch(), frame.sequence(), 0,
                reason.getBytes(StandardCharsets.UTF_8)));
        } else {
            refuse(Refusal.TARGET);
        }
    }

    /**
     * Returns whether the peer may say so: nodes speak for themselves, proxies for themselves and their site's nodes.
     */
    private static boolean comesFrom(final Peer peer, final String node) {
        return node.equals(peer.name())
            || peer.isProxy() && node.startsWith(peer.name() + "/");
    }

    private boolean isOwn(final StreamId stream) {
        return stream.publisher().site().equals(site);
    }

    /** Counts a frame that is not acted on. */
    void refuse(final Refusal refusal) {
        refusals[refusal.ordinal()]++;
    }

    /** Lets a quarter of a second pass. */
    void tick() {
        lastValues.tick();
        for (final var peer : List.copyOf(peers)) {
            if (peer.link.tick() == Link.Event.ENDED) {
                replays.forget(peer);
            }
            if (!peer.isProxy() && !peer.link.isUp() && peer.link.silentTicks() > FORGET_TICKS) {
                drop(peer);
            }
        }
        ephemerals.tick(this::isConnected).forEach(this::withdraw);
        sweep();
    }

    private boolean isConnected(final String name) {
        final var peer = byName.get(name);
        return peer != null && peer.link.isUp();
    }

    /** Ends the session of a peer whose connection is gone. */
    void lost(final Peer peer) {
        peer.link.lost();
        replays.forget(peer);
    }

    /** Forgets a peer that is gone, or that may no longer be here. */
    void drop(final Peer peer) {
        peers.remove(peer);
        replays.forget(peer);
        if (peer.name() != null) {
            byName.remove(peer.name(), peer);
        }
        released.addAll(subscriptions.removeAll(peer));
    }

    /** Forgets those that connected here, and may be gone since, under a name that is not among these. */
    void dropOthers(final Set<String> allowed) {
        peers.stream().filter(peer -> !peer.caller && peer.name() != null && !allowed.contains(peer.name())).toList()
            .forEach(this::drop);
    }

    /** Returns whether the peer was not dropped. */
    boolean has(final Peer peer) {
        return peers.contains(peer);
    }

    /** Returns what else an operator can ask for. */
    Inventory inventory() {
        return inventory;
    }

    /** Returns what an operator can see. */
    ProxyState state() {
        final var links = new HashMap<String, LinkState>();
        byName.forEach((name, peer) -> links.put(name, peer.link.state()));
        final var refused = new HashMap<Refusal, Long>();
        for (final var refusal : Refusal.values()) {
            refused.put(refusal, refusals[refusal.ordinal()]);
        }
        return new ProxyState(site, links, subscriptions.size(), lastValues.size(), refused, replacements,
            withdrawals);
    }
}
