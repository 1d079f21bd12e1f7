// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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
