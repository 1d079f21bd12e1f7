// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.AddressResolution;
import io.sluice.api.Fabric;
import io.sluice.api.FirstPackets;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Owner;
import io.sluice.api.Routes;
import io.sluice.api.Subscription;
import io.sluice.api.Timer;
import io.sluice.mdsal.ConfigurationFaults;
import io.sluice.mdsal.ConfigurationReadings;
import io.sluice.mdsal.Loop;
import io.sluice.mdsal.Notifier;
import io.sluice.multipath.engine.ConfigChecks;
import io.sluice.multipath.engine.ConfigChecks.Checked;
import io.sluice.multipath.engine.FlowCounts;
import io.sluice.multipath.engine.MultipathConfig;
import io.sluice.multipath.engine.MultipathEngine;
import io.sluice.multipath.engine.MultipathEngine.Environment;
import io.sluice.multipath.engine.PlacedRoutes;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Multipath;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine with its loop, its timers and what ties it to MD-SAL, while this controller is the one that acts. */
final class MultipathApplication implements DataTreeChangeListener<Multipath>, Registration {
    private static final Logger LOG = LoggerFactory.getLogger(MultipathApplication.class);
    private static final Owner OWNER = new Owner("multipath", 2);
    private static final DataObjectIdentifier<Multipath> ROOT = DataObjectIdentifier.builder(Multipath.class).build();
    /** The published state is so old at most. */
    private static final long PUBLISH_MS = 500;

    private final Loop loop = new Loop("sluice-multipath");
    private final AddressResolution resolution;
    private final MultipathEngine engine;
    private final ConfigurationReadings<Multipath> readings;
    private final TransferConfig transfers;
    private final StatePublisher publisher;
    private final Map<InetAddress, Subscription> virtualAddresses = new HashMap<>();
    private final ConfigurationFaults faults = new ConfigurationFaults();
    private Checked checked = ConfigChecks.check(ConfigCodec.none(), Map.of());
    private final List<Registration> registrations;
    private volatile Routes routes = new PlacedRoutes(List.of());

    /** What the fabric offers. */
    record Network(Fabric fabric, FlowProgrammer programmer, FirstPackets firstPackets, AddressResolution resolution) {
    }

    /** What MD-SAL offers. */
    record Broker(DataBroker dataBroker, RpcProviderService rpcProvider, NotificationPublishService publisher) { }

    MultipathApplication(final Network network, final Broker broker) {
        resolution = network.resolution();
        publisher = new StatePublisher(broker.dataBroker());
        final var counts = new FlowCounts(new Announcer(new Notifier(broker.publisher())));
        final var environment = new Environment(network.fabric(), network.programmer().claim(OWNER),
            network.firstPackets(), new DatastoreRecords(broker.dataBroker()), counts, loop, Timer.on(loop),
            System::nanoTime, InstantSource.system());
        engine = begun(environment, loop);
        final var dataBroker = broker.dataBroker();
        readings = new ConfigurationReadings<>(dataBroker, ROOT, this::takeConfiguration);
        transfers = new TransferConfig(dataBroker);
        final var rpcs = new MultipathRpcs(engine, network.fabric(), readings::refresh,
            () -> checked, transfers, loop);
        registrations = List.of(
            dataBroker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
                DataObjectReference.builder(Multipath.class).build(), this),
            rpcs.register(broker.rpcProvider(), new PathFinderRpc(network.fabric()), new ExplainRpc(engine, loop)));
        loop.scheduleWithFixedDelay(() -> {
            routes = new PlacedRoutes(engine.flows());
            publisher.publish(engine, counts.totals());
        }, PUBLISH_MS, PUBLISH_MS, TimeUnit.MILLISECONDS);
        scheduleReview();
    }

    /** An engine, or nothing that would be in the way of another try. */
    private static MultipathEngine begun(final Environment environment, final ExecutorService loop) {
        try {
            return CompletableFuture.supplyAsync(() ->
                new MultipathEngine(environment, OWNER, ConfigCodec.none()), loop).join();
        } catch (CompletionException e) {
            environment.claim().close();
            loop.shutdownNow();
            throw e;
        }
    }

    /** Where flows go, at most {@link #PUBLISH_MS} ago. */
    Routes routes() {
        return routes;
    }

    @Override
    public void onDataTreeChanged(final List<DataTreeModification<Multipath>> changes) {
        readings.refresh();
    }

    @Override
    public void close() {
        registrations.forEach(Registration::close);
        CompletableFuture.runAsync(() -> {
            engine.close();
            virtualAddresses.values().forEach(Subscription::close);
        }, loop).join();
        loop.shutdown();
    }

    private CompletionStage<Void> takeConfiguration(final Optional<Multipath> written) {
        final var unreadable = new HashMap<String, String>();
        final var config = written.map(stored -> ConfigCodec.decode(stored, unreadable)).orElseGet(ConfigCodec::none);
        return CompletableFuture.runAsync(() -> configure(config, unreadable), loop);
    }

    /** Faulty items are left out. */
    private void configure(final MultipathConfig written, final Map<String, String> unreadable) {
        checked = ConfigChecks.check(written, unreadable);
        faults.tell(checked.faults());
        final var config = checked.sound();
        final var wanted = new HashMap<InetAddress, Subscription>();
        config.services().values().forEach(service -> service.virtualAddress().ifPresent(address ->
            wanted.computeIfAbsent(address, added -> {
                final var standing = virtualAddresses.remove(added);
                return standing == null ? resolution.answerFor(added) : standing;
            })));
        virtualAddresses.values().forEach(Subscription::close);
        virtualAddresses.clear();
        virtualAddresses.putAll(wanted);
        engine.configure(config);
    }

    /** The interval may change from one review to the next. */
    private void scheduleReview() {
        loop.schedule(() -> review().whenCompleteAsync((moved, failure) -> {
            if (failure != null) {
                LOG.warn("the placed flows can't be reviewed", failure);
            }
            scheduleReview();
        }, loop), engine.config().refreshMs(), TimeUnit.MILLISECONDS);
    }

    /** A review that breaks off must not be the last one. */
    private CompletionStage<?> review() {
        try {
            return engine.review(false).thenCompose(moved -> CompletableFuture.allOf(engine.idleTransfers().stream()
                .map(name -> transfers.delete(name).thenRun(() ->
                    LOG.info("transfer-ended name={} cause=idle", name)).toCompletableFuture())
                .toArray(CompletableFuture[]::new)));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
