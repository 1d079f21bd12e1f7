// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Futures;
import io.sluice.api.Bandwidth;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Link;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.testlib.TopologyBuilder;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Disjointness;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FindPathsInput.Destination;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FindPathsInput.Source;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FindPathsInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FindPathsOutput;

/** Switches 1 and 2 with two cables, both in group 7, and 2 and 3 with three in none. */
class PathFinderRpcTest {
    private final SwitchId first;
    private final SwitchId third;
    private final PathFinderRpc rpc;

    PathFinderRpcTest() {
        final var builder = new TopologyBuilder();
        first = builder.addSwitch();
        final var second = builder.addSwitch();
        third = builder.addSwitch();
        builder.connect(first, second, Bandwidth.ofMegabits(10), 2);
        builder.connect(second, third, Bandwidth.ofMegabits(10), 3);
        final var plain = builder.build();
        final var snapshot = new FabricSnapshot(1, plain.switches(), plain.ports(), plain.links().stream()
            .map(link -> link.source().switchId().equals(first) ? new Link(link.source(), link.destination(),
                link.capacity(), link.load(), Set.of(7L)) : link).toList(), plain.hosts());
        rpc = new PathFinderRpc(new Fabric() {
            @Override
            public FabricSnapshot snapshot() {
                return snapshot;
            }

            @Override
            public Subscription subscribe(final Consumer<FabricSnapshot> listener) {
                throw new UnsupportedOperationException();
            }
        });
    }

    @Test
    void linksCountUnlessSaidOtherwise() throws Exception {
        assertEquals(2, found(null).getDisjointPaths().toJava());
        assertEquals(2, found(Disjointness.Link).getDisjointPaths().toJava());
        assertEquals(Set.of(), found(Disjointness.Link).getShared());
    }

    @Test
    void byNodeTheSwitchBetweenIsShared() throws Exception {
        assertEquals(1, found(Disjointness.Node).getDisjointPaths().toJava());
        assertTrue(found(Disjointness.Node).getShared().contains("openflow:2"));
    }

    @Test
    void byGroupTheGroupIsSharedAndTheAnswerIsProven() throws Exception {
        final var answer = found(Disjointness.SharedRiskGroup);

        assertEquals(1, answer.getDisjointPaths().toJava());
        assertEquals(2, answer.nonnullPath().size());
        assertEquals(Set.of("shared-risk-group 7"), answer.getShared());
        assertTrue(answer.getProven());
    }

    private FindPathsOutput found(final Disjointness disjointness) throws Exception {
        final var answer = Futures.getDone(rpc.invoke(new FindPathsInputBuilder()
            .setSource(new Source(Values.switchId(first)))
            .setDestination(new Destination(Values.switchId(third))).setDisjointness(disjointness).build()));
        assertTrue(answer.isSuccessful(), answer.getErrors().toString());
        return answer.getResult();
    }
}
