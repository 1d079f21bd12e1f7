// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.FlowMatch;
import java.util.OptionalInt;
import org.opendaylight.yang.gen.v1.urn.opendaylight.l2.types.rev130827.VlanId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.VlanMatch;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.VlanMatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.vlan.match.fields.VlanIdBuilder;
import org.opendaylight.yangtools.yang.common.Uint16;

/**
 * VLAN tags in the words of the plugin, which takes identifier 0 of a tag that is present for any tag, and of
 * one that is not present for no tag.
 */
final class VlanCodec {
    private VlanCodec() {
        // functions only
    }

    static VlanMatch encode(final int tag) {
        return new VlanMatchBuilder().setVlanId(new VlanIdBuilder().setVlanIdPresent(tag != FlowMatch.UNTAGGED)
            .setVlanId(new VlanId(Uint16.valueOf(tag == FlowMatch.TAGGED ? 0 : tag))).build()).build();
    }

    /** Returns the tag, if {@code vlan} is there; throws if it says what Sluice never says. */
    static OptionalInt decode(final VlanMatch vlan) {
        if (vlan == null) {
            return OptionalInt.empty();
        }
        final var tag = vlan.getVlanId();
        final int id = tag == null || tag.getVlanId() == null ? 0 : tag.getVlanId().getValue().toJava();
        final boolean present = tag != null && Boolean.TRUE.equals(tag.getVlanIdPresent());
        if (tag == null || !present && id != 0 || vlan.getVlanPcp() != null) {
            throw new IllegalArgumentException("a match of priorities, or of a tag that is not there");
        }
        return OptionalInt.of(!present ? FlowMatch.UNTAGGED : id == 0 ? FlowMatch.TAGGED : id);
    }
}
