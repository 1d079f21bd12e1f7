// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.FluentFuture;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Subscription;
import io.sluice.mdsal.Loop;
import io.sluice.southbound.fabric.FabricView;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.openflowplugin.applications.topology.lldp.utils.LLDPDiscoveryUtils;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** The view of the network, on every node of a cluster. */
@Component(service = { Fabric.class, FabricComponent.class })
public final class FabricComponent implements Fabric {
    private final Loop loop = new Loop("sluice-fabric");
    private final FabricView view = new FabricView(loop);
    private final CounterSampler sampler;
    private final InventoryWatcher inventory;
    private final SettingsWatcher settings;
    private final LostLinks lostLinks;

    /** Starts to watch the inventory, the topology and the operator's settings. */
    @Activate
    public FabricComponent(@Reference final DataBroker dataBroker, @Reference final RpcService rpcService,
            @Reference final NotificationService notifications, @Reference final NotificationPublishService publisher) {
        sampler = new CounterSampler(rpcService, view, loop);
        inventory = new InventoryWatcher(dataBroker, view);
        settings = new SettingsWatcher(dataBroker, view, intervalMs ->
            loop.execute(() -> sampler.every(intervalMs)));
        new DiscoveryPace(rpcService, loop).set();
        lostLinks = new LostLinks(notifications, publisher,
            CompletableFuture.delayedExecutor(LostLinks.PATIENCE_MS, TimeUnit.MILLISECONDS, loop), view,
            frame -> LLDPDiscoveryUtils.lldpToNodeConnectorRef(frame, true));
    }

    @Override
    public FabricSnapshot snapshot() {
        return view.snapshot();
    }

    @Override
    public Subscription subscribe(final Consumer<FabricSnapshot> listener) {
        return view.subscribe(listener);
    }

    /** Stops watching. */
    @Deactivate
    public void close() {
        lostLinks.close();
        settings.close();
        inventory.close();
        loop.shutdownNow();
    }

    /** The thread that owns all state of the fabric. */
    ScheduledExecutorService loop() {
        return loop;
    }

    /** Has the view take the settings that there are now, which else come some time after the start. */
    FluentFuture<?> readSettings() {
        return settings.read();
    }

    FabricView view() {
        return view;
    }

    CounterSampler sampler() {
        return sampler;
    }
}
