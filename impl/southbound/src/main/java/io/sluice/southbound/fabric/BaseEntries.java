// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric;

import static io.sluice.api.FlowMatch.ETHERNET_ARP;
import static io.sluice.api.FlowMatch.ETHERNET_IPV4;
import static io.sluice.api.FlowMatch.ETHERNET_IPV6;
import static io.sluice.api.FlowMatch.ETHERNET_LLDP;
import static io.sluice.api.Pipeline.CLASSIFY;
import static io.sluice.api.Pipeline.DELIVER;
import static io.sluice.api.Pipeline.METER;
import static io.sluice.api.Pipeline.PRIORITY_CONNECTION;
import static io.sluice.api.Pipeline.PRIORITY_CONTROL;
import static io.sluice.api.Pipeline.PRIORITY_LABELLED;
import static io.sluice.api.Pipeline.PRIORITY_MISS;
import static io.sluice.api.Pipeline.PRIORITY_TAGGED;
import static io.sluice.api.Pipeline.PRIORITY_TAGGED_CONNECTION;
import static io.sluice.api.Pipeline.PRIORITY_TAGGED_MISS;
import static io.sluice.api.Pipeline.STEER;

import com.google.common.net.InetAddresses;
import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Flow;
import io.sluice.api.Entry.MeterUnit;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.FlowMatch.Question;
import io.sluice.api.Host;
import io.sluice.api.MacAddress;
import io.sluice.api.MaskedIp;
import io.sluice.api.Owner;
import io.sluice.api.PathLabel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The fabric's own entries. On every switch two in METER, one that drops packets with a VLAN tag before any other entry
 * can take them, and one that lets pass what nobody meters; and in CLASSIFY, first fit:
 * <pre>
 *  LLDP                                        to the controller, a meter of its own
 *  ARP, link-local multicast IPv6, DHCP        to the controller, metered
 *  label, from a port that leads to no switch  dropped: labels are the fabric's
 *  label                                       on to STEER
 *  (entries of the applications)
 *  broadcast and multicast                     dropped
 *  fragments of TCP and UDP                    to the controller, a meter of their own
 *  IPv4, IPv6                                  to the controller, metered
 *  anything else                               dropped
 * </pre>
 * If any port lists VLANs, METER lets pass what comes in by a port that lists its VLAN, and tagged packets with a
 * label. In CLASSIFY and DELIVER entries for packets with any tag end these above all entries of untagged hosts.
 *
 * <p>On the switch of a host there is one entry in DELIVER for each of its addresses. Before all else CLASSIFY has one
 * for each of its addresses and each address that it has asked for with it, which answers it when it asks again. Every
 * drop is an entry, so that the switch counts it.
 */
public final class BaseEntries {
    /** Who declares these entries. */
    public static final Owner OWNER = new Owner("fabric", 1);

    private static final int METER_MISSES = OWNER.meterNumber(1);
    private static final int METER_RESOLUTION = OWNER.meterNumber(2);
    /** Discovery's own: what hosts send must not starve it. */
    private static final int METER_DISCOVERY = OWNER.meterNumber(3);
    /** Their own: a long datagram is many packets, which must not keep first packets of connections away. */
    private static final int METER_FRAGMENTS = OWNER.meterNumber(4);
    private static final List<Entry> METERS = List.of(
        new Entry.Meter(METER_MISSES, MeterUnit.PACKETS, 2000, 500),
        new Entry.Meter(METER_RESOLUTION, MeterUnit.PACKETS, 1000, 500),
        new Entry.Meter(METER_DISCOVERY, MeterUnit.PACKETS, 500, 500),
        new Entry.Meter(METER_FRAGMENTS, MeterUnit.PACKETS, 4000, 4000));

    private static final MacAddress GROUP_BIT = new MacAddress(1L << 40);
    private static final MaskedIp LINK_LOCAL_MULTICAST = MaskedIp.prefix(InetAddresses.forString("ff02::"), 16);
    private static final MaskedIp BROADCAST = MaskedIp.host(InetAddresses.forString("255.255.255.255"));
    /** DHCP's server and client ports (RFC 2131, section 4.1); DHCPv6 is link-local multicast. */
    private static final List<Integer> DHCP_PORTS = List.of(67, 68);
    private static final List<Action> TO_CONTROLLER = List.of(new Action.OutputToController());
    private static final List<Action> DROP = List.of();

    private BaseEntries() {
        // functions only
    }

    /**
     * What of the base a switch can hold.
     *
     * @param meters without them the controller is unprotected
     * @param vlans whether it can match VLAN tags; without, tagged packets are taken for untagged ones
     */
    record Abilities(boolean meters, boolean vlans) {
        static final Abilities ALL = new Abilities(true, true);

