// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.engine.storm.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * RESTCONF with the part of sluice-bandwidth that an engine uses: one tenant's applications, whose flows are maps of
 * leaves, and a list of what was reported. It is as strict as the models about what it is sent.
 */
public final class FakeController implements AutoCloseable {
    private static final String DATA = "/rests/data/sluice-bandwidth:bandwidth";
    private static final String MISSING = "{\"errors\": {\"error\": [{\"error-tag\": \"data-missing\"}]}}";

    private final HttpServer server;
    private final String tenant;
    private final String authorization;
    private final Map<String, Map<String, Map<String, Object>>> applications = new TreeMap<>();
    private final List<String> requests = new ArrayList<>();
    private final List<Map<?, ?>> reports = new ArrayList<>();
    private final Map<String, Long> meterRates = new TreeMap<>();
    private final Map<String, String> pending = new TreeMap<>();
    private String refusal = "";
    private int refusalCode;

    /** Listens on loopback, at a port of its own. */
    public FakeController(final String tenant, final String user, final String password) throws IOException {
        this.tenant = tenant;
        authorization = "Basic " + Base64.getEncoder()
            .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Where it listens. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** Flows of an application, each with its leaves; those that a test writes are an operator's. */
    public synchronized Map<String, Map<String, Object>> flows(final String application) {
        return applications.computeIfAbsent(application, made -> new TreeMap<>());
    }

    /** True if an application is configured. */
    public synchronized boolean has(final String application) {
        return applications.containsKey(application);
    }

    /** Forgets its configuration. */
    public synchronized void forget() {
        applications.clear();
    }

    /** Inputs of report-flows. */
    public synchronized List<Map<?, ?>> reports() {
        return List.copyOf(reports);
    }

    /** Rates of the meters of flows, by name; the others have none. */
    public synchronized Map<String, Long> meterRates() {
        return meterRates;
    }

    /** Flows that are not held to their rates, by name, with the reason. */
    public synchronized Map<String, String> pending() {
        return pending;
    }

    /** Methods and paths, as they came. */
    public synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    /** From now on all is refused for this reason; nothing if it is empty. */
    public synchronized void refuse(final String reason) {
        refuse(500, reason);
    }

    /** The same with a status code. */
    public synchronized void refuse(final int code, final String reason) {
        refusalCode = code;
        refusal = reason;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private synchronized void handle(final HttpExchange exchange) throws IOException {
        final String path = exchange.getRequestURI().getPath();
        requests.add(exchange.getRequestMethod() + " " + path);
        final String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int code = 204;
        String answer = "";
        if (!authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            code = 401;
        } else if (!refusal.isEmpty()) {
            code = refusalCode;
            answer = refusal;
        } else {
            final String query = String.valueOf(exchange.getRequestURI().getQuery());
            final var found = query.startsWith("content=nonconfig") ? allocations(path, query)
                : answer(exchange.getRequestMethod(), path, body);
            code = found.isEmpty() ? 204 : found.equals(MISSING) ? 409 : 200;
            answer = found;
        }
        final byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String answer(final String method, final String path, final String body) {
        if (path.endsWith(":report-flows")) {
            return report((Map<?, ?>) Json.read(body).get("sluice-bandwidth:input"));
        }
        if (method.equals("PATCH")) {
            return merge(Json.read(body));
        }
        final String[] steps = path.substring((DATA + "/tenant=" + tenant + "/application=").length()).split("/flow=");
        final var flows = applications.get(steps[0]);
        if (flows == null || steps.length == 2 && !flows.containsKey(steps[1])) {
            return MISSING;
        }
        if (method.equals("GET")) {
            return Json.write(Map.of("sluice-bandwidth:application",
                List.of(Map.of("name", steps[0], "flow", new ArrayList<>(flows.values())))));
        }
        if (steps.length == 2) {
            flows.remove(steps[1]);
        } else {
            applications.remove(steps[0]);
        }
        return "";
    }

    private String allocations(final String path, final String query) {
        final var flows = applications.get(path.substring(path.lastIndexOf('=') + 1));
        return flows == null ? MISSING : Json.write(Map.of("sluice-bandwidth:application", List.of(Map.of("flow",
            flows.keySet().stream().map(name -> Map.of("name", name, "allocation", allocation(name, query)))
                .toList()))));
    }

    /** The leaves of an allocation that the query asks for. */
    private Map<String, String> allocation(final String flow, final String query) {
        final var leaves = new TreeMap<String, String>();
        leaves.put("status", pending.containsKey(flow) ? "pending" : meterRates.containsKey(flow) ? "in-place"
            : "unmetered");
        if (meterRates.containsKey(flow)) {
            leaves.put("meter-rate", Long.toString(meterRates.get(flow)));
        }
        if (pending.containsKey(flow)) {
            leaves.put("reason", pending.get(flow));
        }
        leaves.keySet().removeIf(leaf -> !query.contains(leaf));
        return leaves;
    }

    private String merge(final Map<?, ?> body) {
        for (var each : Json.objects((Map<?, ?>) body.get("sluice-bandwidth:bandwidth"), "tenant")) {
            if (!each.get("name").equals(tenant)) {
                throw new IllegalStateException("tenant " + each.get("name"));
            }
            for (var application : Json.objects(each, "application")) {
                for (var flow : Json.objects(application, "flow")) {
                    final var leaves = flows(Json.text(application, "name"))
                        .computeIfAbsent(Json.text(flow, "name"), made -> new LinkedHashMap<>());
                    flow.forEach((name, value) -> leaves.put((String) name, value));
                }
            }
        }
        return "";
    }

    private String report(final Map<?, ?> input) {
        if (!input.get("tenant").equals(tenant) || Json.number(input, "interval", 100_000) > 3_600_000_000L) {
            throw new IllegalStateException("not in the model: " + input);
        }
        final var flows = applications.get(Json.text(input, "application"));
        for (var flow : Json.objects(input, "flow")) {
            if (flows == null || !flows.containsKey(Json.text(flow, "name"))) {
                return MISSING;
            }
        }
        reports.add(input);
        return "";
    }
}
