// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import io.sluice.engine.storm.control.NimbusSide;
import io.sluice.engine.storm.placement.FlowMap;
import io.sluice.engine.storm.placement.Placer;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.scheduler.Cluster;
import org.apache.storm.scheduler.IScheduler;
import org.apache.storm.scheduler.Topologies;

/**
 * {@code storm.scheduler}: places executors in a way that can be foretold, takes the workers' reports of their flows,
 * and keeps the controller informed. Only the Nimbus that leads schedules, so only there topologies are known.
 */
public final class FlowScheduler implements IScheduler {
    private Optional<NimbusSide> nimbus = Optional.empty();

    @Override
    public void prepare(final Map<String, Object> conf, final StormMetricsRegistry metrics) {
        final var settings = Settings.from(conf);
        try {
            nimbus = Optional.of(new NimbusSide(settings));
        } catch (IOException e) {
            throw new IllegalStateException("port " + settings.reportPort() + " for the workers' reports is not to be"
                + " had (" + e.getMessage() + "); set another as " + Settings.REPORT_PORT + " on all hosts", e);
        }
    }

    @Override
    public void schedule(final Topologies topologies, final Cluster cluster) {
        cluster.needsSchedulingTopologies().forEach(topology -> Placer.place(topology, cluster));
        nimbus.orElseThrow().placed(
            topologies.getTopologies().stream().map(topology -> FlowMap.of(topology, cluster)).toList());
    }

    @Override
    public Map<String, Object> config() {
        return Map.of();
    }

    @Override
    public void cleanup() {
        nimbus.ifPresent(NimbusSide::close);
    }
}
