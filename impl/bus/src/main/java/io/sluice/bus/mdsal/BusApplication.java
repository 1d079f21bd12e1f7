// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import io.sluice.api.Failures;
import io.sluice.bus.BusState;
import io.sluice.bus.EmbeddedBus;
import io.sluice.mdsal.ConfigurationFaults;
import io.sluice.mdsal.ConfigurationReadings;
import io.sluice.mdsal.Loop;
import io.sluice.mdsal.Notifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeChangeListener;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.Bus;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The bus with its loop, its timers and what ties it to MD-SAL, while this controller is the one that acts. */
final class BusApplication implements DataTreeChangeListener<Bus>, Registration {
    private static final Logger LOG = LoggerFactory.getLogger(BusApplication.class);
    private static final DataObjectIdentifier<Bus> ROOT = DataObjectIdentifier.builder(Bus.class).build();
    /** The published state is so old at most. */
    private static final long PUBLISH_MS = 500;
    private static final long RETRY_MS = 5000;

    private final Loop loop = new Loop("sluice-bus");
    private final EmbeddedBus embedded;
    private final ConfigurationReadings<Bus> readings;
    private final ConfigurationFaults faults = new ConfigurationFaults();
    private final StatePublisher publisher;
    private final SiteAnnouncer announcer;
    private final List<Registration> registrations;
    private Optional<ConfigCodec.Decoded> configured = Optional.empty();
    /** Why the proxy does not answer, if it does not. */
    private Optional<String> silence = Optional.empty();

    /** What MD-SAL offers. */
    record Broker(DataBroker dataBroker, RpcProviderService rpcProvider, NotificationPublishService publisher) { }

    BusApplication(final Broker broker, final EmbeddedBus embedded) {
        this.embedded = embedded;
        final var dataBroker = broker.dataBroker();
        readings = new ConfigurationReadings<>(dataBroker, ROOT, this::takeConfiguration);
        publisher = new StatePublisher(dataBroker);
        announcer = new SiteAnnouncer(new Notifier(broker.publisher()));
        registrations = List.of(
            dataBroker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
                DataObjectReference.builder(Bus.class).build(), this),
            new BusRpcs(embedded, readings::refresh, loop).register(broker.rpcProvider()));
        readings.refresh();
        loop.scheduleWithFixedDelay(this::publish, PUBLISH_MS, PUBLISH_MS, TimeUnit.MILLISECONDS);
        loop.scheduleWithFixedDelay(embedded::retry, RETRY_MS, RETRY_MS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void onDataTreeChanged(final List<DataTreeModification<Bus>> changes) {
        readings.refresh();
    }

    @Override
    public void close() {
        registrations.forEach(Registration::close);
        try {
            CompletableFuture.runAsync(embedded::close, loop).join();
        } finally {
            loop.shutdown();
        }
    }

    private CompletionStage<Void> takeConfiguration(final Optional<Bus> written) {
        final var decoded = written.map(ConfigCodec::decode);
        return CompletableFuture.runAsync(() -> {
            faults.tell(decoded.map(ConfigCodec.Decoded::faults).orElseGet(Map::of));
            configured = decoded;
            embedded.configure(decoded.map(ConfigCodec.Decoded::config));
        }, loop);
    }

    /** Shows and tells what there is, as soon as it is known: of a bus that does not say, that it does not. */
    private void publish() {
        final var asked = embedded.proxy();
        embedded.state().whenComplete((state, failure) -> loop.schedule(() -> {
            if (embedded.proxy().equals(asked)) {
                hear(Optional.ofNullable(failure).map(Failures::reason));
                show(failure == null ? state : Optional.empty());
            }
        }, 0, TimeUnit.MILLISECONDS));
    }

    /** The log has each silence once. */
    private void hear(final Optional<String> failure) {
        if (!failure.equals(silence)) {
            failure.ifPresentOrElse(reason -> LOG.warn("bus-silent reason=\"{}\"", reason),
                () -> LOG.info("bus-silence-ended"));
        }
        silence = failure;
    }

    private void show(final Optional<BusState> state) {
        announcer.look(state);
        publisher.publish(configured.map(decoded -> StateCodec.state(decoded, embedded.fault().or(() -> silence),
            state)));
    }
}
