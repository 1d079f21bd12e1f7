// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.bench.fabric.Event.CableFlap;
import io.sluice.bench.fabric.Event.Forgery;
import io.sluice.bench.fabric.Event.HostFlap;
import io.sluice.bench.fabric.Event.Move;
import io.sluice.bench.fabric.Event.Outage;
import io.sluice.bench.fabric.Event.ServerAdded;
import io.sluice.bench.fabric.Event.ServerRemoved;
import io.sluice.bench.fabric.Event.ServiceAdded;
import io.sluice.bench.fabric.Event.ServiceRemoved;
import io.sluice.bench.fabric.Event.ThereAndBack;
import io.sluice.testlib.SimulatedTime;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Makes events happen, and knows which are not over yet. */
final class Happenings {
    /** Between two announcements of one address by one station. */
    private static final long SPACING_NS = 300_000_000;

    private final SimulatedTime time;
    private final World world;
    private final Plant plant;
    private final Controller controller;
    private final Stations stations;
    private final Set<Object> busy = new HashSet<>();
    private long overNs;

    Happenings(final SimulatedTime time, final World world, final Plant plant, final Controller controller,
            final Stations stations) {
        this.time = time;
        this.world = world;
        this.plant = plant;
        this.controller = controller;
        this.stations = stations;
    }

    /** The addresses, stations, cables and switches of events that are not over. */
    Set<Object> busy() {
        return Set.copyOf(busy);
    }

    /** How long it takes until all events are over. */
    Duration remaining() {
        return Duration.ofNanos(Math.max(0, overNs - time.getAsLong()));
    }

    void begin(final Event event) {
        switch (event) {
            case Move move -> {
                move(move.address(), move.to(), move.announcements());
            }
            case ThereAndBack away -> {
                final var from = world.owner(away.address());
                move(away.address(), away.to(), 1);
                last(away.awayNs(), List.of(away.address()), () -> move(away.address(), from, 1));
            }
            case HostFlap flap -> {
                plant.setCarrier(flap.station().port(), false);
                last(flap.downNs(), List.of(flap.station()), () -> plant.setCarrier(flap.station().port(), true));
            }
            case CableFlap flap -> {
                setCarrier(flap, false);
                last(flap.downNs(), List.of(flap.cable()), () -> setCarrier(flap, true));
            }
            case Outage outage -> begin(outage);
            case Forgery lie -> stations.claim(lie.liar(), lie.address(),
                lie.borrowed() ? lie.victim().mac() : lie.liar().mac());
            case ServiceAdded added -> configure(added.name(), new World.Service(added.address(), added.servers()));
            case ServiceRemoved removed -> {
                world.abandon(removed.name());
                controller.configure(world.services());
            }
            case ServerAdded added -> {
                final var servers = new ArrayList<>(world.services().get(added.service()).servers());
                servers.add(added.server());
                serve(added.service(), servers);
            }
            case ServerRemoved removed -> {
                final var servers = new ArrayList<>(world.services().get(removed.service()).servers());
                servers.remove(removed.server());
                serve(removed.service(), servers);
            }
        }
    }

    private void begin(final Outage outage) {
        plant.disconnect(outage.switchId(), outage.unseen());
        final var parts = new ArrayList<Object>(List.of(outage.switchId()));
        outage.moves().forEach(later -> {
            parts.add(later.move().address());
            time.after(later.afterNs(), () -> move(later.move().address(), later.move().to(), 0));
        });
        last(outage.lengthNs(), parts, () -> plant.connect(outage.switchId()));
    }

    /** The parts are busy until {@code end} has run. */
    private void last(final long lengthNs, final List<Object> parts, final Runnable end) {
        busy.addAll(parts);
        overNs = Math.max(overNs, time.getAsLong() + lengthNs);
        time.after(lengthNs, () -> {
            end.run();
            parts.forEach(busy::remove);
        });
    }

    private void move(final InetAddress address, final Station to, final int announcements) {
        stations.give(address, to);
        for (int number = 0; number < announcements; number++) {
            time.after(number * SPACING_NS, () -> {
                if (world.has(to, address)) {
                    stations.announce(to, address);
                }
            });
        }
    }

    private void setCarrier(final CableFlap flap, final boolean up) {
        plant.setCarrier(flap.cable().source(), up);
        plant.setCarrier(flap.cable().destination(), up);
    }

    private void serve(final String name, final List<Station> servers) {
        configure(name, new World.Service(world.services().get(name).address(), servers));
    }

    private void configure(final String name, final World.Service service) {
        world.serve(name, service);
        controller.configure(world.services());
    }
}
