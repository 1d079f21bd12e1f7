// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;

class ConfigurationCommandTest {
    private final FakeController controller = new FakeController();

    @BeforeEach
    void fillTheDatastores() {
        controller.store(LogicalDatastoreType.CONFIGURATION, "bandwidth", """
            {"interval": 1000000, "tenant": [{"name": "t", "application": [{"name": "a"}]}]}""");
        controller.store(LogicalDatastoreType.CONFIGURATION, "shell-test", "{\"thing\": [{\"name\": \"chair\"}]}");
        controller.store(LogicalDatastoreType.OPERATIONAL, "fabric",
            "{\"switches\": {\"switch\": [{\"id\": \"openflow:1\"}, {\"id\": \"openflow:2\"}]}}");
    }

    private Answer run(final String line) throws InterruptedException {
        final var words = new ArrayList<>(List.of(line.split(" ")));
        return controller.command(words.removeFirst()).run(words);
    }

    private Set<String> after(final String line, final String word) throws InterruptedException {
        final var words = new ArrayList<>(List.of(line.split(" ")));
        return new TreeSet<>(controller.command(words.removeFirst()).complete(words, word));
    }

    /** The words after {@code set} put what a document of the area has there, written with single quotes. */
    private void assertSet(final String area, final String path, final String document, final String... values)
            throws InterruptedException {
        final var words = new ArrayList<>(List.of(area, path));
        words.addAll(List.of(values));
        assertEquals(new Answer.Text("done"), controller.command("set").run(words));

        controller.store(LogicalDatastoreType.OPERATIONAL, area, document.replace('\'', '"'));
        final var place = controller.place(area, path).path();
        assertEquals(controller.read(LogicalDatastoreType.OPERATIONAL, place).orElseThrow(),
            controller.written().get(place));
    }

    @Test
    void aLeafIsSetAsItIs() throws InterruptedException {
        assertSet("bandwidth", "policy", "{'policy': 'max-min'}", "max-min");
        assertSet("bandwidth", "tenant=t/application=a/weight",
            "{'tenant': [{'name': 't', 'application': [{'name': 'a', 'weight': 3}]}]}", "3");
        assertSet("shell-test", "thing=chair/made", "{'thing': [{'name': 'chair', 'made': true}]}", "true");
        assertSet("shell-test", "thing=chair/foldable", "{'thing': [{'name': 'chair', 'foldable': [null]}]}");
    }

    @Test
    void elementsOfALeafListAreWordsInOrder() throws InterruptedException {
        assertSet("bandwidth", "queue-switch", "{'queue-switch': ['openflow:1', 'openflow:2']}",
            "openflow:1", "openflow:2");
        assertSet("shell-test", "thing=chair/mark", "{'thing': [{'name': 'chair', 'mark': ['b', 'a']}]}", "b", "a");
    }

