// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Connection;
import io.sluice.multipath.engine.Requests.Asked;
import io.sluice.multipath.placement.Absent;
import io.sluice.multipath.placement.Decision;
import io.sluice.multipath.placement.Demand;
import io.sluice.multipath.placement.Piece;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;

/**
 * Something that was asked for and not given.
 *
 * @param when it was refused
 * @param client that asked
 * @param destination that a connection asked for; empty for a transfer
 * @param service what was asked for belongs to
 * @param demand with the servers as they were; empty if it did not come to that
 * @param cause what stood in the way
 * @param needed what would help, if that is known
 */
public record Refusal(Instant when, InetAddress client, Optional<InetAddress> destination, Optional<String> service,
        Optional<Demand> demand, String cause, Optional<String> needed) {
    /** Why, and what was asked for. */
    record Why(Optional<Asked> asked, String cause, Optional<String> needed) {
        /** Of packets that go on with a connection that was ended. */
        static final Why ENDED = new Why(Optional.empty(),
            "the connection was ended, since its server was removed or drained or its service was removed",
            Optional.of("connect again"));

        static Why of(final Asked asked, final Decision.Refused refusal) {
            return new Why(Optional.of(asked), refusal.cause(), Optional.of(refusal.needed()));
        }

        /**
         * True if a connection that was open before can't go on: it was ended, or asks for a virtual address whose
         * servers are all full or drained. A connection that lacks its host or a path may go on later.
         */
        boolean isFinal(final Connection connection) {
            return this == ENDED || asked.filter(request -> request.service()
                .filter(service -> service.isAskedForBy(connection)).isPresent()
                && request.demand().pieces().stream().allMatch(Why::isTaken)).isPresent();
        }

        private static boolean isTaken(final Piece piece) {
            return piece.candidates().stream().allMatch(candidate -> candidate.room() == 0)
                && piece.absent().stream().allMatch(Absent.Drained.class::isInstance);
        }

        String reason() {
            return cause + needed.map(help -> "; " + help).orElse("");
        }
    }
}
