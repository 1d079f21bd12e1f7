// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.bus;

import io.sluice.api.NodeName;
import io.sluice.bus.AllowList;
import io.sluice.bus.BusLimits;
import io.sluice.bus.CurveKeys;
import io.sluice.bus.ProxyState;
import io.sluice.bus.Remote;
import io.sluice.bus.SiteProxy;
import io.sluice.bus.ZmqBus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A site within this process: its proxy, and nodes that are connected to it as any others. */
record Site(SiteProxy proxy, List<ZmqBus> nodes) {
    /**
     * Opens both.
     *
     * @param address where the proxy listens
     * @param keys of the proxy; the nodes get keys that are in no file
     * @param names of the nodes, all of one site
     * @param remotes the other sites that it is linked with, by name
     */
    static Site open(final String address, final CurveKeys keys, final List<NodeName> names,
            final Map<String, Remote> remotes, final BusLimits limits) {
        final var allowed = new HashMap<String, String>();
        remotes.forEach((name, remote) -> allowed.put(remote.publicKey(), name));
        final var own = new ArrayList<CurveKeys>();
        for (final var name : names) {
            own.add(CurveKeys.generate());
            allowed.put(own.getLast().publicKey(), name.toString());
        }
        final var list = new AllowList(allowed);
        final var proxy = new SiteProxy(names.getFirst().site(), address, keys, list, limits);
        proxy.update(keys, list, remotes);
        final var way = new Remote(address, keys.publicKey());
        final var nodes = new ArrayList<ZmqBus>();
        for (final var name : names) {
            nodes.add(new ZmqBus(name, way, own.get(nodes.size()), limits, System.currentTimeMillis()));
        }
        return new Site(proxy, nodes);
    }

    /** Returns what the proxy shows, or nothing if it is too busy. */
    Optional<ProxyState> state() {
        return proxy.state().handle((state, failure) -> Optional.ofNullable(state)).toCompletableFuture().join();
    }
}
