// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.api.Bandwidth;
import io.sluice.api.Connection;
import io.sluice.api.Link;
import io.sluice.api.PortId;
import io.sluice.testlib.Packet;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Lets the flows of an engine's bed carry what their links really give, which may be less than what the fabric shows:
 * each flow its equal part of the link that has least for it.
 */
final class RealLinks {
    static final Duration REFRESH = Duration.ofSeconds(10);
    private static final int BITS = 8 * Packet.LENGTH_BYTES;

    private final EngineBed bed;
    private final Map<PortId, Bandwidth> capacities = new HashMap<>();
    private final Set<Long> ended = new HashSet<>();
    private Bandwidth pace = new Bandwidth(Long.MAX_VALUE);

    RealLinks(final EngineBed bed) {
        this.bed = bed;
    }

    /** Gives the links of a flow's path to the server another capacity. */
    void degrade(final FlowState flow, final Bandwidth capacity) {
        flow.forward().links().forEach(link -> capacities.put(link.source(), capacity));
    }

    /** All links give what the fabric shows. */
    void mend() {
        capacities.clear();
    }

    /** No flow carries more from now on: its ends are no faster. */
    void limit(final Bandwidth newPace) {
        pace = newPace;
    }

    /** A flow carries nothing from now on. */
    void end(final FlowState flow) {
        ended.add(flow.record().id());
    }

    /** Carries for {@code part} of the time between two reviews, which passes. */
    void carry(final double part) {
        final double seconds = REFRESH.toSeconds() * part;
        for (var flow : bed.engine.flows()) {
            for (long packet = 0; packet < packets(flow, seconds); packet++) {
                bed.send(bed.host(0), bed.host(1), connection(flow));
            }
        }
        bed.clock.advance(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    /** Carries until the next review, and reviews; returns how many flows it moved. */
    int review() {
        carry(1);
        return bed.await(bed.engine.review(false));
    }

    private long packets(final FlowState flow, final double seconds) {
        final double rate = ended.contains(flow.record().id()) ? 0 : flow.forward().links().stream()
            .mapToDouble(this::share).min().orElseThrow();
        return Math.round(Math.min(rate, pace.bitsPerSecond()) * seconds / BITS);
    }

    private double share(final Link link) {
        final long users = bed.engine.flows().stream().filter(flow -> !ended.contains(flow.record().id())
            && flow.forward().links().stream().anyMatch(crossed -> crossed.source().equals(link.source()))).count();
        return (double) capacities.getOrDefault(link.source(), bed.shown.linkFrom(link.source()).orElseThrow()
            .capacity()).bitsPerSecond() / users;
    }

    private static Connection connection(final FlowState flow) {
        final var key = flow.record().key();
        return new Connection(key.protocol(), key.client(), key.target(), 1000, key.targetPort().getAsInt());
    }
}
