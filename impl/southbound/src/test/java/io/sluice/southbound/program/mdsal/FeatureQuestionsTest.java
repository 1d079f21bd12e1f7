// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.southbound.program.SwitchFeatures.GroupCapability;
import io.sluice.southbound.program.SwitchFeatures.GroupType;
import io.sluice.southbound.program.SwitchFeatures.Groups;
import io.sluice.southbound.program.SwitchFeatures.MeterBand;
import io.sluice.southbound.program.SwitchFeatures.MeterCapability;
import io.sluice.southbound.program.SwitchFeatures.Meters;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.yang.types.rev130715.Counter32;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GroupFeaturesUpdatedBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupFf;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupSelect;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.SelectLiveness;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.MeterFeaturesUpdatedBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterBandDrop;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterBurst;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterKbps;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

class FeatureQuestionsTest {
    @Test
    void roomStandsInTheOrderOfTheTypes() {
        assertEquals(new Groups(Map.of(GroupType.SELECT, 2L, GroupType.FAST_FAILOVER, 4L),
            Set.of(GroupCapability.SELECT_LIVENESS)), groups(List.of(1, 2, 3, 4)));
    }

    @Test
    void oneRoomIsThatOfAllTypes() {
        assertEquals(Map.of(GroupType.SELECT, 9L, GroupType.FAST_FAILOVER, 9L), groups(List.of(9)).room());
    }

    /** 1,024 of two types, 512 of another, none of the first, all told in three numbers. */
    @Test
    void noTypeThatIsSupportedSeemsToHaveNoRoom() {
        assertEquals(Map.of(GroupType.SELECT, 1024L, GroupType.FAST_FAILOVER, 1024L),
            groups(List.of(1024, 512, 0)).room());
    }

    @Test
    void metersAreTakenAsTheSwitchSays() {
        final var features = new MeterFeaturesUpdatedBuilder().setMaxMeter(new Counter32(Uint32.valueOf(64)))
            .setMaxBands(Uint8.TWO).setMeterBandSupported(Set.of(MeterBandDrop.VALUE))
            .setMeterCapabilitiesSupported(Set.of(MeterKbps.VALUE, MeterBurst.VALUE)).build();

        assertEquals(new Meters(64, 2, Set.of(MeterBand.DROP),
            Set.of(MeterCapability.KILOBITS, MeterCapability.BURST)), FeatureQuestions.decode(features));
    }

    private static Groups groups(final List<Integer> rooms) {
        return FeatureQuestions.decode(new GroupFeaturesUpdatedBuilder()
            .setGroupTypesSupported(Set.of(GroupSelect.VALUE, GroupFf.VALUE))
            .setGroupCapabilitiesSupported(Set.of(SelectLiveness.VALUE))
            .setMaxGroups(rooms.stream().map(Uint32::valueOf).toList()).build());
    }
}
