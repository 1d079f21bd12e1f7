// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import static io.sluice.api.Pipeline.CLASSIFY;
import static io.sluice.api.Pipeline.METER;
import static io.sluice.api.Pipeline.PRIORITY_CONNECTION;
import static io.sluice.api.Pipeline.PRIORITY_CONTROL;

import com.google.common.net.InetAddresses;
import io.sluice.api.Action;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.MacAddress;
import io.sluice.api.MaskedIp;
import io.sluice.southbound.packet.Ethernet;
import io.sluice.southbound.packet.Frames;
import java.net.InetAddress;
import java.util.List;

/** Flow entries and packets of a measurement, with addresses that no traffic has. */
final class ScratchFlows {
    /** 198.18.0.0/15 is for benchmarks (RFC 2544, appendix C.2.2). */
    static final InetAddress SERVER = InetAddresses.forString("198.19.0.1");
    /** Where all packets come from. */
    static final MacAddress SOURCE = mac(0);
    private static final int CLIENTS = 198 << 24 | 18 << 16;
    /** Locally administered addresses that are no labels. */
    private static final long MACS = 0x5251L << 32;

    private ScratchFlows() {
        // functions only
    }

    /** One of 2^32 addresses that begin alike. */
    static MacAddress mac(final int number) {
        return new MacAddress(MACS | number);
    }

    /** One of 65536. */
    static InetAddress client(final int number) {
        return InetAddresses.fromInteger(CLIENTS + number);
    }

    /** One of 65536 entries that drop; no two take the same packet. */
    static Flow dropping(final int number) {
        return new Flow(CLASSIFY, PRIORITY_CONNECTION, fromClient(number), List.of());
    }

    /** The place of {@link #dropping} with other actions. */
    static Flow reflecting(final int number) {
        return new Flow(CLASSIFY, PRIORITY_CONNECTION, fromClient(number), List.of(new Action.OutputToIngress()));
    }

    /** Treats probes to {@code destination} so, before all else. */
    static Flow treating(final MacAddress destination, final Action action) {
        return new Flow(METER, PRIORITY_CONTROL + 1, FlowMatch.builder().ethernetType(ProbeWire.ETHERNET_TYPE)
            .ethernetDestination(MaskedMac.exact(destination)).build(), List.of(action));
    }

    /** A probe of {@code length} octets that is no IP packet. */
    static byte[] probe(final MacAddress destination, final int length) {
        return Frames.zeros(header(destination), ProbeWire.ETHERNET_TYPE, length);
    }

    /** Untagged, to {@code destination}. */
    static Ethernet header(final MacAddress destination) {
        return new Ethernet(destination, SOURCE, Ethernet.UNTAGGED);
    }

    private static FlowMatch fromClient(final int number) {
        return FlowMatch.builder().source(MaskedIp.host(client(number))).destination(MaskedIp.host(SERVER)).build();
    }
}
