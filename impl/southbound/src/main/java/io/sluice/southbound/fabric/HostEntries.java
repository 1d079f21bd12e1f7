// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.Claim;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.Host;
import io.sluice.api.Installation;
import io.sluice.api.MacAddress;
import io.sluice.api.Pipeline;
import io.sluice.api.SwitchId;
import io.sluice.southbound.hosts.Acquaintance;
import io.sluice.southbound.hosts.FabricAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What switches hold for their hosts: delivery, and the answers to their questions. Each answer is an object of its
 * own, so that its use can be told:
 * <pre>
 *   asked, and room for it --&gt; kept --address elsewhere, its host or the asker forgotten-----------&gt; withdrawn
 *                               |-----nobody answered for a service's address for OWNERLESS_NS--&gt;
 *                               +-----not used for IDLE_NS, by the switch's counters------------&gt;
 * </pre>
 * All times are of one monotonic clock, in nanoseconds. All methods run on {@code loop}.
 */
final class HostEntries {
    /**
     * Entries by which a switch answers a host, one for each address that was asked for and each address that the host
     * asks from; questions beyond them go to the controller.
     */
    static final int MAX_OF_HOST = 256;
    /** Likewise, for all hosts of a switch together: paths need room in the same table. */
    static final int MAX_OF_SWITCH = 2048;
    /** Longer than routers commonly keep what they were answered, four hours. */
    static final long IDLE_NS = 6 * 3_600_000_000_000L;
    /** An application that starts again has so long to answer for its addresses again. */
    static final long OWNERLESS_NS = 60_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(HostEntries.class);
    private static final Traffic NONE = new Traffic(0, 0);
    /** In a refusal: the switch knows such an action or match not at all (OpenFlow 1.3.5, section 7.4.4). */
    private static final Pattern CANNOT = Pattern.compile("BAD_?(ACTION|MATCH)");

    private final Executor loop;
    private final Claim claim;
    private final Memory memory;
    private final LongSupplier objects;
    private final Function<SwitchId, BaseEntries.Abilities> abilities;
    private final LongSupplier nowNs;
    private final Map<Host.Id, Memory.Known> hosts = new HashMap<>();
    private final Set<Mute> mute = new HashSet<>();
    /** By object of an answer. */
    private final Map<Long, Use> uses = new HashMap<>();
    private final Map<InetAddress, Long> ownerlessSinceNs = new HashMap<>();
    private boolean closed;

    /** A switch that refused to answer questions of a kind. */
    private record Mute(SwitchId switchId, boolean ipv6) {
        /** The kind of question that {@code asker} has for {@code address}. */
        static Mute of(final Host asker, final InetAddress address) {
            return new Mute(asker.attachment().switchId(), address instanceof Inet6Address);
        }
    }

    /** An address of a host; hosts of several VLANs may have the same. */
    private record User(int vlan, InetAddress address) { }

    /** What an answer had carried when it was last seen to have changed. */
    private record Use(long packets, long seenNs) { }

    /**
     * Declares nothing yet.
     *
     * @param objects numbers of new objects
     * @param abilities what of the fabric's base a switch can hold
     */
    HostEntries(final Executor loop, final Claim claim, final Memory memory, final LongSupplier objects,
            final Function<SwitchId, BaseEntries.Abilities> abilities, final LongSupplier nowNs) {
        this.loop = loop;
        this.claim = claim;
        this.memory = memory;
        this.objects = objects;
        this.abilities = abilities;
        this.nowNs = nowNs;
    }

    /** Declares what is remembered. */
    void restore(final Collection<Memory.Known> remembered) {
        remembered.forEach(known -> hosts.put(known.host().id(), known));
        remembered.forEach(this::declare);
    }

    /** Declares what is new about hosts, and withdraws what is no longer so; {@code owned} are services' addresses. */
    void update(final List<Host> seen, final Set<InetAddress> owned) {
        seen.forEach(this::take);
        final var gone = new TreeSet<>(hosts.keySet());
        final var users = new HashMap<User, Host>();
        for (var host : seen) {
            gone.remove(host.id());
            host.addresses().forEach(address -> users.put(new User(host.vlan(), address), host));
        }
        gone.forEach(this::forget);
        final var withdrawn = withdrawn(owned);
        List.copyOf(hosts.values()).forEach(known -> drop(known, known.acquaintances().entrySet().stream()
            .filter(entry -> withdrawn.contains(entry.getKey())
                || !isThere(entry.getValue().mac(), users.get(new User(known.host().vlan(), entry.getKey())),
                    known.host()))
            .map(Map.Entry::getKey).collect(Collectors.toSet())));
    }

