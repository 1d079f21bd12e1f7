// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedPort;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.Change;
import io.sluice.southbound.program.EntryKey;
import io.sluice.southbound.program.Held;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.RpcService;

class EntryMessagesTest {
    private static final SwitchId SWITCH = new SwitchId("openflow:1");
    private static final RpcService NOTHING_IS_SENT = null;

    @Test
    void refusesAMaskThatWouldGetLost() {
        final var messages = new EntryMessages(SWITCH, new Rpcs(NOTHING_IS_SENT, SWITCH.value()),
            new EntryCodec(SWITCH, new MeterIds(0)));
        final var flow = new Entry.Flow(0, 1, FlowMatch.builder().ethernetType(FlowMatch.ETHERNET_IPV4)
            .ipProtocol(FlowMatch.PROTOCOL_TCP).l4Source(new MaskedPort(1, 1)).build(), List.of());
        final var change = new Change(Change.Kind.ADD, EntryKey.of(flow), new Held.Known(flow, 1, 0));

        assertEquals("the OpenFlow plugin would drop the mask of the source port",
            assertThrows(IllegalArgumentException.class, () -> messages.send(change)).getMessage());
    }
}
