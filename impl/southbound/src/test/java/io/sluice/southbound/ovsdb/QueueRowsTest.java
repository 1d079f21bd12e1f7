// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.sluice.api.Bandwidth;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
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
                + "'external_ids':['map',[['sluice-queues','Queue']]]}}"),
            json("{'op':'insert','table':'Queue','uuid-name':'queue2','row':{'other_config':['map',["
                + "['max-rate','9000000'],['min-rate','8000'],['priority','1']]],"
                + "'external_ids':['map',[['sluice-queues','Queue']]]}}"),
            json("{'op':'insert','table':'QoS','uuid-name':'qos3','row':{'other_config':['map',["
                + "['max-rate','9000000']]],"
                + "'external_ids':['map',[['sluice-queues','9000000 priorities [4, 0]']]],"
                + "'type':'linux-htb','queues':['map',[[4,['named-uuid','queue1']],[0,['named-uuid','queue2']]]]}}"),
            update("['named-uuid','qos3']")), changes(answers(NONE, NONE), 9, 4L, 0L));
    }

    @Test
    void queuesThatAreAsTheyShouldBeStay() {
        assertEquals(List.of(), changes(answers(OURS, quality("['sluice-queues','9000000 priorities [4]']")), 9, 4L));
    }

    @Test
    void queuesOfAnotherRateAreReplacedAndThoseOfNobodyAreTakenAway() {
        final var held = answers(OURS, quality("['sluice-queues','8000000 priorities [4]']"));
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
            changes(answers(NONE, quality("['sluice-queues','9000000 priorities [4]']")), 9));
        assertEquals(List.of(), changes(answers(NONE, quality("['owner','me']")), 9));
    }

    @Test
    void eachPortHasATransaction() {
        final var text = answers(NONE, NONE).replace("'ports':['uuid','p1']",
            "'ports':['set',[['uuid','p1'],['uuid','p2']]]").replace("}]},{'rows':[{'_uuid':['uuid','i1']",
            "},{'_uuid':['uuid','p2'],'interfaces':['uuid','i1'],'qos':" + NONE + "}]},"
                + "{'rows':[{'_uuid':['uuid','i1']");

        assertEquals(List.of(4, 4), QueueRows.of(array(text), (id, mark) -> Optional.of(QueueSet.priorities(
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
        final var wanted = rates(Map.of(2L, new Bandwidth(5)));
        assertEquals(Map.of(PORT, Optional.of("it has a QoS that is not Sluice's")),
            found(answers(OURS, quality("['owner','me']")), wanted));
        assertEquals(Map.of(PORT, Optional.empty()), found(answers(OURS, quality("['owner','me']")), QueueSet.NONE));
        assertEquals(Map.of(PORT, Optional.empty()), found(answers(NONE, NONE), wanted));
    }

    @Test
    void theUserspaceDatapathHasQueuesOnlyIfItsOwnerSaysThatItHasFilters() {
        final var wanted = rates(Map.of(2L, new Bandwidth(5)));
        final var ignoring = answers(NONE, NONE).replace("'system'", "'netdev'");
        final var told = found(ignoring, wanted).get(PORT).orElseThrow();
        assertTrue(told.contains("set external_ids:sluice-queue-filters=true"), told);
        assertEquals(List.of(), changes(ignoring, 9, 4L));
        final var filled = answers(OURS, quality("['sluice-queues','9000000 priorities [4]']"))
            .replace("'system'", "'netdev'");
        assertEquals(List.of(unchanged(OURS), update(NONE)), changes(filled, 9, 4L));
        assertEquals(Map.of(PORT, Optional.empty()), found(ignoring, QueueSet.NONE));

        final var filtered = ignoring.replace("'external_ids':['map',[]]",
            "'external_ids':['map',[['sluice-queue-filters','true']]]");
        assertEquals(Map.of(PORT, Optional.empty()), found(filtered, wanted));
    }

    @Test
    void queuesWithARateAreBesideOneForAllElse() {
        final var set = rates(Map.of(3L, new Bandwidth(60_000), 2L, new Bandwidth(50_000)));
        assertEquals(List.of("0 <= 9000000", "2 <= 50000", "3 <= 60000"),
            set.queues().stream().map(queue -> queue.number() + " <= " + queue.most().bitsPerSecond()).toList());
        assertEquals("9000000 rates 2:50000 3:60000", set.mark());
        assertEquals(Map.of(2L, new Bandwidth(50_000), 3L, new Bandwidth(60_000)), QueueSet.ratesOf(set.mark()));
        assertEquals(Map.of(), QueueSet.ratesOf(QueueSet.priorities(Bandwidth.ofMegabits(9), List.of(2L)).mark()));
    }

    @Test
    void queuesThatAreToStayAreMadeAgainBesideOthers() {
        final var wanted = new WantedQueues.Rates(Map.of(PORT, Map.of(2L, new Bandwidth(50_000))),
            number -> number == 3);
        final var mark = Optional.of("9000000 rates 2:60000 3:60000 4:60000");
        final var capacity = Optional.of(Bandwidth.ofMegabits(9));
        assertEquals("9000000 rates 2:50000 3:60000", wanted.at(PORT, capacity, mark).orElseThrow().mark());
        assertEquals(Optional.of(QueueSet.NONE), wanted.at(new PortId(PORT.switchId(), 4), capacity, Optional.empty()));
        assertEquals(Optional.empty(), wanted.at(PORT, Optional.empty(), mark));
    }

    /** Otherwise a thousand flows would fill the database with what each queue repeats. */
    @Test
    void aChangeGrowsWithTheNumberOfQueuesAndNoFaster() {
        final var sizes = new ArrayList<Integer>();
        for (long n : List.of(100L, 1000L)) {
            final var set = rates(LongStream.rangeClosed(1, n).boxed().collect(Collectors.toMap(
                number -> number, number -> new Bandwidth(50_000))));
            sizes.add(QueueRows.of(array(answers(NONE, NONE)), (id, mark) -> Optional.of(set)).changes().toString()
                .length());
        }
        assertTrue(sizes.get(1) < 11 * sizes.get(0), sizes::toString);
    }

    @Test
    void bondsAndPortsThatAreNotThereYetHaveNone() {
        final var text = answers(NONE, NONE);
        assertEquals(List.of(), changes(text.replace("'ofport':3", "'ofport':['set',[]]"), 9, 4L));
        assertEquals(List.of(), changes(text.replace("'ofport':3", "'ofport':-1"), 9, 4L));
        assertEquals(List.of(), changes(text.replace("'interfaces':['uuid','i1']",
            "'interfaces':['set',[['uuid','i1'],['uuid','i1']]]"), 9, 4L));
    }

    private static QueueSet rates(final Map<Long, Bandwidth> rates) {
        return QueueSet.rates(Bandwidth.ofMegabits(9), new TreeMap<>(rates));
    }

    private static Map<PortId, Optional<String>> found(final String answers, final QueueSet wanted) {
        return QueueRows.of(array(answers), (id, mark) -> Optional.of(wanted)).found();
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
        return "[{'rows':[{'datapath_id':'000000000000000a','datapath_type':'system','external_ids':['map',[]],"
            + "'ports':['uuid','p1']}]},"
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
        return QueueRows.of(array(answers), (id, mark) -> id.equals(PORT) && megabits > 0
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
