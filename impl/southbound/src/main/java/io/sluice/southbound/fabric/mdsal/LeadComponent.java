// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.api.Timer;
import io.sluice.mdsal.Acting;
import io.sluice.southbound.fabric.BaseEntries;
import io.sluice.southbound.fabric.FabricProgram;
import io.sluice.southbound.fabric.Memory;
import io.sluice.southbound.fabric.PacketDesk;
import io.sluice.southbound.ovsdb.OvsdbComponent;
import io.sluice.southbound.program.mdsal.ProgrammerComponent;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.opendaylight.mdsal.singleton.api.ServiceGroupIdentifier;
import org.opendaylight.yangtools.concepts.Registration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What only one node of a cluster does for the fabric: declare its entries, handle packets, sample counters, publish.
 * All state belongs to the fabric's loop.
 */
@Component(service = LeadComponent.class)
public final class LeadComponent implements ClusterSingletonService {
    private static final Logger LOG = LoggerFactory.getLogger(LeadComponent.class);
    private static final long RETRY_S = 1;
    /** How often it is read whether answers to hosts are used. */
    private static final long REVIEW_S = 300;

    private final FabricComponent fabric;
    private final PacketComponent packets;
    private final ScheduledExecutorService loop;
    private final ProgrammerComponent programmer;
    private final OvsdbComponent databases;
    private final DataBroker dataBroker;
    private final FabricStore store;
    private final FabricPublisher publisher;
    private final Registration leadership;
    private boolean leading;
    private Optional<FabricProgram> program = Optional.empty();
    private List<AutoCloseable> acting = List.of();

    /** Joins the group of those who may act. */
    @Activate
    public LeadComponent(@Reference final FabricComponent fabric, @Reference final PacketComponent packets,
            @Reference final OvsdbComponent databases, @Reference final DataBroker dataBroker,
            @Reference final ProgrammerComponent programmer,
            @Reference final NotificationPublishService notifications,
            @Reference final ClusterSingletonServiceProvider cluster) {
        this.fabric = fabric;
        this.packets = packets;
        this.programmer = programmer;
        this.databases = databases;
        this.dataBroker = dataBroker;
        loop = fabric.loop();
        store = new FabricStore(dataBroker);
        publisher = new FabricPublisher(dataBroker, notifications, loop);
        leadership = cluster.registerClusterSingletonService(this);
    }

    @Override
    public ServiceGroupIdentifier getIdentifier() {
        return Acting.GROUP;
    }

    @Override
    public void instantiateServiceInstance() {
        loop.execute(() -> {
            leading = true;
            recall();
        });
    }

    @Override
    public ListenableFuture<?> closeServiceInstance() {
        return Futures.submit(this::stop, loop);
    }

    /** Leaves the group. */
    @Deactivate
    public void close() {
        leadership.close();
    }

    /**
     * Forgets a switch that has left for good, with its hosts.
     *
     * @return nothing, or why the switch has to stay
     */
    CompletionStage<Optional<String>> forget(final SwitchId switchId) {
        return CompletableFuture.supplyAsync(() -> reasonToKeep(switchId), loop)
            .thenCompose(reason -> reason.isPresent() ? CompletableFuture.completedStage(reason)
                : programmer.forget(switchId, BaseEntries.OWNER))
            .thenApplyAsync(reason -> {
                if (reason.isEmpty()) {
                    program.ifPresent(declared -> forget(declared, switchId));
                }
                return reason;
            }, loop);
    }

    private Optional<String> reasonToKeep(final SwitchId switchId) {
        if (program.isEmpty()) {
            return Optional.of("the fabric is still being read; ask again in some seconds");
        }
        return fabric.snapshot().switches().contains(switchId) ? Optional.of(switchId + " is attached")
            : Optional.empty();
    }

    private void forget(final FabricProgram declared, final SwitchId switchId) {
        packets.desk().forget(switchId);
        declared.forget(switchId);
        publisher.forget(switchId);
        update(declared, fabric.snapshot());
    }

    private void recall() {
        if (!leading) {
            return;
        }
        final var remembering = Futures.transformAsync(fabric.readSettings(), done -> store.read(), loop);
        Futures.addCallback(remembering, new FutureCallback<Memory.Contents>() {
            @Override
            public void onSuccess(final Memory.Contents remembered) {
                if (leading) {
                    start(remembered);
                }
            }

            @Override
            public void onFailure(final Throwable failure) {
                LOG.warn("what the fabric remembers can't be read yet", failure);
                loop.schedule(LeadComponent.this::recall, RETRY_S, TimeUnit.SECONDS);
            }
        }, loop);
    }

    private void start(final Memory.Contents remembered) {
        final PacketDesk desk = packets.desk();
        desk.restore(remembered.hosts().values().stream().map(Memory.Known::host).toList());
        final var declared = new FabricProgram(loop, programmer, store,
            new FabricProgram.Beginning(remembered, fabric.view().vlans()), System::nanoTime, Timer.on(loop));
        declared.compareWith(() -> desk.situation(fabric.snapshot()));
        program = Optional.of(declared);
        publisher.start(fabric.snapshot(), remembered.switches().keySet());
        final Subscription hosts = desk.onHostChange(publisher::hostChanged);
        final Subscription acquaintances = desk.onAcquaintance(declared::acquainted);
        final Subscription view = fabric.subscribe(snapshot -> update(declared, snapshot));
        final Subscription features = programmer.onAttached((switchId, said) ->
            loop.execute(() -> {
                desk.attached(switchId);
                publisher.learn(switchId, said);
            }));
        final Subscription modes = databases.onFailMode((switchId, mode) ->
            loop.execute(() -> publisher.learn(switchId, mode)));
        final var reviews = loop.scheduleWithFixedDelay(declared::review, REVIEW_S, REVIEW_S, TimeUnit.SECONDS);
        acting = List.of(() -> reviews.cancel(false), hosts, acquaintances, view, features, modes, declared,
            new PacketCounts(dataBroker, desk, loop));
        packets.act(true);
        fabric.sampler().start();
        LOG.info("fabric-leads switches={} hosts={}", remembered.switches().size(), remembered.hosts().size());
        loop.execute(() -> update(declared, fabric.snapshot()));
    }

    private void update(final FabricProgram declared, final FabricSnapshot snapshot) {
        declared.update(packets.desk().situation(snapshot));
        publisher.update(snapshot);
    }

    private void stop() {
        leading = false;
        program = Optional.empty();
        packets.act(false);
        fabric.sampler().stop();
        publisher.stop();
        acting.forEach(LeadComponent::end);
        acting = List.of();
    }

    private static void end(final AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            LOG.warn("could not stop {}", part, e);
        }
    }
}
