// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import io.sluice.api.Bandwidth;
import io.sluice.api.Fabric;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.PortQueues;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets attached Open vSwitches to fail secure, tells how they fail, and makes queues at their ports, as far as their
 * databases are connected.
 */
@Component(service = {OvsdbComponent.class, PortQueues.class}, configurationPid = "io.sluice.ovsdb")
public final class OvsdbComponent implements PortQueues {
    private static final Logger LOG = LoggerFactory.getLogger(OvsdbComponent.class);

    private final Map<SwitchId, FailMode> modes = new ConcurrentHashMap<>();
    private final List<BiConsumer<SwitchId, FailMode>> listeners = new CopyOnWriteArrayList<>();
    private final Subscription listening;
    private volatile Optional<List<Long>> queues = Optional.empty();

    /** What {@code etc/io.sluice.ovsdb.cfg} says. */
    public @interface Configuration {
        /** TCP port that databases connect to, 1..65535; 0 to take none. */
        int port() default 6640;
    }

    /** Starts to listen; a port that is taken is no reason not to start. */
    @Activate
    public OvsdbComponent(@Reference final Fabric fabric, final Configuration configuration) {
        listening = configuration.port() == 0 ? () -> { } : listen(fabric, configuration.port());
    }

    /** Tells how each switch fails, of those known and then of each change. */
    public Subscription onFailMode(final BiConsumer<SwitchId, FailMode> listener) {
        listeners.add(listener);
        modes.forEach(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public void want(final List<Long> numbers) {
        queues = Optional.of(List.copyOf(numbers));
    }

    @Override
    public void leave() {
        queues = Optional.empty();
    }

    /** Stops listening. */
    @Deactivate
    public void close() {
        listening.close();
    }

    private Subscription listen(final Fabric fabric, final int port) {
        try {
            return new OvsdbListener(port, switchId -> fabric.snapshot().switches().contains(switchId), this::changed,
                () -> queues.map(numbers -> new WantedQueues(numbers, id -> capacity(fabric, id))));
        } catch (IOException e) {
            LOG.warn("ovsdb-not-listening port={} reason=\"{}\"", port, e.getMessage());
            return () -> { };
        }
    }

    private static Optional<Bandwidth> capacity(final Fabric fabric, final PortId id) {
        return Optional.ofNullable(fabric.snapshot().ports().get(id)).map(Port::capacity)
            .filter(rate -> !rate.equals(Bandwidth.ZERO));
    }

    private void changed(final SwitchId switchId, final FailMode mode) {
        modes.put(switchId, mode);
        listeners.forEach(listener -> listener.accept(switchId, mode));
    }
}
