// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Asks the owner of an address whether it is still there, by ARP or neighbour discovery at its port. A check begins
 * when another station claims what the owner has, or without a claim to verify that the owner answers:
 * <pre>
 *   claimed, to be verified --&gt; asked --the owner answers-----------------&gt; kept; claims are checked twice
 *                                 |
 *                                 +---no answer within PATIENCE_NS, claimed----&gt; the claimant gets it
 *                                 +---no answer within PATIENCE_NS, unclaimed--&gt; unanswered
 * </pre>
 * A claim is checked twice because both stations may have the address for a moment while it moves.
 *
 * <p>All times are of one monotonic clock, in nanoseconds. Not thread-safe.
 */
final class OwnershipChecks {
    /** How long an owner has to answer. */
    static final long PATIENCE_NS = 100_000_000L;
    /** How often it is asked in that time. */
    static final int QUESTIONS = 3;
    static final long SPACING_NS = PATIENCE_NS / QUESTIONS;
    /** A claim that the owner withstood is checked once more after so long; until then the claimant is ignored. */
    static final long RECHECK_NS = 1_000_000_000L;
    /** Checks that are under way or wait for their second turn; claims beyond them are refused. */
    static final int MAX_CHECKS = 4096;
    /** A clock that is so late has stood still for others, too: answers may wait to be read. */
    private static final long LATE_NS = 20_000_000L;

    private final Map<Object, Check> checks = new LinkedHashMap<>();
    private final Map<AddressClaim, Long> rechecksNs = new LinkedHashMap<>();
    private long refused;

    /** A question for the owner of {@code address}, who is at {@code port}. */
    record Question(InetAddress address, PortId port) { }

    /** A check that ended without an answer. */
    record Unanswered(InetAddress address, Optional<AddressClaim> claim) { }

    private static final class Check {
        private final MacAddress owner;
        private final PortId port;
        /** What the owner is asked for, in turns: of a host that may have moved, several of its addresses. */
        private final List<InetAddress> addresses;
        private Optional<AddressClaim> claim;
        private boolean second;
        private long begunNs;
        private int asked;

        Check(final Host owner, final List<InetAddress> addresses, final Optional<AddressClaim> claim,
                final boolean second, final long begunNs) {
            this.owner = owner.mac();
            port = owner.attachment();
            this.addresses = addresses;
            this.claim = claim;
            this.second = second;
            this.begunNs = begunNs;
        }

        long dueNs() {
            return begunNs + (asked < QUESTIONS ? asked * SPACING_NS : PATIENCE_NS);
        }

        Question next() {
            return new Question(addresses.get(asked++ % addresses.size()), port);
        }
    }

    /**
     * Checks a claim to what {@code owner} has; of several claimants the last one counts. A claim that comes while
     * another is checked, or the same one a second time, is checked once more later: the owner may have answered before
     * it gave the address up.
     */
    void claim(final AddressClaim claim, final Host owner, final long nowNs) {
        if (rechecksNs.containsKey(claim)) {
            return;
        }
        final var present = checks.get(claim.subject());
        if (present != null) {
            present.claim = Optional.of(claim);
            present.second = false;
        } else if (checks.size() + rechecksNs.size() >= MAX_CHECKS) {
            refused++;
        } else {
            begin(claim, owner, false, nowNs);
        }
    }

    /** Begins the second check of a claim; a host without addresses can't be asked whether it has moved. */
    void recheck(final AddressClaim claim, final Host owner, final long nowNs) {
        begin(claim, owner, true, nowNs);
    }

    /** Checks that {@code owner} still answers for {@code address}, unless that is under way. */
    void verify(final InetAddress address, final Host owner, final long nowNs) {
        checks.putIfAbsent(address, new Check(owner, List.of(address), Optional.empty(), false, nowNs));
    }

    private void begin(final AddressClaim claim, final Host owner, final boolean second, final long nowNs) {
        final var addresses = claim.moves() ? List.copyOf(owner.addresses()) : List.of(claim.address());
        if (!addresses.isEmpty()) {
            checks.putIfAbsent(claim.subject(), new Check(owner, addresses, Optional.of(claim), second, nowNs));
        }
    }

    /** Takes note that a station answered for {@code address}; returns the claims that it withstood. */
    List<AddressClaim> heard(final MacAddress mac, final InetAddress address, final PortId port, final long nowNs) {
        final var withstood = new ArrayList<AddressClaim>();
        Stream.of(address, mac).forEach(subject -> {
            final var check = checks.get(subject);
            if (check != null && check.owner.equals(mac) && check.port.equals(port)) {
                checks.remove(subject);
                check.claim.ifPresent(claim -> {
                    withstood.add(claim);
                    if (!check.second) {
                        rechecksNs.put(claim, nowNs + RECHECK_NS);
                    }
                });
            }
        });
        return withstood;
    }

    /** Ends the check of an address or host whose owner has changed; a claim to it is checked again at once. */
    void cancel(final Object subject, final long nowNs) {
        final var check = checks.remove(subject);
        if (check != null) {
            check.claim.ifPresent(claim -> rechecksNs.put(claim, nowNs));
        }
    }

    /** Returns the claims whose second check is due; the caller begins it, or grants what has no owner to ask. */
    List<AddressClaim> rechecks(final long nowNs) {
        final var due = rechecksNs.entrySet().stream().filter(recheck -> recheck.getValue() <= nowNs)
            .map(Map.Entry::getKey).toList();
        due.forEach(rechecksNs::remove);
        return due;
    }

    /** Returns the questions that are due now. */
    List<Question> questions(final long nowNs) {
        final var questions = new ArrayList<Question>();
        for (var check : checks.values()) {
            if (check.asked < QUESTIONS && check.dueNs() <= nowNs) {
                questions.add(check.next());
            }
        }
        return questions;
    }

    /** Returns the checks whose time is up. After a pause of this program all questions are asked once more. */
    List<Unanswered> expired(final long nowNs) {
        final var over = new LinkedHashMap<Object, Check>();
        checks.forEach((subject, check) -> {
            if (check.dueNs() > nowNs) {
                return;
            }
            if (nowNs - check.dueNs() > LATE_NS) {
                check.begunNs = nowNs;
                check.asked = 0;
            } else if (check.asked == QUESTIONS) {
                over.put(subject, check);
            }
        });
        checks.keySet().removeAll(over.keySet());
        return over.values().stream().map(check -> new Unanswered(check.addresses.getFirst(), check.claim)).toList();
    }

    /** Returns when there is something to do next; nothing while there is nothing to do. */
    OptionalLong nextNs() {
        return LongStream.concat(checks.values().stream().mapToLong(Check::dueNs),
            rechecksNs.values().stream().mapToLong(Long::longValue)).min();
    }

    /** Claims that were refused because too many checks were under way. */
    long refused() {
        return refused;
    }
}
