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
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanRoutesTest {
    private static final String ABILENE =
        Path.of("..", "..", "bench", "data", "topohub", "abilene.json").toString();

    private static final Pattern ROUTE = Pattern.compile("(chain-\\d+) +(\\d+) ppm  (\\S+( > \\S+){4,6}|not carried)");
    private static final Pattern GAP =
        Pattern.compile("(\\w+) (\\S+), bound (\\S+), proven gap ([^,]+)(, .* s)?");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource({"latency,80", "scale,80", "carried,150"})
    void printsRoutesAndTheProvenGap(final String objective, final String load) {
        assertEquals(0, run(ABILENE, "100", objective, load), err::toString);

        final var lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        final var shares = lines.stream().map(ROUTE::matcher).filter(Matcher::matches).collect(Collectors.groupingBy(
            line -> line.group(1), Collectors.summingLong(line -> Long.parseLong(line.group(2)))));
        assertEquals(IntStream.range(0, 100).boxed().collect(Collectors.toMap(chain -> "chain-" + chain,
            chain -> 1_000_000L)), shares);
        checkGap(lines.get(lines.size() - 1), objective, 1e-4);
    }

    private static void checkGap(final String line, final String value, final double most) {
        final var match = GAP.matcher(line);
        assertTrue(match.matches() && match.group(1).equals(value), line);
        final double reached = Double.parseDouble(match.group(2));
        final double bound = Double.parseDouble(match.group(3));
        final double gap = Double.parseDouble(match.group(4));
        assertTrue(gap <= most, line);
        assertEquals(Math.abs(reached - bound) / (value.equals("scale") ? bound : Math.min(reached, bound)), gap,
            1e-5 + gap / 50, line);
    }

    @ParameterizedTest
    @CsvSource({"capacity,50,site \\S+: \\d+ cycles/s more", "placement,50,vnf-\\d+ at \\S+: \\d+ cycles/s"})
    void printsWhatToAddAndTheProvenGap(final String objective, final String percent, final String line) {
        assertEquals(0, run(ABILENE, "100", objective, percent), err::toString);

        final var lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertTrue(lines.get(0).matches(line), lines.get(0));
        checkGap(lines.get(lines.size() - 1), objective.equals("capacity") ? "scale" : "latency", 0.05);
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
        assertTrue(out.toString(StandardCharsets.UTF_8).startsWith("office 1000000 ppm  a > firewall@s > a\n"),
            out::toString);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("latency 2.00000e+08"), out::toString);
        assertEquals(0, run(file, "placement"), err::toString);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("firewall at t: 20000 cycles/s\n"), out::toString);
        assertEquals(0, run(file, "capacity", "50"), err::toString);
        assertEquals(1, run(file, "latency", "10000"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("no more than 0.05"), err::toString);
        assertEquals(1, run(file, "placement", "10000"));
        assertTrue(err.toString(StandardCharsets.UTF_8).endsWith("no more than 0.1000 of the traffic can be "
            + "carried: it takes all of site s; carried routes what fits\n"), err::toString);
        assertEquals(2, run(file, "latency", "100", "50"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("chains of its own: 50 says nothing\n"),
            err::toString);
        assertEquals(2, run(file, "fame"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("OBJECTIVE: fame is not known\n"), err::toString);
        assertEquals(2, run(file, "latency", "many"));
        assertTrue(said().contains("PERCENT: many is not a whole number up to 2147483647\n"), err::toString);
    }

    @Test
    void saysHowMuchOfTooMuchCanBeCarried() {
        assertEquals(1, run(ABILENE, "100", "latency", "125"));
        assertTrue(err.toString(StandardCharsets.UTF_8).startsWith("no more than 0.80"), err::toString);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertEquals(2, run());
        assertEquals(2, run(ABILENE, "100", "fame"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("usage:"));
    }

    @ParameterizedTest
    @CsvSource({"many,50,80,CHAINS: many is not a whole number", "0,50,80,0 chains", "-1,50,80,-1 chains",
        "9,101,80,101 percent of coverage", "9,50,-5,PERCENT: -5 is less than nothing"})
    void namesTheNumberThatIsWrong(final String chains, final String coverage, final String load, final String part) {
        assertEquals(2, run(ABILENE, chains, "latency", load, coverage));
        assertTrue(err.toString(StandardCharsets.UTF_8).startsWith(part), err::toString);
    }

    /** Nothing leads to c, nor away from it. */
    @ParameterizedTest
    @ValueSource(strings = {"latency", "scale", "carried", "capacity", "placement"})
    void namesChainsWithoutARoute(final String objective, @TempDir final Path folder) throws IOException {
        final var file = Files.writeString(folder.resolve("pieces.graph"), """
            NODES 3
            label x y
            a 1 2
            b 1 2
            c 1 2

            EDGES 2
            label src dest weight bw delay
            there 0 1 1 1000 5
            back 1 0 1 1000 5
            """);
        assertEquals(1, run(file.toString(), "20", objective));
        final var said = err.toString(StandardCharsets.UTF_8).strip();
        assertTrue(said.matches("no route at all for chain-\\d+ \\(.* is out of reach of .*\\)"
            + "(, chain-\\d+ \\(.*\\)){0,9}( and \\d+ more)?"), said);
    }

    @Test
    void namesAFileThatCannotBeRead(@TempDir final Path folder) throws IOException {
        assertEquals(2, run("nowhere.json"));
        assertEquals("nowhere.json can't be read: there is no file nowhere.json", said());
        err.reset();
        final var binary = Files.write(folder.resolve("x.graph"), new byte[] {-1, -2, 0});
        assertEquals(2, run(binary.toString()));
        assertEquals(binary + " can't be read: it is not text in UTF-8", said());
        err.reset();
        assertEquals(2, run(folder.toString()));
        assertTrue(said().startsWith(folder + " can't be read: "), err::toString);
        err.reset();
        assertEquals(2, run(Files.writeString(folder.resolve("x.json"), "{").toString()));
        assertEquals("x.json: not JSON: End of input at line 1 column 2 path $.", said());
    }

    @Test
    void helpTellsWhatThereIs() {
        assertEquals(0, run("--help"));
        final var help = out.toString(StandardCharsets.UTF_8);
        for (final var word : List.of("TOPOLOGY", "NETWORK", "CHAINS", "OBJECTIVE", "COVERAGE_PERCENT", "SEED",
                "--time-limit", "capacity", "placement", "latency", "scale", "carried")) {
            assertTrue(help.contains(word), word);
        }
        assertEquals(0, run(ABILENE, "10", "-h"));
        assertEquals("", said());
    }

    @ParameterizedTest
    @CsvSource({"--fast,1,--fast: there is no such option", "--time-limit,0,--time-limit: 0 is not in 1..86400 seconds",
        "--time-limit,86401,--time-limit: 86401 is not in 1..86400 seconds",
        "--time-limit,1m,--time-limit: 1m is not a whole number up to 2147483647",
        "1,--time-limit,--time-limit:  is not a whole number up to 2147483647"})
    void namesTheOptionThatIsWrong(final String one, final String other, final String reason) {
        assertEquals(2, run(ABILENE, one, other));
        assertTrue(said().startsWith(reason + "\nusage:"), err::toString);
    }

    @Test
    void moreChainsThanMemoryAreRefused() {
        assertEquals(1, run(ABILENE, "2147483647"));
        assertTrue(said().matches("more memory is needed than there is \\(\\d+ MiB\\): plan fewer chains, .*"),
            err::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"scale", "carried", "capacity"})
    void anInterruptedSearchPrintsTheBestItHasWithItsGap(final String objective) {
        assertEquals(0, run(() -> true, ABILENE, "100", objective, "--time-limit", "5"), err::toString);
        final var lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        checkGap(lines.get(lines.size() - 1), objective.equals("carried") ? objective : "scale", 1);
    }

    /** Too early for routes that carry all: those that there are carry a part. */
    @Test
    void anInterruptedSearchForLeastLatencyPrintsWhatItCarries() {
        assertEquals(1, run(() -> true, ABILENE, "100", "latency", "100"), err::toString);
        final var lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertTrue(lines.stream().allMatch(line -> ROUTE.matcher(line).matches()), out::toString);
        assertEquals(100, lines.stream().map(line -> line.split(" ")[0]).distinct().count());
        assertTrue(said().matches("no routes for more than 0\\.\\d+ of the traffic were found in time"), err::toString);
    }

    @Test
    void aTinyShareIsNotShownAsNothing() {
        assertEquals(1, run(ABILENE, "100", "latency", "2147483647"));
        assertTrue(said().startsWith("no more than 4.657e-08 of the traffic can be carried"), err::toString);
    }

    private String said() {
        return err.toString(StandardCharsets.UTF_8).strip();
    }

    private int run(final String... args) {
        return run(() -> false, args);
    }

    private int run(final BooleanSupplier isInterrupted, final String... args) {
        return PlanRoutes.run(args, isInterrupted, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    }
}
