// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.api.FlowMatch;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.TenantConfig;
import io.sluice.bandwidth.engine.Packets;
import io.sluice.bandwidth.engine.PolicyName;
import io.sluice.bandwidth.engine.Priorities;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IpAddressNoZone;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ApplicationSettings;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.FlowSettings;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Policy;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Weight;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.Queue;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.Tenant;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;

/** The configuration as values; what is not set has the default that {@code sluice-bandwidth} gives it. */
final class ConfigCodec {
    private ConfigCodec() {
        // functions only
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
            bandwidth.getInterval() == null ? BandwidthConfig.DEFAULT.intervalUs()
                : bandwidth.getInterval().getValue().toJava(),
            new Priorities(bandwidth.getAlpha() == null ? BandwidthConfig.DEFAULT.priorities().alphaPpm()
                : bandwidth.getAlpha().getValue().intValue(),
                bandwidth.nonnullQueue().stream().map(ConfigCodec::decode).toList(),
                Boolean.TRUE.equals(bandwidth.getMakeQueues())),
            Stream.ofNullable(bandwidth.getQueueSwitch()).flatMap(Set::stream).map(id -> new SwitchId(id.getValue()))
                .collect(Collectors.toSet()),
            bandwidth.nonnullTenant().values().stream().map(tenant -> decode(tenant, unreadable)).toList());
    }

    private static PolicyName policy(final Policy policy) {
        return switch (policy) {
            case null -> BandwidthConfig.DEFAULT.policy();
            case AppMaxMin -> PolicyName.APP_MAX_MIN;
            case AppAware -> PolicyName.APP_AWARE;
            case MaxMin -> PolicyName.MAX_MIN;
            case AppFair -> PolicyName.APP_FAIR;
        };
    }

    private static Priorities.Queue decode(final Queue queue) {
        return new Priorities.Queue(queue.requireCodePoint().getValue().toJava(), queue.getNumber() == null
            ? OptionalLong.empty() : OptionalLong.of(queue.getNumber().toJava()));
    }

    private static TenantConfig decode(final Tenant tenant, final Map<String, String> unreadable) {
        final var name = tenant.getName().getValue();
        return new TenantConfig(name, weight(tenant.getWeight()),
            tenant.nonnullApplication().values().stream().map(application -> decode(
                new ApplicationId(name, application.getName().getValue()), application,
                application.nonnullFlow().values(), unreadable)).toList());
    }

    /**
     * Returns what can be read of an application.
     *
     * @param unreadable gets the flows that can't be, with the reasons
     */
    static ApplicationConfig decode(final ApplicationId id, final ApplicationSettings application,
            final Collection<? extends FlowSettings> written, final Map<String, String> unreadable) {
        final var flows = new ArrayList<FlowConfig>();
        for (var flow : written) {
            try {
                flows.add(decode(flow));
            } catch (IllegalArgumentException | NoSuchElementException e) {
                unreadable.put("flow " + new FlowId(id, flow.getName().getValue()), e.getMessage());
            }
        }
        return new ApplicationConfig(id.application(), weight(application.getWeight()), flows);
    }

    private static FlowConfig decode(final FlowSettings flow) {
        final var source = IetfInetUtil.inetAddressForNoZone(flow.requireSource());
        return new FlowConfig(flow.getName().getValue(),
            new Packets(source, IetfInetUtil.inetAddressForNoZone(flow.requireDestination()),
                protocol(flow), port(flow.getSourcePort()), port(flow.getDestinationPort())),
            flow.getStage() == null ? 0 : flow.getStage().intValue(), weight(flow.getWeight()),
            rate(flow.getGuarantee()).orElse(Bandwidth.ZERO), rate(flow.getLimit()));
    }

    private static OptionalInt protocol(final FlowSettings flow) {
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
