// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Action;
import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.Entry.FailoverGroup;
import io.sluice.api.Entry.Flow;
import io.sluice.api.Entry.Meter;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.MacAddress;
import io.sluice.api.SwitchId;
import io.sluice.testlib.Outcome.Drop;
import io.sluice.testlib.Outcome.Sent;
import io.sluice.testlib.Reply.Reason;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A switch in software with the tables, groups and meters of OpenFlow 1.3. Where the protocol leaves the outcome open
 * (two entries of one priority that take the same packet) it throws. Time stands still for meters: they pass their
 * burst and drop the rest until {@link #refillMeters} or {@link #elapse}. Thread-safe.
 */
public final class FakeSwitch {
    private final SwitchId id;
    private final Set<Long> ports;
    private final int tables;
    private final Set<Ability> lacking = EnumSet.noneOf(Ability.class);
    private final Set<Long> downPorts = new HashSet<>();
    private final Map<Place, Installed> entries = new LinkedHashMap<>();
    private final FlowIndex flows;
    private final Map<Place, Traffic> came = new HashMap<>();
    private final Map<Place, Traffic> dropped = new HashMap<>();
    private final MeterBuckets buckets = new MeterBuckets();
    private long changes;

    /** A switch that can do everything and whose ports are all up, with {@code tables} tables, 1..255. */
    public FakeSwitch(final SwitchId id, final Collection<Long> ports, final int tables) {
        this(id, ports, tables, Set.of());
    }

    /** A switch whose ports are all up, that can't do what is {@code lacking}, with {@code tables} tables, 1..255. */
    public FakeSwitch(final SwitchId id, final Collection<Long> ports, final int tables, final Set<Ability> lacking) {
        this.id = id;
        flows = new FlowIndex(id);
        this.ports = Set.copyOf(ports);
        this.tables = tables;
        this.lacking.addAll(lacking);
    }

    public SwitchId id() {
        return id;
    }

    /** Number of its tables. */
    public int tables() {
        return tables;
    }

    public synchronized boolean can(final Ability ability) {
        return !lacking.contains(ability);
    }

    /** Takes an ability away; what the switch holds stays. */
    public synchronized void lose(final Ability ability) {
        lacking.add(ability);
    }

    /** Changes the carrier of a port. */
    public synchronized void setPort(final long port, final boolean up) {
        if (!ports.contains(port)) {
            throw new IllegalArgumentException(id + " has no port " + port);
        }
        if (up) {
            downPorts.remove(port);
        } else {
            downPorts.add(port);
        }
    }

    /**
     * Adds an entry. A flow takes the place of the one with the same table, priority and match, and goes on counting
     * where that one was; a group or meter that exists is an error.
     *
     * @param cookie of a flow
     */
    public synchronized Reply add(final Entry entry, final long cookie) {
        return answer(reasonAgainst(entry).or(() -> reasonAgainstAnother(entry)), entry, cookie);
    }

    /**
     * Changes the buckets of a group or the band of a meter, which must exist; the meter counts anew, as in Open
     * vSwitch. Flows are changed by {@link #add}.
     */
    public synchronized Reply modify(final Entry entry) {
        final boolean known = holds(Place.of(entry));
        return answer(switch (entry) {
            case Flow flow -> throw new IllegalArgumentException("add takes the place of " + flow);
            case FailoverGroup group -> known ? reasonAgainst(group) : Optional.of(Reason.UNKNOWN_GROUP);
            case Meter ignored -> known ? Optional.empty() : Optional.of(Reason.UNKNOWN_METER);
        }, entry, 0);
    }

    /**
     * Removes what is in the place of {@code entry}: the flow with its table, priority and match, or the group or meter
     * with its number, and the flows that use that. What isn't there is no error.
     */
    public synchronized void remove(final Entry entry) {
        if (!(entry instanceof Flow)) {
            entries.values().stream().map(Installed::entry).filter(user -> user instanceof Flow flow
                && flow.uses(entry)).toList().forEach(this::drop);
        }
        if (drop(entry)) {
            changes++;
        }
    }

    /** Takes a packet in by {@code inPort} and sends it through the tables. */
    public Outcome process(final long inPort, final Packet packet) {
        return process(inPort, packet, Packet.LENGTH_BYTES);
    }

    /**
     * The same.
     *
     * @param lengthBytes of the packet, as counters and meters take it
     */
    public synchronized Outcome process(final long inPort, final Packet packet, final int lengthBytes) {
        if (downPorts.contains(inPort)) {
            return new Outcome(List.of(), List.of(), List.of(Drop.ARRIVED_AT_DOWN_PORT));
        }
        return new Passage(inPort, lengthBytes).through(packet);
    }

    /** Lets so much time pass that all meters may pass their burst again. */
    public synchronized void refillMeters() {
        buckets.refill();
    }

    /** Lets some time pass for meters. */
    public synchronized void elapse(final Duration time) {
        buckets.elapse(time);
    }

    /** Everything that the switch holds. */
    public synchronized List<Installed> entries() {
        return List.copyOf(entries.values());
    }

    /** What is in the place of {@code entry}. */
    public synchronized Optional<Installed> inPlaceOf(final Entry entry) {
        return Optional.ofNullable(entries.get(Place.of(entry)));
    }

    /** What came to the flow or meter in the place of {@code entry}; nothing if there is none. */
    public synchronized Traffic traffic(final Entry entry) {
        return came.getOrDefault(Place.of(entry), Traffic.NONE);
    }

    /** What came to the meter in the place of {@code meter}, and what it dropped of that; its id is its number. */
    public synchronized Metered metered(final Meter meter) {
        return new Metered(meter.number(), traffic(meter), dropped.getOrDefault(Place.of(meter), Traffic.NONE));
    }

    /** How many additions, modifications and removals the switch has carried out. */
    public synchronized long changes() {
        return changes;
    }

    private Reply answer(final Optional<Reason> refusal, final Entry entry, final long cookie) {
        if (refusal.isPresent()) {
            return new Reply.Refused(refusal.orElseThrow());
        }
        put(entry, cookie);
        return new Reply.Done();
    }

    private void put(final Entry entry, final long cookie) {
        changes++;
        if (entry instanceof Meter) {
            forgetCounts(Place.of(entry));
        }
        if (entry instanceof Flow flow) {
            flows.put(flow);
        }
        entries.put(Place.of(entry), new Installed(entry, entry instanceof Flow ? cookie : 0));
    }

    private void forgetCounts(final Place place) {
        came.remove(place);
        dropped.remove(place);
        if (place instanceof Place.OfMeter meter) {
            buckets.forget(meter.number());
        }
    }

    private boolean holds(final Place place) {
        return entries.containsKey(place);
    }

    private boolean drop(final Entry entry) {
        forgetCounts(Place.of(entry));
        if (entry instanceof Flow flow) {
            flows.remove(flow);
        }
        return entries.remove(Place.of(entry)) != null;
    }

    private Optional<Reason> reasonAgainstAnother(final Entry entry) {
        final boolean known = holds(Place.of(entry));
        return switch (entry) {
            case FailoverGroup ignored when known -> Optional.of(Reason.GROUP_EXISTS);
            case Meter ignored when known -> Optional.of(Reason.METER_EXISTS);
            default -> Optional.empty();
        };
    }

    private Optional<Reason> reasonAgainst(final Entry entry) {
        return switch (entry) {
            case Meter ignored -> can(Ability.METERS) ? Optional.empty() : Optional.of(Reason.OUT_OF_METERS);
            case FailoverGroup ignored when !can(Ability.FAILOVER_GROUPS) -> Optional.of(Reason.BAD_TYPE);
            case FailoverGroup group -> group.buckets().stream().map(this::reasonAgainst).flatMap(Optional::stream)
                .findFirst();
            case Flow flow -> {
                if (flow.tableId() >= tables || flow.nextTable().orElse(0) >= tables) {
                    yield Optional.of(Reason.BAD_TABLE_ID);
                }
                if (flow.meter().isPresent() && !holds(new Place.OfMeter(flow.meter().getAsInt()))) {
                    yield Optional.of(Reason.UNKNOWN_METER);
                }
                yield reasonAgainst(flow.match()).or(() -> flow.actions().stream()
                    .map(action -> reasonAgainst(action, flow.match())).filter(Objects::nonNull).findFirst());
            }
        };
    }

    private Optional<Reason> reasonAgainst(final FlowMatch match) {
        if (!can(Ability.MASKED_ETHERNET)
                && match.ethernetDestination().stream().anyMatch(mac -> !mac.mask().equals(MacAddress.BROADCAST))) {
            return Optional.of(Reason.BAD_DL_ADDR_MASK);
        }
        return !can(Ability.MASKED_IP) && Stream.of(match.source(), match.destination()).flatMap(Optional::stream)
            .anyMatch(ip -> ip.prefixLength().isEmpty()) ? Optional.of(Reason.BAD_NW_ADDR_MASK) : Optional.empty();
    }

    private Optional<Reason> reasonAgainst(final Entry.Bucket bucket) {
        if (!ports.contains(bucket.watchPort())) {
            return Optional.of(Reason.BAD_WATCH);
        }
        for (var action : bucket.actions()) {
            if (action instanceof Action.ToGroup) {
                return Optional.of(Reason.CHAINING_UNSUPPORTED);
            }
            if (action instanceof Action.Output out && !ports.contains(out.portNumber())) {
                return Optional.of(Reason.BAD_OUT_PORT);
            }
        }
        return Optional.empty();
    }

    private boolean isLive(final Entry.Bucket bucket) {
        return !can(Ability.WATCHED_PORTS) || !downPorts.contains(bucket.watchPort());
    }

    private Reason reasonAgainst(final Action action, final FlowMatch match) {
        return switch (action) {
            case Action.Output out when !ports.contains(out.portNumber()) -> Reason.BAD_OUT_PORT;
            case Action.SetEthernetSource set when !can(Ability.SET_ETHERNET) -> Reason.BAD_SET_TYPE;
            case Action.SetEthernetDestination set when !can(Ability.SET_ETHERNET) -> Reason.BAD_SET_TYPE;
            case Action.SetIpSource set when !can(Ability.SET_IP) -> Reason.BAD_SET_TYPE;
            case Action.SetIpDestination set when !can(Ability.SET_IP) -> Reason.BAD_SET_TYPE;
            case Action.AnswerArp answer when !can(Ability.SET_ARP) -> Reason.BAD_SET_TYPE;
            case Action.AskBack ask when !can(Ability.SET_ND) -> Reason.BAD_SET_TYPE;
            case Action.AskBack ask when match.question().stream().noneMatch(Question::isIpv6) ->
                Reason.MATCH_INCONSISTENT;
            case Action.ToGroup to when !holds(new Place.OfGroup(to.groupId())) -> Reason.BAD_OUT_GROUP;
            case Action.SetCodePoint mark when !can(Ability.SET_CODE_POINT) -> Reason.BAD_SET_TYPE;
            case Action.SetCodePoint mark when !isIp(match) -> Reason.MATCH_INCONSISTENT;
            case Action.SetIpSource(var address) when !isOf(match, address) -> Reason.MATCH_INCONSISTENT;
            case Action.SetIpDestination(var address) when !isOf(match, address) -> Reason.MATCH_INCONSISTENT;
            default -> null;
        };
    }

    private static boolean isIp(final FlowMatch match) {
        final int type = match.ethernetType().orElse(-1);
        return type == FlowMatch.ETHERNET_IPV4 || type == FlowMatch.ETHERNET_IPV6;
    }

    private static boolean isOf(final FlowMatch match, final InetAddress address) {
        return match.ethernetType().orElse(-1) == Packet.ethernetTypeOf(address);
    }

    /** One packet's way through the tables. */
    private final class Passage {
        private final long inPort;
        private final Traffic one;
        private final List<Sent> sent = new ArrayList<>();
        private final List<Packet> toController = new ArrayList<>();
        private final List<Drop> drops = new ArrayList<>();

        Passage(final long inPort, final int lengthBytes) {
            this.inPort = inPort;
            one = new Traffic(1, lengthBytes);
        }

        Outcome through(final Packet packet) {
            var current = packet;
            var table = Optional.of(0);
            while (table.isPresent()) {
                final var flow = flows.winner(table.orElseThrow(), current, inPort);
                if (flow.isEmpty()) {
                    drops.add(Drop.TABLE_MISS);
                    break;
                }
                count(flow.orElseThrow());
                if (flow.orElseThrow().meter().isPresent() && !passes(flow.orElseThrow().meter().getAsInt())) {
                    dropped.merge(new Place.OfMeter(flow.orElseThrow().meter().getAsInt()), one, Traffic::plus);
                    drops.add(Drop.METERED);
                    break;
                }
                current = carryOut(flow.orElseThrow().actions(), current);
                table = flow.orElseThrow().nextTable().stream().boxed().findFirst();
            }
            if (sent.isEmpty() && toController.isEmpty() && drops.isEmpty()) {
                drops.add(Drop.NO_OUTPUT);
            }
            return new Outcome(sent, toController, drops);
        }

        private void count(final Flow flow) {
            came.merge(Place.of(flow), one, Traffic::plus);
            flow.meter().ifPresent(meter -> came.merge(new Place.OfMeter(meter), one, Traffic::plus));
        }

        private boolean passes(final int meter) {
            return buckets.pass((Meter) entries.get(new Place.OfMeter(meter)).entry(), one.bytes())
                || !can(Ability.DROPPING_METERS);
        }

        private Packet carryOut(final List<Action> actions, final Packet packet) {
            var current = packet;
            for (var action : actions) {
                switch (action) {
                    case Action.Output out when out.portNumber() == inPort -> drops.add(Drop.OUTPUT_IS_INGRESS);
                    case Action.Output out -> send(out.portNumber(), current);
                    case Action.OutputToIngress ignored -> send(inPort, current);
                    case Action.OutputToController ignored -> toController.add(current);
                    case Action.ToGroup to -> carryOutGroup(to.groupId(), current);
                    default -> current = current.after(action);
                }
            }
            return current;
        }

        private void carryOutGroup(final long groupId, final Packet packet) {
            final var group = (FailoverGroup) entries.get(new Place.OfGroup(groupId)).entry();
            group.buckets().stream().filter(FakeSwitch.this::isLive).findFirst()
                .ifPresentOrElse(bucket -> carryOut(bucket.actions(), packet), () -> drops.add(Drop.NO_LIVE_BUCKET));
        }

        private void send(final long port, final Packet packet) {
            if (downPorts.contains(port)) {
                drops.add(Drop.OUTPUT_DOWN);
            } else {
                sent.add(new Sent(port, packet));
            }
        }
    }
}
