// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A bridge with port 3. */
class QueueRowsTest {
    private static final PortId PORT = new PortId(new SwitchId("openflow:10"), 3);
    private static final String NONE = "['set',[]]";
    private static final String OURS = "['uuid','s1']";

    @Test
    void aPortWithoutQueuesGetsThemInTheOrderOfTheirPriority() {
        assertEquals(List.of(
            unchanged(NONE),
            json("{'op':'insert','table':'Queue','uuid-name':'queue1','row':{'other_config':['map',["
                + "['max-rate','9000000'],['min-rate','8000'],['priority','0']]],"
                + "'external_ids':['map',[['sluice-queues','9000000 [4:8000-9000000, 0:8000-9000000]']]]}}"),
            json("{'op':'insert','table':'Queue','uuid-name':'queue2','row':{'other_config':['map',["
                + "['max-rate','9000000'],['min-rate','8000'],['priority','1']]],"
                + "'external_ids':['map',[['sluice-queues','9000000 [4:8000-9000000, 0:8000-9000000]']]]}}"),
            json("{'op':'insert','table':'QoS','uuid-name':'qos3','row':{'other_config':['map',["
                + "['max-rate','9000000']]],"
                + "'external_ids':['map',[['sluice-queues','9000000 [4:8000-9000000, 0:8000-9000000]']]],"
                + "'type':'linux-htb','queues':['map',[[4,['named-uuid','queue1']],[0,['named-uuid','queue2']]]]}}"),
            update("['named-uuid','qos3']")), changes(answers(NONE, NONE), 9, 4L, 0L));
    }

    @Test
    void queuesThatAreAsTheyShouldBeStay() {
        assertEquals(List.of(), changes(answers(OURS, quality("['sluice-queues','9000000 [4:8000-9000000]']")), 9, 4L));
    }

    @Test
    void queuesOfAnotherRateAreReplacedAndThoseOfNobodyAreTakenAway() {
        final var held = answers(OURS, quality("['sluice-queues','8000000 [4:8000-8000000]']"));
        final var replaced = changes(held, 9, 4L);
        assertEquals(List.of("wait Port", "insert Queue", "insert QoS", "update Port"),
            replaced.stream().map(QueueRowsTest::words).toList());
        assertEquals(List.of(unchanged(OURS), update(NONE)), changes(held, 9));
        assertEquals(List.of(), changes(held, 0, 4L));
        assertEquals(List.of(), changes(held, 0));
    }

    @Test
    void whatNoPortHasAnyMoreIsTakenAway() {
        assertEquals(List.of(json("{'op':'delete','table':'QoS','where':[['_uuid','==',['uuid','s1']]]}"),
            json("{'op':'delete','table':'Queue','where':[['_uuid','==',['uuid','k1']]]}")),
            changes(answers(NONE, quality("['sluice-queues','9000000 [4:8000-9000000]']")), 9));
        assertEquals(List.of(), changes(answers(NONE, quality("['owner','me']")), 9));
    }

    @Test
    void eachPortHasATransaction() {
        final var text = answers(NONE, NONE).replace("'ports':['uuid','p1']",
            "'ports':['set',[['uuid','p1'],['uuid','p2']]]").replace("}]},{'rows':[{'_uuid':['uuid','i1']",
            "},{'_uuid':['uuid','p2'],'interfaces':['uuid','i1'],'qos':" + NONE + "}]},"
                + "{'rows':[{'_uuid':['uuid','i1']");

        assertEquals(List.of(4, 4), QueueRows.of(array(text), id -> Optional.of(QueueSet.priorities(
            Bandwidth.ofMegabits(9), List.of(4L)))).changes().stream().map(change -> change.operations().size())
            .toList());
    }

    @Test
    void whatSomebodyElseMadeIsLeftAlone() {
        assertEquals(List.of(), changes(answers(OURS, quality("['owner','me']")), 9, 4L));
        assertEquals(List.of(), changes(answers(OURS, quality("['owner','me']")), 9));
    }

