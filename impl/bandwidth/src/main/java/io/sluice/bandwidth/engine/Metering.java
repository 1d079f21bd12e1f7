// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Action;
import io.sluice.api.Bandwidth;
import io.sluice.api.Entry;
import io.sluice.api.Entry.MeterUnit;
import io.sluice.api.Owner;
import io.sluice.api.Pipeline;
import io.sluice.api.PortId;
import io.sluice.bandwidth.engine.Priorities.Queue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Packets that are counted where they enter the network, and held to a rate or marked for queues if need be. Neither
 * meter nor queue has a rate of nothing: with that, packets are dropped as they are counted.
 *
 * @param ingress port where they come in
 * @param kilobits rate in kilobits per second of layer-2 frames, 0..2^32-1; {@link #UNMETERED} without one
 * @param mark of the queue that the packets are for; they are left as they are if empty
 * @param egresses ports by which the packets leave the switch, with the part that goes by each, if queues there hold
 *     them to the rate; none of these if an earlier controller has made the queues; empty if a meter holds the packets
 */
record Metering(PortId ingress, Packets packets, long kilobits, Optional<Queue> mark,
        Optional<Map<PortId, Long>> egresses) {
    /** More than any rate. */
    static final long UNMETERED = Long.MAX_VALUE;

    /**
     * Depth of a meter's bucket, in milliseconds at its rate: a sender that lost all it had in flight must find tokens
     * for the time-out of 200 ms that Linux waits at least, or a round trip as long, and for its next window. Storm's
     * senders count on it: {@code BUCKET_S} in {@code io.sluice.engine.storm.transport.Pace}, which nothing here can
     * see, may not be more.
     */
    static final long BURST_MS = 400;
    /** A bucket takes at least four frames of 1514 bytes; {@code BUCKET_BYTES} in the same place may not be more. */
    private static final long LEAST_BURST_KILOBITS = 49;
    private static final long LARGEST = 0xffff_ffffL;

    Metering {
        egresses = egresses.map(Map::copyOf);
    }

    /** The queue of the flow with this number; 0 is where all else is. */
    static long queueNumber(final int number) {
        return number + 1L;
    }

    /** Rounded down, so that meters never sum to more than the link. */
    static long kilobits(final long bitsPerSecond) {
        return Math.min(LARGEST, bitsPerSecond / 1000);
    }

    /**
     * What entries say that were declared of these packets: the rate of their meter, and their mark. The rate of queues
     * that hold them is not known, so it is the largest.
     */
    static Metering of(final PortId ingress, final Packets packets, final List<Entry> entries) {
        final var actions = entries.stream()
            .flatMap(entry -> entry instanceof Entry.Flow flow ? flow.actions().stream() : Stream.empty()).toList();
        final var mark = Queue.of(actions);
        if (mark.isEmpty() && actions.stream().anyMatch(Action.SetQueue.class::isInstance)) {
            return new Metering(ingress, packets, LARGEST, mark, Optional.of(Map.of()));
        }
        return new Metering(ingress, packets, entries.stream().flatMap(entry -> switch (entry) {
            case Entry.Meter meter -> Stream.of(meter.rate());
            case Entry.Flow flow when flow.nextTable().isEmpty() -> Stream.of(0L);
            default -> Stream.<Long>empty();
        }).findFirst().orElse(UNMETERED), mark, Optional.empty());
    }

    /** This, but for the rate. */
    Metering at(final long otherKilobits) {
        return new Metering(ingress, packets, otherKilobits, mark, egresses);
    }

    /** This, but held by a meter. */
    Metering byMeter() {
        return new Metering(ingress, packets, kilobits, mark, Optional.empty());
    }

    boolean isMetered() {
        return kilobits != UNMETERED;
    }

    boolean isDropping() {
        return kilobits == 0;
    }

    /** A meter holds it to its rate. */
    boolean hasMeter() {
        return isMetered() && !isDropping() && !isQueued();
    }

    /** Queues hold it to its rate. */
    boolean isQueued() {
        return isMetered() && !isDropping() && egresses.isPresent();
    }

    /** By queues as an earlier controller has made them. */
    boolean isLeft() {
        return isQueued() && egresses.orElseThrow().isEmpty();
    }

    /** Whether it is held by queues at the ports of another one, as far as that is known. */
    boolean hasQueuesOf(final Metering other) {
        return isLeft() || isQueued() && egresses.orElseThrow().keySet().containsAll(other.queueRates().keySet());
    }

    /** What its queues let pass at each port, as far as that is known: together no more than the rate. */
    Map<PortId, Bandwidth> queueRates() {
        final var parts = egresses.filter(ports -> isQueued()).orElse(Map.of());
        final long whole = parts.values().stream().mapToLong(part -> part).sum();
        return parts.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey,
            egress -> new Bandwidth(kilobits * 1000 * egress.getValue() / whole)));
    }

    /** The switch does more than to count. */
    boolean isActing() {
        return isMetered() || mark.isPresent();
    }

    /**
     * The entry that counts and marks, and the meter if it has one; it says not where packets go.
     *
     * @param number of the flow
     * @param meterNumber of its meter, if it has one
     */
    List<Entry> entries(final Owner owner, final int number, final OptionalInt meterNumber) {
        final List<Action> actions = isQueued() ? List.of(new Action.SetQueue(queueNumber(number)))
            : mark.map(Queue::actions).orElse(List.of());
        final var dropping = new Entry.Flow(Pipeline.METER, packets.priority(), packets.match(ingress), actions);
        if (isDropping()) {
            return List.of(dropping);
        }
        final var counting = dropping.goingOnTo(Pipeline.CLASSIFY);
        if (!hasMeter()) {
            return List.of(counting);
        }
        final int meter = owner.meterNumber(meterNumber.orElseThrow());
        final long burst = Math.min(LARGEST, Math.max(LEAST_BURST_KILOBITS, kilobits * BURST_MS / 1000));
        return List.of(new Entry.Meter(meter, MeterUnit.KILOBITS, kilobits, burst), counting.meteredBy(meter));
    }
}