        /** An entry with a meter, or the same without where there are none. */
        private Flow held(final Flow metered) {
            return meters ? metered
                : new Flow(metered.tableId(), metered.priority(), metered.match(), metered.actions());
        }
    }

    /**
     * What a switch needs whatever is connected to it.
     *
     * @param edgePorts numbers of the ports that take no labels
     */
    static List<Entry> ofSwitch(final Abilities abilities, final Set<Long> edgePorts) {
        final var entries = new ArrayList<Entry>();
        if (abilities.meters()) {
            entries.addAll(METERS);
        }
        if (abilities.vlans()) {
            entries.add(new Flow(METER, PRIORITY_TAGGED, FlowMatch.builder().vlan(FlowMatch.TAGGED).build(), DROP));
        }
        punts().forEach(flow -> entries.add(abilities.held(flow)));
        edgePorts.stream().sorted().forEach(port -> entries.add(new Flow(CLASSIFY, PRIORITY_LABELLED + 1,
            FlowMatch.builder().inPort(port).ethernetDestination(PathLabel.ANY).build(), DROP)));
        entries.add(new Flow(CLASSIFY, PRIORITY_LABELLED,
            FlowMatch.builder().ethernetDestination(PathLabel.ANY).build(), DROP).goingOnTo(STEER));
        entries.add(new Flow(CLASSIFY, PRIORITY_MISS + 3,
            FlowMatch.builder().ethernetDestination(new MaskedMac(GROUP_BIT, GROUP_BIT)).build(), DROP));
        entries.add(new Flow(METER, PRIORITY_MISS, FlowMatch.ANY, List.of()).goingOnTo(CLASSIFY));
        List.of(CLASSIFY, STEER, DELIVER).forEach(table ->
            entries.add(new Flow(table, PRIORITY_MISS, FlowMatch.ANY, DROP)));
        return List.copyOf(entries);
    }

    /**
     * Entries that a switch needs beside those in a fabric with VLANs; without them it drops all tagged packets.
     *
     * @param listed VLANs by number of the port that lists them
     */
    static List<Entry> ofVlans(final Abilities abilities, final Map<Long, Set<Integer>> listed) {
        if (!abilities.vlans()) {
            return List.of();
        }
        final var entries = new ArrayList<Entry>();
        entries.add(new Flow(METER, PRIORITY_TAGGED + 2, anyTag().ethernetDestination(PathLabel.ANY).build(), List.of())
            .goingOnTo(CLASSIFY));
        new TreeMap<>(listed).forEach((port, vlans) -> vlans.stream().sorted().forEach(vlan ->
            entries.add(new Flow(METER, PRIORITY_TAGGED + 1, FlowMatch.builder().inPort(port).vlan(vlan).build(),
                List.of()).goingOnTo(CLASSIFY))));
        Stream.of(ETHERNET_IPV4, ETHERNET_IPV6).map(type -> punt(PRIORITY_TAGGED_MISS,
            anyTag().ethernetType(type).build(), METER_MISSES)).forEach(flow -> entries.add(abilities.held(flow)));
        fragments(BaseEntries::anyTag).forEach(match ->
            entries.add(abilities.held(punt(PRIORITY_TAGGED_MISS + 1, match, METER_FRAGMENTS))));
        entries.add(new Flow(CLASSIFY, PRIORITY_TAGGED_MISS + 2,
            anyTag().ethernetDestination(new MaskedMac(GROUP_BIT, GROUP_BIT)).build(), DROP));
        entries.add(new Flow(DELIVER, PRIORITY_TAGGED_MISS, anyTag().build(), DROP));
        return entries;
    }

    private static FlowMatch.Builder anyTag() {
        return FlowMatch.builder().vlan(FlowMatch.TAGGED);
    }

    /** What the switch of a host needs to hand it its packets. */
    static List<Entry> ofHost(final Host host) {
        final boolean tagged = host.vlan() != FlowMatch.UNTAGGED;
        return host.addresses().stream().<Entry>map(address -> new Flow(DELIVER,
            tagged ? PRIORITY_TAGGED_CONNECTION : PRIORITY_CONNECTION,
            (tagged ? FlowMatch.builder().vlan(host.vlan()) : FlowMatch.builder())
                .destination(MaskedIp.host(address)).build(),
            List.of(new Action.SetEthernetDestination(host.mac()), new Action.Output(host.attachment().number()))))
            .toList();
    }

