// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.Refusal.Why;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Optional;

/** The last refusal of each transfer and of each client; of many, the latest. Belongs to the engine's loop. */
public final class Refusals {
    /** So many transfers and so many clients are remembered. */
    static final int KEPT = 1024;

    private final InstantSource clock;
    private final LinkedHashMap<String, Refusal> ofTransfers = new LinkedHashMap<>();
    private final LinkedHashMap<InetAddress, Refusal> ofClients = new LinkedHashMap<>();

    Refusals(final InstantSource clock) {
        this.clock = clock;
    }

    /** The last refusal of a transfer that has been refused since it was granted last. */
    public Optional<Refusal> ofTransfer(final String name) {
        return Optional.ofNullable(ofTransfers.get(name));
    }

    /** The last refusal of a connection of an untagged client. */
    public Optional<Refusal> ofClient(final InetAddress client) {
        return Optional.ofNullable(ofClients.get(client));
    }

    /** Keeps what was refused to an untagged client. */
    void refused(final Connection connection, final Why why) {
        if (connection.isTagged()) {
            return;
        }
        keep(ofClients, connection.source(), new Refusal(clock.instant(), connection.source(),
            Optional.of(connection.destination()), why.asked().flatMap(Requests.Asked::service).map(Service::name),
            why.asked().map(Requests.Asked::demand), why.cause(), why.needed()));
    }

    void refused(final Transfer transfer, final Why why) {
        keep(ofTransfers, transfer.name(), new Refusal(clock.instant(), transfer.client(), Optional.empty(),
            Optional.of(transfer.service()), why.asked().map(Requests.Asked::demand), why.cause(), why.needed()));
    }

    void granted(final String transfer) {
        ofTransfers.remove(transfer);
    }

    private static <K> void keep(final LinkedHashMap<K, Refusal> kept, final K key, final Refusal refusal) {
        kept.putLast(key, refusal);
        if (kept.size() > KEPT) {
            kept.pollFirstEntry();
        }
    }
}
