// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.dom.api.DOMRpcImplementationNotAvailableException;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcError;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;

class RpcCommandTest {
    private static final String DIFFERENCES = """
        {"switch": [
          {"id": "openflow:10", "agreed": 3, "foreign": 0},
          {"id": "openflow:2", "agreed": 7, "foreign": 1, "difference": [
            {"kind": "meter", "entry": "9", "discrepancy": "stale"},
            {"kind": "flow", "entry": "table 2", "discrepancy": "missing"}]}]}""";

    private final FakeController controller = new FakeController();

    private Answer run(final String command, final String... words) throws InterruptedException {
        return controller.command(command).run(List.of(words));
    }

    private static RpcError error(final String message) {
        return RpcResultBuilder.newError(ErrorType.APPLICATION, ErrorTag.OPERATION_FAILED, message);
    }

    @Test
    void inputReachesTheRpc() throws InterruptedException {
        controller.answer(controller.rpc("fabric", "validate"), "{}");

        assertEquals(new Answer.Text("done"), run("fabric-validate", "--switch", "openflow:2"));
        assertEquals("openflow:2", controller.input().orElseThrow().body().iterator().next().body());
    }

    @Test
    void answerIsTextInOrderWithUnits() throws InterruptedException {
        controller.answer(controller.rpc("fabric", "validate"), DIFFERENCES);

        assertEquals(new Answer.Text("""
            switch openflow:2
              agreed: 7 entries
              foreign: 1 entries
              difference
                kind   entry    discrepancy
                flow   table 2  missing
                meter  9        stale
            switch openflow:10
              agreed: 3 entries
              foreign: 0 entries"""), run("fabric-validate"));
    }

    @Test
    void listOfLeavesIsTable() throws InterruptedException {
        controller.answer(controller.rpc("shell-test", "paint"), """
            {"colour": "dark-red", "hand": ["left", "right"], "tool": ["can 10", "can 9"], "paint": {"used": "70"},
             "coat": [{"number": 10, "thickness": 5}, {"number": 9, "thickness": 12, "fault": "a run"}]}""");

        assertEquals(new Answer.Text("""
            colour: sluice-shell-test:dark-red
            hand: left, right
            tool: can 9, can 10
            paint
              used: 70 grams
            coat
              number  thickness [micrometres]  fault
              9       12                       a run
              10      5                        -"""), run("shell-test-paint", "--thing", "chair", "--now"));
    }

    @Test
    void answerIsJsonOnDemand() throws InterruptedException {
        controller.answer(controller.rpc("fabric", "validate"), DIFFERENCES);

        final var text = ((Answer.Text) run("fabric-validate", "--json")).text();
        final var list = JsonParser.parseString(text).getAsJsonObject().getAsJsonObject("sluice-fabric:output")
            .getAsJsonArray("switch");
        assertEquals(2, list.size());
    }

    @Test
    void emptyAnswerIsStillJson() throws InterruptedException {
        controller.answer(controller.rpc("shell-test", "wait"), "{}");

        assertEquals(new Answer.Text("done"), run("shell-test-wait"));
        final var text = ((Answer.Text) run("shell-test-wait", "--json")).text();
        assertEquals(JsonParser.parseString("{\"sluice-shell-test:output\": {}}"), JsonParser.parseString(text));
    }

    @Test
    void errorsOfTheRpcAreTheReason() throws InterruptedException {
        controller.refuse(error("openflow:9 is not attached"), error("nor is openflow:8"));

        assertEquals(new Answer.Refused("openflow:9 is not attached; nor is openflow:8"), run("fabric-sync"));
    }

    @Test
    void errorWithoutMessageIsNamedByItsTag() throws InterruptedException {
        controller.refuse(error(null));

        assertEquals(new Answer.Refused("operation-failed"), run("fabric-sync"));
    }

    @Test
    void absenceOfTheRpcIsTheReason() throws InterruptedException {
        controller.fail(new DOMRpcImplementationNotAvailableException("nobody implements it"));

        assertEquals(new Answer.Refused("nobody implements it"), run("fabric-sync"));
    }

    @Test
    void wrongLineInvokesNothing() throws InterruptedException {
        assertEquals(new Answer.Refused("--name is missing: The transfer."), run("multipath-release-transfer"));
        assertEquals(Optional.empty(), controller.input());
    }

    @Test
    void helpSpeaksTheModelsWords() throws InterruptedException {
        assertEquals(new Answer.Help("""
            shell-test-paint: RPC paint of sluice-shell-test
            Paints a thing. Slowly.

            --thing VALUE  (mandatory)
                value of /sl-test:shell-test/sl-test:thing/sl-test:name
                The thing.
            --colour VALUE
                identity derived from colour
                The colour.
            --thin VALUE
                true or false, default false
                Whether to add water.
            --outside
                empty
                In the open.
            --area JSON
                The part.
                width  (mandatory)
                    uint16 1..100 | 200, centimetres
                    Its width.
            --coat JSON  (may be repeated)
                A coat of paint.
                number
                    uint8 0..255
                    Which one.
                brush  (mandatory)
                    string of length 1..8
                    What it is put on with.
            --now
                empty
                At once.
            --delay VALUE
                uint32 0..4294967295, seconds
                Later.

            --input JSON  all of this as RFC 7951 has it; the options count before it
            --json        answer as RFC 7951 has it
            --help        this page"""), run("shell-test-paint", "--help"));
    }

    @Test
    void typedefsAreNamedOnlyWhereTheySayMore() throws InterruptedException {
        final var request = ((Answer.Help) run("multipath-request-transfer", "--help")).page();
        assertTrue(request.contains("""
            --piece VALUE  (may be repeated)
                uint16 1..64
            """), request);
        assertTrue(request.contains("uint64 1..18446744073709551615, bits-per-second"), request);
        assertTrue(request.contains("object-name of length 1..64 matching [A-Za-z0-9]"), request);
        final var find = ((Answer.Help) run("multipath-find-paths", "--help")).page();
        assertTrue(find.contains("switch-id matching openflow:[1-9][0-9]* or ip-address-no-zone"), find);
        assertTrue(find.contains("one of link, node, shared-risk-group, default link"), find);
    }

    @Test
    void descriptionIsTheFirstSentence() {
        assertEquals("Paints a thing.", controller.command("shell-test-paint").description());
        assertEquals("Ends a transfer and withdraws its flows.",
            controller.command("multipath-release-transfer").description());
    }
}
