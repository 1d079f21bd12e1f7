// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.FailoverGroup;
import io.sluice.api.Entry.Meter;
import io.sluice.api.Entry.MeterUnit;
import io.sluice.southbound.program.SwitchFeatures.GroupType;
import io.sluice.southbound.program.SwitchFeatures.Groups;
import io.sluice.southbound.program.SwitchFeatures.MeterBand;
import io.sluice.southbound.program.SwitchFeatures.MeterCapability;
import io.sluice.southbound.program.SwitchFeatures.Meters;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SwitchFeaturesTest {
    private static final Groups SELECT_ONLY = new Groups(Map.of(GroupType.SELECT, 8L), Set.of());
    private static final Groups FAILOVER = new Groups(Map.of(GroupType.FAST_FAILOVER, 8L), Set.of());
    private static final Meters METERS = new Meters(8, 1, Set.of(MeterBand.DROP),
        Set.of(MeterCapability.KILOBITS, MeterCapability.BURST));
    private static final FlowTables THREE = FlowTables.undescribed(3);
    private static final Meter KILOBITS = new Meter(1, MeterUnit.KILOBITS, 100, 10);
    private static final Meter PACKETS = new Meter(1, MeterUnit.PACKETS, 100, 10);

    @Test
    void takesWhatItCanDo() {
        final var able = new SwitchFeatures(THREE, FAILOVER, METERS, false);

        assertEquals(Optional.empty(), able.refusal(Bed.flow(1, new Action.ToGroup(7)).meteredBy(1).goingOnTo(2)));
        assertEquals(Optional.empty(), able.refusal(new FailoverGroup(7, List.of())));
        assertEquals(Optional.empty(), able.refusal(KILOBITS));
    }

    @Test
    void hasNoTableBeyondItsCount() {
        final var one = new SwitchFeatures(FlowTables.undescribed(1), FAILOVER, METERS, false);

        assertEquals(Optional.empty(), one.refusal(Bed.flow(1)));
        assertRefused("the switch has 1 tables, none with number 2", one, Bed.flow(1).goingOnTo(2));
    }

    @Test
    void otherGroupsAreNotFailoverGroups() {
        final var selecting = new SwitchFeatures(THREE, SELECT_ONLY, METERS, false);

        assertRefused("the switch has no fast-failover groups", selecting, new FailoverGroup(7, List.of()));
        assertRefused("the switch has no fast-failover groups", selecting, Bed.flow(1, new Action.ToGroup(7)));
    }

    @Test
    void withoutMetersNothingIsMetered() {
        final var unmetered = new SwitchFeatures(THREE, FAILOVER, Meters.NONE, false);

        assertRefused("the switch has no meters", unmetered, KILOBITS);
        assertRefused("the switch has no meters", unmetered, Bed.flow(1).meteredBy(1));
    }

    @Test
    void aMeterNeedsItsUnitAndADropBand() {
        final var noPackets = new SwitchFeatures(THREE, FAILOVER, METERS, false);
        final var noDrop = new SwitchFeatures(THREE, FAILOVER, new Meters(8, 1, Set.of(MeterBand.DSCP_REMARK),
            EnumSet.allOf(MeterCapability.class)), false);

        assertEquals(true, noPackets.refusal(PACKETS).orElseThrow().contains("can't count PACKETS"));
        assertRefused("the switch's meters can't drop", noDrop, KILOBITS);
    }

    private static void assertRefused(final String reason, final SwitchFeatures features, final Entry entry) {
        assertEquals(Optional.of(reason), features.refusal(entry));
    }
}
