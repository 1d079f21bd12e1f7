// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.control;

import io.sluice.engine.storm.Endpoint;
import io.sluice.engine.storm.Json;
import io.sluice.engine.storm.Settings;
import io.sluice.engine.storm.Settings.Access;
import io.sluice.engine.storm.report.MeterRates;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Sluice's RESTCONF, as far as an engine needs it: {@code sluice-bandwidth}'s flows of the applications of one tenant,
 * and {@code report-flows}. The password is read anew for each call, so that it can be changed meanwhile. What can't be
 * done is an {@link IOException} whose message says why.
 */
final class RestconfController {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String MODULE = "sluice-bandwidth:";
    private static final String DATA = "/rests/data/sluice-bandwidth:bandwidth";
    private static final String REPORT = "/rests/operations/sluice-bandwidth:report-flows";
    private static final String MISSING = "data-missing";
    private static final int MOST_PORT = 65_535;
    private static final int MOST_REASON = 300;

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(PATIENCE).build();
    private final Access access;

    RestconfController(final Access access) {
        this.access = access;
    }

    /** The flows that an application has in the controller's configuration; nothing of a flow that can't be read. */
    Map<String, Optional<Registration>> flows(final String application) throws IOException, InterruptedException {
        final var flows = new HashMap<String, Optional<Registration>>();
        read(application, "?content=config", flow -> flows.put(Json.text(flow, "name"), registration(flow)));
        return flows;
    }

    /** Adds flows, or changes what is told of them; all else that the configuration says stays. */
    void merge(final String application, final Map<String, Registration> flows)
            throws IOException, InterruptedException {
        final var listed = flows.entrySet().stream().map(flow -> Map.of("name", flow.getKey(), "protocol", "tcp",
            "source", flow.getValue().source().getHostAddress(), "source-port", flow.getValue().sourcePort(),
            "destination", flow.getValue().destination().getHostAddress(),
            "destination-port", flow.getValue().destinationPort(), "stage", flow.getValue().stage())).toList();
        checked(send("PATCH", DATA, Json.write(Map.of(MODULE + "bandwidth", Map.of("tenant", List.of(Map.of(
            "name", access.tenant(), "application", List.of(Map.of("name", application, "flow", listed)))))))));
    }

    /** Removes a flow; it need not be there. */
    void remove(final String application, final String flow) throws IOException, InterruptedException {
        delete(path(application) + "/flow=" + flow);
    }

    /** Removes an application; it need not be there. */
    void remove(final String application) throws IOException, InterruptedException {
        delete(path(application));
    }

    /** Tells what flows of an application did in the last {@code intervalUs}. */
    void report(final String application, final long intervalUs, final Map<String, Figures> flows)
            throws IOException, InterruptedException {
        final var input = new LinkedHashMap<String, Object>();
        input.put("tenant", access.tenant());
        input.put("application", application);
        input.put("interval", intervalUs);
        input.put("flow", flows.entrySet().stream().map(flow -> Map.of("name", flow.getKey(),
            "transferred", Long.toString(flow.getValue().transferred()),
            "sender-before", Long.toString(flow.getValue().senderBefore()),
            "sender-after", Long.toString(flow.getValue().senderAfter()),
            "receiver-before", Long.toString(flow.getValue().receiverBefore()),
            "receiver-after", Long.toString(flow.getValue().receiverAfter()))).toList());
        checked(send("POST", REPORT, Json.write(Map.of(MODULE + "input", input))));
    }

    /**
     * What an application's flows have, by name; those that the controller has not looked at yet are left out. One of
     * which all is dropped for now goes on at the slowest rate, so that it is seen to have something to send.
     */
    Map<String, Allocation> allocations(final String application) throws IOException, InterruptedException {
        final var allocations = new HashMap<String, Allocation>();
        read(application, "?content=nonconfig&fields=flow(name;allocation(meter-rate;status;reason))", flow -> {
            if (flow.get("allocation") instanceof Map<?, ?> given) {
                allocations.put(Json.text(flow, "name"), allocation(given));
            }
        });
        return allocations;
    }

