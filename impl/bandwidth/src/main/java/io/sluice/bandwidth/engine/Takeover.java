// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.engine;

import io.sluice.api.Claim;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.Owner;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * What an earlier controller has left on the switches: it is read from them, so that flows keep the numbers of their
 * meters, rates change in the same order as ever, and counts go on. Runs on {@code loop}.
 */
final class Takeover {
    private final Claim claim;
    private final Enforcer enforcer;
    private final Executor loop;
    private final Set<SwitchId> known = new HashSet<>();
    private boolean found;

    Takeover(final Claim claim, final Enforcer enforcer, final Executor loop) {
        this.claim = claim;
        this.enforcer = enforcer;
        this.loop = loop;
    }

    /**
     * Reads those of the switches that have not been read; completes when the enforcer knows what they hold of {@code
     * flows}. One that does not answer is asked again the next time.
     */
    CompletionStage<Void> read(final Set<SwitchId> switches, final Map<FlowId, FlowConfig> flows) {
        final var byMatch = new HashMap<FlowMatch, FlowId>();
        flows.forEach((id, flow) -> byMatch.put(flow.packets().match(), id));
        return CompletableFuture.allOf(switches.stream().filter(switchId -> !known.contains(switchId))
            .map(switchId -> claim.held(switchId).thenAcceptAsync(objects -> {
                known.add(switchId);
                objects.forEach((object, entries) -> take(switchId, object, entries, byMatch, flows));
            }, loop).exceptionally(failure -> null).toCompletableFuture()).toArray(CompletableFuture[]::new));
    }

    /** Whether the enforcer knows what a switch holds. */
    boolean hasRead(final SwitchId switchId) {
        return known.contains(switchId);
    }

    /** Whether a switch held something of a flow. */
    boolean hasFound() {
        return found;
    }

    private void take(final SwitchId switchId, final long object, final List<Entry> entries,
            final Map<FlowMatch, FlowId> byMatch, final Map<FlowId, FlowConfig> flows) {
        if (object > Owner.MAX_METER) {
            return;
        }
        final var meter = entries.stream().flatMapToInt(entry -> entry instanceof Entry.Meter of
            ? IntStream.of(Owner.meterOfNumber(of.number())) : IntStream.empty()).findFirst();
        entries.forEach(entry -> {
            if (entry instanceof Entry.Flow flow) {
                final var id = byMatch.get(flow.match().atAnyPort());
                if (id == null || flow.match().inPort().isEmpty()) {
                    enforcer.avoid(switchId, (int) object, meter);
                } else {
                    found = true;
                    enforcer.adopt(id, (int) object, meter, Metering.of(
                        new PortId(switchId, flow.match().inPort().getAsLong()), flows.get(id).packets(), entries));
                }
            }
        });
    }
}
