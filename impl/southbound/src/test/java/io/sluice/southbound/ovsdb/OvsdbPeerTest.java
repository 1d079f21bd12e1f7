// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.ovsdb.QueueTalk.Look;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OvsdbPeerTest {
    private static final String UNSET = "[\"set\", []]";
    private static final String SECURE = "\"secure\"";
    private static final WantedQueues PRIORITIES = new WantedQueues.Priorities(List.of(0L));
    private static final PortId PORT = new PortId(new SwitchId("openflow:10"), 3);

    private final ArrayDeque<JsonObject> sent = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private Optional<WantedQueues> wanted = Optional.empty();
    private final OvsdbPeer peer = new OvsdbPeer(sent::add, id -> !id.equals(new SwitchId("openflow:9")),
        (id, mode) -> told.add(id + " " + mode), () -> wanted, port -> Optional.of(new Bandwidth(7)));

    @Test
    void asksForAllBridges() {
        peer.ask();
        assertSent("{'id':'ask','method':'transact','params':['Open_vSwitch',{'op':'select','table':'Bridge',"
            + "'where':[],'columns':['_uuid','datapath_id','fail_mode']}]}");
    }

    @Test
    void setsABridgeOfOursToSecureAndTellsWhatItFindsThen() {
        peer.received(answer("ask", "000000000000000a", UNSET));
        assertSent("{'id':'set','method':'transact','params':['Open_vSwitch',{'op':'update','table':'Bridge',"
            + "'where':[['_uuid','==',['uuid','u1']]],'row':{'fail_mode':'secure'}}]}");
        assertEquals(List.of(), told);

        peer.received(json("{'id':'set','error':null,'result':[{'count':1}]}"));
        assertEquals("confirm", sent.remove().get("id").getAsString());
        peer.received(answer("confirm", "000000000000000a", SECURE));
        assertEquals(List.of("openflow:10 SECURE"), told);
        assertEquals(0, sent.size());
    }

    @Test
    void aBridgeThatStaysStandaloneIsToldAndNotSetForEver() {
        peer.received(answer("confirm", "000000000000000a", "\"standalone\""));
        assertEquals(List.of("openflow:10 STANDALONE"), told);
        assertEquals(0, sent.size());
    }

    @Test
    void aBridgeOfOthersIsLeftAlone() {
        peer.received(answer("ask", "0000000000000009", UNSET));
        peer.received(answer("ask", null, UNSET));
        assertEquals(0, sent.size());
        assertEquals(List.of(), told);
    }

    @Test
    void tellsChangesOnlyAndThatNothingIsKnownInTheEnd() {
        peer.received(answer("ask", "ffffffffffffffff", SECURE));
        peer.received(answer("ask", "ffffffffffffffff", SECURE));
        peer.gone();
        assertEquals(List.of("openflow:18446744073709551615 SECURE", "openflow:18446744073709551615 UNKNOWN"), told);
    }

    @Test
    void answersAnEcho() {
        peer.received(json("{'id':'echo','method':'echo','params':[1,'two']}"));
        assertSent("{'id':'echo','result':[1,'two'],'error':null}");
    }

    @Test
    void queuesThatAreWantedAreAskedForAndMade() {
        wanted = Optional.of(PRIORITIES);
        peer.ask();
        sent.remove();
        assertEquals(QueueRows.questions(), operations(sent.remove()));

        peer.received(json("{'id':'queues-ask','error':null,'result':" + QueueRowsTest.bare() + "}"));
        assertEquals("queues-set openflow:10:3", sent.getFirst().get("id").getAsString());
        assertEquals(4, operations(sent.remove()).size());
        peer.received(json("{'id':'queues-set openflow:10:3','error':null,'result':[{'count':1}]}"));
        assertEquals(0, sent.size());
    }

    @Test
    void whoHasQueuesMadeIsToldWhatHasBecomeOfThem() {
        wanted = Optional.of(PRIORITIES);
        final var made = peer.settle().toCompletableFuture();
        peer.received(json("{'id':'queues-ask','error':null,'result':" + QueueRowsTest.bare() + "}"));
        assertFalse(made.isDone());
        peer.received(json("{'id':'queues-set openflow:10:3','error':null,'result':[{'count':1}]}"));
        assertEquals(new Look(Set.of(PORT.switchId()), Map.of(PORT, Optional.empty())), made.join());

        final var refused = peer.settle().toCompletableFuture();
        peer.received(json("{'id':'queues-ask','error':null,'result':" + QueueRowsTest.bare() + "}"));
        peer.received(json("{'id':'queues-set openflow:10:3','error':null,'result':[{'error':'constraint'}]}"));
        assertEquals(Map.of(PORT, Optional.of("{\"error\":\"constraint\"}")), refused.join().ports());

        final var lost = peer.settle().toCompletableFuture();
        peer.gone();
        assertEquals(Look.NOTHING, lost.join());
    }

    @Test
    void whatNobodyHasSpokenOfStaysAsItIs() {
        assertEquals(Look.NOTHING, peer.settle().toCompletableFuture().join());
        assertEquals(0, sent.size());
    }

    @Test
    void queuesOfASwitchOfOthersStayAsTheyAre() {
        wanted = Optional.of(PRIORITIES);
        final var look = peer.settle().toCompletableFuture();
        peer.received(json("{'id':'queues-ask','error':null,'result':"
            + QueueRowsTest.bare().replace("000000000000000a", "0000000000000009") + "}"));
        assertEquals(Map.of(), look.join().ports());
    }

    @Test
    void wherePortsShouldHaveNoQueuesTheyAreAskedForOnlyIfSomeAreLeft() {
        wanted = Optional.of(new WantedQueues.Rates(Map.of(), number -> false));
        peer.ask();
        sent.remove();
        assertEquals(List.of(QueueRows.ofSluice()), operations(sent.remove()));

        peer.received(json("{'id':'queues-left','error':null,'result':[{'rows':[{'external_ids':['map',[]]}]}]}"));
        assertEquals(0, sent.size());
        peer.received(json("{'id':'queues-left','error':null,'result':[{'rows':[{'external_ids':['map',["
            + "['sluice-queues','7 rates 1:5']]]}]}]}"));
        assertEquals(QueueRows.questions(), operations(sent.remove()));
    }

    private static List<JsonObject> operations(final JsonObject message) {
        return message.getAsJsonArray("params").asList().stream().skip(1).map(JsonElement::getAsJsonObject).toList();
    }

    @Test
    void refusesWhatIsNotTheProtocol() {
        for (var text : List.of("{'id':'ask'}", "{'id':'ask','result':[]}", "{'id':'ask','result':7}",
                "{'id':'other','result':[]}", "{'id':'ask','result':[{'rows':[7]}]}",
                "{'id':'ask','result':[{'rows':[{'datapath_id':'xyz'}]}]}", "{'method':{}}")) {
            assertThrows(RuntimeException.class, () -> peer.received(json(text)), text);
        }
    }

    private void assertSent(final String expected) {
        assertEquals(json(expected), sent.remove());
    }

    private static JsonObject answer(final String id, final String datapath, final String mode) {
        return json("{'id':'" + id + "','error':null,'result':[{'rows':[{'_uuid':['uuid','u1'],'datapath_id':"
            + (datapath == null ? UNSET : "'" + datapath + "'") + ",'fail_mode':" + mode + "}]}]}");
    }

    private static JsonObject json(final String text) {
        return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
    }
}
