// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.MacAddress;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Collects a network into a snapshot. Switch n, from 1, is {@code openflow:n}; its ports are numbered from 1 in the
 * order in which they are used. Host n, from 1, has the Ethernet address n, 10.0.0.0 + n and fd00:: + n.
 */
public final class TopologyBuilder {
    private static final int HOST_OCTETS = 3;

    private final List<SwitchId> switches = new ArrayList<>();
    private final Map<SwitchId, Integer> portsUsed = new HashMap<>();
    private final Map<PortId, Port> ports = new LinkedHashMap<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();

    public SwitchId addSwitch() {
        final var id = new SwitchId("openflow:" + (switches.size() + 1));
        switches.add(id);
        return id;
    }

    public List<SwitchId> addSwitches(final int count) {
        final var added = new ArrayList<SwitchId>();
        for (int i = 0; i < count; i++) {
            added.add(addSwitch());
        }
        return added;
    }

    /** Adds {@code parallel} cables between two switches. */
    public void connect(final SwitchId one, final SwitchId other, final Bandwidth rate, final int parallel) {
        for (int cable = 0; cable < parallel; cable++) {
            final var here = addPort(one, rate);
            final var there = addPort(other, rate);
            links.add(new Link(here, there, rate, Bandwidth.ZERO));
            links.add(new Link(there, here, rate, Bandwidth.ZERO));
        }
    }

    /** Adds hosts, each on a port of its own. */
    public void addHosts(final SwitchId at, final int count, final Bandwidth rate) {
        for (int i = 0; i < count; i++) {
            final int number = hosts.size() + 1;
            hosts.add(new Host(new MacAddress(number), Set.of(address(new byte[] {10, 0, 0, 0}, number),
                address(new byte[] {(byte) 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, number)),
                addPort(at, rate)));
        }
    }

    public FabricSnapshot build() {
        return new FabricSnapshot(1, Set.copyOf(switches), ports, links, hosts);
    }

    private PortId addPort(final SwitchId at, final Bandwidth rate) {
        final var id = new PortId(at, portsUsed.merge(at, 1, Integer::sum));
        final var name = at.value().replace("openflow:", "s") + "-eth" + id.number();
        ports.put(id, new Port(id, name, true, rate, Bandwidth.ZERO, Bandwidth.ZERO));
        return id;
    }

    private static InetAddress address(final byte[] prefix, final int number) {
        for (int octet = 0; octet < HOST_OCTETS; octet++) {
            prefix[prefix.length - 1 - octet] |= (byte) (number >> 8 * octet);
        }
        try {
            return InetAddress.getByAddress(prefix);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
