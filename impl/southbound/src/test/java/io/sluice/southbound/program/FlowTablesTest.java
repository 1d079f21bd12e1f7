// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.net.InetAddresses;
import io.sluice.api.Action;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.MacAddress;
import io.sluice.api.MaskedIp;
import io.sluice.southbound.program.FlowTables.Field;
import io.sluice.southbound.program.FlowTables.Table;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FlowTablesTest {
    private static final MacAddress MAC = MacAddress.of("02:00:00:00:00:01");
    private static final InetAddress V4 = InetAddresses.forString("10.0.0.1");
    private static final InetAddress V6 = InetAddresses.forString("2001:db8::1");

    /** Flows with all that they need of a table. */
    private static Stream<Arguments> flows() {
        return Stream.of(
            Arguments.of(flow(FlowMatch.ANY), Set.of(), Set.of()),
            Arguments.of(flow(FlowMatch.builder().inPort(1)
                    .ethernetDestination(FlowMatch.MaskedMac.exact(MAC)).build(),
                    new Action.SetEthernetSource(MAC), new Action.SetEthernetDestination(MAC), new Action.Output(2)),
                Set.of(Field.IN_PORT, Field.ETH_DST), Set.of(Field.ETH_SRC, Field.ETH_DST)),
            Arguments.of(flow(FlowMatch.builder().source(MaskedIp.host(V4)).destination(MaskedIp.host(V4))
                    .ipProtocol(6).l4Source(1).build(), new Action.SetIpSource(V4), new Action.SetIpDestination(V4)),
                Set.of(Field.ETH_TYPE, Field.IP_PROTO, Field.IPV4_SRC, Field.IPV4_DST, Field.TCP_SRC),
                Set.of(Field.IPV4_SRC, Field.IPV4_DST)),
            Arguments.of(flow(FlowMatch.builder().source(MaskedIp.host(V6)).destination(MaskedIp.host(V6))
                    .ipProtocol(17).l4Destination(1).build(), new Action.SetIpSource(V6),
                    new Action.SetIpDestination(V6)),
                Set.of(Field.ETH_TYPE, Field.IP_PROTO, Field.IPV6_SRC, Field.IPV6_DST, Field.UDP_DST),
                Set.of(Field.IPV6_SRC, Field.IPV6_DST)),
            Arguments.of(flow(FlowMatch.builder().ethernetType(FlowMatch.ETHERNET_IPV6).codePoint(1).build(),
                    new Action.SetQueue(1)),
                Set.of(Field.ETH_TYPE, Field.IP_DSCP), Set.of()),
            Arguments.of(flow(FlowMatch.builder().source(MaskedIp.host(V4)).build(), new Action.SetCodePoint(1)),
                Set.of(Field.ETH_TYPE, Field.IPV4_SRC), Set.of(Field.IP_DSCP)),
            Arguments.of(flow(FlowMatch.builder().question(new FlowMatch.Question(MAC, V4, V4)).build(),
                    new Action.AnswerArp(MAC, V4, MAC, V4)),
                Set.of(Field.ETH_TYPE, Field.ARP_OP, Field.ARP_SHA, Field.ARP_SPA, Field.ARP_TPA),
                Set.of(Field.ARP_OP, Field.ARP_SHA, Field.ARP_SPA, Field.ARP_THA, Field.ARP_TPA)),
            Arguments.of(flow(FlowMatch.builder().question(new FlowMatch.Question(MAC, V6, V6)).build(),
                    new Action.AskBack(new FlowMatch.Question(MAC, V6, V6))),
                Set.of(Field.ETH_TYPE, Field.IP_PROTO, Field.ICMPV6_TYPE, Field.IPV6_SRC, Field.IPV6_ND_SLL,
                    Field.IPV6_ND_TARGET),
                Set.of(Field.IPV6_SRC, Field.IPV6_DST, Field.IPV6_ND_SLL, Field.IPV6_ND_TARGET)));
    }

    @ParameterizedTest
    @MethodSource("flows")
    void aTableNeedsAllFieldsOfAFlowAndNoOther(final Flow flow, final Set<Field> matched, final Set<Field> set) {
        assertEquals(Optional.empty(), refusal(flow, matched, set));
        matched.forEach(field -> assertEquals(Optional.of("table 1 of the switch can't match [" + field + "]"),
            refusal(flow, without(matched, field), set)));
        set.forEach(field -> assertEquals(Optional.of("table 1 of the switch can't set [" + field + "]"),
            refusal(flow, matched, without(set, field))));
    }

    @ParameterizedTest
    @MethodSource("flows")
    void nothingIsKnownAgainstATableThatSaysNothing(final Flow flow, final Set<Field> matched, final Set<Field> set) {
        final var silent = new Table(1, Optional.empty(), Optional.empty());
        assertEquals(Optional.empty(), new FlowTables(2, Map.of(1, silent)).refusal(flow));
        assertEquals(Optional.empty(), FlowTables.undescribed(2).refusal(flow));
    }

    private static Optional<String> refusal(final Flow flow, final Set<Field> matched, final Set<Field> set) {
        return new FlowTables(2, Map.of(1, new Table(1, Optional.of(matched), Optional.of(set)))).refusal(flow);
    }

    private static Set<Field> without(final Set<Field> fields, final Field field) {
        final var rest = EnumSet.copyOf(fields);
        rest.remove(field);
        return rest;
    }

    private static Flow flow(final FlowMatch match, final Action... actions) {
        return new Flow(1, 1, match, List.of(actions));
    }
}
