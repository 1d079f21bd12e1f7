// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.Json;
import io.sluice.engine.storm.Settings;
import io.sluice.engine.storm.Settings.Access;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.placement.FlowMap;
import io.sluice.engine.storm.placement.FlowMap.PlacedFlow;
import io.sluice.engine.storm.report.MeterRates;
import io.sluice.engine.storm.report.WorkerReport;
import io.sluice.engine.storm.report.WorkerReport.Sent;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seconds are passed by hand. */
@Timeout(180)
class RegistrarTest {
    private static final TaskPair FIRST = new TaskPair(1, 2);
    private static final TaskPair SECOND = new TaskPair(3, 2);
    private static final String TOPOLOGY = "t-1-17";
    private static final FlowMap MAP = new FlowMap(TOPOLOGY, "t", true, Map.of(
        FIRST, new PlacedFlow("a-1.b-2", "h1", "h2", 6700, 1), SECOND, new PlacedFlow("c-3.b-2", "h3", "h2", 6700, 1)));
    private static final Connection OVER = new Connection(Endpoint.parse("10.0.0.1:50000"),
        Endpoint.parse("10.0.0.2:6700"));

    @TempDir
    private Path folder;
    private FakeController controller;
    private Registrar registrar;
    private long nowNs = 1_000_000_000_000L;
    /** What passes from one look at the clock to the next. */
    private long lookNs;

    @BeforeEach
    void start() throws IOException {
        controller = new FakeController("storm", "admin", "secret");
        password("secret\n", "rw-------");
        registrar = new Registrar(settings(controller), () -> nowNs += lookNs);
        registrar.placed(List.of(MAP));
    }

    @AfterEach
    void stop() {
        controller.close();
    }

    private void password(final String text, final String mode) throws IOException {
        Files.writeString(folder.resolve("password"), text);
        Files.setPosixFilePermissions(folder.resolve("password"), PosixFilePermissions.fromString(mode));
    }

    private Settings settings(final FakeController at) {
        return new Settings(new Access(at.address(), "admin", folder.resolve("password"), "storm"),
            Duration.ofSeconds(5), 6690, List.of(URI.create("http://nimbus:6690")), Duration.ofMinutes(1), true);
    }

    private static WorkerReport sender(final Sent... sent) {
        return new WorkerReport(TOPOLOGY, "h1:6700", Arrays.asList(sent), Map.of(), Map.of());
    }

    private static WorkerReport receiver(final long delivered, final long unread) {
        return new WorkerReport(TOPOLOGY, "h2:6700", List.of(), Map.of(FIRST, delivered),
            Map.of(OVER.reversed(), unread));
    }

    /** So many seconds, in each of which the worker tells of {@link #FIRST} the same anew. */
    private void pass(final int seconds, final WorkerReport... reports) throws InterruptedException {
        for (int second = 0; second < seconds; second++) {
            nowNs += TimeUnit.SECONDS.toNanos(1);
            registrar.placed(List.of(MAP));
            for (var report : reports) {
                assertTrue(registrar.take(report).isPresent());
            }
            registrar.tick();
        }
    }

    private static Map<?, ?> flow(final Map<?, ?> report, final String name) {
        return flow(report, "flow", name);
    }

    private static Map<?, ?> flow(final Map<?, ?> object, final String list, final String name) {
        return Json.objects(object, list).stream().filter(flow -> flow.get("name").equals(name)).findFirst()
            .orElseThrow();
    }

    @Test
    void aFlowIsRegisteredOnceItHasAConnection() throws Exception {
        pass(1);
        assertFalse(controller.has("t"));
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        assertEquals(Map.of("a-1.b-2", Map.of("name", "a-1.b-2", "protocol", "tcp", "source", "10.0.0.1",
            "source-port", 50_000, "destination", "10.0.0.2", "destination-port", 6700, "stage", 1)),
            controller.flows("t"));
    }

