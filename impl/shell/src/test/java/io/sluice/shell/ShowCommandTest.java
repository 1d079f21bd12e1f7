// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;

class ShowCommandTest {
    private final FakeController controller = new FakeController();

    @BeforeEach
    void fillTheDatastores() {
        controller.store(LogicalDatastoreType.OPERATIONAL, "fabric", """
            {"switches": {"switch": [
              {"id": "openflow:10", "attached": false},
              {"id": "openflow:2", "attached": true, "port": [
                {"number": 2, "name": "eth2", "sent": "0"}, {"number": 1, "name": "eth1", "sent": "1000"}]}]}}""");
        controller.store(LogicalDatastoreType.CONFIGURATION, "fabric", "{\"sampling-interval\": 1000}");
        controller.store(LogicalDatastoreType.OPERATIONAL, "shell-test", """
            {"thing": [{"name": "a/b, c", "part": [{"kind": "leg", "number": 4, "weight": 900}], "made": true}]}""");
    }

    private Answer show(final String... words) throws InterruptedException {
        return controller.command("show").run(List.of(words));
    }

    @Test
    void areaIsShown() throws InterruptedException {
        assertEquals(new Answer.Text("""
            fabric
              switches
                switch openflow:2
                  attached: true
                  port
                    number  name  sent [bits-per-second]
                    1       eth1  1000
                    2       eth2  0
                switch openflow:10
                  attached: false"""), show("fabric"));
    }

    @Test
    void partsAreShown() throws InterruptedException {
        assertEquals(new Answer.Text("attached: true"), show("fabric", "switches/switch=openflow:2/attached"));
        assertEquals(new Answer.Text("""
            switch
              id           attached
              openflow:10  false"""), show("fabric", "switches/switch=openflow:10"));
        assertEquals(new Answer.Text("weight: 900 grams"),
            show("shell-test", "thing=a%2Fb%2C%20c/part=leg,4/weight"));
        assertEquals(new Answer.Text("made: true"), show("shell-test", "thing=a%2Fb%2C%20c/made"));
    }

    @Test
    void jsonIsWhatRestconfGives() throws InterruptedException {
        final var text = assertInstanceOf(Answer.Text.class,
            show("fabric", "switches/switch=openflow:10", "--json")).text();
        assertEquals(JsonParser.parseString(
            "{\"sluice-fabric:switch\": [{\"id\": \"openflow:10\", \"attached\": false}]}"),
            JsonParser.parseString(text));
    }

    @Test
    void configurationIsShownOnDemand() throws InterruptedException {
        assertEquals(new Answer.Text("sampling-interval: 1000 milliseconds"),
            show("fabric", "--config", "sampling-interval"));
    }

    @Test
    void absenceIsNoError() throws InterruptedException {
        assertEquals(new Answer.Text("nothing is there"), show("fabric", "switches/switch=openflow:7"));
        assertEquals(new Answer.Text("{}"), show("multipath", "--json"));
    }

    @Test
    void helpNamesTheAreas() throws InterruptedException {
        final var page = assertInstanceOf(Answer.Help.class, show()).page();
        assertTrue(page.contains("bandwidth, bus, fabric, fabric-store, forwarder, multipath, multipath-store, "
            + "planner, shell-test"), page);
        assertEquals(new Answer.Help(page), show("fabric", "--help"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        fabrik                             | there is no area 'fabrik', only bandwidth, bus, fabric,
        fabric ports                       | there is no 'ports' in 'fabric', only sampling-interval, switches,
        fabric switches/switch/port        | 'switches/switch/port' lacks the keys of 'switch', after '='
        fabric switches/switch=s1          | 'switch=s1' does not fit the keys of 'switch'
        fabric switches/switch=openflow:1,2 | 'switch=openflow:1,2' does not fit the keys of 'switch'
        fabric switches=1                  | 'switches=1' does not fit the keys of 'switches'
        fabric switches links              | 'links' is one word too many; see --help
        fabric --yaml                      | there is no option --yaml; see --help""")
    void refusalNamesThePart(final String line, final String reason) throws InterruptedException {
        final var refused = assertInstanceOf(Answer.Refused.class, show(line.split(" ")));
        assertEquals(reason, refused.reason().substring(0, Math.min(reason.length(), refused.reason().length())));
    }
}
