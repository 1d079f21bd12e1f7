// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Link;
import io.sluice.api.SwitchId;
import io.sluice.bench.fabric.Event.CableFlap;
import io.sluice.bench.fabric.Event.Forgery;
import io.sluice.bench.fabric.Event.HostFlap;
import io.sluice.bench.fabric.Event.Later;
import io.sluice.bench.fabric.Event.Move;
import io.sluice.bench.fabric.Event.Outage;
import io.sluice.bench.fabric.Event.ServerAdded;
import io.sluice.bench.fabric.Event.ServerRemoved;
import io.sluice.bench.fabric.Event.ServiceAdded;
import io.sluice.bench.fabric.Event.ServiceRemoved;
import io.sluice.bench.fabric.Event.ThereAndBack;
import io.sluice.testlib.Addresses;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Draws events from a seed; the same seed and the same course of events give the same draws. */
final class EventDraw {
    private static final long MS = 1_000_000;
    private static final int MAX_SERVICES = 3;
    private static final int MAX_SERVERS = 3;
    private static final int MAX_ANNOUNCEMENTS = 3;
    /** Virtual addresses are used again after so many services. */
    private static final int VIRTUAL_ADDRESSES = 200;

    private final Random random;
    private final World world;
    private final List<Link> cables;
    private final List<SwitchId> switches;
    private int services;
    /** The floating address of the event before: it has every second event as well, so that they meet. */
    private InetAddress latest;
    /** Had that address before, or claimed it; often the next one that does. */
    private Station rival;

    /**
     * Draws events for {@code world}.
     *
     * @param cables one direction of each cable between switches
     */
    EventDraw(final Random random, final World world, final List<Link> cables, final Set<SwitchId> switches) {
        this.random = random;
        this.world = world;
        this.cables = cables;
        latest = world.floating().getFirst();
        rival = world.stations().getLast();
        this.switches = switches.stream().sorted(Comparator.comparing(SwitchId::value)).toList();
    }

    /** Returns an event of which no part is in {@code busy}: addresses, stations, cables and switches of others. */
    Event next(final Set<Object> busy) {
        while (true) {
            final var event = draw(busy);
            if (event.isPresent()) {
                return event.orElseThrow();
            }
        }
    }

    /**
     * Returns how long to wait for the next event, in nanoseconds: often as long as the controller waits for an answer,
     * or until it asks once more.
     */
    long pauseNs() {
        return switch (random.nextInt(4)) {
            case 0 -> logarithmic(90, 110);
            case 1 -> logarithmic(990, 1020);
            default -> logarithmic(1, 1500);
        };
    }

    private Optional<Event> draw(final Set<Object> busy) {
        final int kind = random.nextInt(100);
        if (kind < 32) {
            return move(busy, 1 + random.nextInt(MAX_ANNOUNCEMENTS)).map(Event.class::cast);
        }
        if (kind < 44) {
            return move(busy, 1).map(move -> new ThereAndBack(move.address(), move.to(), logarithmic(50, 2000)));
        }
        if (kind < 54) {
            return free(any(world.stations()), busy).map(station -> new HostFlap(station, logarithmic(100, 3000)));
        }
        if (kind < 62) {
            return free(any(cables), busy).map(cable -> new CableFlap(cable, logarithmic(100, 3000)));
        }
        if (kind < 72) {
            return free(any(switches), busy).map(switchId -> outage(switchId, busy));
        }
        return kind < 82 ? forgery() : service(kind);
    }

    /** A move to another station at the same switch, or to any other one. */
    private Optional<Move> move(final Set<Object> busy, final int announcements) {
        latest = random.nextBoolean() ? latest : any(world.floating());
        final var address = free(latest, busy);
        final boolean near = random.nextBoolean();
        return address.flatMap(moving -> {
            final var from = world.owner(moving);
            final var others = world.stations().stream().filter(station -> !station.equals(from)
                && (!near || station.port().switchId().equals(from.port().switchId()))).toList();
            if (others.isEmpty()) {
                return Optional.empty();
            }
            final var to = others.contains(rival) && random.nextBoolean() ? rival : any(others);
            rival = from;
            return Optional.of(new Move(moving, to, announcements));
        });
    }

    /** Moves in the time of an outage have an end at the switch, and are silent. */
    private Outage outage(final SwitchId switchId, final Set<Object> busy) {
        final long lengthNs = logarithmic(200, 5000);
        final var moves = new ArrayList<Later>();
        final int wanted = random.nextInt(3);
        for (int number = 0; number < wanted; number++) {
            move(busy, 0).filter(move -> moves.stream().noneMatch(other ->
                    other.move().address().equals(move.address())))
                .filter(move -> move.to().port().switchId().equals(switchId)
                    || world.owner(move.address()).port().switchId().equals(switchId))
                .ifPresent(move -> moves.add(new Later(random.nextLong(lengthNs), move)));
        }
        return new Outage(switchId, lengthNs, lengthNs < 1000 * MS && random.nextBoolean(), moves);
    }

    private Optional<Event> forgery() {
        final var address = random.nextBoolean() ? latest : any(world.addresses());
        final var victim = world.owner(address);
        final var liar = random.nextBoolean() ? rival : any(world.stations());
        rival = liar;
        return liar.equals(victim) ? Optional.empty()
            : Optional.of(new Forgery(liar, victim, address, random.nextBoolean()));
    }

    private Optional<Event> service(final int kind) {
        final var present = List.copyOf(world.services().keySet());
        if (kind < 88) {
            return present.size() == MAX_SERVICES ? Optional.empty() : Optional.of(added());
        }
        if (present.isEmpty()) {
            return Optional.empty();
        }
        final var name = any(present);
        final var servers = world.services().get(name).servers();
        if (kind < 91) {
            return Optional.of(new ServiceRemoved(name));
        }
        if (kind < 96) {
            final var server = any(world.stations());
            return servers.size() == MAX_SERVERS || servers.contains(server) ? Optional.empty()
                : Optional.of(new ServerAdded(name, server));
        }
        return servers.isEmpty() ? Optional.empty() : Optional.of(new ServerRemoved(name, any(servers)));
    }

    private ServiceAdded added() {
        services++;
        final InetAddress address = Addresses.ip("10.2.0." + (1 + services % VIRTUAL_ADDRESSES));
        final var servers = random.nextInt(3) == 0 ? List.<Station>of() : List.of(any(world.stations()));
        return new ServiceAdded("service-" + services, address, servers);
    }

    private static <T> Optional<T> free(final T drawn, final Set<Object> busy) {
        return busy.contains(drawn) ? Optional.empty() : Optional.of(drawn);
    }

    private <T> T any(final List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** A time between two, milliseconds, in nanoseconds; its logarithm is spread evenly. */
    private long logarithmic(final int leastMs, final int mostMs) {
        return (long) (leastMs * MS * Math.pow((double) mostMs / leastMs, random.nextDouble()));
    }
}