    @Test
    void allElseIsJsonWithoutTheKeysOfThePath() throws InterruptedException {
        assertSet("bandwidth", "tenant=u/", "{'tenant': [{'name': 'u', 'weight': 2}]}", "{\"weight\": 2}");
        assertSet("bandwidth", "queue", "{'queue': [{'code-point': 46}]}", "{\"code-point\": 46}");
        assertSet("bandwidth", "queue", "{'queue': [{'code-point': 46}, {'code-point': 10}]}",
            "[{\"code-point\": 46}, {\"code-point\": 10}]");
        assertSet("shell-test", "thing=chair/part=leg,4",
            "{'thing': [{'name': 'chair', 'part': [{'kind': 'leg', 'number': 4, 'weight': 9}]}]}", "{\"weight\": 9}");
        assertSet("shell-test", "thing=chair/size", "{'thing': [{'name': 'chair', 'size': {'width': 7}}]}",
            "{\"width\": 7}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        set bandwith policy max-min             | there is no area 'bandwith', only bandwidth, bus,
        set bandwidth polici max-min            | there is no 'polici' in 'bandwidth', only policy, interval,
        set bandwidth                           | PATH is missing; see --help
        set bandwidth refusal none              | 'refusal' is state, which can't be configured
        set bandwidth interval                  | 'interval' takes one VALUE; see --help
        set bandwidth interval 1000000 seconds  | 'interval' takes one VALUE; see --help
        set bandwidth interval soon             | 'interval' takes uint32 100000..3600000000, not "soon"
        set bandwidth policy fast | 'policy' takes one of app-max-min, app-aware, max-min, app-fair, not "fast"
        set bandwidth queue-switch              | 'queue-switch' takes one VALUE or more; see --help
        set bandwidth queue-switch s1           | 'queue-switch': a switch is named openflow:<datapath id, decimal>
        set bandwidth tenant=t/name u           | 'tenant=t/name' is the key of its entry, which can't get another one
        set bandwidth tenant=u {"name":"v"}     | 'tenant=u' has other keys than VALUE
        set bandwidth tenant=u 7                | 'tenant=u' takes JSON, for instance '{"name": "value"}'
        set bandwidth tenant=u []               | 'tenant=u' takes JSON, for instance '{"name": "value"}'
        set bandwidth tenant=u {"wait":2}       | 'tenant=u': Schema node with name wait was not found
        set bandwidth tenant=u/application=b {} | 'tenant=u' is not configured; set it first
        set bandwidth tenant=t/application=b/weight 2 | 'tenant=t/application=b' is not configured; set it first
        set bandwidth tenant=t/application=a/flow=f {"source":"::1"} | 'tenant=t/application=a/flow=f' lacks destination
        set shell-test thing=chair/foldable yes | 'thing=chair/foldable' takes no VALUE; see --help
        set shell-test thing=chair/size {}      | 'thing=chair/size' lacks width
        unset bandwidth                         | PATH is missing; see --help
        unset bandwidth //                      | PATH is missing; see --help
        unset bandwidth interval 5              | '5' is one word too many; see --help
        unset bandwidth tenant=t/name           | 'tenant=t/name' is the key of its entry, which can't get another one
        """)
    void refusalNamesThePathAndChangesNothing(final String line, final String reason) throws InterruptedException {
        final var refused = assertInstanceOf(Answer.Refused.class, run(line));

        assertTrue(refused.reason().startsWith(reason), refused::reason);
        assertEquals(Map.of(), controller.written());
        assertEquals(List.of(), controller.deleted());
    }

    @Test
    void whatIsUnsetIsRemovedAndAbsenceIsNoError() throws InterruptedException {
        assertEquals(new Answer.Text("done"), run("unset bandwidth interval"));
        assertEquals(new Answer.Text("done"), run("unset bandwidth tenant=t/"));
        assertEquals(new Answer.Text("nothing is there"), run("unset bandwidth alpha"));

        assertEquals(List.of(controller.place("bandwidth", "interval").path(),
            controller.place("bandwidth", "tenant=t").path()), controller.deleted());
    }

    @Test
    void whatTheDatastoreSaysIsTheReason() throws InterruptedException {
        controller.breakDown("no leader");

        final var refused = new Answer.Refused("the datastore does not take it: no leader");
        assertEquals(refused, run("set bandwidth policy max-min"));
        assertEquals(refused, run("unset bandwidth interval"));
    }

    @Test
    void helpSpeaksTheModelsWordsAfterAPath() throws InterruptedException {
        final var page = assertInstanceOf(Answer.Help.class, run("set --help")).page();
        assertTrue(page.contains("one of bandwidth, bus, fabric, "), page);
        assertEquals(new Answer.Help(page), controller.command("set").run(List.of()));
        assertEquals(new Answer.Help("""
            policy
                one of app-max-min, app-aware, max-min, app-fair, default app-max-min
                How links are shared out."""), run("set bandwidth policy --help"));
        final var entry = assertInstanceOf(Answer.Help.class, run("set bandwidth tenant=u --help")).page();
        assertTrue(entry.startsWith("tenant=u\n    Who pays for applications.\n    weight\n"), entry);
        assertEquals(new Answer.Help("""
            thing=chair/size
                Its size.
                width  (mandatory)
                    uint16 1..100, centimetres
                    From left to right.
                height
                    uint16 0..65535, centimetres, default 50
                    From the floor to the top."""), run("set shell-test thing=chair/size --help"));
    }

    @Test
    void placesAndValuesAreOffered() throws InterruptedException {
        assertTrue(after("set", "").containsAll(Set.of("--help", "bandwidth", "fabric", "shell-test")));
        assertEquals(Set.of("--help", "policy", "interval", "alpha", "queue", "make-queues", "queue-switch", "tenant",
            "tenant=t/"), after("set bandwidth", ""));
        assertEquals(Set.of("--help", "tenant=t/application", "tenant=t/application=a/", "tenant=t/weight"),
            after("unset bandwidth", "tenant=t/"));
        assertEquals(Set.of("--help", "app-max-min", "app-aware", "max-min", "app-fair"),
            after("set bandwidth policy", ""));
        assertEquals(Set.of("--help"), after("set bandwidth policy max-min", ""));
        assertEquals(Set.of("--help", "openflow:1", "openflow:2"), after("set bandwidth queue-switch openflow:1", ""));
        assertEquals(Set.of("--help"), after("unset bandwidth policy", ""));
    }
}
