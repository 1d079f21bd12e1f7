// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.planner.plan.Figures;
import io.sluice.planner.plan.Plan;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.plan.Chain;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.plan.ChainKey;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.routes.Route;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.routes.RouteBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.routes.RouteKey;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/**
 * Shows the plan that is kept: only what differs from what is shown already. Then it tells whose routes do. What can't
 * be written is tried again later, as it is by then.
 */
final class PlanPublisher {
    private static final DataObjectIdentifier<org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Plan>
        PLAN = StateWriter.ROOT.toBuilder()
            .child(org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Plan.class).build();
    private static final RouteKey ANY = new RouteKey(Uint16.ZERO);

    private final StateWriter writer;
    private final PlannerEvents events;
    private final InstantSource clock;
    private Optional<Seen> last = Optional.empty();
    /** What is to be shown next; null while nothing is. */
    private final AtomicReference<State> next = new AtomicReference<>();
    /** What is shown, for the writer alone: as long as there was no chain, nothing. */
    private State shown = new State(new Figures(0, Bandwidth.ZERO, Bandwidth.ZERO, 0, 0, 0), Map.of());
    private long moves;

    /** A plan, as it is told of. */
    private record State(Figures figures, Map<ChainKey, Chain> chains) {
        static State of(final Plan plan) {
            return new State(plan.figures(), plan.splits().keySet().stream().map(name -> PlanCodec.chain(plan, name))
                .collect(BindingMap.toMap()));
        }
    }

    PlanPublisher(final StateWriter writer, final PlannerEvents events, final InstantSource clock) {
        this.writer = writer;
        this.events = events;
        this.clock = clock;
    }

    /** Has a plan shown soon, in the place of one that waits to be; for one thread at a time. */
    void publish(final Plan plan) {
        if (last.filter(seen -> seen.isLike(plan)).isEmpty()) {
            if (next.getAndSet(State.of(plan)) == null) {
                writer.repeat(this::show);
            }
            last = Optional.of(Seen.of(plan));
        }
    }

    /** Whether all is shown that is to be. */
    private boolean show() {
        State state;
        do {
            state = next.get();
            if (!state.equals(shown) && !write(state)) {
                return false;
            }
        } while (!next.compareAndSet(state, null));
        return true;
    }

    private boolean write(final State state) {
        final var before = shown.chains();
        final var changed = state.chains().values().stream()
            .filter(chain -> !chain.equals(before.get(chain.key()))).toList();
        final var gone = before.keySet().stream().filter(name -> !state.chains().containsKey(name)).toList();
        final var moved = changed.stream().filter(chain -> before.containsKey(chain.key())
            && !ways(chain).equals(ways(before.get(chain.key())))).map(Chain::getName).collect(Collectors.toSet());
        final boolean isWritten = writer.write(transaction -> {
            transaction.merge(LogicalDatastoreType.OPERATIONAL, PLAN, PlanCodec.figures(state.figures())
                .setChanged(RunCodec.time(clock.instant())).setChains(Uint32.valueOf(state.figures().chains()))
                .setMoves(Uint64.valueOf(moves + moved.size())).build());
            gone.forEach(name -> transaction.delete(LogicalDatastoreType.OPERATIONAL, path(name)));
            changed.forEach(chain -> transaction.put(LogicalDatastoreType.OPERATIONAL, path(chain.key()), chain));
        });
        if (isWritten) {
            shown = state;
            moves += moved.size();
            if (!moved.isEmpty()) {
                events.chainsMoved(moved, state.figures());
            }
        }
        return isWritten;
    }

    /** Where a chain's traffic goes, in which shares, however long that takes. */
    private static Set<Route> ways(final Chain chain) {
        return chain.nonnullRoute().values().stream()
            .map(route -> new RouteBuilder(route).withKey(ANY).setDelay(null).build()).collect(Collectors.toSet());
    }

    private static DataObjectIdentifier<Chain> path(final ChainKey name) {
        return PLAN.toBuilder().child(Chain.class, name).build();
    }
}