    @Test
    void workersAreToldTheRatesOfTheirMetersAsLongAsTheControllerSaysThem() throws Exception {
        final var report = sender(new Sent(FIRST, OVER, 0, 0, 0), new Sent(SECOND, OVER, 0, 0, 0));
        controller.meterRates().put("a-1.b-2", 100_000L);
        controller.meterRates().put("another", 200_000L);
        pass(1, report);
        assertEquals(Optional.of(new MeterRates(Map.of(FIRST, 100_000L))), registrar.take(report));
        assertEquals(Optional.of(MeterRates.NONE), registrar.take(receiver(0, 0)));
        controller.meterRates().put("c-3.b-2", 0L);
        pass(1, report);
        assertEquals(MeterRates.LEAST, registrar.take(report).orElseThrow().of(SECOND));
        controller.meterRates().remove("c-3.b-2");
        controller.meterRates().put("a-1.b-2", 50_000L);
        pass(1, report);
        assertEquals(Optional.of(new MeterRates(Map.of(FIRST, 50_000L))), registrar.take(report));
        controller.refuse("no");
        pass(3, report);
        assertEquals(Optional.of(new MeterRates(Map.of(FIRST, 50_000L))), registrar.take(report));
        pass(1, report);
        assertEquals(Optional.of(MeterRates.NONE), registrar.take(report));
    }

    @Test
    void ratesAreAsOldAsTheControllersAnswer() throws Exception {
        final var report = sender(new Sent(FIRST, OVER, 0, 0, 0));
        controller.meterRates().put("a-1.b-2", 100_000L);
        lookNs = TimeUnit.MILLISECONDS.toNanos(1600);
        pass(1, report);
        assertEquals(Optional.of(new MeterRates(Map.of(FIRST, 100_000L))), registrar.take(report));
    }

    @Test
    void eachIntervalTheFiveMetricsAreReported() throws Exception {
        pass(6, sender(new Sent(FIRST, OVER, 1000, 20, 0)), receiver(7, 3));
        assertEquals(List.of(), controller.reports());
        pass(4, sender(new Sent(FIRST, OVER, 4000, 25, 0)), receiver(1, 0));
        pass(1, sender(new Sent(FIRST, OVER, 5000, 30, 0)), receiver(0, 4));
        assertEquals(1, controller.reports().size());
        final var report = controller.reports().get(0);
        assertEquals("t", report.get("application"));
        assertEquals(5_000_000, ((Number) report.get("interval")).longValue());
        assertEquals(Map.of("name", "a-1.b-2", "transferred", "4000", "sender-before", "20", "sender-after", "30",
            "receiver-before", "10", "receiver-after", "4"), flow(report, "a-1.b-2"));
        pass(5, sender(new Sent(FIRST, OVER, 5000, 0, 0)), receiver(0, 0));
        assertEquals("0", flow(controller.reports().get(1), "a-1.b-2").get("transferred"));
    }

    /** It sends 1000 bytes each second, of which 100 are left over. */
    @Test
    void whatASenderToldInSomeSecondsOnlyIsBroughtToTheInterval() throws Exception {
        pass(6, sender(new Sent(FIRST, OVER, 6000, 600, 0)));
        pass(3, sender(new Sent(FIRST, OVER, 9000, 900, 0)));
        pass(2);
        assertEquals(List.of("5000", "400", "900"), sent(0));
        pass(1);
        pass(4, sender(new Sent(FIRST, OVER, 16_000, 1600, 0)));
        assertEquals(List.of("5000", "1100", "1600"), sent(1));
    }

    private List<Object> sent(final int report) {
        final var flow = flow(controller.reports().get(report), "a-1.b-2");
        return List.of(flow.get("transferred"), flow.get("sender-before"), flow.get("sender-after"));
    }

    @Test
    void aNewConnectionIsRegisteredAtOnceAndWhatAnOperatorSetStays() throws Exception {
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        controller.flows("t").get("a-1.b-2").put("weight", 3);
        final var other = new Connection(Endpoint.parse("10.0.0.1:50009"), OVER.remote());
        pass(1, sender(new Sent(FIRST, other, 0, 0, 0)));
        assertEquals(50_009, controller.flows("t").get("a-1.b-2").get("source-port"));
        assertEquals(3, controller.flows("t").get("a-1.b-2").get("weight"));
    }

