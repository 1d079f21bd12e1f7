// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.placement.FlowMap.PlacedFlow;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowMapTest {
    @Test
    void flowsOfATopologyAreKnownByTheirNames() {
        final var topology = Clusters.topology("t", 3, Map.of());
        final var cluster = Clusters.cluster(3, 1, Map.of(), topology);
        Placer.place(topology, cluster);
        final var names = FlowMap.of(topology, cluster).flows().values().stream().map(PlacedFlow::name)
            .collect(Collectors.toSet());
        assertEquals(7, names.size());
        assertTrue(names.stream().allMatch(FlowMap::isName), names.toString());
    }

    @Test
    void itIsToldWhetherAllHasAPlace() {
        final var topology = Clusters.topology("t", 3, Map.of());
        final var cluster = Clusters.cluster(3, 1, Map.of(), topology);
        assertFalse(FlowMap.of(topology, cluster).whole());
        Placer.place(topology, cluster);
        assertTrue(FlowMap.of(topology, cluster).whole());
        cluster.freeSlot(cluster.getUsedSlotsByTopologyId(topology.getId()).iterator().next());
        assertFalse(FlowMap.of(topology, cluster).whole());
    }

    @ParameterizedTest
    @CsvSource({"x_spout-1.a.b-c_d-20, true", "aaaaaaaaaaaaaaaaaaaa-1.b-2147483647, true",
        "aaaaaaaaaaaaaaaaaaaaa-1.b-2, false", "backup, false", "backup-1, false", "backup-1.b, false",
        "backup-1.b-, false", "-1.b-2, false"})
    void namesOfOtherFlowsAreNot(final String name, final boolean isName) {
        assertEquals(isName, FlowMap.isName(name));
    }
}