    /** Hands over the flows of an application one by one; none if there is no such application. */
    private void read(final String application, final String query, final Consumer<Map<?, ?>> flows)
            throws IOException, InterruptedException {
        final var answer = send("GET", path(application) + query, null);
        if (!isMissing(answer)) {
            try {
                for (var found : Json.objects(Json.read(checked(answer).body()), MODULE + "application")) {
                    Json.objects(found, "flow").forEach(flows);
                }
            } catch (IllegalArgumentException e) {
                throw new IOException("the controller's answer can't be read: " + e.getMessage(), e);
            }
        }
    }

    private static Allocation allocation(final Map<?, ?> given) {
        return new Allocation(given.containsKey("meter-rate")
            ? OptionalLong.of(Math.max(MeterRates.LEAST, Long.parseLong(Json.text(given, "meter-rate"))))
            : OptionalLong.empty(),
            "pending".equals(given.get("status")) ? Optional.of(reason(given)) : Optional.empty());
    }

    private static String reason(final Map<?, ?> given) {
        return given.get("reason") instanceof String reason ? reason : "the controller does not say why";
    }

    private static Optional<Registration> registration(final Map<?, ?> flow) {
        try {
            return "tcp".equals(flow.get("protocol")) ? Optional.of(new Registration(
                Endpoint.ip(Json.text(flow, "source")), Json.number(flow, "source-port", 1, MOST_PORT),
                Endpoint.ip(Json.text(flow, "destination")), Json.number(flow, "destination-port", 1, MOST_PORT),
                Json.number(flow, "stage", 0, Integer.MAX_VALUE)))
                : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private String path(final String application) {
        return DATA + "/tenant=" + access.tenant() + "/application=" + application;
    }

    private void delete(final String path) throws IOException, InterruptedException {
        final var answer = send("DELETE", path, null);
        if (!isMissing(answer)) {
            checked(answer);
        }
    }

    private HttpResponse<String> send(final String method, final String path, final String body)
            throws IOException, InterruptedException {
        final var request = HttpRequest.newBuilder(URI.create(access.controller() + path)).timeout(PATIENCE)
            .header("Authorization", "Basic " + Base64.getEncoder().encodeToString(
                (access.user() + ":" + password()).getBytes(StandardCharsets.UTF_8)))
            .header("Accept", "application/yang-data+json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/yang-data+json");
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException("no controller answers at " + access.controller() + " (" + e + "); "
                + Settings.CONTROLLER + " says where it is", e);
        }
    }

    private String password() throws IOException {
        final var file = access.passwordFile();
        try {
            if (!Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                return Files.readString(file, StandardCharsets.UTF_8).strip();
            }
        } catch (IOException e) {
            throw new IOException("the controller's password can't be read (" + e + "); " + Settings.PASSWORD_FILE
                + " says where it is", e);
        }
        throw new IOException("everybody may read the controller's password in " + file + "; set its mode to 0600");
    }

    private HttpResponse<String> checked(final HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            throw new IOException("the controller at " + access.controller() + " does not let " + access.user()
                + " in with the password in " + access.passwordFile());
        }
        if (answer.statusCode() / 100 != 2) {
            final String reason = answer.body().strip();
            throw new IOException("the controller refuses " + answer.request().method() + " "
                + answer.request().uri().getPath() + " with " + answer.statusCode() + ": "
                + reason.substring(0, Math.min(MOST_REASON, reason.length())));
        }
        return answer;
    }

    /** RESTCONF says so itself; a controller that has just begun to start answers 404 to everything. */
    private static boolean isMissing(final HttpResponse<String> answer) {
        return answer.statusCode() / 100 == 4 && answer.body().contains(MISSING);
    }
}
