// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.FluentFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.Subscription;
import io.sluice.southbound.fabric.FabricView;
import io.sluice.southbound.fabric.PortSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.DataTreeModification;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Fabric;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SharedRiskGroup;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.switches._switch.Port;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.DataObjectReference;
import org.opendaylight.yangtools.concepts.Registration;

/** Passes on what the operator sets: of ports, and how often counters are read. */
final class SettingsWatcher implements Subscription {
    /** The model's default. */
    static final long DEFAULT_SAMPLING_MS = 10_000;

    private final DataBroker dataBroker;
    private final FabricView view;
    private final LongConsumer samplingMs;
    private final Registration registration;

    SettingsWatcher(final DataBroker dataBroker, final FabricView view, final LongConsumer samplingMs) {
        this.dataBroker = dataBroker;
        this.view = view;
        this.samplingMs = samplingMs;
        registration = dataBroker.registerTreeChangeListener(LogicalDatastoreType.CONFIGURATION,
            DataObjectReference.builder(Fabric.class).build(), this::onChange);
    }

    @Override
    public void close() {
        registration.close();
    }

    /** Has the view take the settings that there are now; completes after that, or fails if they can't be read. */
    FluentFuture<?> read() {
        try (var transaction = dataBroker.newReadOnlyTransaction()) {
            return transaction.read(LogicalDatastoreType.CONFIGURATION,
                DataObjectIdentifier.builder(Fabric.class).build()).transform(settings -> {
                    view.settingsRead(settings.map(SettingsWatcher::ports).orElse(Map.of()));
                    return null;
                }, MoreExecutors.directExecutor());
        }
    }

    private void onChange(final List<DataTreeModification<Fabric>> changes) {
        final var settings = changes.getLast().getRootNode().dataAfter();
        final var interval = settings == null ? null : settings.getSamplingInterval();
        samplingMs.accept(interval == null ? DEFAULT_SAMPLING_MS : interval.toJava());
        view.settings(settings == null ? Map.of() : ports(settings));
    }

    /** What is set of each port that is named. */
    static Map<PortId, PortSettings> ports(final Fabric settings) {
        final var ports = new HashMap<PortId, PortSettings>();
        if (settings.getSwitches() != null) {
            settings.getSwitches().nonnullSwitch().values().forEach(node -> node.nonnullPort().values().forEach(port ->
                ports.put(Names.decode(node.getId(), port.getNumber()), decode(port))));
        }
        return ports;
    }

    private static PortSettings decode(final Port port) {
        final var capacity = Optional.ofNullable(port.getCapacity())
            .map(rate -> new Bandwidth(rate.getValue().longValue()));
        final var groups = port.getSharedRiskGroup() == null ? Set.<SharedRiskGroup>of() : port.getSharedRiskGroup();
        return new PortSettings(capacity, groups.stream().map(group -> group.getValue().toJava())
            .collect(Collectors.toUnmodifiableSet()), HostWords.decode(port.getAllowedAddress()),
            HostWords.vlans(port.getVlan()));
    }
}
