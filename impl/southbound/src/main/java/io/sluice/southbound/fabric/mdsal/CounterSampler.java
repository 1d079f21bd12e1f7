// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.FabricView;
import io.sluice.southbound.fabric.PortRates;
import io.sluice.southbound.fabric.RateMeter;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetNodeConnectorStatistics;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetNodeConnectorStatisticsInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetNodeConnectorStatisticsOutput;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the port counters of all switches at an interval and reports rates. All methods run on {@code loop}. */
final class CounterSampler {
    private static final Logger LOG = LoggerFactory.getLogger(CounterSampler.class);

    private final RpcService rpcService;
    private final FabricView view;
    private final ScheduledExecutorService loop;
    private final Map<PortId, Meters> meters = new HashMap<>();
    private long intervalMs = SettingsWatcher.DEFAULT_SAMPLING_MS;
    private ScheduledFuture<?> schedule;

    private record Meters(RateMeter received, RateMeter sent) { }

    CounterSampler(final RpcService rpcService, final FabricView view, final ScheduledExecutorService loop) {
        this.rpcService = rpcService;
        this.view = view;
        this.loop = loop;
    }

    /** Sets the interval; if sampling has started, from now on. */
    void every(final long newIntervalMs) {
        if (newIntervalMs != intervalMs) {
            intervalMs = newIntervalMs;
            if (schedule != null) {
                start();
            }
        }
    }

    void start() {
        stop();
        schedule = loop.scheduleAtFixedRate(this::sample, 0, intervalMs, TimeUnit.MILLISECONDS);
    }

    void stop() {
        if (schedule != null) {
            schedule.cancel(false);
            schedule = null;
        }
    }

    private void sample() {
        final var snapshot = view.snapshot();
        meters.keySet().retainAll(snapshot.ports().keySet());
        snapshot.switches().forEach(this::sample);
    }

    private void sample(final SwitchId switchId) {
        Futures.addCallback(rpcService.getRpc(GetNodeConnectorStatistics.class).invoke(
            new GetNodeConnectorStatisticsInputBuilder().setNode(Names.node(switchId)).setStoreStats(false).build()),
            new FutureCallback<RpcResult<GetNodeConnectorStatisticsOutput>>() {
                @Override
                public void onSuccess(final RpcResult<GetNodeConnectorStatisticsOutput> answer) {
                    if (answer.isSuccessful()) {
                        take(answer.getResult());
                    } else {
                        LOG.debug("switch {} gave no counters: {}", switchId, answer.getErrors());
                    }
                }

                @Override
                public void onFailure(final Throwable failure) {
                    LOG.debug("switch {} could not be asked for counters", switchId, failure);
                }
            }, loop);
    }

    private void take(final GetNodeConnectorStatisticsOutput counters) {
        final long nowNs = System.nanoTime();
        final var rates = new HashMap<PortId, PortRates>();
        counters.nonnullNodeConnectorStatisticsAndPortNumberMap().values().forEach(counter ->
            Names.port(counter.getNodeConnectorId().getValue()).ifPresent(port -> {
                final var meter = meters.computeIfAbsent(port, id -> new Meters(new RateMeter(), new RateMeter()));
                final var bytes = counter.getBytes();
                if (bytes != null && bytes.getReceived() != null && bytes.getTransmitted() != null) {
                    rates.put(port, new PortRates(meter.received().read(bytes.getReceived().longValue(), nowNs),
                        meter.sent().read(bytes.getTransmitted().longValue(), nowNs)));
                }
            }));
        view.rates(rates);
    }
}
