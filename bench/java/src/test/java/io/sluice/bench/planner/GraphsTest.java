// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class GraphsTest {
    @Test
    void filesThatDifferInTheirEndingAreTwo() {
        final var given = Graphs.given("/x/a.json /x/a.graphml  /x/y/../a.json");
        assertEquals(List.of("/x/a.json", "/x/a.graphml"), given);
        assertEquals(List.of("a.json", "a.graphml"), given.stream().map(Graphs::title).toList());
        assertEquals(List.of(), Graphs.given(""));
    }

    @Test
    void filesThatResultsCannotTellApartAreRefused() {
        final var message = assertThrows(IllegalArgumentException.class, () -> Graphs.given("/x/a.json /y/a.json"))
            .getMessage();
        assertTrue(message.contains("/x/a.json /y/a.json"), message);
    }

    @Test
    void whatIsInTheProjectGoesByItsName() {
        assertEquals(Graphs.WIDE, Graphs.title(Graphs.WIDE));
    }
}
