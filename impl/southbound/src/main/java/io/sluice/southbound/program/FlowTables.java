// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a switch says of its flow tables (OpenFlow 1.3.5, sections 7.3.1 and 7.3.5.5).
 *
 * @param number how many there are, 0..255
 * @param described what it says of each, by its number; nothing is known against a table that is not there
 */
public record FlowTables(int number, Map<Integer, Table> described) {
    /** Header fields in the order of OpenFlow 1.3.5, section 7.2.3.7, table 12: a field's ordinal is its code. */
    public enum Field {
        IN_PORT, IN_PHY_PORT, METADATA, ETH_DST, ETH_SRC, ETH_TYPE, VLAN_VID, VLAN_PCP, IP_DSCP, IP_ECN, IP_PROTO,
        IPV4_SRC, IPV4_DST, TCP_SRC, TCP_DST, UDP_SRC, UDP_DST, SCTP_SRC, SCTP_DST, ICMPV4_TYPE, ICMPV4_CODE, ARP_OP,
        ARP_SPA, ARP_TPA, ARP_SHA, ARP_THA, IPV6_SRC, IPV6_DST, IPV6_FLABEL, ICMPV6_TYPE, ICMPV6_CODE, IPV6_ND_TARGET,
        IPV6_ND_SLL, IPV6_ND_TLL, MPLS_LABEL, MPLS_TC, MPLS_BOS, PBB_ISID, TUNNEL_ID, IPV6_EXTHDR
    }

    /**
     * What one table can do.
     *
     * @param room how many entries it holds
     * @param matches fields that entries can match; nothing if the switch does not say
     * @param sets fields that entries can set; nothing if the switch does not say
     */
    public record Table(long room, Optional<Set<Field>> matches, Optional<Set<Field>> sets) {
        public Table {
            matches = matches.map(Set::copyOf);
            sets = sets.map(Set::copyOf);
        }
    }

    public FlowTables {
        described = Map.copyOf(described);
    }

    /** Tables that the switch does not describe. */
    public static FlowTables undescribed(final int number) {
        return new FlowTables(number, Map.of());
    }

    /** Why its table can't hold {@code flow}; nothing if nothing is known against it. */
    Optional<String> refusal(final Entry.Flow flow) {
        final int highest = Math.max(flow.tableId(), flow.nextTable().orElse(0));
        if (highest >= number) {
            return Optional.of("the switch has " + number + " tables, none with number " + highest);
        }
        final var table = Optional.ofNullable(described.get(flow.tableId()));
        return table.flatMap(Table::matches).flatMap(able -> lacking(flow, "match", fieldsMatched(flow.match()), able))
            .or(() -> table.flatMap(Table::sets)
                .flatMap(able -> lacking(flow, "set", fieldsSet(flow.actions()), able)));
    }

    private static Optional<String> lacking(final Entry.Flow flow, final String what, final Set<Field> needed,
            final Set<Field> able) {
        needed.removeAll(able);
        return needed.isEmpty() ? Optional.empty()
            : Optional.of("table " + flow.tableId() + " of the switch can't " + what + " " + needed);
    }

    private static Set<Field> fieldsMatched(final FlowMatch match) {
        final var fields = EnumSet.noneOf(Field.class);
        match.inPort().ifPresent(port -> fields.add(Field.IN_PORT));
        match.ethernetType().ifPresent(type -> fields.add(Field.ETH_TYPE));
        match.vlan().ifPresent(tag -> fields.add(Field.VLAN_VID));
        match.ethernetDestination().ifPresent(address -> fields.add(Field.ETH_DST));
        match.ipProtocol().ifPresent(protocol -> fields.add(Field.IP_PROTO));
        match.codePoint().ifPresent(mark -> fields.add(Field.IP_DSCP));
        match.source().ifPresent(addresses -> fields.add(addresses.isIpv6() ? Field.IPV6_SRC : Field.IPV4_SRC));
        match.destination().ifPresent(addresses -> fields.add(addresses.isIpv6() ? Field.IPV6_DST : Field.IPV4_DST));
        final boolean isTcp = match.ipProtocol().orElse(0) == FlowMatch.PROTOCOL_TCP;
        match.l4Source().ifPresent(port -> fields.add(isTcp ? Field.TCP_SRC : Field.UDP_SRC));
        match.l4Destination().ifPresent(port -> fields.add(isTcp ? Field.TCP_DST : Field.UDP_DST));
        match.question().ifPresent(question -> fields.addAll(question.isIpv6()
            ? Set.of(Field.ICMPV6_TYPE, Field.IPV6_SRC, Field.IPV6_ND_SLL, Field.IPV6_ND_TARGET)
            : Set.of(Field.ARP_OP, Field.ARP_SHA, Field.ARP_SPA, Field.ARP_TPA)));
        return fields;
    }

    private static Set<Field> fieldsSet(final List<Action> actions) {
        final var fields = EnumSet.noneOf(Field.class);
        actions.forEach(action -> fields.addAll(fieldsSet(action)));
        return fields;
    }

    private static Set<Field> fieldsSet(final Action action) {
        return switch (action) {
            case Action.SetEthernetSource source -> Set.of(Field.ETH_SRC);
            case Action.SetEthernetDestination destination -> Set.of(Field.ETH_DST);
            case Action.SetIpSource source ->
                Set.of(source.address().getAddress().length > 4 ? Field.IPV6_SRC : Field.IPV4_SRC);
            case Action.SetIpDestination destination ->
                Set.of(destination.address().getAddress().length > 4 ? Field.IPV6_DST : Field.IPV4_DST);
            case Action.SetCodePoint mark -> Set.of(Field.IP_DSCP);
            case Action.AnswerArp answer ->
                Set.of(Field.ARP_OP, Field.ARP_SHA, Field.ARP_SPA, Field.ARP_THA, Field.ARP_TPA);
            case Action.AskBack ask -> Set.of(Field.IPV6_ND_TARGET, Field.IPV6_ND_SLL, Field.IPV6_SRC, Field.IPV6_DST);
            case Action.Output output -> Set.of();
            case Action.OutputToIngress ingress -> Set.of();
            case Action.OutputToController controller -> Set.of();
            case Action.ToGroup group -> Set.of();
            case Action.SetQueue queue -> Set.of();
        };
    }
}
