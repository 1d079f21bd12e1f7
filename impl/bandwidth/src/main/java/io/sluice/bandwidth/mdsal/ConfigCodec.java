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
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configuration as values; what is not set has the default that {@code sluice-bandwidth} gives it. */
final class ConfigCodec {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigCodec.class);
    private static final long INTERVAL_US = 5_000_000;

    private ConfigCodec() {
        // functions only
    }

    /** Returns the configuration of an operator who said nothing. */
    static BandwidthConfig none() {
        return decode(new BandwidthBuilder().build());
    }

    static BandwidthConfig decode(
            final org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Bandwidth bandwidth) {
        return new BandwidthConfig(policy(bandwidth.getPolicy()),
            bandwidth.getInterval() == null ? INTERVAL_US : bandwidth.getInterval().getValue().toJava(),
            bandwidth.nonnullTenant().values().stream().map(ConfigCodec::decode)
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

    private static TenantConfig decode(final Tenant tenant) {
        return new TenantConfig(tenant.getName().getValue(), weight(tenant.getWeight()),
            tenant.nonnullApplication().values().stream().map(ConfigCodec::decode)
                .sorted(Comparator.comparing(ApplicationConfig::name)).toList());
    }

    private static ApplicationConfig decode(final Application application) {
        return new ApplicationConfig(application.getName().getValue(), weight(application.getWeight()),
            application.nonnullFlow().values().stream().flatMap(ConfigCodec::readable)
                .sorted(Comparator.comparing(FlowConfig::name)).toList());
    }

    /** The datastore takes values that match no member of a union; what has one is left out, and the rest counts. */
    private static Stream<FlowConfig> readable(final Flow flow) {
        try {
            return Stream.of(decode(flow));
        } catch (IllegalArgumentException e) {
            LOG.warn("left-out flow={} reason=\"{}\"", flow.getName().getValue(), e.getMessage());
            return Stream.empty();
        }
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
