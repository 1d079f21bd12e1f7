// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import io.sluice.api.Bandwidth;
import io.sluice.api.Fabric;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.PortQueues;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.southbound.ovsdb.QueueTalk.Look;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
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
    private final Fabric fabric;
    private final Optional<OvsdbListener> listening;
    private volatile Wishes wishes = Wishes.NONE;

    /**
     * What is wanted of ports.
     *
     * @param priorities numbers of queues, the one that goes first first; these come before rates
     * @param rates empty as long as nobody has spoken of them: what an earlier controller made stays
     */
    private record Wishes(List<Long> priorities, Optional<WantedQueues.Rates> rates) {
        static final Wishes NONE = new Wishes(List.of(), Optional.empty());

        Optional<WantedQueues> wanted() {
            return priorities.isEmpty() ? rates.map(Function.identity())
                : Optional.of(new WantedQueues.Priorities(priorities));
        }
    }

    /** What {@code etc/io.sluice.ovsdb.cfg} says. */
    public @interface Configuration {
        /** TCP port that databases connect to, 1..65535; 0 to take none. */
        int port() default 6640;
    }

    /** Starts to listen; a port that is taken is no reason not to start. */
    @Activate
    public OvsdbComponent(@Reference final Fabric fabric, final Configuration configuration) {
        this.fabric = fabric;
        listening = configuration.port() == 0 ? Optional.empty() : listen(configuration.port());
    }

    /** Tells how each switch fails, of those known and then of each change. */
    public Subscription onFailMode(final BiConsumer<SwitchId, FailMode> listener) {
        listeners.add(listener);
        modes.forEach(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public CompletionStage<Map<PortId, Fault>> wantPriorities(final List<Long> numbers, final Set<PortId> asked) {
        synchronized (this) {
            wishes = new Wishes(List.copyOf(numbers), wishes.rates());
        }
        return asked.isEmpty() ? CompletableFuture.completedStage(Map.of()) : settled(asked);
    }

    @Override
    public CompletionStage<Map<PortId, Fault>> wantRates(final Map<PortId, Map<Long, Bandwidth>> rates,
            final LongPredicate stays) {
        synchronized (this) {
            wishes = new Wishes(wishes.priorities(), Optional.of(new WantedQueues.Rates(rates, stays)));
        }
        return settled(rates.keySet()).thenApply(faults -> wishes.priorities().isEmpty() ? faults
            : rates.keySet().stream().collect(Collectors.toMap(Function.identity(),
                id -> new Fault("its queues are those of a policy of priorities", false))));
    }

    @Override
    public synchronized void leave() {
        wishes = Wishes.NONE;
    }

    /** Stops listening. */
    @Deactivate
    public void close() {
        listening.ifPresent(OvsdbListener::close);
    }

    /** Has ports have what they should, and tells which of these don't. */
    private CompletionStage<Map<PortId, Fault>> settled(final Set<PortId> asked) {
        return listening.map(OvsdbListener::settle).orElseGet(() -> CompletableFuture.completedStage(List.of()))
            .thenApply(looks -> {
                final var faults = new HashMap<PortId, Fault>();
                asked.forEach(id -> fault(id, looks).ifPresent(fault -> faults.put(id, fault)));
                return faults;
            });
    }

    /** What keeps a port from its queues. */
    private Optional<Fault> fault(final PortId id, final List<Look> looks) {
        if (!isAttached(id.switchId())) {
            return Optional.of(new Fault("its switch is away", true));
        }
        if (capacity(id).isEmpty()) {
            return Optional.of(new Fault("its capacity is not known; set it", true));
        }
        final var found = looks.stream().map(look -> look.ports().get(id)).filter(Objects::nonNull).findFirst();
        if (found.isPresent()) {
            return found.orElseThrow().map(reason -> new Fault(reason, false));
        }
        return Optional.of(looks.stream().anyMatch(look -> look.switches().contains(id.switchId()))
            ? new Fault("the database of its switch has no such port; one of a bond has no queues of its own", false)
            : new Fault("the database of its switch is not connected; connect it with"
                + " ovs-vsctl set-manager tcp:CONTROLLER:PORT", true));
    }

    private boolean isAttached(final SwitchId switchId) {
        return fabric.snapshot().switches().contains(switchId);
    }

    private Optional<OvsdbListener> listen(final int port) {
        try {
            return Optional.of(new OvsdbListener(port, this::isAttached, this::changed, () -> wishes.wanted(),
                this::capacity));
        } catch (IOException e) {
            LOG.warn("ovsdb-not-listening port={} reason=\"{}\"", port, e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<Bandwidth> capacity(final PortId id) {
        return Optional.ofNullable(fabric.snapshot().ports().get(id)).map(Port::capacity)
            .filter(rate -> !rate.equals(Bandwidth.ZERO));
    }

    private void changed(final SwitchId switchId, final FailMode mode) {
        modes.put(switchId, mode);
        listeners.forEach(listener -> listener.accept(switchId, mode));
    }
}
