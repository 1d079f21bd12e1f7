// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import io.sluice.multipath.engine.MultipathConfig.Service;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** How busy servers say they are. What a server said counts for a minute; one that fell silent is not known of. */
final class ReportedLoads {
    private static final long VALID_NS = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nowNs;
    private final Map<Name, Report> reports = new HashMap<>();

    /** A server within a service. */
    private record Name(String service, String server) { }

    private record Report(double load, long atNs) { }

    ReportedLoads(final LongSupplier nowNs) {
        this.nowNs = nowNs;
    }

    /** Takes note of a load, 0..1. */
    void put(final String service, final String server, final double load) {
        reports.put(new Name(service, server), new Report(load, nowNs.getAsLong()));
    }

    /** What a server said within the last minute, if it said anything. */
    Optional<Double> of(final String service, final String server) {
        return Optional.ofNullable(reports.get(new Name(service, server)))
            .filter(report -> nowNs.getAsLong() - report.atNs() < VALID_NS).map(Report::load);
    }

    /** Forgets the servers that are not there any more. */
    void retain(final Collection<Service> services) {
        reports.keySet().retainAll(services.stream().flatMap(service -> service.servers().stream().map(server ->
            new Name(service.name(), server.name()))).collect(Collectors.toSet()));
    }
}