    /**
     * What the switch of a host needs to answer its questions for {@code target}, which is at {@code mac}. A question
     * from another port or Ethernet address goes to the controller, which learns from it that the host has moved. The
     * entry looks for the host's tag, or for none: in another VLAN the same question has another answer.
     */
    static List<Entry> answers(final Host asker, final InetAddress target, final MacAddress mac,
            final Abilities abilities) {
        if (asker.vlan() != FlowMatch.UNTAGGED && !abilities.vlans()) {
            return List.of();
        }
        return asker.addresses().stream().filter(own -> asks(own, target))
            .map(own -> new Question(asker.mac(), own, target)).<Entry>map(question -> {
                final var match = FlowMatch.builder().inPort(asker.attachment().number()).question(question);
                if (abilities.vlans()) {
                    match.vlan(asker.vlan());
                }
                return question.isIpv6() ? abilities.held(askBack(match.build(), question, mac))
                    : answerArp(match.build(), question, mac);
            }).toList();
    }

    /** True if a host with the address {@code own} may ask from it for {@code target}, an address of another one. */
    static boolean asks(final InetAddress own, final InetAddress target) {
        return own.getClass() == target.getClass() && !own.equals(target);
    }

    private static Flow answerArp(final FlowMatch match, final Question question, final MacAddress mac) {
        return new Flow(CLASSIFY, PRIORITY_CONTROL + 1, match, List.of(new Action.SetEthernetSource(mac),
            new Action.SetEthernetDestination(question.senderMac()),
            new Action.AnswerArp(mac, question.target(), question.senderMac(), question.sender()),
            new Action.OutputToIngress()));
    }

    /**
     * OpenFlow 1.3 can't make a solicitation an advertisement. But who is asked by a neighbour learns where that is
     * (RFC 4861, section 7.2.3). The controller, if it is there, answers as well, so that the asker also knows that the
     * neighbour can be reached.
     */
    private static Flow askBack(final FlowMatch match, final Question question, final MacAddress mac) {
        return new Flow(CLASSIFY, PRIORITY_CONTROL + 1, match, List.of(new Action.OutputToController(),
            new Action.SetEthernetSource(mac), new Action.SetEthernetDestination(question.senderMac()),
            new Action.AskBack(new Question(mac, question.target(), question.sender())),
            new Action.OutputToIngress())).meteredBy(METER_RESOLUTION);
    }

    private static List<Flow> punts() {
        final var punts = new ArrayList<Flow>();
        punts.add(punt(PRIORITY_CONTROL, type(ETHERNET_LLDP), METER_DISCOVERY));
        punts.add(punt(PRIORITY_CONTROL, type(ETHERNET_ARP), METER_RESOLUTION));
        punts.add(punt(PRIORITY_CONTROL, FlowMatch.builder().destination(LINK_LOCAL_MULTICAST).build(),
            METER_RESOLUTION));
        DHCP_PORTS.forEach(port -> punts.add(punt(PRIORITY_CONTROL, FlowMatch.builder().destination(BROADCAST)
            .ipProtocol(FlowMatch.PROTOCOL_UDP).l4Destination(port).build(), METER_RESOLUTION)));
        fragments(FlowMatch::builder).forEach(match -> punts.add(punt(PRIORITY_MISS + 2, match, METER_FRAGMENTS)));
        punts.add(punt(PRIORITY_MISS + 1, type(ETHERNET_IPV4), METER_MISSES));
        punts.add(punt(PRIORITY_MISS + 1, type(ETHERNET_IPV6), METER_MISSES));
        return punts;
    }

    /** The matches that take fragments of TCP and UDP, as {@link io.sluice.api.Fragment#matched} says. */
    private static List<FlowMatch> fragments(final Supplier<FlowMatch.Builder> begun) {
        final var matches = new ArrayList<FlowMatch>();
        for (int type : new int[] { ETHERNET_IPV4, ETHERNET_IPV6 }) {
            for (int protocol : new int[] { FlowMatch.PROTOCOL_TCP, FlowMatch.PROTOCOL_UDP }) {
                matches.add(begun.get().ethernetType(type).ipProtocol(protocol).l4Source(0).l4Destination(0)
                    .build());
            }
        }
        matches.add(begun.get().ethernetType(ETHERNET_IPV6).ipProtocol(FlowMatch.PROTOCOL_IPV6_FRAGMENT).build());
        return matches;
    }

    private static Flow punt(final int priority, final FlowMatch match, final int meter) {
        return new Flow(CLASSIFY, priority, match, TO_CONTROLLER).meteredBy(meter);
    }

    private static FlowMatch type(final int ethernetType) {
        return FlowMatch.builder().ethernetType(ethernetType).build();
    }
}