    /** Lets a host's switch answer it from now on, if there is room. */
    void acquainted(final Acquaintance acquaintance) {
        take(acquaintance.asker());
        final var known = hosts.get(acquaintance.asker().id());
        final var before = known.acquaintances().get(acquaintance.address());
        final boolean settled = before == null
            ? entries(known) + entries(known.host(), acquaintance.address()) > room(known.host())
            : before.mac().equals(acquaintance.mac());
        if (settled) {
            return;
        }
        final var now = new Memory.Whereabouts(acquaintance.mac(),
            before == null ? objects.getAsLong() : before.object());
        final var acquaintances = new HashMap<>(known.acquaintances());
        acquaintances.put(acquaintance.address(), now);
        remember(new Memory.Known(known.host(), known.object(), acquaintances));
        answer(known.host(), acquaintance.address(), now);
    }

    /** What delivery and answers need, by object. */
    Map<Long, Map<SwitchId, List<Entry>>> entries() {
        final var entries = new HashMap<Long, Map<SwitchId, List<Entry>>>();
        hosts.values().forEach(known -> {
            final var switchId = known.host().attachment().switchId();
            entries.put(known.object(), at(switchId, BaseEntries.ofHost(known.host())));
            known.acquaintances().forEach((address, where) ->
                entries.put(where.object(), at(switchId, answers(known.host(), address, where))));
        });
        return entries;
    }

    /** Numbers of the ports that hosts are at, by switch. */
    Map<SwitchId, Set<Long>> ports() {
        return EdgePorts.bySwitch(hosts.values().stream().map(known -> known.host().attachment()));
    }

    /** Declares again for the hosts of a switch, which has another set of abilities than was thought. */
    void declareAgain(final SwitchId switchId) {
        hosts.values().stream().filter(known -> isAt(known, switchId)).forEach(this::declare);
    }

    /** Lets a switch that has just come, and is ready, try to answer, whatever it refused before. */
    void arrived(final SwitchId switchId) {
        forgetRefusals(switchId);
        declareAgain(switchId);
    }

    /** Takes a switch for able to answer, should it ever come again. */
    void forgetRefusals(final SwitchId switchId) {
        mute.removeIf(refused -> refused.switchId().equals(switchId));
    }

    /** Reads what answers have carried on {@code switches}, and withdraws those that are idle. */
    void review(final Set<SwitchId> switches) {
        ports().keySet().stream().filter(switches::contains).forEach(switchId ->
            claim.traffic(switchId, Pipeline.CLASSIFY).thenAcceptAsync(traffic -> review(switchId, traffic), loop));
    }

    /** Stops declaring. */
    void close() {
        closed = true;
    }

    private void review(final SwitchId switchId, final Map<Long, Traffic> traffic) {
        if (closed) {
            return;
        }
        final long now = nowNs.getAsLong();
        hosts.values().stream().filter(known -> isAt(known, switchId)).toList().forEach(known ->
            drop(known, known.acquaintances().entrySet().stream().filter(entry -> {
                final long object = entry.getValue().object();
                final long packets = traffic.getOrDefault(object, NONE).packets();
                final var use = uses.get(object);
                if (use == null || use.packets() != packets) {
                    uses.put(object, new Use(packets, now));
                    return false;
                }
                return now - use.seenNs() >= IDLE_NS;
            }).map(Map.Entry::getKey).collect(Collectors.toSet())));
    }

    /** How many entries may answer a host where it is now. */
    private long room(final Host host) {
        return Math.min(MAX_OF_HOST, MAX_OF_SWITCH - hosts.values().stream()
            .filter(other -> isAt(other, host.attachment().switchId()) && !other.host().id().equals(host.id()))
            .mapToLong(HostEntries::entries).sum());
    }

    private static long entries(final Memory.Known known) {
        return known.acquaintances().keySet().stream().mapToLong(address -> entries(known.host(), address)).sum();
    }

    private static long entries(final Host asker, final InetAddress address) {
        return asker.addresses().stream().filter(own -> BaseEntries.asks(own, address)).count();
    }

    /** True if an address is still at {@code mac}, and not behind the asker's own port now; no user: a service's. */
    private static boolean isThere(final MacAddress mac, final Host user, final Host asker) {
        return user == null ? mac.equals(FabricAddress.MAC)
            : mac.equals(user.mac()) && !user.attachment().equals(asker.attachment());
    }

    private static boolean isAt(final Memory.Known known, final SwitchId switchId) {
        return known.host().attachment().switchId().equals(switchId);
    }

