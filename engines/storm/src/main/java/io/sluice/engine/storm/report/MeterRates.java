// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.report;

import io.sluice.engine.storm.Json;
import io.sluice.engine.storm.TaskPair;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the meters on the ways of a worker's flows let through; Nimbus answers a report with it.
 *
 * @param bitsPerSecond of frames, at least {@link #LEAST}, by flow; a flow without a meter is left out
 */
public record MeterRates(Map<TaskPair, Long> bitsPerSecond) {
    /** No flow has a meter, or nobody knows. */
    public static final MeterRates NONE = new MeterRates(Map.of());

    /** Of the slowest meter that there is. */
    public static final long LEAST = 1000;

    private static final String RATES = "rates";
    private static final String RATE = "bits-per-second";

    public MeterRates {
        bitsPerSecond = Map.copyOf(bitsPerSecond);
    }

    /** The rate of a flow, 0 if it has no meter. */
    public long of(final TaskPair pair) {
        return bitsPerSecond.getOrDefault(pair, 0L);
    }

    /** The answer as it is sent. */
    public String toJson() {
        return Json.write(Map.of(RATES, bitsPerSecond.entrySet().stream().map(rate -> WorkerReport.object(
            WorkerReport.SOURCE, rate.getKey().source(), WorkerReport.DESTINATION, rate.getKey().destination(),
            RATE, rate.getValue())).toList()));
    }

    /**
     * Reads an answer.
     *
     * @throws IllegalArgumentException that names what is missing or wrong
     */
    public static MeterRates parse(final String json) {
        final var rates = new LinkedHashMap<TaskPair, Long>();
        Json.objects(Json.read(json), RATES).forEach(rate ->
            rates.put(WorkerReport.pair(rate), Json.number(rate, RATE, LEAST)));
        return new MeterRates(rates);
    }
}
