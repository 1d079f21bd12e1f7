// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Action;
import io.sluice.api.PortQueues;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * How {@code app-fair} orders applications, and the queues that keep the order.
 *
 * @param alphaPpm weight of the mean of all time against the last interval, in millionths, 0..10^6
 * @param queues one for each level, the one that goes first first
 * @param made those with a number are made where switches allow it
 */
public record Priorities(int alphaPpm, List<Queue> queues, boolean made) {
    public Priorities {
        queues = List.copyOf(queues);
    }

    /** What is wrong with the queues. */
    Optional<String> fault() {
        if (queues.isEmpty()) {
            return Optional.of("app-fair needs queues; list those that ports have under queue");
        }
        final var numbers = new HashSet<Long>();
        return queues.stream().flatMapToLong(queue -> queue.number().stream()).mapToObj(number -> !numbers.add(number)
                ? Optional.of("two queues have number " + number + "; give each its own")
                : Optional.of("no queue with number " + number + " can be made; give it one up to "
                    + PortQueues.MAX_NUMBER).filter(tooLarge -> made && number > PortQueues.MAX_NUMBER))
            .flatMap(Optional::stream).findFirst();
    }

    /**
     * A queue of each port.
     *
     * @param codePoint of differentiated services that its packets are marked with, 0..63
     * @param number by which OpenFlow knows it; empty if switches go by the mark alone
     */
    public record Queue(int codePoint, OptionalLong number) {
        /** The queue that {@code actions} put packets into. */
        static Optional<Queue> of(final List<Action> actions) {
            final var number = actions.stream().flatMapToLong(action ->
                action instanceof Action.SetQueue(var queue) ? LongStream.of(queue) : LongStream.empty()).findFirst();
            return actions.stream().flatMap(action ->
                action instanceof Action.SetCodePoint(var mark) ? Stream.of(new Queue(mark, number)) : Stream.empty())
                .findFirst();
        }

        /** What puts packets into it. */
        List<Action> actions() {
            return Stream.<Action>concat(Stream.of(new Action.SetCodePoint(codePoint)),
                number.stream().mapToObj(Action.SetQueue::new)).toList();
        }
    }
}
