// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StageOrderTest {
    /** Edges, in which s is the spout, and the stages of all components by name. */
    @ParameterizedTest
    @CsvSource({"s>a a>b, 1 2 0", "s>a s>b a>b, 1 2 0", "s>a s>b a>c b>c c>d, 1 1 2 3 0", "s>x x>y y>x y>a, 2 0 1 1",
        "s>z z>m m>z, 1 0 1", "s>b b>b b>a, 2 1 0", "s>a a>b b>c c>a c>d b>d, 1 1 1 2 0"})
    void stageIsTheLongestWayWithCirclesAsOne(final String edges, final String stages) {
        final var builder = new TopologyBuilder();
        builder.setSpout("s", new TestWordSpout());
        final var names = new TreeSet<String>(List.of("s"));
        final var pairs = Arrays.stream(edges.split(" ")).map(edge -> edge.split(">")).toList();
        for (final var pair : pairs) {
            names.add(pair[1]);
        }
        for (final var name : names) {
            if (!name.equals("s")) {
                final var bolt = builder.setBolt(name, new TestWordCounter());
                pairs.stream().filter(pair -> pair[1].equals(name)).forEach(pair -> bolt.shuffleGrouping(pair[0]));
            }
        }
        final var order = new StageOrder(builder.createTopology());
        assertEquals(Arrays.stream(stages.split(" ")).map(Integer::valueOf).toList(),
            names.stream().map(order::stage).toList());
    }
}
