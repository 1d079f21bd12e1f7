// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow.applications.lldp.speaker.rev141023.SetLldpFloodInterval;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow.applications.lldp.speaker.rev141023.SetLldpFloodIntervalInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.params.xml.ns.yang.openflow.applications.lldp.speaker.rev141023.SetLldpFloodIntervalOutput;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes this node's LLDP speaker send as often as {@link io.sluice.southbound.fabric.EdgePorts} counts on. The speaker
 * has no setting for it, and its RPC may come up after this component: it is asked until it obeys.
 */
final class DiscoveryPace {
    private static final Logger LOG = LoggerFactory.getLogger(DiscoveryPace.class);
    private static final long INTERVAL_S = 1;
    private static final long RETRY_S = 1;

    private final RpcService rpcService;
    private final ScheduledExecutorService loop;

    DiscoveryPace(final RpcService rpcService, final ScheduledExecutorService loop) {
        this.rpcService = rpcService;
        this.loop = loop;
    }

    void set() {
        Futures.addCallback(rpcService.getRpc(SetLldpFloodInterval.class).invoke(
            new SetLldpFloodIntervalInputBuilder().setInterval(INTERVAL_S).build()),
            new FutureCallback<RpcResult<SetLldpFloodIntervalOutput>>() {
                @Override
                public void onSuccess(final RpcResult<SetLldpFloodIntervalOutput> answer) {
                    if (answer.isSuccessful()) {
                        LOG.info("discovery-paced interval-s={}", INTERVAL_S);
                    } else {
                        onFailure(new IllegalStateException(answer.getErrors().toString()));
                    }
                }

                @Override
                public void onFailure(final Throwable failure) {
                    LOG.debug("the LLDP speaker does not answer yet", failure);
                    loop.schedule(DiscoveryPace.this::set, RETRY_S, TimeUnit.SECONDS);
                }
            }, loop);
    }
}