    /** Takes a host that is new, has moved or has other addresses; answers for which there is no room then go. */
    private void take(final Host host) {
        final var known = hosts.get(host.id());
        if (known == null || !known.host().equals(host)) {
            final var now = known == null ? new Memory.Known(host, objects.getAsLong(), Map.of())
                : new Memory.Known(host, known.object(), known.acquaintances());
            remember(now);
            drop(now, beyondRoom(now));
            declare(hosts.get(host.id()));
        }
    }

    /** The addresses asked for last that the host can't be answered for. */
    private Set<InetAddress> beyondRoom(final Memory.Known known) {
        if (known.acquaintances().isEmpty()) {
            return Set.of();
        }
        final var beyond = new HashSet<InetAddress>();
        long excess = entries(known) - room(known.host());
        final var newestFirst = known.acquaintances().entrySet().stream().sorted(Comparator.comparingLong(
            (Map.Entry<InetAddress, Memory.Whereabouts> entry) -> entry.getValue().object()).reversed()).toList();
        for (var entry : newestFirst) {
            if (excess <= 0) {
                break;
            }
            beyond.add(entry.getKey());
            excess -= entries(known.host(), entry.getKey());
        }
        return beyond;
    }

    private void remember(final Memory.Known known) {
        hosts.put(known.host().id(), known);
        memory.remember(known);
    }

    private void forget(final Host.Id id) {
        final var known = hosts.remove(id);
        claim.withdraw(known.object());
        known.acquaintances().values().forEach(this::withdraw);
        memory.forget(id);
    }

    private void drop(final Memory.Known known, final Set<InetAddress> addresses) {
        if (!addresses.isEmpty()) {
            final var acquaintances = new HashMap<>(known.acquaintances());
            addresses.forEach(address -> withdraw(acquaintances.remove(address)));
            remember(new Memory.Known(known.host(), known.object(), acquaintances));
        }
    }

    private void withdraw(final Memory.Whereabouts answer) {
        uses.remove(answer.object());
        claim.withdraw(answer.object());
    }

    /** Addresses at the fabric's own Ethernet address that nobody has answered for, for a while. */
    private Set<InetAddress> withdrawn(final Set<InetAddress> owned) {
        final long now = nowNs.getAsLong();
        final var ownerless = hosts.values().stream().flatMap(known -> known.acquaintances().entrySet().stream())
            .filter(entry -> entry.getValue().mac().equals(FabricAddress.MAC)).map(Map.Entry::getKey)
            .filter(address -> !owned.contains(address)).collect(Collectors.toSet());
        ownerlessSinceNs.keySet().retainAll(ownerless);
        ownerless.forEach(address -> ownerlessSinceNs.putIfAbsent(address, now));
        return ownerless.stream().filter(address -> now - ownerlessSinceNs.get(address) >= OWNERLESS_NS)
            .collect(Collectors.toSet());
    }

    private void declare(final Memory.Known known) {
        declare(known.object(), known.host().attachment().switchId(), BaseEntries.ofHost(known.host()));
        known.acquaintances().forEach((address, where) -> answer(known.host(), address, where));
    }

    private void answer(final Host asker, final InetAddress address, final Memory.Whereabouts where) {
        final var kind = Mute.of(asker, address);
        declare(where.object(), kind.switchId(), answers(asker, address, where))
            .thenAcceptAsync(installation -> listen(kind, installation), loop);
    }

    private List<Entry> answers(final Host asker, final InetAddress address, final Memory.Whereabouts where) {
        final var kind = Mute.of(asker, address);
        return mute.contains(kind) ? List.of()
            : BaseEntries.answers(asker, address, where.mac(), abilities.apply(kind.switchId()));
    }

    private CompletionStage<Installation> declare(final long object, final SwitchId switchId,
            final List<Entry> entries) {
        return claim.declare(object, at(switchId, entries));
    }

    private static Map<SwitchId, List<Entry>> at(final SwitchId switchId, final List<Entry> entries) {
        return entries.isEmpty() ? Map.of() : Map.of(switchId, entries);
    }

    /** A switch that can't answer questions of a kind leaves them to the controller. */
    private void listen(final Mute kind, final Installation installation) {
        if (!closed && installation instanceof Installation.Pending pending
                && CANNOT.matcher(pending.reasons().getOrDefault(kind.switchId(), "")).find() && mute.add(kind)) {
            LOG.warn("switch-answers-no-{} switch={} reason=\"{}\"", kind.ipv6() ? "nd" : "arp", kind.switchId(),
                pending.reasons().get(kind.switchId()));
            declareAgain(kind.switchId());
        }
    }
}
