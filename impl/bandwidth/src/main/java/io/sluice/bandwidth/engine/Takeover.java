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
import io.sluice.bandwidth.engine.Patience.Question;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    private final Patience patience;
    private final Executor loop;
    private final Runnable late;
    /** Those that have been asked and have not answered. */
    private final Set<SwitchId> asked = new HashSet<>();
    /** What those have answered of which nothing is taken yet, by object. */
    private final Map<SwitchId, Map<Long, List<Entry>>> told = new LinkedHashMap<>();
    private final Set<SwitchId> known = new HashSet<>();
    /** What switches held of flows of the configuration. */
    private final Set<FlowMatch> found = new HashSet<>();

    /**
     * Has read nothing.
     *
     * @param late what is to be done when a switch has told that was no longer waited for
     */
    Takeover(final Claim claim, final Enforcer enforcer, final Patience patience, final Executor loop,
            final Runnable late) {
        this.claim = claim;
        this.enforcer = enforcer;
        this.patience = patience;
        this.loop = loop;
        this.late = late;
    }

    /**
     * Reads those of the switches that have not been read; completes when the enforcer knows what they hold of {@code
     * flows}, as far as they answer in time. What comes later counts the next time; one that fails is asked again then.
     */
    CompletionStage<Void> read(final Set<SwitchId> switches, final Map<FlowId, FlowConfig> flows) {
        return patience.await(switches.stream()
            .filter(switchId -> !known.contains(switchId) && !told.containsKey(switchId) && asked.add(switchId))
            .map(switchId -> new Question(switchId, claim.held(switchId).handleAsync((objects, failure) -> {
                asked.remove(switchId);
                return failure == null ? told.put(switchId, objects) : null;
            }, loop)).orLate(() -> told.containsKey(switchId), late)).toList()).thenRunAsync(() -> take(flows), loop);
    }

    private void take(final Map<FlowId, FlowConfig> flows) {
        final var byMatch = new HashMap<FlowMatch, FlowId>();
        flows.forEach((id, flow) -> byMatch.put(flow.packets().match(), id));
        told.forEach((switchId, objects) -> objects.forEach((object, entries) ->
            take(switchId, object, entries, byMatch, flows)));
        known.addAll(told.keySet());
        told.clear();
    }

    /** Whether the enforcer knows what a switch holds. */
    boolean hasRead(final SwitchId switchId) {
        return known.contains(switchId);
    }

    /** Whether a switch held something of any flow. */
    boolean hasFound() {
        return !found.isEmpty();
    }

    /** Whether a switch held something of the flow of these packets. */
    boolean hasFound(final Packets packets) {
        return found.contains(packets.match());
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
                    found.add(flow.match().atAnyPort());
                    enforcer.adopt(id, (int) object, meter, Metering.of(
                        new PortId(switchId, flow.match().inPort().getAsLong()), flows.get(id).packets(), entries));
                }
            }
        });
    }
}
