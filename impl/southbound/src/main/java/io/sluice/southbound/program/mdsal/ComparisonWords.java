// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.SwitchId;
import io.sluice.southbound.program.Comparison;
import io.sluice.southbound.program.EntryKey;
import io.sluice.southbound.program.Programmer.Outcome;
import java.util.Map;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Discrepancy;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.EntryKind;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.differences.Switch;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.differences.SwitchBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.differences.SwitchKey;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.differences._switch.Difference;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.differences._switch.DifferenceBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.differences._switch.DifferenceKey;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint32;

/** Comparisons in the words of sluice-fabric. */
final class ComparisonWords {
    private ComparisonWords() {
        // functions only
    }

    static org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId encode(final SwitchId switchId) {
        return new org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId(switchId.value());
    }

    static Map<SwitchKey, Switch> encode(final Map<SwitchId, Outcome> outcomes) {
        return outcomes.entrySet().stream().map(outcome -> encode(outcome.getKey(), outcome.getValue()))
            .collect(BindingMap.toOrderedMap());
    }

    private static Switch encode(final SwitchId switchId, final Outcome outcome) {
        final var builder = new SwitchBuilder().setId(encode(switchId));
        return switch (outcome) {
            case Outcome.Failed failed -> builder.setError(failed.reason()).build();
            case Outcome.Connecting connecting ->
                builder.setError("the switch has connected and has not said yet what it can do").build();
            case Outcome.Compared compared -> builder
                .setAgreed(Uint32.valueOf(compared.comparison().agreed()))
                .setForeign(Uint32.valueOf(compared.comparison().foreign()))
                .setUnread(Uint32.valueOf(compared.comparison().unread()))
                .setDifference(compared.comparison().differences().stream()
                    .map(difference -> encode(difference, compared.refused().get(difference.key())))
                    .collect(BindingMap.toOrderedMap()))
                .build();
        };
    }

    /** {@code refusal} is null unless the switch refused to have it mended. */
    private static Difference encode(final Comparison.Difference difference, final String refusal) {
        final var kind = switch (difference.key()) {
            case EntryKey.FlowKey flow -> EntryKind.Flow;
            case EntryKey.AlienKey alien -> EntryKind.Flow;
            case EntryKey.GroupKey group -> EntryKind.Group;
            case EntryKey.MeterKey meter -> EntryKind.Meter;
        };
        final var discrepancy = switch (difference.kind()) {
            case MISSING -> Discrepancy.Missing;
            case CHANGED -> Discrepancy.Changed;
            case STALE -> Discrepancy.Stale;
            case UNDECLARED -> Discrepancy.Undeclared;
            case UNNEEDED -> Discrepancy.Unneeded;
        };
        return new DifferenceBuilder().withKey(new DifferenceKey(difference.key().toString(), kind))
            .setDiscrepancy(discrepancy).setRefusal(refusal).build();
    }
}
