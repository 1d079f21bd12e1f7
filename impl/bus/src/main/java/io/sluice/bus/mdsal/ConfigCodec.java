// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import io.sluice.bus.AllowList;
import io.sluice.bus.EmbeddedBus;
import io.sluice.bus.Remote;
import io.sluice.bus.SiteConfig;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Bus;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.NodeName;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Port;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublicKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.Node;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RemoteSite;
import org.opendaylight.yangtools.yang.common.Uint16;

/**
 * The configuration as values; what is not set has the default that {@code sluice-bus} gives it. What the model forbids
 * and the datastore takes is left out.
 */
final class ConfigCodec {
    private static final Port PORT = new Port(Uint16.valueOf(5570));

    private final String site;
    /** Nodes and sites by key, and who else wanted one that was taken. */
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Remote> remotes = new HashMap<>();
    private final Map<String, String> faults = new HashMap<>();

    /**
     * What was read.
     *
     * @param stored as it stands in the datastore
     * @param faults why an item of it is not used, or a key of it, by what the item is
     */
    record Decoded(Bus stored, SiteConfig config, Map<String, String> faults) {
        Decoded {
            faults = Map.copyOf(faults);
        }
    }

    private ConfigCodec(final String site) {
        this.site = site;
    }

    /** Returns what can be used, and why the rest can't. */
    static Decoded decode(final Bus bus) {
        final var codec = new ConfigCodec(bus.requireSite().getValue());
        bus.nonnullRemoteSite().values().stream()
            .sorted(Comparator.comparing(remote -> remote.requireName().getValue())).forEach(codec::take);
        bus.nonnullNode().values().stream()
            .sorted(Comparator.comparing(node -> node.requireName().getValue())).forEach(codec::take);
        return new Decoded(bus, new SiteConfig(codec.site, bus.requireAddress().getValue(),
            port(bus.getPort()).getValue().toJava(), new AllowList(codec.names), codec.remotes), codec.faults);
    }

    private void take(final RemoteSite remote) {
        final var name = remote.requireName().getValue();
        if (name.equals(site)) {
            faults.put(item(remote), "a remote site is another than this one");
        } else if (takeKey(remote.requirePublicKey(), name, item(remote))) {
            remotes.put(name, new Remote("tcp://" + remote.requireAddress().getValue() + ":"
                + port(remote.getPort()).getValue(), remote.requirePublicKey().getValue()));
        }
    }

    private void take(final Node node) {
        final var name = node.requireName().getValue();
        if (name.equals(EmbeddedBus.NODE)) {
            faults.put(item(node), "the node controller is this controller");
        } else {
            node.requirePublicKey().forEach(key -> takeKey(key, site + "/" + name, item(node)));
        }
    }

    private boolean takeKey(final PublicKey key, final String name, final String item) {
        final var holder = names.putIfAbsent(key.getValue(), name);
        if (holder != null) {
            faults.put(item, "its key " + key.getValue() + " is that of " + holder);
        }
        return holder == null;
    }

    /** How faults name a node. */
    static String item(final Node node) {
        return item(node.requireName());
    }

    /** How faults name a node. */
    static String item(final NodeName node) {
        return "node " + node.getValue();
    }

    /** How faults name a site. */
    static String item(final RemoteSite remote) {
        return "remote-site " + remote.requireName().getValue();
    }

    /** Returns a port, or the default. */
    static Port port(final Port configured) {
        return configured == null ? PORT : configured;
    }
}
