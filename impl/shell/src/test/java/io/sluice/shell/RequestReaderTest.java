// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opendaylight.yangtools.yang.model.util.SchemaInferenceStack;

class RequestReaderTest {
    private final FakeController controller = new FakeController();

    private Request read(final String area, final String rpc, final List<String> words) {
        final var definition = controller.rpc(area, rpc);
        final var options = controller.models().fields(definition.getInput());
        options.keySet().removeAll(OptionLine.RESERVED);
        return new RequestReader(controller.models(), definition, options, new Rfc7951(controller.models().context()))
            .read(words);
    }

    /** The input that the words become, as JSON. */
    private JsonObject input(final String area, final String rpc, final String... words) {
        final var request = assertInstanceOf(Request.Call.class, read(area, rpc, List.of(words)));
        final var definition = controller.rpc(area, rpc);
        final var stack = SchemaInferenceStack.of(controller.models().context());
        stack.enterSchemaTree(definition.getQName());
        stack.enterSchemaTree(definition.getInput().getQName());
        return new Rfc7951(controller.models().context())
            .members(stack.toInference(), definition.getQName().getNamespace(), request.input().body());
    }

    private static JsonObject json(final String text) {
        return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
    }

    @Test
    void leavesAreOptions() {
        assertEquals(json("{'switch': 'openflow:1'}"), input("fabric", "validate", "--switch", "openflow:1"));
        assertEquals(json("{'switch': 'openflow:1'}"), input("fabric", "validate", "--switch=openflow:1"));
        assertEquals(json("{}"), input("fabric", "validate"));
    }

    @Test
    void numbersAreTypedAndLeafListsRepeated() {
        final var input = input("multipath", "request-transfer", "--name", "t1", "--client", "10.0.0.1",
            "--service", "disk", "--piece", "1", "--piece", "2", "--bandwidth", "5000000");

        assertEquals(Set.of(new JsonPrimitive(1), new JsonPrimitive(2)),
            Set.copyOf(input.remove("piece").getAsJsonArray().asList()));
        assertEquals(json("{'name': 't1', 'client': '10.0.0.1', 'service': 'disk', 'bandwidth': '5000000'}"), input);
    }

    @Test
    void containersAndListsAreJson() {
        final var input = input("shell-test", "paint", "--thing", "chair", "--now", "--area", "{\"width\": 7}",
            "--coat", "{\"number\": 1, \"brush\": \"a\"}",
            "--coat", "[{\"number\": 2, \"brush\": \"b\"}, {\"number\": 3, \"brush\": \"c\"}]");

        assertEquals(Set.of(json("{'number': 1, 'brush': 'a'}"), json("{'number': 2, 'brush': 'b'}"),
            json("{'number': 3, 'brush': 'c'}")), Set.copyOf(input.remove("coat").getAsJsonArray().asList()));
        assertEquals(json("{'thing': 'chair', 'now': [null], 'area': {'width': 7}}"), input);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {'thing': 'chair', 'delay': 3}
        {'sluice-shell-test:thing': 'chair', 'delay': 3}
        {'sluice-shell-test:input': {'thing': 'chair', 'delay': 3}}""")
    void wholeInputMayBeGivenInThreeForms(final String whole) {
        assertEquals(json("{'thing': 'chair', 'delay': 3}"),
            input("shell-test", "paint", "--input", whole.replace('\'', '"')));
    }

    @Test
    void optionsCountBeforeTheWholeInput() {
        assertEquals(json("{'thing': 'table', 'delay': 3}"), input("shell-test", "paint", "--thing", "table",
            "--input", "{\"thing\": \"chair\", \"delay\": 3}"));
    }

    @Test
    void inputNamedLikeAnOwnOptionIsReachedByTheWholeInput() {
        final var request = assertInstanceOf(Request.Call.class,
            read("shell-test", "paint", List.of("--thing", "chair", "--now", "--json")));
        assertEquals(true, request.json());
        assertEquals(json("{'thing': 'chair', 'now': [null], 'json': 'x'}"), input("shell-test", "paint",
            "--thing", "chair", "--now", "--input", "{\"json\": \"x\"}"));
    }

    @Test
    void helpIsGivenWhateverElseIsThere() {
        assertEquals(new Request.Help(), read("multipath", "request-transfer", List.of("--help")));
    }

    private void assertRefused(final String area, final String rpc, final String line, final String reason) {
        assertEquals(new Request.Refused(reason), read(area, rpc, List.of(line.split(" "))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        --switch           | --switch needs a value
        --swich openflow:1 | there is no option --swich; see --help
        openflow:1         | 'openflow:1' is not understood: each value follows its option; see --help
        --switch s1        | --switch: a switch is named openflow:<datapath id, decimal>
        --switch openflow:1 --switch openflow:2 | --switch is given twice""")
    void refusalNamesTheOption(final String line, final String reason) {
        assertRefused("fabric", "validate", line, reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        --paths 65            | --paths takes uint8 1..64, not "65"
        --paths many          | --paths takes uint8 1..64, not "many"
        --disjointness switch | --disjointness takes one of link, node, shared-risk-group, not "switch"
        --paths 2             | --destination is missing: Where they end.
        --destination s2 | --destination takes switch-id matching openflow:[1-9][0-9]* or ip-address-no-zone, not "s2"
        """)
    void refusalSaysWhatTheOptionTakes(final String line, final String reason) {
        assertRefused("multipath", "find-paths", "--source 10.0.0.1 " + line, reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        --now                   | --now is given twice
        --area {}               | --area/width is missing
        --area {"width":101}    | --area: Value '101'  is not in required ranges [[1..100], [200..200]]
        --area 7                | --area takes JSON, for instance '{"name": "value"}' with the single quotes
        --coat {"brush":"x"}    | --coat: Input is empty while expecting 1 item
        --coat {"number":1}     | --coat/brush is missing
        --input []              | --input takes JSON, for instance '{"name": "value"}' with the single quotes
        --input {"x":1}         | --x: Schema node with name x was not found under input.
        --colour blue           | --colour takes identity derived from colour, not "blue"
        --thin perhaps          | --thin takes true or false, not "perhaps"
        """)
    void refusalOfFragmentNamesWhatIsInIt(final String line, final String reason) {
        assertRefused("shell-test", "paint", "--thing chair --now " + line, reason);
    }

    @Test
    void oneOfMandatoryChoiceIsAskedFor() {
        assertRefused("shell-test", "paint", "--now", "--thing is missing: The thing.");
        assertRefused("shell-test", "paint", "--thing chair", "--now or --delay is missing");
    }
}
