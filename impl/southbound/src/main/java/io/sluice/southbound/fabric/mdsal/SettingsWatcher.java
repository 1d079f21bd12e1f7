// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.southbound.fabric.FabricView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Fabric;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;

/** Passes on what the operator sets: capacities of ports, and how often counters are read. */
final class SettingsWatcher implements Subscription {
    /** The model's default. */
    static final long DEFAULT_SAMPLING_MS = 10_000;

    private final FabricView view;
    private final LongConsumer samplingMs;
    private final Registration registration;

    SettingsWatcher(final DataBroker dataBroker, final FabricView view, final LongConsumer samplingMs) {
        this.view = view;
        this.samplingMs = samplingMs;
        registration = dataBroker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(Fabric.class).build(), this::onChange);
    }

    @Override
    public void close() {
        registration.close();
    }

    private void onChange(final List<DataTreeModification<Fabric>> changes) {
        final var settings = changes.getLast().getRootNode().dataAfter();
        final var interval = settings == null ? null : settings.getSamplingInterval();
        samplingMs.accept(interval == null ? DEFAULT_SAMPLING_MS : interval.toJava());
        view.capacities(settings == null ? Map.of() : capacities(settings));
    }

    private static Map<PortId, Bandwidth> capacities(final Fabric settings) {
        final var capacities = new HashMap<PortId, Bandwidth>();
        if (settings.getSwitches() != null) {
            settings.getSwitches().nonnullSwitch().values().forEach(node ->
                node.nonnullPort().values().forEach(port -> {
                    if (port.getCapacity() != null) {
                        capacities.put(Names.decode(node.getId(), port.getNumber()),
                            new Bandwidth(port.getCapacity().getValue().longValue()));
                    }
                }));
        }
        return capacities;
    }
}
