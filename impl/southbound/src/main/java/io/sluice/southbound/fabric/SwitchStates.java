// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import io.sluice.api.SwitchId;
import io.sluice.southbound.ovsdb.FailMode;
import io.sluice.southbound.program.SwitchFeatures;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** What is known of each switch that was ever attached, beside its ports. Not thread-safe. */
public final class SwitchStates {
    private final Map<SwitchId, Optional<Instant>> detachedSince = new HashMap<>();
    private final Map<SwitchId, SwitchFeatures> features = new HashMap<>();
    private final Map<SwitchId, FailMode> failModes = new HashMap<>();

    /**
     * State of one switch.
     *
     * @param detachedSince when it was seen to be gone; empty while it is attached
     * @param features what it said last that it can do; empty if it never said
     */
    public record State(Optional<Instant> detachedSince, Optional<SwitchFeatures> features, FailMode failMode) { }

    /** Takes the switches that are attached now; those that were before stay, as detached. */
    public void update(final Set<SwitchId> attached, final Instant now) {
        attached.forEach(switchId -> detachedSince.put(switchId, Optional.empty()));
        detachedSince.replaceAll((switchId, since) ->
            attached.contains(switchId) || since.isPresent() ? since : Optional.of(now));
    }

    /** Takes switches known from an earlier run that may not be attached. */
    public void restore(final Set<SwitchId> known, final Instant now) {
        known.forEach(switchId -> detachedSince.putIfAbsent(switchId, Optional.of(now)));
    }

    /** Takes what a switch says that it can do. */
    public void learn(final SwitchId switchId, final SwitchFeatures said) {
        features.put(switchId, said);
    }

    /** Takes what a switch's own management says of its fail mode; returns whether that is news. */
    public boolean learn(final SwitchId switchId, final FailMode mode) {
        return mode != Objects.requireNonNullElse(failModes.put(switchId, mode), FailMode.UNKNOWN);
    }

    /** Forgets a switch. */
    public void forget(final SwitchId switchId) {
        detachedSince.remove(switchId);
        features.remove(switchId);
        failModes.remove(switchId);
    }

    /** The states of all switches. */
    public Map<SwitchId, State> states() {
        final var states = new HashMap<SwitchId, State>();
        detachedSince.forEach((switchId, since) -> states.put(switchId, new State(since,
            Optional.ofNullable(features.get(switchId)), failModes.getOrDefault(switchId, FailMode.UNKNOWN))));
        return states;
    }
}
