// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.api.MacAddress;
import io.sluice.southbound.hosts.FabricAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * All requests that stations have for the addresses of others and of services, and whether they end as the model says.
 * A station asks where an address is, sends a request there and waits for the answer:
 * <pre>
 *   begun --ask--&gt; resolved, as the model says --request--&gt; answered, by the station that the model names: done
 * </pre>
 * A request to a service without servers is done when it was not answered until the next attempt.
 */
final class Exchanges implements Stations.Listener {
    private static final int ECHO_PORT = 7;
    private static final int FIRST_PORT = 1024;
    private static final int LAST_PORT = 60_000;
    /** One in so many stations opens new connections to other stations; the others go on with those they have. */
    private static final int RENEWAL = 8;
    /** One in so many stations asks each service. */
    private static final int ASKING = 3;

    private final World world;
    private final Stations stations;
    private final Random random;
    private final Map<Pair, Integer> ports = new HashMap<>();
    private final Map<Pair, Exchange> open = new LinkedHashMap<>();
    private final Map<Connection, Pair> requests = new HashMap<>();
    private int nextPort = FIRST_PORT;
    private boolean ipv6;

    /** A station that asks for an address. */
    private record Pair(Station client, InetAddress target) { }

    private static final class Exchange {
        private final boolean service;
        private boolean resolved;
        private Optional<Station> server = Optional.empty();
        private boolean answered;

        Exchange(final boolean service) {
            this.service = service;
        }

        @Override
        public String toString() {
            return (resolved ? "resolved" : "not resolved") + server.map(by -> ", came to " + by).orElse("")
                + (answered ? ", answered" : "");
        }
    }

    Exchanges(final World world, final Stations stations, final Random random) {
        this.world = world;
        this.stations = stations;
        this.random = random;
        stations.report(this);
    }

    /** True if a station that gets this has to answer it. */
    static boolean isRequest(final Connection data) {
        return data.destinationPort() == ECHO_PORT || data.destinationPort() == Controller.SERVICE_PORT;
    }

    /**
     * Begins the exchanges that there should be now: with all floating addresses, with the stations' own ones of one
     * family, in turns, and of some stations with services.
     */
    void begin() {
        open.clear();
        ipv6 = !ipv6;
        final int renewed = random.nextInt(world.stations().size() * RENEWAL);
        ports.keySet().removeIf(pair -> pair.client().number() == renewed);
        for (var client : world.stations()) {
            world.addresses().stream().filter(address -> !world.has(client, address)
                    && (world.floating().contains(address) || address instanceof Inet6Address == ipv6))
                .forEach(address -> open.put(new Pair(client, address), new Exchange(false)));
            world.virtual().forEach((address, servers) -> {
                if (!servers.contains(client) && random.nextInt(ASKING) == 0) {
                    open.put(new Pair(client, address), new Exchange(true));
                }
            });
        }
    }

    /** Tries those once more that are not done. */
    void attempt() {
        requests.clear();
        List.copyOf(open.entrySet()).forEach(entry -> attempt(entry.getKey(), entry.getValue()));
    }

    /** Takes out what is done; returns the rest, for people. */
    List<String> missing() {
        open.entrySet().removeIf(entry -> isDone(entry.getKey(), entry.getValue()));
        return open.entrySet().stream().map(entry -> entry.getKey().client() + " -> "
            + entry.getKey().target().getHostAddress() + " of " + servers(entry.getKey().target()) + ": "
            + entry.getValue()).toList();
    }

    @Override
    public void resolved(final Station station, final InetAddress address, final MacAddress mac) {
        final var pair = new Pair(station, address);
        final var exchange = open.get(pair);
        if (exchange == null || exchange.resolved) {
            return;
        }
        exchange.resolved = exchange.service ? mac.equals(FabricAddress.MAC)
            : mac.equals(world.owner(address).mac());
        if (exchange.resolved) {
            request(pair, exchange);
        }
    }

    @Override
    public void requested(final Station server, final Connection connection) {
        requests.entrySet().stream().filter(request -> isSame(request.getKey(), connection)).map(Map.Entry::getValue)
            .forEach(pair -> Optional.ofNullable(open.get(pair)).ifPresent(exchange ->
                exchange.server = Optional.of(server)));
    }

    @Override
    public void answered(final Station client, final Connection request) {
        Optional.ofNullable(requests.get(request)).map(open::get).ifPresent(exchange -> exchange.answered = true);
    }

    private void attempt(final Pair pair, final Exchange exchange) {
        exchange.server = Optional.empty();
        exchange.answered = false;
        if (exchange.resolved || servers(pair.target()).isEmpty()) {
            request(pair, exchange);
        } else {
            stations.ask(pair.client(), pair.target());
        }
    }

    /** Every second station opens a new connection to a service each time; the others go on with those they have. */
    private void request(final Pair pair, final Exchange exchange) {
        final int port = exchange.service && pair.client().number() % 2 == 0 ? freshPort()
            : ports.computeIfAbsent(pair, first -> freshPort());
        final var request = new Connection(FlowMatch.PROTOCOL_UDP, pair.client().like(pair.target()), pair.target(),
            port, exchange.service ? Controller.SERVICE_PORT : ECHO_PORT);
        requests.put(request, pair);
        stations.send(pair.client(), mac(pair, exchange), request);
    }

    private MacAddress mac(final Pair pair, final Exchange exchange) {
        return exchange.service ? FabricAddress.MAC : world.owner(pair.target()).mac();
    }

    private boolean isDone(final Pair pair, final Exchange exchange) {
        final var servers = servers(pair.target());
        return servers.isEmpty() ? !exchange.answered
            : exchange.resolved && exchange.answered && exchange.server.filter(servers::contains).isPresent();
    }

    private List<Station> servers(final InetAddress target) {
        final var virtual = world.virtual().get(target);
        return virtual == null ? List.of(world.owner(target)) : virtual;
    }

    private int freshPort() {
        nextPort = nextPort == LAST_PORT ? FIRST_PORT : nextPort + 1;
        return nextPort;
    }

    /** True if {@code arrived} is {@code sent}; only its destination may have become that of a server. */
    private static boolean isSame(final Connection sent, final Connection arrived) {
        return sent.source().equals(arrived.source()) && sent.sourcePort() == arrived.sourcePort()
            && sent.destinationPort() == arrived.destinationPort();
    }
}
