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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;
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
     * What is wanted of ports; each empty as long as nobody has said.
     *
     * @param priorities numbers of queues, the one that goes first first, or none
     * @param rates of queues by port and number
     */
    private record Wishes(Optional<List<Long>> priorities, Optional<Map<PortId, Map<Long, Bandwidth>>> rates) {
        static final Wishes NONE = new Wishes(Optional.empty(), Optional.empty());

        boolean arePriorities() {
            return priorities.filter(numbers -> !numbers.isEmpty()).isPresent();
        }

        /** What the ports should have; as long as nobody has spoken of rates, those of an earlier controller stay. */
        Optional<WantedQueues> wanted(final Function<PortId, Optional<Bandwidth>> capacities) {
            return arePriorities()
                ? Optional.of(new WantedQueues(false, id -> capacities.apply(id).map(capacity ->
                    QueueSet.priorities(capacity, priorities.orElseThrow()))))
                : rates.map(wanted -> new WantedQueues(wanted.isEmpty(), id -> wanted.containsKey(id)
                    ? capacities.apply(id).map(capacity -> QueueSet.rates(capacity, wanted.get(id)))
                    : Optional.of(QueueSet.NONE)));
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
    public synchronized void want(final List<Long> numbers) {
        wishes = new Wishes(Optional.of(List.copyOf(numbers)), wishes.rates());
    }

    @Override
    public CompletionStage<Map<PortId, String>> hold(final Map<PortId, Map<Long, Bandwidth>> rates) {
        synchronized (this) {
            wishes = new Wishes(wishes.priorities(), Optional.of(Map.copyOf(rates)));
        }
        final var answers = listening.stream().flatMap(listener -> listener.peers().stream())
            .map(peer -> peer.settle().exceptionally(failure -> Map.of()).toCompletableFuture()).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).thenApply(answered -> {
            final var found = new HashMap<PortId, Optional<String>>();
            answers.forEach(answer -> found.putAll(answer.join()));
            return faults(rates.keySet(), found);
        });
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

    private Map<PortId, String> faults(final Set<PortId> wanted, final Map<PortId, Optional<String>> found) {
        final var faults = new HashMap<PortId, String>();
        wanted.forEach(id -> {
            if (wishes.arePriorities()) {
                faults.put(id, "its queues are those of a policy of priorities");
            } else if (capacity(id).isEmpty()) {
                faults.put(id, "its capacity is not known; set it");
            } else {
                found.getOrDefault(id, Optional.of("the database of its switch is not connected; connect it with"
                    + " ovs-vsctl set-manager tcp:CONTROLLER:PORT")).ifPresent(reason -> faults.put(id, reason));
            }
        });
        return faults;
    }

    private Optional<OvsdbListener> listen(final int port) {
        try {
            return Optional.of(new OvsdbListener(port, switchId -> fabric.snapshot().switches().contains(switchId),
                this::changed, () -> wishes.wanted(this::capacity)));
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
