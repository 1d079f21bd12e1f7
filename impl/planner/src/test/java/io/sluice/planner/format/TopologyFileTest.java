// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyFileTest {
    private static final Path TOPOHUB = Path.of("..", "..", "bench", "data", "topohub");

    @TempDir
    private Path folder;

    @Test
    void readsTopohub() throws Exception {
        final var topology = TopologyFile.read(TOPOHUB.resolve("abilene.json"));

        assertEquals(12, topology.nodes().size());
        assertEquals(2 * 15, topology.arcs().size());
        assertEquals(132, topology.demands().size());
        assertEquals(new Topology.Arc(0, 1, Topology.UNKNOWN, 662, 662), topology.arcs().get(0));
    }

    @Test
    void readsRepetita() throws Exception {
        final var topology = TopologyFile.read(write("two.graph", """
            NODES 2
            label x y
            a 1.0 2.0
            b 3.0 4.0

            EDGES 1
            label src dest weight bw delay
            edge_0 1 0 7 1000 511
            """));

        assertEquals(new Topology(List.of("a", "b"), List.of(new Topology.Arc(1, 0, 1_000_000, 511, 7)), List.of()),
            topology);
    }

    @Test
    void readsTheDemandsBesideARepetitaGraph() throws Exception {
        final var graph = write("two.unary.graph", """
            NODES 2
            label x y
            a 1.0 2.0
            b 3.0 4.0

            EDGES 1
            label src dest weight bw delay
            edge_0 1 0 7 1000 511
            """);
        write("two.unary.0001.demands", "DEMANDS 1\nlabel src dest bw\nd 0 1 9\n");
        write("two.unary.0000.demands", "DEMANDS 2\nlabel src dest bw\nd 0 1 36127\ne 1 0 5.5\n");
        write("two.invcap.0000.demands", "DEMANDS 0\nlabel src dest bw\n");
        assertEquals(List.of(new Topology.Demand(0, 1, 36127), new Topology.Demand(1, 0, 5.5)),
            TopologyFile.read(graph).demands());

        write("two.unary.demands", "DEMANDS 1\nlabel src dest bw\nd 1 0 -7\n");
        assertEquals("two.unary.graph: two.unary.demands: line 3: a demand of -7",
            assertThrows(ParseException.class, () -> TopologyFile.read(graph)).getMessage());
    }

    /** A quarter of the equator is 10,008 km. */
    @Test
    void readsSndlib() throws Exception {
        final var topology = TopologyFile.read(write("two.txt", """
            ?SNDlib native format; type: network; version: 1.0
            NODES (
              a ( 0.0 0.0 )
              b ( 90.0 0.0 )
            )
            LINKS (
              l ( a b ) 2.5 0.00 0.00 0.00 ( 40.00 133.00 )
            )
            DEMANDS (
              d ( b a ) 1 3.00 UNLIMITED
            )
            """));

        assertEquals(List.of(new Topology.Arc(0, 1, 2_500_000, 50_038, 50_038),
            new Topology.Arc(1, 0, 2_500_000, 50_038, 50_038)), topology.arcs());
        assertEquals(List.of(new Topology.Demand(1, 0, 3)), topology.demands());
    }

    /** Two nodes of one label a quarter of the equator apart, one half way between them, and one beyond that. */
    @Test
    void readsTopologyZoo() throws Exception {
        final var topology = TopologyFile.read(write("four.graphml", graphml("""
            <node id="0"><data key="d1">Town</data><data key="d2">0.0</data><data key="d3">0.0</data></node>
            <node id="1"><data key="d1">Town</data><data key="d2">90.0</data><data key="d3">0.0</data></node>
            <node id="2"><data key="d1">Between</data></node>
            <node id="3" />
            <edge source="0" target="2" /><edge source="2" target="1" /><edge source="3" target="2" />
            <edge source="0" target="2" /><edge source="1" target="1" />
            """)));

        assertEquals(List.of("Town-0", "Town-1", "Between", "3"), topology.nodes());
        assertEquals(List.of(arc(0, 2, 25_019), arc(2, 0, 25_019), arc(2, 1, 25_019), arc(1, 2, 25_019), arc(3, 2, 0),
            arc(2, 3, 0), arc(0, 2, 25_019), arc(2, 0, 25_019)), topology.arcs());
    }

    private static Topology.Arc arc(final int from, final int to, final long delayUs) {
        return new Topology.Arc(from, to, Topology.UNKNOWN, delayUs, Math.max(1, delayUs));
    }

    private static String graphml(final String graph) {
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
              <key attr.name="label" attr.type="string" for="node" id="d1" />
              <key attr.name="Longitude" attr.type="double" for="node" id="d2" />
              <key attr.name="Latitude" attr.type="double" for="node" id="d3" />
              <key attr.name="label" attr.type="string" for="edge" id="d4" />
              <graph edgedefault="undirected">
                %s
              </graph>
            </graphml>""".formatted(graph);
    }

    /** Nothing outside the file is read for it. */
    @Test
    void refusesDocumentTypes() throws Exception {
        final var file = write("x.graphml", "<!DOCTYPE g [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><g>&e;</g>");

        final var message = assertThrows(ParseException.class, () -> TopologyFile.read(file)).getMessage();

        assertTrue(message.contains("DOCTYPE"), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "x.json | {} | nodes",
        "x.json | [] | topohub",
        "x.json | {\"nodes\": [], \"edges\": [{\"source\": 1, \"target\": 2, \"dist\": 3}]} "
            + "| edges[0]: no node has the id 1",
        "x.json | {\"nodes\": [{\"id\": 7}], \"edges\": [{\"source\": 7, \"target\": 7, \"dist\": 3}]} "
            + "| edges[0]: a link from node 7 to itself",
        "x.json | {\"nodes\": [{\"id\": 7}, {\"id\": 8}], \"edges\": [{\"source\": 7, \"target\": 8, "
            + "\"dist\": 3}, {\"source\": 7, \"target\": 8, \"dist\": -3}]} | edges[1]: a link of -3.0 km",
        "x.json | {\"nodes\": [{\"id\": 7}, {\"id\": 8}], \"edges\": [{\"source\": 7, \"target\": 8, "
            + "\"dist\": 1e30}]} | edges[0]: a link of 0 bit/s, 9223372036854775807 us",
        "x.json | {\"nodes\": [{\"id\": 7}, {\"id\": 8}], \"edges\": [{\"source\": 7, \"target\": 8, "
            + "\"dist\": \"far\"}]} | edges[0]: dist is \"far\", not a number",
        "x.json | {\"nodes\": [{\"id\": 7}, {\"id\": 8}], \"edges\": [], \"graph\": {\"demands\": {\"7\": {"
            + "\"8\": \"much\"}}}} | the demand from 7 to 8 is \"much\", not a number",
        "x.json | {\"nodes\": [{} | not JSON: End of input at line 1",
        "x.json | {\"nodes\": [ 5 4 ]} | not JSON: Unterminated array at line 1",
        "x.graph | 'NODES 2\nlabel x y\na 1 2\nb 1 2\nEDGES 1\ntitles\ne 0 1 1000000001 1 5' "
            + "| 'line 7: a link of 1000 bit/s, 5 us and weight 1000000001'",
        "x.graph | NODES 1 | line 3",
        "x.graph | nothing | NODES",
        "x.graph | NODES many | line 1: many is not a number",
        "x.graph | 'NODES 1\nlabel x y\na 1 2\nEDGES 1\ntitles\ne 0 5 1 1 1' | line 6: there is no node 5",
        "x.graph | 'NODES 1\nlabel x y\na 1 2\nEDGES 1\ntitles\ne 0 0 1 fast 1' | line 6: fast is not a number",
        "x.graph | 'NODES 1\nlabel x y\na 1 2\nEDGES 1\ntitles\ne 0 0 1 1 1' | line 6: a link from node 0 to itself",
        "x.graph | 'NODES 2\nlabel x y\na 1 2\nb 1 2\nEDGES 1\ntitles\ne 0 1 1 1 -5' | line 7: a link of 1000",
        "x.graphml | nothing | GraphML",
        "x.graphml | '<g><node id=\"a\" /><edge source=\"a\" target=\"b\" /></g>' | no node has the id b",
        "x.graphml | '<g><key id=\"k\" for=\"node\" attr.name=\"Longitude\" /><key id=\"l\" for=\"node\" "
            + "attr.name=\"Latitude\" /><node id=\"a\"><data key=\"k\">east</data><data key=\"l\">1</data></node></g>' "
            + "| node a: its place",
        "x.txt | nothing | NODES",
        "x.txt | '\nNODES (\n a ( 1.2.3 0 )\n)' | 'line 3: NODES: a ( 1.2.3 0 )'",
        "x.txt | '\nNODES (\n a ( 1 0 )\n)\n\nLINKS (\n\n l ( a a ) 1 0 )\n)' "
            + "| line 8: l: a link from node a to itself",
        "x.txt | '\nNODES (\n a ( 1 0 )\n)\nLINKS (\n l ( a b ) 1 0 )\n)' | line 6: l: no node is called b",
        "x.txt | '\nNODES (\n a ( 1 0 )\n b ( 2 0 )\n)\nLINKS (\n l ( a b ) -1 0 )\n)' "
            + "| line 7: l: a link of -1000000 bit/s",
        "x.txt | '\nNODES (\n a ( 1 0 )\n)\nLINKS (\n)\nDEMANDS (\n d ( a b ) 1 1 0 )\n)' "
            + "| line 8: d: no node is called b",
        "x.csv | nothing | .json"})
    void saysWhatIsWrong(final String name, final String text, final String part) throws IOException {
        final var file = write(name, text);
        final var message = assertThrows(ParseException.class, () -> TopologyFile.read(file)).getMessage();
        assertTrue(message.contains(name) && message.contains(part), message);
    }

    private Path write(final String name, final String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
