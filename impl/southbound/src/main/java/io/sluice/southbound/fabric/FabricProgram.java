// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Host;
import io.sluice.api.Installation;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.api.Timer;
import io.sluice.southbound.hosts.Acquaintance;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares the fabric's own entries: the base of every switch that was ever attached, and what {@link HostEntries} says
 * for every host. All methods run on {@code loop}.
 *
 * <p>Everything remembered is declared before the claim is said to be restored, so that nothing that is still wanted is
 * taken for stale after a restart; a new switch gets its base when it attaches.
 */
public final class FabricProgram implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FabricProgram.class);
    private static final long RETRY_NS = 1_000_000_000L;
    /** How a refusal begins that is about a meter; meters are the first that a switch is given. */
    private static final String OF_METER = "meter ";
    /** What a refusal names that is about VLAN tags. */
    private static final String OF_TAG = "vlan_vid=";

    private final Executor loop;
    private final Timer timer;
    private final Claim claim;
    private final Memory memory;
    private final HostEntries hosts;
    private final Map<SwitchId, Memory.Base> switches = new HashMap<>();
    private final Map<SwitchId, List<Entry>> bases = new HashMap<>();
    private final Set<SwitchId> attached = new HashSet<>();
    /** Switches that have attached and not yet confirmed their base. */
    private final Set<SwitchId> arriving = new HashSet<>();
    /** Switches that refused the meters. */
    private final Set<SwitchId> unmetered = new HashSet<>();
    /** Switches that refused to match VLAN tags. */
    private final Set<SwitchId> tagBlind = new HashSet<>();
    private Map<PortId, Set<Integer>> vlans;
    private long nextObject;
    private boolean closed;

    /**
     * What the entries follow from.
     *
     * @param switches that are attached
     * @param owned addresses of services
     * @param silent ports that have long been up with no link found
     * @param inner ports that lead to a switch
     * @param vlans that a port lists
     */
    public record Situation(Set<SwitchId> switches, List<Host> hosts, Set<InetAddress> owned, Set<PortId> silent,
            Set<PortId> inner, Map<PortId, Set<Integer>> vlans) { }

    /**
     * The state to begin with.
     *
     * @param remembered from an earlier run
     * @param vlans that a port lists
     */
    public record Beginning(Memory.Contents remembered, Map<PortId, Set<Integer>> vlans) { }

    /**
     * Claims, and declares what is remembered.
     *
     * @param nowNs monotonic time
     * @param timer runs tasks on the loop
     */
    public FabricProgram(final Executor loop, final FlowProgrammer programmer, final Memory memory,
            final Beginning beginning, final LongSupplier nowNs, final Timer timer) {
        final var remembered = beginning.remembered();
        vlans = beginning.vlans();
        this.loop = loop;
        this.timer = timer;
        this.memory = memory;
        claim = programmer.claim(BaseEntries.OWNER);
        nextObject = objects(remembered).map(object -> object + 1).max().orElse(0);
        hosts = new HostEntries(loop, claim, memory, () -> nextObject++, this::abilities, nowNs);
        switches.putAll(remembered.switches());
        hosts.restore(remembered.hosts().values());
        refreshBases(switches.keySet());
        claim.restored();
    }

    /** Declares what is new, and withdraws what is gone. */
    public void update(final Situation situation) {
        vlans = situation.vlans();
        hosts.update(situation.hosts(), situation.owned());
        situation.switches().stream().sorted().filter(id -> !switches.containsKey(id)).forEach(id ->
            remember(id, new Memory.Base(nextObject++, Set.of(), Set.of())));
        closePorts(EdgePorts.bySwitch(situation.silent().stream()), EdgePorts.bySwitch(situation.inner().stream()));
        final var arrived = situation.switches().stream().filter(id -> !attached.contains(id))
            .collect(Collectors.toSet());
        bases.keySet().removeAll(arrived);
        unmetered.removeAll(arrived);
        tagBlind.removeAll(arrived);
        arriving.addAll(arrived);
        arriving.retainAll(situation.switches());
        attached.clear();
        attached.addAll(situation.switches());
        refreshBases(switches.keySet());
    }

    /** Has each validation compare what is declared with what {@code situation} says then. */
    public void compareWith(final Supplier<Situation> situation) {
        claim.compareWith(new Claim.Knowledge() {
            @Override
            public CompletionStage<Claim.Needs> needs() {
                return CompletableFuture.supplyAsync(() -> {
                    if (!closed) {
                        update(situation.get());
                    }
                    return new Claim.Needs(entries(), Set.of());
                }, loop);
            }

            @Override
            public CompletionStage<?> declareAgain(final Set<Long> objects) {
                return CompletableFuture.runAsync(() -> objects.forEach(object ->
                    claim.declare(object, entries().getOrDefault(object, Map.of()))), loop);
            }
        });
    }

    /** Lets a host's switch answer it from now on. */
    public void acquainted(final Acquaintance acquaintance) {
        hosts.acquainted(acquaintance);
    }

    /** Withdraws answers that have long not been used; to be called every some minutes. */
    public void review() {
        hosts.review(attached);
    }

    /** Forgets a switch that has left for good, and that the programmer has forgotten. */
    public void forget(final SwitchId switchId) {
        final var base = switches.remove(switchId);
        if (base != null) {
            claim.withdraw(base.object());
            bases.remove(switchId);
            unmetered.remove(switchId);
            tagBlind.remove(switchId);
            hosts.forgetRefusals(switchId);
            memory.forget(switchId);
        }
    }

    /** Stops declaring; the entries stay. */
    @Override
    public void close() {
        closed = true;
        hosts.close();
        claim.close();
    }

    private static LongStream objects(final Memory.Contents remembered) {
        return Stream.concat(remembered.switches().values().stream().map(Memory.Base::object),
            remembered.hosts().values().stream().flatMap(known -> Stream.concat(Stream.of(known.object()),
                known.acquaintances().values().stream().map(Memory.Whereabouts::object))))
            .mapToLong(Long::longValue);
    }

    /** What all objects need, worked out afresh. */
    private Map<Long, Map<SwitchId, List<Entry>>> entries() {
        final var entries = new HashMap<>(hosts.entries());
        final var hostPorts = hosts.ports();
        switches.forEach((switchId, base) ->
            entries.put(base.object(), Map.of(switchId, base(switchId, hostPorts))));
        return entries;
    }

    private List<Entry> base(final SwitchId switchId, final Map<SwitchId, Set<Long>> hostPorts) {
        final var refusing = new HashSet<>(switches.get(switchId).closed());
        refusing.addAll(hostPorts.getOrDefault(switchId, Set.of()));
        final var abilities = abilities(switchId);
        final var base = BaseEntries.ofSwitch(abilities, refusing);
        return vlans.isEmpty() ? base : Stream.concat(base.stream(),
            BaseEntries.ofVlans(abilities, listedBy(switchId)).stream()).toList();
    }

    /** VLANs by the numbers of the switch's ports. */
    private Map<Long, Set<Integer>> listedBy(final SwitchId switchId) {
        return vlans.entrySet().stream().filter(port -> port.getKey().switchId().equals(switchId))
            .collect(Collectors.toMap(port -> port.getKey().number(), Map.Entry::getValue));
    }

    private BaseEntries.Abilities abilities(final SwitchId switchId) {
        return new BaseEntries.Abilities(!unmetered.contains(switchId), !tagBlind.contains(switchId));
    }

    private void remember(final SwitchId switchId, final Memory.Base base) {
        switches.put(switchId, base);
        memory.remember(switchId, base);
    }

    /**
     * A port that is silent takes no labels until a link is found there. One where a link was found goes on to take
     * them: discovery may fail, or the other switch's connection, while packets still flow.
     */
    private void closePorts(final Map<SwitchId, Set<Long>> silent, final Map<SwitchId, Set<Long>> inner) {
        final var hostPorts = hosts.ports();
        Map.copyOf(switches).forEach((switchId, base) -> {
            final var open = new HashSet<>(base.inner());
            open.addAll(inner.getOrDefault(switchId, Set.of()));
            open.removeAll(hostPorts.getOrDefault(switchId, Set.of()));
            final var closing = new HashSet<>(base.closed());
            closing.addAll(silent.getOrDefault(switchId, Set.of()));
            closing.removeAll(open);
            final var now = new Memory.Base(base.object(), closing, open);
            if (!now.equals(base)) {
                remember(switchId, now);
            }
        });
    }

    private void refreshBases(final Set<SwitchId> changed) {
        final var hostPorts = hosts.ports();
        for (var switchId : changed) {
            final var base = base(switchId, hostPorts);
            if (!base.equals(bases.put(switchId, base))) {
                claim.declare(switches.get(switchId).object(), Map.of(switchId, base)).thenAcceptAsync(answer ->
                    check(switchId, answer), loop);
            }
        }
    }

    private void check(final SwitchId switchId, final Installation answer) {
        if (closed || !attached.contains(switchId)) {
            return;
        }
        switch (answer) {
            case Installation.InPlace inPlace -> {
                if (arriving.remove(switchId)) {
                    hosts.arrived(switchId);
                }
            }
            case Installation.Pending pending -> mend(switchId, pending.reasons().get(switchId));
        }
    }

    /** A switch that lacks something gets the same entries without; one that is not ready yet is asked again. */
    private void mend(final SwitchId switchId, final String reason) {
        if (reason.startsWith(OF_METER) && unmetered.add(switchId)) {
            LOG.warn("switch-unmetered switch={} reason=\"{}\"", switchId, reason);
            refreshBases(Set.of(switchId));
            hosts.declareAgain(switchId);
        } else if (reason.contains(OF_TAG) && tagBlind.add(switchId)) {
            LOG.warn("switch-tag-blind switch={} reason=\"{}\"", switchId, reason);
            refreshBases(Set.of(switchId));
            hosts.declareAgain(switchId);
        } else {
            LOG.debug("base of {} is pending: {}", switchId, reason);
            timer.after(RETRY_NS, () -> declareAgain(switchId));
        }
    }

    private void declareAgain(final SwitchId switchId) {
        if (!closed && attached.contains(switchId)) {
            bases.remove(switchId);
            refreshBases(Set.of(switchId));
        }
    }
}
