// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sites, nodes and the links between them, without sockets: frames wait in queues, and while the network is lossy each
 * hop drops, repeats and reorders some of them. A function of the seed.
 */
final class LossyNetwork {
    private static final int QUEUE = 400;
    private static final int QUIET_TICKS = 40;

    final Map<String, ProxyCore> proxies = new LinkedHashMap<>();
    final Map<NodeName, NodeCore> nodes = new LinkedHashMap<>();
    /** Frames with a last value or message that crossed from a site to another, by {@code "from>to"}. */
    final Map<String, Integer> crossed = new HashMap<>();

    private final Random random;
    private final BusLimits limits;
    private final List<Channel> channels = new ArrayList<>();
    private final Map<NodeName, Line> lines = new HashMap<>();
    private final List<Line> trunks = new ArrayList<>();
    private boolean lossy;

    LossyNetwork(final long seed, final BusLimits limits, final String... sites) {
        random = new Random(seed);
        this.limits = limits;
        for (final var site : sites) {
            proxies.put(site, new ProxyCore(site, limits));
        }
        for (final var low : sites) {
            for (final var high : sites) {
                if (low.compareTo(high) < 0) {
                    trunks.add(new Line(low, high));
                }
            }
        }
        trunks.forEach(Line::callTrunk);
    }

    /** Frames on their way in one direction of a link. */
    private final class Channel {
        private final List<byte[]> frames = new ArrayList<>();
        private final String crossing;
        private Consumer<Frame> sink;

        Channel(final String crossing) {
            this.crossing = crossing;
            channels.add(this);
        }

        boolean send(final Frame frame) {
            if (frames.size() >= QUEUE) {
                return false;
            }
            if (frame.kind() == Kind.DATA && !crossing.isEmpty()) {
                crossed.merge(crossing, 1, Integer::sum);
            }
            if (lossy && random.nextInt(100) == 0) {
                return true;
            }
            final int copies = lossy && random.nextInt(100) == 0 ? 2 : 1;
            for (int i = 0; i < copies; i++) {
                final int back = lossy && random.nextInt(100) == 0 ? random.nextInt(1 + Math.min(5, frames.size())) : 0;
                frames.add(frames.size() - back, FrameCodec.encode(frame));
            }
            return true;
        }

        void deliver() {
            if (FrameCodec.decode(frames.removeFirst()) instanceof FrameCodec.Decoded.Valid valid) {
                sink.accept(valid.frame());
            } else {
                throw new AssertionError("an invalid frame was sent");
            }
        }
    }

    /** A connection, whose ends can be made anew. */
    private final class Line {
        private final String caller;
        private final String called;
        private final Channel up;
        private final Channel down;

        Line(final String caller, final String called) {
            final boolean trunk = caller.indexOf('/') < 0;
            this.caller = caller;
            this.called = called;
            up = new Channel(trunk ? caller + ">" + called : "");
            down = new Channel(trunk ? called + ">" + caller : "");
        }

        void clear() {
            up.frames.clear();
            down.frames.clear();
        }

        void callTrunk() {
            final var proxy = proxies.get(caller);
            final var peer = proxy.call(called, up::send);
            down.sink = frame -> proxy.receive(peer, frame);
            answer();
        }

        /** The called side knows nothing of the connection, as if it were new. */
        void answer() {
            final var proxy = proxies.get(called);
            final Predicate<Frame> wire = down::send;
            final var peer = new Peer[] {proxy.accept(wire)};
            up.sink = frame -> {
                if (!proxy.has(peer[0])) {
                    peer[0] = proxy.accept(wire);
                }
                proxy.receive(peer[0], frame);
            };
        }
    }

    /** Adds a node, or starts one again with a higher epoch. */
    NodeCore start(final NodeName name, final long epoch) {
        final var line = lines.computeIfAbsent(name, key -> new Line(key.toString(), key.site()));
        line.clear();
        final var node = new NodeCore(name, epoch, limits, line.up::send, Runnable::run, Runnable::run);
        line.down.sink = node::receive;
        line.answer();
        nodes.put(name, node);
        return node;
    }

    /** Kills a proxy with all that it knows and all that is on its connections, and starts it again. */
    void restart(final String site) {
        proxies.put(site, new ProxyCore(site, limits));
        trunks.stream().filter(line -> line.caller.equals(site) || line.called.equals(site)).forEach(line -> {
            line.clear();
            if (line.caller.equals(site)) {
                line.callTrunk();
            } else {
                line.answer();
            }
        });
        lines.forEach((node, line) -> {
            if (node.site().equals(site)) {
                line.clear();
                line.answer();
            }
        });
    }

    void setLossy(final boolean isLossy) {
        lossy = isLossy;
    }

    /** Delivers some frames, of links in any order. */
    void step(final int frames) {
        for (int i = 0; i < frames; i++) {
            final var busy = channels.stream().filter(channel -> !channel.frames.isEmpty()).toList();
            if (busy.isEmpty()) {
                return;
            }
            busy.get(random.nextInt(busy.size())).deliver();
            proxies.values().forEach(ProxyCore::drain);
            nodes.values().forEach(NodeCore::drain);
        }
    }

    /** Lets a quarter of a second pass everywhere. */
    void tick() {
        proxies.values().forEach(ProxyCore::tick);
        nodes.values().forEach(NodeCore::tick);
    }

    /** Delivers everything, with the ticks that it takes until nothing happens any more. */
    void settle() {
        for (int quiet = 0; quiet < QUIET_TICKS; quiet++) {
            tick();
            step(Integer.MAX_VALUE);
        }
    }
}
