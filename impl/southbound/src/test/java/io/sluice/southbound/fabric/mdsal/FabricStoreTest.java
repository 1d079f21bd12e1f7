// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.SettableFuture;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.Memory;
import io.sluice.testlib.Addresses;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.ReadTransaction;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.FabricStoreBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.HostBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.Switch;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.TaggedHost;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.remembered.host.AcquaintanceBuilder;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.util.concurrent.FluentFutures;

class FabricStoreTest {
    private static final SwitchId ONE = new SwitchId("openflow:1");

    /** Of each transaction, how many changes it has. */
    private final List<Integer> changes = new ArrayList<>();
    private final List<SettableFuture<CommitInfo>> commits = new ArrayList<>();
    private final FabricStore store = new FabricStore((DataBroker) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {DataBroker.class}, (proxy, method, arguments) ->
            method.getName().equals("newReadOnlyTransaction") ? reading() : transaction()));
    /** What was put last, of each kind. */
    private final FabricStoreBuilder stored = new FabricStoreBuilder();

    @Test
    void changesOfTheSameThingNeverOverlap() {
        for (int object = 1; object <= 3; object++) {
            store.remember(ONE, base(object));
        }
        assertEquals(List.of(1), changes);

        commits.getFirst().set(CommitInfo.empty());
        assertEquals(List.of(1, 2), changes);

        commits.getLast().set(CommitInfo.empty());
        store.forget(ONE);
        assertEquals(List.of(1, 2, 1), changes);
    }

    @Test
    void whatWaitsIsWrittenAfterAFailureToo() {
        store.remember(ONE, base(1));
        store.remember(ONE, base(2));
        for (int attempt = 0; attempt < 2; attempt++) {
            commits.get(attempt).setException(new IllegalStateException("the shard has no leader"));
        }
        store.remember(ONE, base(3));
        assertEquals(List.of(1, 1, 1), changes);
        commits.getLast().set(CommitInfo.empty());
        assertEquals(List.of(1, 1, 1, 1), changes);
    }

    @Test
    void whatIsRememberedIsReadAgain() throws Exception {
        final var mac = MacAddress.of("0a:00:00:00:00:01");
        final var base = new Memory.Base(1L << 39, Set.of(1L, 0xffff_ff00L), Set.of(2L));
        final var known = new Memory.Known(new Host(mac, Set.of(Addresses.ip("10.0.0.1"), Addresses.ip("fe80::1")),
            new PortId(ONE, 7)), 3, Map.of(Addresses.ip("10.0.0.2"), new Memory.Whereabouts(mac, 4),
                Addresses.ip("fd00::2"), new Memory.Whereabouts(mac, 5)));
        store.remember(ONE, base);
        commits.getFirst().set(CommitInfo.empty());
        store.remember(known);

        assertEquals(new Memory.Contents(Map.of(ONE, base), Map.of(known.host().id(), known)), store.read().get());
    }

    @Test
    void aHostOfAVlanIsRememberedBesideItsNamesake() throws Exception {
        final var mac = MacAddress.of("0a:00:00:00:00:01");
        final var untagged = new Memory.Known(new Host(mac, Set.of(Addresses.ip("10.0.0.1")), new PortId(ONE, 7)), 3,
            Map.of());
        final var tagged = new Memory.Known(new Host(10, mac, Set.of(Addresses.ip("10.0.0.1")), new PortId(ONE, 8)), 4,
            Map.of(Addresses.ip("10.0.0.2"), new Memory.Whereabouts(mac, 5)));
        store.remember(untagged);
        commits.getFirst().set(CommitInfo.empty());
        store.remember(tagged);

        assertEquals(Map.of(untagged.host().id(), untagged, tagged.host().id(), tagged), store.read().get().hosts());
    }

    @Test
    void anAcquaintanceWithoutAnObjectIsSkippedAndTheRestIsRead() throws Exception {
        final var mac = MacAddress.of("0a:00:00:00:00:01");
        final var host = new Host(mac, Set.of(Addresses.ip("10.0.0.1")), new PortId(ONE, 7));
        final var kept = Map.of(Addresses.ip("10.0.0.2"), new Memory.Whereabouts(mac, 4));
        store.remember(new Memory.Known(host, 3, kept));
        final var written = stored.getHost().values().iterator().next();
        stored.setHost(BindingMap.of(new HostBuilder(written).setAcquaintance(BindingMap.of(
            written.nonnullAcquaintance().values().iterator().next(),
            new AcquaintanceBuilder().setAddress(HostWords.encode(Addresses.ip("10.0.0.3")))
                .setMac(HostWords.encode(mac)).build())).build()));

        assertEquals(Map.of(host.id(), new Memory.Known(host, 3, kept)), store.read().get().hosts());
    }

    private static Memory.Base base(final long object) {
        return new Memory.Base(object, Set.of(), Set.of());
    }

    private WriteTransaction transaction() {
        final int number = changes.size();
        changes.add(0);
        commits.add(SettableFuture.create());
        return (WriteTransaction) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {WriteTransaction.class}, (proxy, method, arguments) -> switch (method.getName()) {
                case "put", "delete" -> {
                    keep(arguments[arguments.length - 1]);
                    yield changes.set(number, changes.get(number) + 1);
                }
                case "commit" -> FluentFuture.from(commits.get(number));
                default -> throw new UnsupportedOperationException(method.getName());
            });
    }

    private void keep(final Object data) {
        switch (data) {
            case Switch node -> stored.setSwitch(BindingMap.of(node));
            case org.opendaylight.yang.gen.v1.urn.sluice.fabric.store.rev261121.fabric.store.Host host ->
                stored.setHost(BindingMap.of(host));
            case TaggedHost host -> stored.setTaggedHost(BindingMap.of(host));
            default -> { }
        }
    }

    private ReadTransaction reading() {
        return (ReadTransaction) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {ReadTransaction.class}, (proxy, method, arguments) -> method.getName().equals("read")
                ? FluentFutures.immediateFluentFuture(Optional.of(stored.build())) : null);
    }
}
