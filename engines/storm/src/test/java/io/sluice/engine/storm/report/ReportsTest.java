// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.Connection;
import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.TaskPair;
import io.sluice.engine.storm.report.WorkerReport.Sent;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class ReportsTest {
    private static final Connection FIRST = new Connection(Endpoint.parse("10.0.0.1:50000"),
        Endpoint.parse("10.0.0.2:6700"));
    private static final Connection SIX = new Connection(Endpoint.parse("fd00:0:0:0:0:0:0:1:50001"),
        Endpoint.parse("fd00:0:0:0:0:0:0:2:6700"));
    private static final WorkerReport REPORT = new WorkerReport("t-1-17", "h1:6700",
        List.of(new Sent(new TaskPair(1, 2), FIRST, 1L << 40, 5, 0), new Sent(new TaskPair(1, 3), SIX, 0, 0, 9)),
        Map.of(new TaskPair(4, 5), 77L), Map.of(FIRST.reversed(), 3L));

    private static final MeterRates RATES = new MeterRates(Map.of(new TaskPair(1, 2), 1L << 40));

    private final BlockingQueue<WorkerReport> taken = new LinkedBlockingQueue<>();
    private final List<String> warnings = new ArrayList<>();

    private ReportServer server(final String topology) throws IOException {
        return new ReportServer(0, report -> Optional.of(RATES).filter(rates -> report.topology().equals(topology)
            && taken.add(report)), () -> "{}");
    }

    private static URI address(final int port) {
        return URI.create("http://127.0.0.1:" + port + ReportServer.REPORTS);
    }

    private static HttpResponse<String> ask(final ReportServer server, final String method, final String path,
            final String body) throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.port() + path)).method(method, BodyPublishers.ofString(body))
            .build(), BodyHandlers.ofString());
    }

    @Test
    void aReportIsReadAsItWasWritten() {
        assertEquals(REPORT, WorkerReport.parse(REPORT.toJson()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "nothing | no JSON", "[] | JSON, but no object", "{\"worker\": \"w\"} | 'topology' is no text",
        "{'topology': 't'} | 'worker' is no text",
        "{'topology': 't', 'worker': 'w', 'sent': [1]} | 'sent' is no list of objects",
        "{'topology': 't', 'worker': 'w', 'sent': [{'source': -1}]} | 'source' is no whole number of at least 0",
        "{'topology': 't', 'worker': 'w', 'sent': [{'source': 4294967301}]} | 'source' is more than 2147483647",
        "{'topology': 't', 'worker': 'w', 'sent': [{'source': 1, 'destination': 2, 'local': 'a'}]} | no port in 'a'",
        "{'topology': 't', 'worker': 'w', 'unread': [{'queued': 1, 'local': 'a:1'}]} | no IP address: a"})
    void aWrongReportIsRefusedWithWhatIsWrong(final String text, final String reason) throws Exception {
        final String json = text.replace('\'', '"');
        final var refusal = assertThrows(IllegalArgumentException.class, () -> WorkerReport.parse(json));
        assertTrue(refusal.getMessage().startsWith(reason), refusal.getMessage());
        try (var server = server("t-1-17")) {
            final var answer = ask(server, "POST", ReportServer.REPORTS, json);
            assertEquals(400, answer.statusCode());
            assertTrue(answer.body().startsWith(reason), answer.body());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "{'rates': [{'source': 1, 'destination': 2}]} | 'bits-per-second' is no whole number of at least 1000",
        "{'rates': [{'source': 1, 'destination': 2, 'bits-per-second': 999}]} | 'bits-per-second' is no whole number"})
    void wrongRatesAreRefusedWithWhatIsWrong(final String text, final String reason) {
        final var refusal = assertThrows(IllegalArgumentException.class,
            () -> MeterRates.parse(text.replace('\'', '"')));
        assertTrue(refusal.getMessage().startsWith(reason), refusal.getMessage());
    }

    @Test
    void theServerTakesReportsOfItsTopologiesAndShowsTheMap() throws Exception {
        try (var server = server("t-1-17")) {
            assertEquals(200, ask(server, "POST", ReportServer.REPORTS, REPORT.toJson()).statusCode());
            assertEquals(REPORT, taken.take());
            final var other = ask(server, "POST", ReportServer.REPORTS, REPORT.toJson().replace("t-1-17", "t-2-18"));
            assertEquals(503, other.statusCode());
            assertEquals("this Nimbus has not placed t-2-18", other.body());
            assertEquals(405, ask(server, "GET", ReportServer.REPORTS, "").statusCode());
            assertEquals(413, ask(server, "POST", ReportServer.REPORTS, "x".repeat(2 << 20)).statusCode());
            assertEquals("{}", ask(server, "GET", ReportServer.FLOWS, "").body());
        }
    }

    @Test
    void whoAsksHalfAQuestionKeepsNobodyFromAnAnswerAndIsLeft() throws Exception {
        try (var server = server("t-1-17")) {
            final var halves = new ArrayList<Socket>();
            for (int each = 0; each < 20; each++) {
                final var half = new Socket("127.0.0.1", server.port());
                half.getOutputStream().write("POST /reports HTTP/1.1\r\nContent-Length: 9\r\n\r\n{".getBytes(
                    StandardCharsets.US_ASCII));
                halves.add(half);
            }
            assertEquals(200, ask(server, "POST", ReportServer.REPORTS, REPORT.toJson()).statusCode());
            for (var half : halves) {
                half.setSoTimeout(60_000);
                assertEquals(-1, half.getInputStream().read());
                half.close();
            }
        }
    }

    @Test
    void whoDoesNotReadTheAnswerIsLeft() throws Exception {
        final String more = "x".repeat(20_000_000); // than the kernel takes
        try (var server = new ReportServer(0, report -> Optional.empty(), () -> more);
                var deaf = new Socket("127.0.0.1", server.port())) {
            deaf.getOutputStream().write("GET /flows HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            awaitAnswering(true);
            awaitAnswering(false);
            assertTrue(deaf.getInputStream().readAllBytes().length < more.length());
        }
    }

    /** Waits until a thread of the server is busy, or none is. */
    private static void awaitAnswering(final boolean busy) throws InterruptedException {
        while (busy != Thread.getAllStackTraces().values().stream().flatMap(Arrays::stream)
                .anyMatch(frame -> frame.getClassName().equals(ReportServer.class.getName()))) {
            Thread.sleep(20);
        }
    }

    @Test
    void reportsGoToTheNimbusThatKnowsTheTopology() throws Exception {
        try (var standby = server("none"); var leader = server("t-1-17")) {
            final var sender = new ReportSender(List.of(address(standby.port()), address(leader.port())),
                warnings::add);
            assertEquals(Optional.of(RATES), sender.send(REPORT));
            assertEquals(REPORT, taken.take());
            standby.close();
            assertEquals(Optional.of(RATES), sender.send(REPORT));
            assertEquals(REPORT, taken.take());
        }
    }

    @Test
    void ofEachNimbusItIsToldWhyItTakesNone() throws Exception {
        try (var standby = server("none"); var gone = server("t-1-17")) {
            gone.close();
            final var sender = new ReportSender(List.of(address(standby.port()), address(gone.port())), warnings::add);
            sender.send(REPORT);
            sender.send(REPORT);
            assertEquals(1, warnings.size());
            assertTrue(warnings.get(0).contains(address(standby.port()) + " answers 503 this Nimbus has not placed"
                + " t-1-17, " + address(gone.port()) + " does not answer ("), warnings.get(0));
        }
    }

    @Test
    void whileNobodyTakesReportsTheyAreTriedEverMoreRarely() throws Exception {
        final int port;
        try (var server = server("t-1-17")) {
            port = server.port();
        }
        final var sender = new ReportSender(List.of(address(port)));
        for (int each = 0; each < 12; each++) {
            assertEquals(Optional.empty(), sender.send(REPORT));
        }
        try (var server = new ReportServer(port, report -> Optional.of(RATES).filter(rates -> taken.add(report)),
                () -> "{}")) {
            int more = 0;
            while (taken.isEmpty()) {
                sender.send(REPORT);
                more++;
            }
            assertTrue(more > 1 && more <= 16, "tried again after " + more);
            sender.send(REPORT);
            assertEquals(2, taken.size());
        }
    }
}
