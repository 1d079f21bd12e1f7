// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.DatastoreWrites;
import io.sluice.southbound.fabric.Memory;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.ObjectNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.RememberedHost;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.HostBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.HostKey;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.Switch;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.SwitchBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.SwitchKey;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.TaggedHost;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.TaggedHostBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.TaggedHostKey;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.remembered.host.Acquaintance;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.remembered.host.AcquaintanceBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fabric's memory in the configuration datastore: it survives this controller, and is there on the next one. What
 * can't be remembered is learned again after a restart.
 */
final class FabricStore implements Memory {
    private static final Logger LOG = LoggerFactory.getLogger(FabricStore.class);
    private static final DataObjectIdentifier<
        org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.FabricStore> ROOT = DataObjectIdentifier.builder(
            org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.FabricStore.class).build();

    private final DataBroker dataBroker;
    private final DatastoreWrites writes;

    FabricStore(final DataBroker dataBroker) {
        this.dataBroker = dataBroker;
        writes = new DatastoreWrites(dataBroker, "what the fabric remembers", Runnable::run);
    }

    /** Reads everything; fails if the datastore does. */
    FluentFuture<Contents> read() {
        try (var transaction = dataBroker.newReadOnlyTransaction()) {
            return transaction.read(LogicalDatastoreType.CONFIGURATION, ROOT)
                .transform(FabricStore::decode, MoreExecutors.directExecutor());
        }
    }

    @Override
    public void remember(final SwitchId switchId, final Base base) {
        final var id = Names.encode(switchId);
        writes.write(transaction -> transaction.put(LogicalDatastoreType.CONFIGURATION,
            ROOT.toBuilder().child(Switch.class, new SwitchKey(id)).build(),
            new SwitchBuilder().setId(id).setObject(number(base.object()))
                .setClosedPort(Names.encode(base.closed())).setInnerPort(Names.encode(base.inner())).build()));
    }

    @Override
    public void remember(final Known known) {
        final var id = known.host().id();
        final var untagged = encode(known);
        writes.write(transaction -> {
            if (id.vlan() == FlowMatch.UNTAGGED) {
                transaction.put(LogicalDatastoreType.CONFIGURATION, path(id.mac()), untagged);
            } else {
                transaction.put(LogicalDatastoreType.CONFIGURATION, taggedPath(id),
                    new TaggedHostBuilder(untagged).withKey(key(id)).build());
            }
        });
    }

    @Override
    public void forget(final Host.Id host) {
        writes.write(transaction -> transaction.delete(LogicalDatastoreType.CONFIGURATION,
            host.vlan() == FlowMatch.UNTAGGED ? path(host.mac()) : taggedPath(host)));
    }

    @Override
    public void forget(final SwitchId switchId) {
        writes.write(transaction -> transaction.delete(LogicalDatastoreType.CONFIGURATION,
            ROOT.toBuilder().child(Switch.class, new SwitchKey(Names.encode(switchId))).build()));
    }

    private static Contents decode(
            final Optional<org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.FabricStore> stored) {
        final var switches = new HashMap<SwitchId, Base>();
        final var hosts = new HashMap<Host.Id, Known>();
        stored.ifPresent(store -> {
            store.nonnullSwitch().values().forEach(node ->
                switches.put(new SwitchId(node.getId().getValue()), new Base(node.getObject().getValue().longValue(),
                    Names.decode(node.getClosedPort()), Names.decode(node.getInnerPort()))));
            store.nonnullHost().values().stream().map(host ->
                decode(new Host.Id(FlowMatch.UNTAGGED, HostWords.decode(host.getMac())), host))
                .forEach(known -> hosts.put(known.host().id(), known));
            store.nonnullTaggedHost().values().stream().map(host ->
                decode(new Host.Id(host.getVlan().getValue().toJava(), HostWords.decode(host.getMac())), host))
                .forEach(known -> hosts.put(known.host().id(), known));
        });
        return new Contents(switches, hosts);
    }

    private static Known decode(final Host.Id id, final RememberedHost host) {
        return new Known(new Host(id.vlan(), id.mac(), HostWords.decode(host.getAddress()),
            Names.decode(host.getSwitch(), host.getPort())), host.getObject().getValue().longValue(),
            acquaintances(id, host));
    }

    /** Those without an object are of a version that gave them none; the host's next question makes them anew. */
    private static Map<InetAddress, Whereabouts> acquaintances(final Host.Id id, final RememberedHost host) {
        final var all = host.nonnullAcquaintance().values();
        final var numbered = all.stream().filter(known -> known.getObject() != null).collect(Collectors.toMap(
            known -> HostWords.decode(known.getAddress()), known -> new Whereabouts(
                HostWords.decode(known.getMac()), known.getObject().getValue().longValue())));
        if (numbered.size() < all.size()) {
            LOG.warn("acquaintances-skipped mac={} count={} reason=\"without an object, from an older version\"",
                id.mac(), all.size() - numbered.size());
        }
        return numbered;
    }

    private static DataObjectIdentifier<
            org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.Host> path(
            final MacAddress mac) {
        return ROOT.toBuilder().child(
            org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.Host.class,
            new HostKey(HostWords.encode(mac))).build();
    }

    private static DataObjectIdentifier<TaggedHost> taggedPath(final Host.Id id) {
        return ROOT.toBuilder().child(TaggedHost.class, key(id)).build();
    }

    private static TaggedHostKey key(final Host.Id id) {
        return new TaggedHostKey(HostWords.encode(id.mac()), HostWords.vlan(id.vlan()));
    }

    /** A host without its VLAN. */
    private static org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.Host encode(
            final Known known) {
        final var host = known.host();
        return new HostBuilder().setMac(HostWords.encode(host.mac())).setObject(number(known.object()))
            .setAddress(HostWords.encode(host.addresses()))
            .setSwitch(Names.encode(host.attachment().switchId()))
            .setPort(Names.encode(host.attachment().number()))
            .setAcquaintance(known.acquaintances().entrySet().stream().map(FabricStore::encode)
                .collect(BindingMap.toMap())).build();
    }

    private static Acquaintance encode(final Map.Entry<InetAddress, Whereabouts> acquaintance) {
        return new AcquaintanceBuilder().setAddress(HostWords.encode(acquaintance.getKey()))
            .setMac(HostWords.encode(acquaintance.getValue().mac()))
            .setObject(number(acquaintance.getValue().object())).build();
    }

    private static ObjectNumber number(final long object) {
        return new ObjectNumber(Uint64.valueOf(object));
    }
}
