// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * What the operator says; the configuration of {@code sluice-multipath} as values.
 *
 * @param strategy for traffic without one of its own
 * @param refreshMs how often placements are reviewed
 * @param placer how paths are judged and when a flow may move
 * @param idleMs after how long without a packet a flow is withdrawn
 */
public record MultipathConfig(Strategy strategy, long refreshMs, PlacerSettings placer, long idleMs,
        Map<String, Service> services, Map<String, Transfer> transfers) {
    /** A day. */
    private static final long MAX_DRAIN_MS = 86_400_000;

    public MultipathConfig {
        services = Map.copyOf(services);
        transfers = Map.copyOf(transfers);
    }

    /** The idle time in nanoseconds. */
    long idleNs() {
        return TimeUnit.MILLISECONDS.toNanos(idleMs);
    }

    /**
     * Something that servers offer in pieces.
     *
     * @param protocol IP protocol of all its ports
     * @param virtualAddress address for which the fabric answers
     * @param virtualPort port at that address; all if empty
     * @param pieces in how many pieces the data is split, 1..64
     * @param slots into how many slots its clients are divided, a power of two in 2..64; not at all if empty
     * @param strategy the service's own
     * @param drainMs how long flows stay at a server that is removed or drained, 0..86400000
     */
    public record Service(String name, int protocol, Optional<InetAddress> virtualAddress, OptionalInt virtualPort,
            int pieces, OptionalInt slots, Optional<Strategy> strategy, List<Server> servers, long drainMs) {
        public Service {
            servers = List.copyOf(servers);
            if (drainMs < 0 || drainMs > MAX_DRAIN_MS) {
                throw new IllegalArgumentException("drain-timeout of service " + name + " is not in 0.." + MAX_DRAIN_MS
                    + " ms: " + drainMs);
            }
        }

        /** The same in nanoseconds. */
        long drainNs() {
            return TimeUnit.MILLISECONDS.toNanos(drainMs);
        }

        /** True if one of its servers has this address. */
        boolean isServedBy(final InetAddress address) {
            return servers.stream().anyMatch(server -> server.address().equals(address));
        }

        /** True if a client that opens {@code connection} asks for any server of this service. */
        boolean isAskedForBy(final Connection connection) {
            return connection.protocol() == protocol
                && virtualAddress.filter(connection.destination()::equals).isPresent()
                && (virtualPort.isEmpty() || virtualPort.getAsInt() == connection.destinationPort());
        }
    }

    /**
     * A host that offers pieces.
     *
     * @param maxLoad requests that it serves at a time
     * @param weight its part of the slots, beside the other servers' weights; 0 drains it
     */
    public record Server(String name, InetAddress address, int maxLoad, int weight, List<ServerPort> ports) {
        public Server {
            ports = List.copyOf(ports);
        }
    }

    /** A transport port, 1..65535, and the piece that is found there. */
    public record ServerPort(int number, int piece) { }

    /**
     * A client's standing request.
     *
     * @param pieces the pieces wanted
     * @param bandwidth rate wanted for each; as much as there is if empty
     * @param idleMs after how long without a packet it ends by itself; never if empty
     */
    public record Transfer(String name, InetAddress client, String service, List<Integer> pieces,
            Optional<Bandwidth> bandwidth, OptionalLong idleMs) {
        public Transfer {
            pieces = List.copyOf(pieces);
        }

        /** This transfer, of {@code wanted} pieces. */
        public Transfer of(final List<Integer> wanted) {
            return new Transfer(name, client, service, wanted, bandwidth, idleMs);
        }
    }
}
