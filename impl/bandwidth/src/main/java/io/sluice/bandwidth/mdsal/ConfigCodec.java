// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.api.FlowMatch;
import io.sluice.bandwidth.engine.BandwidthConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.TenantConfig;
import io.sluice.bandwidth.engine.Packets;
import io.sluice.bandwidth.engine.PolicyName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IpAddressNoZone;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.BandwidthBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Policy;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Weight;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.Tenant;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.Application;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.application.Flow;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;

/** The configuration as values; what is not set has the default that {@code sluice-bandwidth} gives it. */
final class ConfigCodec {
    private static final long INTERVAL_US = 5_000_000;

    private ConfigCodec() {
        // functions only
    }

    /** Returns the configuration of an operator who said nothing. */
    static BandwidthConfig none() {
        return decode(new BandwidthBuilder().build(), new HashMap<>());
    }

    /**
     * Returns what can be read: the datastore takes values that match no member of a union.
     *
     * @param unreadable gets the rest, with the reasons
     */
    static BandwidthConfig decode(
            final org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Bandwidth bandwidth,
            final Map<String, String> unreadable) {
        return new BandwidthConfig(policy(bandwidth.getPolicy()),
            bandwidth.getInterval() == null ? INTERVAL_US : bandwidth.getInterval().getValue().toJava(),
            bandwidth.nonnullTenant().values().stream().map(tenant -> decode(tenant, unreadable))
                .sorted(Comparator.comparing(TenantConfig::name)).toList());
    }

    private static PolicyName policy(final Policy policy) {
        return switch (policy) {
            case null -> PolicyName.APP_MAX_MIN;
            case AppMaxMin -> PolicyName.APP_MAX_MIN;
            case AppAware -> PolicyName.APP_AWARE;
            case MaxMin -> PolicyName.MAX_MIN;
        };
    }

    private static TenantConfig decode(final Tenant tenant, final Map<String, String> unreadable) {
        final var name = tenant.getName().getValue();
        return new TenantConfig(name, weight(tenant.getWeight()),
            tenant.nonnullApplication().values().stream().map(application -> decode(name, application, unreadable))
                .sorted(Comparator.comparing(ApplicationConfig::name)).toList());
    }

    private static ApplicationConfig decode(final String tenant, final Application application,
            final Map<String, String> unreadable) {
        final var name = application.getName().getValue();
        final var flows = new ArrayList<FlowConfig>();
        for (var flow : application.nonnullFlow().values()) {
            try {
                flows.add(decode(flow));
            } catch (IllegalArgumentException e) {
                unreadable.put("flow " + tenant + "/" + name + "/" + flow.getName().getValue(), e.getMessage());
            }
        }
        flows.sort(Comparator.comparing(FlowConfig::name));
        return new ApplicationConfig(name, weight(application.getWeight()), List.copyOf(flows));
    }

    private static FlowConfig decode(final Flow flow) {
        final var source = IetfInetUtil.inetAddressForNoZone(flow.getSource());
        return new FlowConfig(flow.getName().getValue(),
            new Packets(source, IetfInetUtil.inetAddressForNoZone(flow.getDestination()),
                protocol(flow), port(flow.getSourcePort()), port(flow.getDestinationPort())),
            weight(flow.getWeight()), rate(flow.getGuarantee()).orElse(Bandwidth.ZERO), rate(flow.getLimit()));
    }

    private static OptionalInt protocol(final Flow flow) {
        return switch (flow.getProtocol()) {
            case null -> OptionalInt.empty();
            case Tcp -> OptionalInt.of(FlowMatch.PROTOCOL_TCP);
            case Udp -> OptionalInt.of(FlowMatch.PROTOCOL_UDP);
            case Icmp -> OptionalInt.of(isIpv6(flow.getSource()) ? FlowMatch.PROTOCOL_ICMPV6 : FlowMatch.PROTOCOL_ICMP);
        };
    }

    private static boolean isIpv6(final IpAddressNoZone address) {
        return address.getIpv6AddressNoZone() != null;
    }

    private static OptionalInt port(final PortNumber port) {
        return port == null ? OptionalInt.empty() : OptionalInt.of(port.getValue().toJava());
    }

    private static long weight(final Weight weight) {
        return weight == null ? 1 : weight.getValue().toJava();
    }

    private static Optional<Bandwidth> rate(final BitRate rate) {
        return Optional.ofNullable(rate).map(set -> new Bandwidth(
            set.getValue().longValue() < 0 ? Long.MAX_VALUE : set.getValue().longValue()));
    }
}
