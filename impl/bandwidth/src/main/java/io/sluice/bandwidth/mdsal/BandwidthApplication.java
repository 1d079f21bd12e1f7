// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import io.sluice.api.Fabric;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Owner;
import io.sluice.api.PortQueues;
import io.sluice.api.Routes;
import io.sluice.bandwidth.engine.BandwidthConfig;
import io.sluice.bandwidth.engine.BandwidthEngine;
import io.sluice.bandwidth.engine.Environment;
import io.sluice.bandwidth.engine.Environment.Switches;
import io.sluice.bandwidth.engine.Environment.Time;
import io.sluice.mdsal.ConfigurationFaults;
import io.sluice.mdsal.ConfigurationReadings;
import io.sluice.mdsal.Loop;
import io.sluice.mdsal.Notifier;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Bandwidth;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engine with its loop, its timers and what ties it to MD-SAL, while this controller is the one that acts. */
final class BandwidthApplication implements DataTreeChangeListener<Bandwidth>, Registration {
    private static final Logger LOG = LoggerFactory.getLogger(BandwidthApplication.class);
    private static final Owner OWNER = new Owner("bandwidth", Owner.METERS_FLOWS);
    private static final DataObjectIdentifier<Bandwidth> ROOT = DataObjectIdentifier.builder(Bandwidth.class).build();
    /** A switch that has not answered by then holds up no round. */
    private static final long PATIENCE_S = 3;
    /** The published state is so old at most. */
    private static final long PUBLISH_MS = 500;

    private final Loop loop = new Loop("sluice-bandwidth");
    private final BandwidthEngine engine;
    private final ConfigurationReadings<Bandwidth> readings;
    private final ConfigurationFaults faults = new ConfigurationFaults();
    private final List<Registration> registrations;
    /** Belongs to the loop, as does {@code closed}, after which what is still read is for the next controller. */
    private ScheduledFuture<?> nextRound;
    private boolean closed;

    /** What the network offers. */
    record Network(Fabric fabric, FlowProgrammer programmer, Routes routes, PortQueues queues) { }

    /** What MD-SAL offers. */
    record Broker(DataBroker dataBroker, RpcProviderService rpcProvider, NotificationPublishService publisher) { }

    BandwidthApplication(final Network network, final Broker broker) {
        final var dataBroker = broker.dataBroker();
        readings = new ConfigurationReadings<>(dataBroker, ROOT, this::takeConfiguration);
        engine = new BandwidthEngine(new Environment(network.fabric(),
            new Switches(network.programmer().claim(OWNER), network.queues()), network.routes(),
            new Announcer(new Notifier(broker.publisher())), new Time(loop,
                CompletableFuture.delayedExecutor(PATIENCE_S, TimeUnit.SECONDS, loop), System::nanoTime)), OWNER);
        registrations = List.of(
            dataBroker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
                DataObjectReference.builder(Bandwidth.class).build(), this),
            new BandwidthRpcs(engine, readings::refresh, new ApplicationWrites(dataBroker), loop)
                .register(broker.rpcProvider()));
        readings.refresh();
        final var publisher = new StatePublisher(dataBroker);
        loop.scheduleWithFixedDelay(() -> publisher.publish(StateCodec.state(engine)), PUBLISH_MS, PUBLISH_MS,
            TimeUnit.MILLISECONDS);
        loop.execute(this::scheduleRound);
    }

    @Override
    public void onDataTreeChanged(final List<DataTreeModification<Bandwidth>> changes) {
        readings.refresh();
    }

    @Override
    public void close() {
        registrations.forEach(Registration::close);
        CompletableFuture.runAsync(this::leave, loop).join();
        loop.shutdown();
    }

    private void leave() {
        closed = true;
        if (nextRound != null) {
            nextRound.cancel(false);
        }
        engine.close();
    }

    private CompletionStage<Void> takeConfiguration(final Optional<Bandwidth> written) {
        final var unreadable = new HashMap<String, String>();
        final var config = written.map(stored -> ConfigCodec.decode(stored, unreadable))
            .orElse(BandwidthConfig.DEFAULT);
        return CompletableFuture.runAsync(() -> {
            if (!closed) {
                faults.tell(unreadable);
                final long before = engine.config().intervalUs();
                engine.configure(config);
                if (config.intervalUs() != before && nextRound != null && nextRound.cancel(false)) {
                    scheduleRound();
                }
            }
        }, loop);
    }

    /** The interval may change from one round to the next. */
    private void scheduleRound() {
        if (closed) {
            return;
        }
        nextRound = loop.schedule(() -> round().whenCompleteAsync((outcome, failure) -> {
            if (failure != null) {
                LOG.warn("rates can't be allocated", failure);
            }
            scheduleRound();
        }, loop), engine.config().intervalUs(), TimeUnit.MICROSECONDS);
    }

    /** A round that breaks off must not be the last one. */
    private CompletionStage<?> round() {
        try {
            return engine.reallocate();
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
