// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The servers' room while a demand's pieces are given to them one by one: a piece never takes the last place that
 * another one needs. Pieces that have no server yet are seated by augmenting paths (Kuhn's method).
 */
final class ServerRoom {
    private final List<Piece> pieces;
    /** The server that each piece took; null as long as it has none. */
    private final String[] taken;
    /** True if every server has room for all pieces: then nobody takes another's place. */
    private final boolean ample;

    ServerRoom(final List<Piece> pieces) {
        this.pieces = pieces;
        taken = new String[pieces.size()];
        ample = pieces.stream().flatMap(piece -> piece.candidates().stream())
            .allMatch(candidate -> candidate.room() >= pieces.size());
    }

    /** Returns the first piece that finds no place beside those before it. */
    Optional<Piece> unseated() {
        final var seats = taken.clone();
        return IntStream.range(0, seats.length).filter(piece -> seats[piece] == null && !seat(piece, seats,
            new HashSet<>())).mapToObj(pieces::get).findFirst();
    }

    /** The candidates of {@code piece} that leave a place for all others. */
    List<Candidate> open(final int piece) {
        if (ample) {
            return pieces.get(piece).candidates();
        }
        final var before = taken[piece];
        final var open = pieces.get(piece).candidates().stream().filter(candidate -> {
            taken[piece] = candidate.server();
            return used(candidate.server()) <= candidate.room() && unseated().isEmpty();
        }).toList();
        taken[piece] = before;
        return open;
    }

    void take(final int piece, final Candidate candidate) {
        taken[piece] = candidate.server();
    }

    void free(final int piece) {
        taken[piece] = null;
    }

    /** How many pieces took {@code server}. */
    long used(final String server) {
        return count(taken, server);
    }

    private static long count(final String[] seats, final String server) {
        return Arrays.stream(seats).filter(seat -> Objects.equals(seat, server)).count();
    }

    /** Seats a piece, if need be by seating others anew that took none yet. */
    private boolean seat(final int piece, final String[] seats, final Set<String> tried) {
        for (var candidate : pieces.get(piece).candidates()) {
            final var server = candidate.server();
            if (tried.add(server) && (count(seats, server) < candidate.room()
                    || IntStream.range(0, seats.length).anyMatch(other -> taken[other] == null
                        && server.equals(seats[other]) && seat(other, seats, tried)))) {
                seats[piece] = server;
                return true;
            }
        }
        return false;
    }
}
