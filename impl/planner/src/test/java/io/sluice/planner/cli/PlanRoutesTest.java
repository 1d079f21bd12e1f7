// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanRoutesTest {
    private static final String ABILENE =
        Path.of("..", "..", "bench", "data", "topohub", "abilene.json").toString();

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource({"latency,80", "scale,80", "carried,150"})
    void printsRoutesAndTheProvenGap(final String objective, final String load) throws IOException {
        assertEquals(0, run(ABILENE, "100", objective, load), err::toString);

        final var lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertTrue(lines.get(0).matches("chain-0 +\\d+ ppm  \\S+( > \\S+){4,6}"), lines.get(0));
        assertTrue(lines.get(lines.size() - 1).contains("proven gap"));
    }

    @ParameterizedTest
    @CsvSource({"capacity,50,site \\S+: \\d+ cycles/s more", "placement,50,vnf-\\d+ at \\S+: \\d+ cycles/s"})
    void printsWhatToAddAndTheProvenGap(final String objective, final String percent, final String line)
            throws IOException {
        assertEquals(0, run(ABILENE, "100", objective, percent), err::toString);

        final var lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertTrue(lines.get(0).matches(line), lines.get(0));
        assertTrue(lines.get(lines.size() - 1).contains("proven gap"));
    }

    /** The firewall is near, at b; at a hundred times the traffic it is too small. */
    @Test
    void plansANetworkWithItsOwnChains(@TempDir final Path folder) throws IOException {
        final var file = Files.writeString(folder.resolve("net.json"), """
            {"sluice-planner:planner": {
              "node": [{"name": "a"}, {"name": "b"}],
              "link": [{"name": "ab", "from": "a", "to": "b", "bandwidth": "10000000", "delay": 100},
                {"name": "ba", "from": "b", "to": "a", "bandwidth": "10000000", "delay": 100}],
              "site": [{"name": "s", "node": "b", "capacity": "100000"}, {"name": "t", "node": "a",
                "capacity": "100000"}],
              "vnf": [{"name": "firewall", "load": 80, "deployment": [{"site": "s", "capacity": "100000"}]}],
              "chain": [{"name": "office", "ingress": ["a"], "egress": ["a"], "vnf": ["firewall"],
                "forward": "1000000"}]}}""").toString();
        assertEquals(0, run(file), err::toString);
        assertTrue(out.toString(StandardCharsets.UTF_8).startsWith("office 1000000 ppm  a > b > a\n"), out::toString);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("latency 2.00000e+08"), out::toString);
        assertEquals(0, run(file, "placement"), err::toString);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("firewall at a: 20000 cycles/s\n"), out::toString);
        assertEquals(0, run(file, "capacity", "50"), err::toString);
        assertEquals(1, run(file, "latency", "10000"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("no more than 0.05"), err::toString);
        assertEquals(2, run(file, "fame"));
    }

    @Test
    void saysHowMuchOfTooMuchCanBeCarried() throws IOException {
        assertEquals(1, run(ABILENE, "100", "latency", "125"));
        assertTrue(err.toString(StandardCharsets.UTF_8).startsWith("no more than 0.80"), err::toString);
    }

    @Test
    void refusesWhatMakesNoSense() throws IOException {
        assertEquals(2, run());
        assertEquals(2, run(ABILENE, "many"));
        assertEquals(2, run(ABILENE, "100", "fame"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("usage:"));
    }

    private int run(final String... args) throws IOException {
        return PlanRoutes.run(args, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    }
}
