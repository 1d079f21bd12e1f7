// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.api.MaskedIp;
import io.sluice.api.PathLabel;
import io.sluice.api.Pipeline;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The entries that the fabric itself has on its switches, as {@link Pipeline} describes them. */
public final class FabricEntries {
    private FabricEntries() {
        // functions only
    }

    /** Labelled packets go on, others go to the controller; what is for a host of a switch goes out to it. */
    public static Map<SwitchId, List<Entry>> of(final FabricSnapshot snapshot) {
        final var entries = new HashMap<SwitchId, List<Entry>>();
        snapshot.switches().forEach(id -> entries.put(id, new ArrayList<>(List.of(
            new Flow(Pipeline.METER, Pipeline.PRIORITY_MISS, FlowMatch.ANY, List.of()).goingOnTo(Pipeline.CLASSIFY),
            new Flow(Pipeline.CLASSIFY, Pipeline.PRIORITY_LABELLED,
                FlowMatch.builder().ethernetDestination(PathLabel.ANY).build(), List.of()).goingOnTo(Pipeline.STEER),
            new Flow(Pipeline.CLASSIFY, Pipeline.PRIORITY_MISS, FlowMatch.ANY,
                List.of(new Action.OutputToController()))))));
        snapshot.hosts().forEach(host -> host.addresses().forEach(address ->
            entries.get(host.attachment().switchId()).add(deliver(host, address))));
        return entries;
    }

    private static Flow deliver(final Host host, final InetAddress address) {
        final var match = FlowMatch.builder().destination(MaskedIp.host(address));
        final boolean tagged = host.vlan() != FlowMatch.UNTAGGED;
        return new Flow(Pipeline.DELIVER,
            tagged ? Pipeline.PRIORITY_TAGGED_CONNECTION : Pipeline.PRIORITY_CONNECTION,
            tagged ? match.vlan(host.vlan()).build() : match.build(), List.of(
                new Action.SetEthernetDestination(host.mac()), new Action.Output(host.attachment().number())));
    }
}
