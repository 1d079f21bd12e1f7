// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Host;
import io.sluice.api.Installation;
import io.sluice.api.MacAddress;
import io.sluice.api.SwitchId;
import io.sluice.southbound.hosts.Acquaintance;
import io.sluice.southbound.hosts.FabricAddress;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares the fabric's own entries: the base of every switch that was ever attached, and delivery to every host. All
 * methods run on {@code loop}.
 *
 * <p>Everything remembered is declared before the claim is said to be restored, so that nothing that is still wanted is
 * taken for stale after a restart; a new switch gets its base when it attaches.
 */
public final class FabricProgram implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FabricProgram.class);
    private static final long RETRY_MS = 1000;
    /** In a refusal: the switch knows such an action or match not at all (OpenFlow 1.3.5, section 7.4.4). */
    private static final Pattern CANNOT = Pattern.compile("BAD_?(ACTION|MATCH)");
    /** Addresses that a host's switch answers for; questions for further ones go to the controller. */
    static final int MAX_ACQUAINTANCES = 256;

    private final Executor loop;
    private final Claim claim;
    private final Memory memory;
    private final Map<SwitchId, Long> switchObjects = new HashMap<>();
    private final Map<MacAddress, Memory.Known> hosts = new HashMap<>();
    private final Map<SwitchId, List<Entry>> bases = new HashMap<>();
    private final Set<SwitchId> attached = new HashSet<>();
    /** Switches that refused the meters. */
    private final Set<SwitchId> unmetered = new HashSet<>();
    /** Switches that refused to answer ARP. */
    private final Set<SwitchId> mute = new HashSet<>();
    private long nextObject;
    private boolean closed;

    /** Claims, and declares what is remembered. */
    public FabricProgram(final Executor loop, final FlowProgrammer programmer, final Memory memory,
            final Memory.Contents remembered) {
        this.loop = loop;
        this.memory = memory;
        claim = programmer.claim(BaseEntries.OWNER);
        switchObjects.putAll(remembered.switches());
        hosts.putAll(remembered.hosts());
        nextObject = Math.max(
            switchObjects.values().stream().mapToLong(object -> object + 1).max().orElse(0),
            hosts.values().stream().mapToLong(known -> known.object() + 1).max().orElse(0));
        hosts.values().forEach(this::deliver);
        refreshBases(remembered.switches().keySet());
        claim.restored();
    }

    /** Declares what is new among the attached switches and the hosts, and withdraws hosts that are gone. */
    public void update(final Set<SwitchId> switches, final List<Host> seen) {
        seen.forEach(this::take);
        final var gone = new TreeSet<>(hosts.keySet());
        seen.forEach(host -> gone.remove(host.mac()));
        gone.forEach(mac -> {
            claim.withdraw(hosts.remove(mac).object());
            memory.forget(mac);
        });
        final var users = users(seen);
        List.copyOf(hosts.values()).forEach(known -> review(known, users));
        switches.stream().sorted().filter(id -> !switchObjects.containsKey(id)).forEach(id -> {
            switchObjects.put(id, nextObject);
            memory.remember(id, nextObject++);
        });
        final var arrived = switches.stream().filter(id -> !attached.contains(id)).collect(Collectors.toSet());
        bases.keySet().removeAll(arrived);
        mute.removeAll(arrived);
        attached.clear();
        attached.addAll(switches);
        refreshBases(switchObjects.keySet());
    }

    /** Lets a host's switch answer it from now on. */
    public void acquainted(final Acquaintance acquaintance) {
        take(acquaintance.asker());
        final var known = hosts.get(acquaintance.asker().mac());
        final var acquaintances = new HashMap<>(known.acquaintances());
        acquaintances.put(acquaintance.address(), acquaintance.mac());
        if (acquaintances.size() <= MAX_ACQUAINTANCES && !acquaintances.equals(known.acquaintances())) {
            replace(new Memory.Known(known.host(), known.object(), acquaintances));
        }
    }

    /** Forgets a switch that has left for good, and that the programmer has forgotten. */
    public void forget(final SwitchId switchId) {
        final var object = switchObjects.remove(switchId);
        if (object != null) {
            claim.withdraw(object);
            bases.remove(switchId);
            unmetered.remove(switchId);
            mute.remove(switchId);
            memory.forget(switchId);
        }
    }

    /** Stops declaring; the entries stay. */
    @Override
    public void close() {
        closed = true;
        claim.close();
    }

    private void take(final Host host) {
        final var known = hosts.get(host.mac());
        if (known != null && known.host().equals(host)) {
            return;
        }
        replace(known == null ? new Memory.Known(host, nextObject++, Map.of())
            : new Memory.Known(host, known.object(), known.acquaintances()));
    }

    private void replace(final Memory.Known known) {
        hosts.put(known.host().mac(), known);
        memory.remember(known);
        deliver(known);
    }

    private static Map<InetAddress, MacAddress> users(final List<Host> seen) {
        final var users = new HashMap<InetAddress, MacAddress>();
        seen.forEach(host -> host.addresses().forEach(address -> users.put(address, host.mac())));
        return users;
    }

    /** Forgets where an address was that has another user, or none. */
    private void review(final Memory.Known known, final Map<InetAddress, MacAddress> users) {
        final var acquaintances = new HashMap<>(known.acquaintances());
        if (acquaintances.entrySet().removeIf(entry ->
                !users.getOrDefault(entry.getKey(), FabricAddress.MAC).equals(entry.getValue()))) {
            replace(new Memory.Known(known.host(), known.object(), acquaintances));
        }
    }

    private void deliver(final Memory.Known known) {
        final var switchId = known.host().attachment().switchId();
        final var entries = new ArrayList<>(BaseEntries.ofHost(known.host()));
        if (!mute.contains(switchId)) {
            entries.addAll(BaseEntries.answers(known.host(), known.acquaintances()));
        }
        claim.declare(known.object(), entries.isEmpty() ? Map.of() : Map.of(switchId, entries))
            .thenAcceptAsync(answer -> listen(switchId, answer), loop);
    }

    /** A switch that can't answer ARP leaves it to the controller. */
    private void listen(final SwitchId switchId, final Installation answer) {
        if (!closed && answer instanceof Installation.Pending pending
                && CANNOT.matcher(pending.reasons().getOrDefault(switchId, "")).find() && mute.add(switchId)) {
            LOG.warn("switch-answers-no-arp switch={} reason=\"{}\"", switchId, pending.reasons().get(switchId));
            hosts.values().stream().filter(known -> known.host().attachment().switchId().equals(switchId))
                .forEach(this::deliver);
        }
    }

    private void refreshBases(final Set<SwitchId> switches) {
        final var hostPorts = hosts.values().stream().map(known -> known.host().attachment()).collect(
            Collectors.groupingBy(port -> port.switchId(), Collectors.mapping(port -> port.number(),
                Collectors.toSet())));
        for (var switchId : switches) {
            final boolean metered = !unmetered.contains(switchId);
            final var base = BaseEntries.ofSwitch(metered, hostPorts.getOrDefault(switchId, Set.of()));
            if (!base.equals(bases.put(switchId, base))) {
                claim.declare(switchObjects.get(switchId), Map.of(switchId, base)).thenAcceptAsync(answer ->
                    check(switchId, answer), loop);
            }
        }
    }

    /** A switch that has no meters gets the same entries without; one that is not ready yet is asked again. */
    private void check(final SwitchId switchId, final Installation answer) {
        if (closed || !attached.contains(switchId) || !(answer instanceof Installation.Pending pending)) {
            return;
        }
        final var reason = pending.reasons().get(switchId);
        if (reason.contains("meter") && unmetered.add(switchId)) {
            LOG.warn("switch-unmetered switch={} reason=\"{}\"", switchId, reason);
            refreshBases(Set.of(switchId));
        } else {
            LOG.debug("base of {} is pending: {}", switchId, reason);
            CompletableFuture.delayedExecutor(RETRY_MS, TimeUnit.MILLISECONDS, loop)
                .execute(() -> declareAgain(switchId));
        }
    }

    private void declareAgain(final SwitchId switchId) {
        if (!closed && attached.contains(switchId)) {
            bases.remove(switchId);
            refreshBases(Set.of(switchId));
        }
    }
}
