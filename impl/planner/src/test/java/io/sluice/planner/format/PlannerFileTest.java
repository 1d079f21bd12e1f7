// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.planner.model.Chain;
import io.sluice.planner.model.Deployment;
import io.sluice.planner.model.Link;
import io.sluice.planner.model.Network;
import io.sluice.planner.model.Problem;
import io.sluice.planner.model.Routing;
import io.sluice.planner.model.Site;
import io.sluice.planner.model.Stage;
import io.sluice.planner.model.Vnf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlannerFileTest {
    private static final Path VALID = Path.of("..", "..", "models", "src", "test", "resources", "sluice-planner",
        "valid");
    private static final String PLANNER = """
        {"sluice-planner:planner": {
          "node": [{"name": "b"}, {"name": "a"}],
          "link": [
            {"name": "ba", "from": "b", "to": "a", "bandwidth": "9", "background": "1", "utilisation-limit": 500000,
             "delay": 5, "weight": 7},
            {"name": "ab", "from": "a", "to": "b", "bandwidth": "8", "delay": 4}],
          "routing": [{"from": "a", "to": "b", "link": [{"name": "ab", "share": 1000000}]}],
          "site": [{"name": "t", "node": "a", "capacity": "20"}, {"name": "s", "node": "b", "capacity": "10"}],
          "vnf": [{"name": "nat", "load": 3, "deployment": [{"site": "t", "capacity": "2"},
            {"site": "s", "capacity": "1"}]}],
          "chain": [{"name": "c", "ingress": ["b", "a"], "egress": ["b"], "vnf": ["nat"], "forward": "7",
            "stage": [{"number": 1, "forward": "3", "reverse": "2"}]}],
          "run": [{"number": 1, "outcome": "routed"}],
          "plan": {"chains": 1}
        }}""";

    @TempDir
    private Path folder;

    @Test
    void thingsAreNumberedByNameAndHaveTheDefaultsOfTheModel() throws Exception {
        final var links = List.of(new Link("ab", 0, 1, new Bandwidth(8), Bandwidth.ZERO, 1_000_000, 4, 1),
            new Link("ba", 1, 0, new Bandwidth(9), new Bandwidth(1), 500_000, 5, 7));
        assertEquals(Optional.of(new Problem(new Network(List.of("a", "b"), links,
            List.of(new Routing(0, 1, Map.of(0, 1_000_000)))), List.of(new Site("s", 1, 10), new Site("t", 0, 20)),
            List.of(new Vnf("nat", 3, List.of(new Deployment(0, 1), new Deployment(1, 2)))),
            List.of(new Chain("c", List.of(0, 1), List.of(1), List.of(0),
                List.of(new Stage(new Bandwidth(7), Bandwidth.ZERO), new Stage(new Bandwidth(3), new Bandwidth(2)))))
            )), PlannerFile.read(write("net.json", PLANNER)));
    }

    @Test
    void documentsOfTheModelAreRead() throws Exception {
        final var lowest = PlannerFile.read(VALID.resolve("lowest.json")).orElseThrow();
        assertEquals(List.of("a", "b"), lowest.network().nodes());
        assertEquals(1, lowest.chains().size());
    }

    @Test
    void aRoutingMayBeAWayOrADelayOrBoth() throws Exception {
        final var way = "\"link\": [{\"name\": \"ab\", \"share\": 1000000}]}";
        assertEquals(List.of(new Routing(0, 1, Map.of(), OptionalLong.of(4_294_967_295L))),
            routings(PLANNER.replace(way, "\"delay\": 4294967295}")));
        assertEquals(List.of(new Routing(0, 1, Map.of(0, 1_000_000), OptionalLong.of(0))),
            routings(PLANNER.replace(way, "\"delay\": 0, " + way)));
    }

    private List<Routing> routings(final String text) throws Exception {
        return PlannerFile.read(write("net.json", text)).orElseThrow().network().routings();
    }

    @ParameterizedTest
    @CsvSource({"x.json,[]", "x.json,nothing", "x.json,{}", "x.txt,{\"sluice-planner:planner\": {}}"})
    void otherFilesAreLeftToOthers(final String name, final String text) throws Exception {
        assertEquals(Optional.empty(), PlannerFile.read(write(name, text)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "\"to\": \"a\" | \"to\": \"z\" | link ba: there is no node z",
        "\"vnf\": [\"nat\"] | \"vnf\": [\"fw\"] | chain c: there is no VNF fw",
        "\"share\": 1000000 | \"share\": 5 | routing from a to b",
        "\"share\": 1000000}] | \"share\": 1000000}], \"delay\": 4294967296 | delay 4294967296 is not in 0..4294967295",
        "\"number\": 1, \"forward\" | \"number\": 2, \"forward\" | chain c: there is no stage 2, the last one is 1",
        "\"number\": 1, \"forward\" | \"number\": -1, \"forward\" | chain c: there is no stage -1, the last one is 1",
        "\"stage\": [ | \"stage\": [{\"number\": \"01\", \"forward\": \"4\", \"reverse\": \"0\"}, "
            + "| chain c: stage 1 is there twice",
        "\"bandwidth\": \"8\", | | link ab: no bandwidth in",
        "\"utilisation-limit\" | \"utilization-limit\" | link ba: there is no utilization-limit in a link",
        "{\"name\": \"t\", | {\"name\": \"s\", | site s is there twice",
        "\"delay\": 5 | \"delay\": -5 | link ba: delay -5 is not in 0..4294967295",
        "\"delay\": 5 | \"delay\": 4294967296 | link ba: delay 4294967296 is not in 0..4294967295",
        "\"load\": 3 | \"load\": 4294967296 | vnf nat: load 4294967296 is not in 0..4294967295",
        "\"chain\": [ | \"chains\": [ | there is no chains in a planner",
        "\"link\": [ | \"links\": [ | there is no links in a ",
        "\"forward\": \"7\" | \"forward\": \"18446744073709551615\" | not an integer up to 9223372036854775807",
        "\"egress\": [\"b\"] | \"egress\": [] | no ingress or no egress",
        "\"ingress\": [\"b\", \"a\"] | \"ingress\": \"a\" | chain c: ingress: not a list: \"a\"",
        "\"ingress\": [\"b\", \"a\"] | \"ingress\": [null] | chain c: ingress: not a value: null",
        "\"load\": 3 | \"load\": null | vnf nat: load: not a value: null",
        "\"node\": [ | \"node\": [[], | node: not an object: []"})
    void saysWhatIsWrong(final String from, final String to, final String part) throws IOException {
        final var file = write("net.json", PLANNER.replace(from, to == null ? "" : to));
        final var message = assertThrows(ParseException.class, () -> PlannerFile.read(file)).getMessage();
        assertTrue(message.startsWith("net.json: ") && message.contains(part), message);
    }

    @Test
    void aRootThatIsNoObjectIsRefused() throws IOException {
        final var file = write("net.json", "{\"sluice-planner:planner\": []}");
        assertEquals("net.json: sluice-planner:planner: not an object: []",
            assertThrows(ParseException.class, () -> PlannerFile.read(file)).getMessage());
    }

    private Path write(final String name, final String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