    @Test
    void whatKeepsAPortFromItsQueuesIsTold() {
        final var wanted = QueueSet.rates(Bandwidth.ofMegabits(9), Map.of(2L, new Bandwidth(5)));
        assertEquals(Map.of(PORT, Optional.of("it has a QoS that is not Sluice's")),
            QueueRows.of(array(answers(OURS, quality("['owner','me']"))), id -> Optional.of(wanted)).found());
        assertEquals(Map.of(PORT, Optional.empty()),
            QueueRows.of(array(answers(OURS, quality("['owner','me']"))), id -> Optional.of(QueueSet.NONE)).found());
        assertEquals(Map.of(PORT, Optional.empty()),
            QueueRows.of(array(answers(NONE, NONE)), id -> Optional.of(wanted)).found());
    }

    @Test
    void queuesWithARateHaveItAndNoMoreBesideOneForAllElse() {
        assertEquals("9000000 [0:8000-9000000, 2:5-5, 3:6-6]", QueueSet.rates(Bandwidth.ofMegabits(9),
            Map.of(3L, new Bandwidth(6), 2L, new Bandwidth(5))).mark());
    }

    @Test
    void bondsAndPortsThatAreNotThereYetHaveNone() {
        final var text = answers(NONE, NONE);
        assertEquals(List.of(), changes(text.replace("'ofport':3", "'ofport':['set',[]]"), 9, 4L));
        assertEquals(List.of(), changes(text.replace("'ofport':3", "'ofport':-1"), 9, 4L));
        assertEquals(List.of(), changes(text.replace("'interfaces':['uuid','i1']",
            "'interfaces':['set',[['uuid','i1'],['uuid','i1']]]"), 9, 4L));
    }

    /** Answers of a database whose port has no queues. */
    static String bare() {
        return answers(NONE, NONE);
    }

    /**
     * Answers of a database.
     *
     * @param qos of the port
     * @param qualities the row of a QoS, or none
     */
    private static String answers(final String qos, final String qualities) {
        return "[{'rows':[{'datapath_id':'000000000000000a','ports':['uuid','p1']}]},"
            + "{'rows':[{'_uuid':['uuid','p1'],'interfaces':['uuid','i1'],'qos':" + qos + "}]},"
            + "{'rows':[{'_uuid':['uuid','i1'],'ofport':3}]},"
            + "{'rows':[" + (qualities.equals(NONE) ? "" : qualities) + "]}]";
    }

    private static String quality(final String externalId) {
        return "{'_uuid':['uuid','s1'],'external_ids':['map',[" + externalId
            + "]],'queues':['map',[[4,['uuid','k1']]]]}";
    }

    /** Changes for ports of so many Mbit/s, 0 if that is not known. */
    private static List<JsonObject> changes(final String answers, final long megabits, final Long... numbers) {
        return QueueRows.of(array(answers), id -> id.equals(PORT) && megabits > 0
            ? Optional.of(QueueSet.priorities(Bandwidth.ofMegabits(megabits), List.of(numbers))) : Optional.empty())
            .changes().stream().flatMap(change -> change.operations().stream()).toList();
    }

    private static JsonObject unchanged(final String qos) {
        return json("{'op':'wait','table':'Port','where':[['_uuid','==',['uuid','p1']]],'timeout':0,"
            + "'columns':['qos'],'until':'==','rows':[{'qos':" + qos + "}]}");
    }

    private static JsonObject update(final String qos) {
        return json("{'op':'update','table':'Port','where':[['_uuid','==',['uuid','p1']]],'row':{'qos':" + qos + "}}");
    }

    private static String words(final JsonObject operation) {
        return operation.get("op").getAsString() + " " + operation.get("table").getAsString();
    }

    private static JsonArray array(final String text) {
        return JsonParser.parseString(text.replace('\'', '"')).getAsJsonArray();
    }

    private static JsonObject json(final String text) {
        return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
    }
}
