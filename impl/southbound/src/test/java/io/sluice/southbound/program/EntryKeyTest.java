// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.MaskedIp;
import io.sluice.api.PathLabel;
import io.sluice.testlib.Addresses;
import org.junit.jupiter.api.Test;

class EntryKeyTest {
    @Test
    void aFlowIsNamedByTheFieldsThatCount() {
        final var match = FlowMatch.builder().inPort(3).source(MaskedIp.host(Addresses.ip("10.0.0.1")))
            .destination(MaskedIp.prefix(Addresses.ip("10.0.0.0"), 8)).ipProtocol(FlowMatch.PROTOCOL_TCP)
            .l4Source(16).l4Destination(80).build();

        assertEquals("table 1, priority 9, in_port=3,eth_type=0x0800,ip_proto=6,ip_src=10.0.0.1/32,"
            + "ip_dst=10.0.0.0/8,l4_src=16,l4_dst=80", new EntryKey.FlowKey(1, 9, match).toString());
    }

    @Test
    void masksAreSaidWhereTheyCount() {
        assertEquals("eth_dst=52:53:00:00:00:00/ff:ff:00:00:00:00",
            FlowMatch.builder().ethernetDestination(PathLabel.ANY).build().toString());
        assertEquals("eth_dst=52:53:00:00:00:09", FlowMatch.builder()
            .ethernetDestination(MaskedMac.exact(new PathLabel(9).mac())).build().toString());
    }

    @Test
    void aMatchWithoutFieldsTakesAny() {
        assertEquals("table 0, priority 0, any", new EntryKey.FlowKey(0, 0, FlowMatch.ANY).toString());
    }
}
