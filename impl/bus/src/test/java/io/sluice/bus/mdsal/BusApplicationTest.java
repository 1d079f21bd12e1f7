// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.bus.AllowList;
import io.sluice.bus.BusLimits;
import io.sluice.bus.CurveKeys;
import io.sluice.bus.EmbeddedBus;
import io.sluice.bus.Remote;
import io.sluice.bus.SiteProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.DomainName;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Bus;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.BusBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Filter;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListFilters;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListFiltersInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListTopics;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListTopicsInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ListTopicsOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.NodeName;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublicKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Publish;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublishInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.PublishOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ReadTopic;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.ReadTopicInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.RotateKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.RotateKeyInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.SiteChange;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.SiteName;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Topic;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.NodeKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RemoteSiteBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.bus.RemoteSiteKey;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** The bus as a controller runs it, with sockets on loopback and a datastore of the test's own. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BusApplicationTest {
    private static final long PATIENCE_S = 30;

    @TempDir
    private Path folder;

    private final FakeController controller = new FakeController();
    private final CompletableFuture<io.sluice.api.Bus> withdrawn = new CompletableFuture<>();
    private EmbeddedBus embedded;
    private BusApplication application;
    private BusBuilder site;

    @BeforeEach
    void start() throws IOException {
        embedded = new EmbeddedBus(folder.resolve("bus"), InstantSource.system(), bus -> () -> withdrawn.complete(bus));
        application = new BusApplication(controller.broker(), embedded);
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            site = Configured.site("A").setPort(Configured.port(free.getLocalPort()));
        }
    }

    @AfterEach
    void stop() {
        application.close();
    }

    /** Waits for a state that is so. */
    private Bus shown(final Predicate<Bus> condition) throws InterruptedException {
        while (true) {
            final var state = controller.shown.poll(PATIENCE_S, TimeUnit.SECONDS);
            if (state.isPresent() && condition.test(state.orElseThrow())) {
                return state.orElseThrow();
            }
        }
    }

    private Bus open() throws InterruptedException {
        controller.configure(Optional.of(site.build()));
        return shown(state -> state.getOwnNode() != null && state.getOwnNode().getUp());
    }

    private RpcResult<PublishOutput> publish(final String topic, final String body) throws Exception {
        return controller.rpc(Publish.class).invoke(new PublishInputBuilder()
            .setTopic(topic == null ? null : new Topic(topic)).setBody(body).build()).get();
    }

    private static ErrorTag tag(final RpcResult<?> refused) {
        assertFalse(refused.isSuccessful());
        return refused.getErrors().iterator().next().getTag();
    }

    private static String reason(final RpcResult<?> refused) {
        return refused.getErrors().iterator().next().getMessage();
    }

    private ListTopicsOutput topics(final String filter) throws Exception {
        return controller.rpc(ListTopics.class).invoke(new ListTopicsInputBuilder()
            .setFilter(filter == null ? null : new Filter(filter)).build()).get().getResult();
    }

    @Test
    void nothingIsShownOrAnsweredUntilItIsConfigured() throws Exception {
        assertEquals(Optional.empty(), controller.shown.poll(PATIENCE_S, TimeUnit.SECONDS));
        final var answer = publish("/c1", "{}");
        assertEquals(ErrorTag.DATA_MISSING, tag(answer));
        assertEquals("no bus is configured; write sluice-bus:bus", reason(answer));
    }

    @Test
    void aConfigurationThatGoesTakesTheStateAlong() throws Exception {
        open();

        controller.configure(Optional.empty());

        while (controller.shown.poll(PATIENCE_S, TimeUnit.SECONDS).isPresent()) {
            Thread.onSpinWait();
        }
        assertEquals(ErrorTag.DATA_MISSING, tag(publish("/c1", "{}")));
    }

    @Test
    void whatIsPublishedIsListedAndRead() throws Exception {
        open();
        assertTrue(publish("/c1/routes", "{\"a\": 1}").isSuccessful());
        assertTrue(publish("/c2/site_A_forwarders", "{}").isSuccessful());
        while (topics(null).getStreams().intValue() < 2) {
            Thread.onSpinWait();
        }

        final var listed = topics("/c1/").nonnullTopic().getFirst();
        assertEquals("/c1/routes", listed.getName().getValue());
        final var last = listed.nonnullLastValue().values().iterator().next();
        assertEquals(List.of("A/controller", "1", "8"), List.of(last.getPublisher(), last.getSequence().toString(),
            last.getSize().toString()));
        final var read = controller.rpc(ReadTopic.class).invoke(new ReadTopicInputBuilder()
            .setTopic(new Topic("/c1/routes")).build()).get().getResult();
        assertEquals("{\"a\": 1}", read.nonnullLastValue().values().iterator().next().getBody());
        assertEquals(0, controller.rpc(ListFilters.class).invoke(new ListFiltersInputBuilder().build()).get()
            .getResult().getFilters().intValue());
    }

    @Test
    void topicsAreListedInOrder() throws Exception {
        open();
        for (final var topic : List.of("/c2", "/c3", "/c1")) {
            assertTrue(publish(topic, "{}").isSuccessful());
        }
        while (topics(null).getStreams().intValue() < 3) {
            Thread.onSpinWait();
        }

        assertEquals(List.of("/c1", "/c2", "/c3"),
            topics(null).nonnullTopic().stream().map(topic -> topic.getName().getValue()).toList());
    }

    @Test
    void aWrongTopicIsRefusedWithTheReason() throws Exception {
        open();

        assertEquals(ErrorTag.MISSING_ELEMENT, tag(publish(null, "{}")));
        assertEquals("not a topic: /site_A", reason(publish("/site_A", "{}")));
        final var foreign = publish("/c1/site_B_forwarders", "{}");
        assertEquals(ErrorTag.INVALID_VALUE, tag(foreign));
        assertTrue(reason(foreign).startsWith("only nodes of that site publish on "));
    }

    @Test
    void theKeyIsRotatedOnDemand() throws Exception {
        final var before = open();
        final var renewals = before.getOwnNode().getRenewals();

        final var fresh = controller.rpc(RotateKey.class).invoke(new RotateKeyInputBuilder().build()).get()
            .getResult().getPublicKey();

        assertNotEquals(before.getPublicKey(), fresh);
        shown(state -> fresh.equals(state.getPublicKey()) && state.getOwnNode().getUp()
            && state.getOwnNode().getRenewals().compareTo(renewals) > 0);
    }

    /** Holds the proxy's thread up: what is chained to an answer runs there, unless the answer came first. */
    private static void stall(final SiteProxy proxy, final CompletableFuture<Void> end) {
        proxy.state().thenRun(() -> {
            if (Thread.currentThread().getName().startsWith("sluice-bus-proxy")) {
                end.join();
            } else {
                stall(proxy, end);
            }
        });
    }

    @Test
    void aProxyThatDoesNotAnswerIsAFaultUntilItDoes() throws Exception {
        open();
        final var end = new CompletableFuture<Void>();
        stall(embedded.proxy().orElseThrow(), end);
        try {
            final var silent = shown(state -> state.getFault() != null);
            assertEquals("the proxy has not answered for 5 s", silent.getFault());
            assertNull(silent.getOwnNode());
            final var refused = controller.rpc(ListTopics.class).invoke(new ListTopicsInputBuilder().build()).get();
            assertEquals(ErrorTag.OPERATION_FAILED, tag(refused));
            assertEquals("the proxy has not answered for 5 s", reason(refused));
        } finally {
            end.complete(null);
        }

        shown(state -> state.getFault() == null && state.getOwnNode() != null);
    }

    @Test
    void whatAFormerBusAnswersIsNotShown() throws Exception {
        final var former = ownKeys(open());
        final var end = new CompletableFuture<Void>();
        stall(embedded.proxy().orElseThrow(), end);
        try {
            shown(state -> state.getFault() != null);
            controller.configure(Optional.of(site.setSite(new SiteName("B")).build()));
            withdrawn.join();
        } finally {
            end.complete(null);
        }

        final var first = shown(state -> state.getSite().getValue().equals("B") && state.getOwnNode() != null);
        assertNotEquals(former, ownKeys(first));
    }

    private static Set<PublicKey> ownKeys(final Bus state) {
        return state.nonnullNode().get(new NodeKey(new NodeName("controller"))).getPublicKey();
    }

    @Test
    void aSiteThatComesAndGoesIsToldOf() throws Exception {
        final var key = open().getPublicKey().getValue();
        final var keys = CurveKeys.generate();
        final var here = "tcp://127.0.0.1:" + site.getPort().getValue();
        try (var other = new SiteProxy("B", "tcp://127.0.0.1:*", keys, new AllowList(Map.of(key, "A")),
                BusLimits.DEFAULT)) {
            other.update(keys, new AllowList(Map.of(key, "A")), Map.of("A", new Remote(here, key)));
            final int port = Integer.parseInt(other.address().substring(other.address().lastIndexOf(':') + 1));
            controller.configure(Optional.of(site.setRemoteSite(BindingMap.of(
                new RemoteSiteBuilder(Configured.remote("B", keys.publicKey())).setAddress(new DomainName("127.0.0.1"))
                    .setPort(Configured.port(port)).build())).build()));

            assertTrue(change().getUp());
            shown(state -> state.nonnullRemoteSite().get(new RemoteSiteKey(new SiteName("B"))).getLink().getUp());
        }
        controller.configure(Optional.of(site.setRemoteSite(Map.of()).build()));

        assertFalse(change().getUp());
    }

    private SiteChange change() throws InterruptedException {
        final var told = (SiteChange) controller.told.poll(PATIENCE_S, TimeUnit.SECONDS);
        assertEquals("B", told.getSite().getValue());
        return told;
    }
}
