// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.southbound.qualify.Check.Name;
import io.sluice.southbound.qualify.Check.Result;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** All that was found about a switch, in the order in which it was measured. */
public record Report(List<Check> checks) {
    /** What of Sluice an operator asks about, and which checks it needs. */
    private enum Part {
        STEERING_IPV4("steering of IPv4", EnumSet.of(Name.TABLES, Name.BARRIER, Name.FLOW_ADD, Name.FLOW_MODIFY,
            Name.FLOW_DELETE, Name.FLOW_RATE, Name.READ_BACK, Name.MATCH_LABEL, Name.MATCH_IPV4, Name.SET_ETHERNET,
            Name.SET_IPV4, Name.PACKET_LOOP)),
        STEERING_IPV6("steering of IPv6", EnumSet.of(Name.TABLES, Name.BARRIER, Name.FLOW_ADD, Name.FLOW_MODIFY,
            Name.FLOW_DELETE, Name.FLOW_RATE, Name.READ_BACK, Name.MATCH_LABEL, Name.MATCH_IPV6, Name.SET_ETHERNET,
            Name.SET_IPV6, Name.PACKET_LOOP)),
        SLOTS_IPV4("splitting IPv4 by slots", EnumSet.of(Name.TABLES, Name.READ_BACK, Name.MATCH_SLOT_IPV4)),
        SLOTS_IPV6("splitting IPv6 by slots", EnumSet.of(Name.TABLES, Name.READ_BACK, Name.MATCH_SLOT_IPV6)),
        ARP("ARP without the controller", EnumSet.of(Name.TABLES, Name.READ_BACK, Name.ANSWER_ARP)),
        ND("ND without the controller", EnumSet.of(Name.TABLES, Name.READ_BACK, Name.ASK_BACK)),
        LOCAL_REPAIR("local repair", EnumSet.of(Name.FAILOVER_GROUP, Name.FAILOVER_LIVENESS)),
        METERING("metering", EnumSet.of(Name.METER_KILOBITS, Name.METER_PACKETS,
            Name.METER_RATE, Name.METER_BURST)),
        MARKING_IPV4("marking IPv4 for queues", EnumSet.of(Name.TABLES, Name.READ_BACK, Name.CODE_POINT_IPV4)),
        MARKING_IPV6("marking IPv6 for queues", EnumSet.of(Name.TABLES, Name.READ_BACK, Name.CODE_POINT_IPV6));

        private final String words;
        private final Set<Name> needs;

        Part(final String words, final Set<Name> needs) {
            this.words = words;
            this.needs = needs;
        }
    }

    public Report {
        checks = List.copyOf(checks);
    }

    /** What of Sluice works on the switch, in one line. */
    public String verdict() {
        return Arrays.stream(Part.values()).map(part -> part.words + " " + verdict(part))
            .collect(Collectors.joining("; "));
    }

    private String verdict(final Part part) {
        return checks.stream().filter(check -> part.needs.contains(check.name()))
            .filter(check -> check.result() != Result.WORKS)
            .min(Comparator.comparing(check -> check.result() == Result.NOT_MEASURED))
            .map(check -> (check.result() == Result.NOT_MEASURED ? "is not proven" : "doesn't work") + " ("
                + check.name().word() + ": " + check.reason() + ")")
            .orElse("works");
    }
}
