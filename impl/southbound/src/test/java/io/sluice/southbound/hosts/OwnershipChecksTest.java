// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.net.InetAddresses;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnershipChecksTest {
    private static final long MS = 1_000_000;
    private static final InetAddress ADDRESS = InetAddresses.forString("10.0.0.100");
    private static final PortId HERE = new PortId(new SwitchId("openflow:1"), 1);
    private static final Host OWNER = new Host(MacAddress.of("0a:00:00:00:00:01"), Set.of(ADDRESS), HERE);
    private static final AddressClaim CLAIM = new AddressClaim(MacAddress.of("0a:00:00:00:00:02"), ADDRESS,
        new PortId(new SwitchId("openflow:2"), 1), false);

    private final OwnershipChecks checks = new OwnershipChecks();

    @Test
    void aClaimIsCheckedTwiceAndNotMore() {
        checks.claim(CLAIM, OWNER, 0);
        assertEquals(List.of(CLAIM), answered(5 * MS));
        assertEquals(List.of(CLAIM), checks.rechecks(1005 * MS));
        checks.recheck(CLAIM, OWNER, 1005 * MS);
        assertEquals(List.of(CLAIM), answered(1010 * MS));
        assertEquals(List.of(), checks.rechecks(5000 * MS));
    }

    /** The owner may have answered just before it gave the address up. */
    @Test
    void aClaimThatComesDuringTheSecondCheckIsCheckedOnceMore() {
        checks.claim(CLAIM, OWNER, 0);
        answered(5 * MS);
        checks.rechecks(1005 * MS);
        checks.recheck(CLAIM, OWNER, 1005 * MS);
        checks.claim(CLAIM, OWNER, 1007 * MS);
        answered(1010 * MS);
        assertEquals(List.of(CLAIM), checks.rechecks(2010 * MS));
    }

    private List<AddressClaim> answered(final long nowNs) {
        return checks.heard(OWNER.mac(), ADDRESS, HERE, nowNs);
    }
}
