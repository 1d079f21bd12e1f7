// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.NodeName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Proxies of some sites and their nodes on loopback, each with keys of its own. */
final class Sites implements AutoCloseable {
    /** Ticks after which an ephemeral node is gone: 2 s. */
    static final int GRACE_TICKS = 8;
    private static final long PATIENCE_S = 30;

    final Map<String, SiteProxy> proxies = new LinkedHashMap<>();
    final Map<String, CurveKeys> keys = new HashMap<>();

    private final Map<String, String> allowed = new HashMap<>();
    private final Map<String, String> addresses = new HashMap<>();
    private final List<ZmqBus> nodes = new ArrayList<>();
    private final BusLimits limits;
    private final BusLimits nodeLimits;
    private long epoch;

    Sites(final BusLimits limits, final String... sites) {
        this(limits, limits, sites);
    }

    /** Makes sites whose nodes have other limits. */
    Sites(final BusLimits limits, final BusLimits nodeLimits, final String... sites) {
        this.limits = limits;
        this.nodeLimits = nodeLimits;
        for (final var site : sites) {
            enrol(site);
        }
        for (final var site : sites) {
            start(site, "tcp://127.0.0.1:*");
        }
        sites(sites);
    }

    private void sites(final String... sites) {
        for (final var site : sites) {
            update(site);
        }
        awaitTrunks();
    }

    /** Makes keys for a node or site that all proxies allow from their next update on. */
    CurveKeys enrol(final String name) {
        final var made = CurveKeys.generate();
        keys.put(name, made);
        allow(name, made.publicKey());
        return made;
    }

    /** Allows a key at all proxies from their next update on. */
    void allow(final String name, final String publicKey) {
        allowed.put(publicKey, name);
    }

    void forget(final CurveKeys old) {
        allowed.remove(old.publicKey());
    }

    private void start(final String site, final String bind) {
        final var proxy = new SiteProxy(site, bind, keys.get(site), new AllowList(allowed), limits, GRACE_TICKS);
        proxies.put(site, proxy);
        addresses.put(site, proxy.address());
    }

    void update(final String site) {
        update(site, Map.of());
    }

    /** Updates a proxy, which is told of more sites than there are. */
    void update(final String site, final Map<String, Remote> more) {
        final var remotes = new HashMap<>(more);
        addresses.forEach((name, address) -> {
            if (!name.equals(site)) {
                remotes.put(name, remote(name));
            }
        });
        proxies.get(site).update(keys.get(site), new AllowList(allowed), remotes);
    }

    Remote remote(final String site) {
        return new Remote(addresses.get(site), keys.get(site).publicKey());
    }

    /** Closes a proxy at once, with all that it knows, and starts it again at the same address. */
    void restart(final String site) {
        proxies.get(site).close();
        start(site, addresses.get(site));
        update(site);
    }

    /** Connects a node whose key its proxy already knows. */
    ZmqBus connect(final String name) {
        final var node = NodeName.of(name);
        final var bus = new ZmqBus(node, remote(node.site()), keys.get(name), nodeLimits, ++epoch);
        nodes.add(bus);
        return bus;
    }

    /** Adds a node and waits for its session. */
    ZmqBus join(final String name) {
        enrol(name);
        update(NodeName.of(name).site());
        final var bus = connect(name);
        until(() -> bus.link().up());
        return bus;
    }

    ProxyState state(final String site) {
        return proxies.get(site).state().toCompletableFuture().join();
    }

    boolean hasFilter(final String site, final String filter) {
        return proxies.get(site).filters(1000).toCompletableFuture().join().entries().stream()
            .anyMatch(each -> each.filter().text().equals(filter));
    }

    void awaitTrunks() {
        proxies.keySet().forEach(site -> until(() -> proxies.keySet().stream().allMatch(other -> other.equals(site)
            || state(site).links().containsKey(other) && state(site).links().get(other).up())));
    }

    /** Waits, asking again and again: for what nothing tells of. */
    static void until(final BooleanSupplier condition) {
        final long limitNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < limitNs, "waited in vain");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    /** Ends a loop by interrupts, of which JeroMQ takes most for its own. */
    static void end(final String thread) {
        final var loop = Thread.getAllStackTraces().keySet().stream().filter(each -> each.getName().equals(thread))
            .findFirst().orElseThrow();
        while (loop.isAlive()) {
            loop.interrupt();
        }
    }

    @Override
    public void close() {
        nodes.forEach(ZmqBus::close);
        proxies.values().forEach(SiteProxy::close);
    }
}