    /** In a round of placement Storm may have no slot for a task. */
    @Test
    void whatAnOperatorSetStaysWhileTasksHaveNoPlaceAndIsGoneWithTheTopology() throws Exception {
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        controller.flows("t").get("a-1.b-2").put("guarantee", "1000000");
        for (int second = 0; second < 6; second++) {
            nowNs += TimeUnit.SECONDS.toNanos(1);
            registrar.placed(List.of(new FlowMap(TOPOLOGY, "t", false, Map.of())));
            registrar.tick();
        }
        assertEquals(List.of("0", "0", "0"), sent(controller.reports().size() - 1));
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        assertEquals("1000000", controller.flows("t").get("a-1.b-2").get("guarantee"));
        registrar.placed(List.of(new FlowMap(TOPOLOGY, "t", false, Map.of())));
        registrar.placed(List.of());
        registrar.tick();
        assertFalse(controller.has("t"));
    }

    @Test
    void aStageThatIsMissingOrAnotherIsSetRight() throws Exception {
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        controller.flows("t").get("a-1.b-2").remove("stage");
        pass(5, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        assertEquals(1, controller.flows("t").get("a-1.b-2").get("stage"));
        for (long other : new long[] {7, (1L << 32) + 1}) {
            controller.flows("t").get("a-1.b-2").put("stage", other);
            pass(5, sender(new Sent(FIRST, OVER, 0, 0, 0)));
            assertEquals(1, controller.flows("t").get("a-1.b-2").get("stage"));
        }
    }

    /** Those of tasks that are not placed are of a Nimbus before this one. */
    @Test
    void aControllerThatForgotIsToldAnewAndFlowsOfOtherTasksGo() throws Exception {
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        controller.forget();
        configured("old-7.b-2");
        configured("backup");
        pass(6, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        assertEquals(Set.of("a-1.b-2", "backup"), controller.flows("t").keySet());
    }

    /** Somebody adds a flow to the application. */
    private void configured(final String flow) {
        controller.flows("t").put(flow, new HashMap<>(Map.of("name", flow)));
    }

    @Test
    void whatAnOperatorAddedStaysWhenTheTopologyHasEnded() throws Exception {
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        configured("backup");
        registrar.placed(List.of());
        registrar.tick();
        assertEquals(Set.of("backup"), controller.flows("t").keySet());
    }

    @Test
    void aFlowOfASilentWorkerStaysAndIsNotReported() throws Exception {
        final var both = sender(new Sent(FIRST, OVER, 0, 0, 0), new Sent(SECOND,
            new Connection(Endpoint.parse("10.0.0.3:50000"), OVER.remote()), 0, 0, 0));
        pass(6, both);
        pass(10);
        assertEquals(List.of(), controller.reports());
        assertEquals(Set.of("a-1.b-2", "c-3.b-2"), controller.flows("t").keySet());
        pass(10, both);
        assertEquals(1, controller.reports().size());
    }

    @Test
    void pairsThatThePlacementDoesNotKnowAreLeftOut() throws Exception {
        final var elsewhere = new Connection(OVER.local(), Endpoint.parse("10.0.0.2:22"));
        pass(5, sender(new Sent(new TaskPair(1, 9), OVER, 0, 0, 0), new Sent(FIRST, elsewhere, 0, 0, 0)));
        assertFalse(controller.has("t"));
        assertEquals(Optional.empty(),
            registrar.take(new WorkerReport("other-1-17", "h1:6700", List.of(), Map.of(), Map.of())));
    }

    /** A controller that starts has a web server first, and RESTCONF later. */
    @ParameterizedTest
    @CsvSource({"500, busy", "404, no such page"})
    void aTopologyThatHasEndedIsRemovedWhenTheControllerAnswersAgain(final int code, final String reason)
            throws Exception {
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        controller.refuse(code, reason);
        registrar.placed(List.of());
        registrar.tick();
        assertTrue(controller.has("t"));
        controller.refuse("");
        nowNs += TimeUnit.SECONDS.toNanos(2);
        registrar.tick();
        assertFalse(controller.has("t"));
    }

    @Test
    void anApplicationThatGoesOnUnderAnotherIdIsNotRemoved() throws Exception {
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        registrar.placed(List.of(new FlowMap("t-2-18", "t", true, MAP.flows())));
        registrar.tick();
        assertTrue(controller.has("t"));
        assertTrue(registrar.take(new WorkerReport("t-2-18", "h1:6700", List.of(), Map.of(), Map.of()))
            .isPresent());
    }

    @Test
    void afterAFailureItIsTriedEverMoreRarelyAndThenGoesOn() throws Exception {
        controller.refuse("no datastore");
        final var report = sender(new Sent(FIRST, OVER, 0, 0, 0));
        pass(64, report);
        final int tried = controller.requests().size();
        assertTrue(tried >= 6 && tried <= 8, "tried " + tried + " times");
        controller.refuse("");
        pass(75, report);
        assertEquals(Set.of("a-1.b-2"), controller.flows("t").keySet());
        assertFalse(controller.reports().isEmpty());
    }

    @Test
    void theControllerHasItsPauseAfterATimeOutToo() throws Exception {
        registrar = new Registrar(settings(controller),
            () -> nowNs + TimeUnit.SECONDS.toNanos(10) * controller.requests().size());
        controller.refuse("not within ten seconds");
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        registrar.tick();
        assertEquals(1, controller.requests().size());
        pass(1);
        assertEquals(2, controller.requests().size());
    }

    @Test
    void aReportIsNotOlderThanThreeIntervals() throws Exception {
        pass(5, sender(new Sent(FIRST, OVER, 1000, 0, 0)));
        controller.refuse("away");
        pass(40, sender(new Sent(FIRST, OVER, 9000, 0, 0)));
        controller.refuse("");
        pass(32, sender(new Sent(FIRST, OVER, 9500, 0, 0)));
        assertEquals("0", flow(controller.reports().get(0), "a-1.b-2").get("transferred"));
        assertEquals(5_000_000, ((Number) controller.reports().get(0).get("interval")).longValue());
    }

    @Test
    void aPasswordThatIsMendedIsTakenWithoutARestart() throws Exception {
        password("wrong", "rw-------");
        pass(3, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        assertFalse(controller.has("t"));
        Files.delete(folder.resolve("password"));
        pass(5, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        password("secret", "rw-r--r--");
        pass(8, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        assertFalse(controller.has("t"));
        password("secret", "rw-r-----");
        pass(40, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        assertTrue(controller.has("t"));
    }

    @Test
    void aNimbusThatLeadsNoLongerTellsNothing() throws Exception {
        pass(1, sender(new Sent(FIRST, OVER, 0, 0, 0)));
        final int before = controller.requests().size();
        nowNs += TimeUnit.SECONDS.toNanos(61);
        assertEquals(Optional.empty(), registrar.take(sender()));
        registrar.tick();
        assertEquals(before, controller.requests().size());
    }

    private Map<?, ?> shown(final String name) {
        return flow((Map<?, ?>) Json.read(registrar.flows()).get(TOPOLOGY), "flows", name);
    }

    @Test
    void theMapOfFlowsHasConnectionsOnceTheyAreKnown() throws Exception {
        pass(1, sender(new Sent(FIRST, OVER, 11, 12, 13)), receiver(4, 5));
        final var known = shown("a-1.b-2");
        assertEquals("10.0.0.1:50000", known.get("local"));
        assertEquals(9, known.get("receiver-queue"));
        assertEquals(13, known.get("lost-messages"));
        final var unknown = shown("c-3.b-2");
        assertEquals("h3", unknown.get("source-host"));
        assertFalse(unknown.containsKey("local"));
    }

    @Test
    void theMapOfFlowsHasMetersAndWhatFlowsArePendingFor() throws Exception {
        final var both = sender(new Sent(FIRST, OVER, 0, 0, 0), new Sent(SECOND, OVER, 0, 0, 0));
        controller.meterRates().put("a-1.b-2", 100_000L);
        controller.pending().put("c-3.b-2", "no host with address 10.0.0.3 is seen");
        pass(1, both);
        assertEquals(100_000, shown("a-1.b-2").get("meter-rate"));
        assertFalse(shown("a-1.b-2").containsKey("pending"));
        assertEquals("no host with address 10.0.0.3 is seen", shown("c-3.b-2").get("pending"));
        controller.pending().clear();
        pass(1, both);
        assertFalse(shown("c-3.b-2").containsKey("pending"));
        controller.refuse("no");
        pass(4, both);
        assertFalse(shown("a-1.b-2").containsKey("meter-rate"));
    }
}
