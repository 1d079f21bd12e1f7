// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bandwidth;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.FlowMatch;
import io.sluice.api.SwitchId;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.ApplicationConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.FlowConfig;
import io.sluice.bandwidth.engine.BandwidthConfig.TenantConfig;
import io.sluice.bandwidth.engine.Explanation;
import io.sluice.bandwidth.engine.FlowState;
import io.sluice.bandwidth.engine.Packets;
import io.sluice.bandwidth.engine.PolicyName;
import io.sluice.bandwidth.engine.Priorities;
import io.sluice.bandwidth.engine.Totals;
import io.sluice.testlib.Addresses;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Dscp;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.PortNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.BandwidthBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Interval;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Policy;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Weight;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.QueueBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.TenantBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.ApplicationBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.application.Flow;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.application.FlowBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PositiveBitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Share;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

class CodecTest {
    @Test
    void defaultsAreThoseOfTheModel() throws IOException {
        final var none = ConfigCodec.decode(new BandwidthBuilder().build(), new HashMap<>());
        assertEquals(inModel("policy"), none.policy().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        assertEquals(inModel("interval"), Long.toString(none.intervalUs()));
        assertEquals(inModel("alpha"), Long.toString(none.priorities().alphaPpm()));

        final var config = decode(bare());
        final var flow = config.flows().values().iterator().next();
        assertEquals(inModel("stage"), Long.toString(flow.stage()));
        assertEquals(inModel("weight"), Long.toString(flow.weight()));
        assertEquals(inModel("weight"), Long.toString(config.tenants().getFirst().weight()));
        assertEquals(inModel("guarantee"), Long.toString(flow.guarantee().bitsPerSecond()));
        assertEquals(Optional.empty(), flow.limit());
    }

    @Test
    void allThatIsWrittenIsRead() {
        final var flow = bare().setProtocol(Flow.Protocol.Udp).setSourcePort(new PortNumber(Uint16.valueOf(7)))
            .setDestinationPort(new PortNumber(Uint16.valueOf(8))).setStage(Uint16.valueOf(9)).setWeight(weight(2))
            .setGuarantee(new BitRate(Uint64.valueOf(3000))).setLimit(new PositiveBitRate(Uint64.MAX_VALUE));
        final var written = new BandwidthBuilder().setPolicy(Policy.MaxMin)
            .setInterval(new Interval(Uint32.valueOf(100_000))).setAlpha(new Share(Uint32.ONE))
            .setQueue(List.of(queue(46).setNumber(Uint32.valueOf(7)).build(), queue(10).build())).setMakeQueues(true)
            .setQueueSwitch(Set.of(
                new org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId("openflow:7")))
            .setTenant(BindingMap.of(new TenantBuilder().setName(new ObjectName("t")).setWeight(weight(5))
                .setApplication(BindingMap.of(new ApplicationBuilder().setName(new ObjectName("a"))
                    .setWeight(weight(6)).setFlow(BindingMap.of(flow.build())).build())).build())).build();

        assertEquals(new BandwidthConfig(PolicyName.MAX_MIN, 100_000, new Priorities(1, List.of(
                new Priorities.Queue(46, OptionalLong.of(7)), new Priorities.Queue(10, OptionalLong.empty())), true),
            Set.of(new SwitchId("openflow:7")),
            List.of(new TenantConfig("t", 5, List.of(new ApplicationConfig("a", 6, List.of(new FlowConfig("f",
                new Packets(Addresses.ip("10.0.0.1"), Addresses.ip("10.0.0.2"),
                    OptionalInt.of(FlowMatch.PROTOCOL_UDP), OptionalInt.of(7), OptionalInt.of(8)), 9, 2,
                new Bandwidth(3000), Optional.of(new Bandwidth(Long.MAX_VALUE))))))))),
            ConfigCodec.decode(written, new HashMap<>()));
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.1, 1", "fd00::1, 58"})
    void icmpIsThatOfTheAddresses(final String source, final int protocol) {
        final var flow = bare().setProtocol(Flow.Protocol.Icmp)
            .setSource(IetfInetUtil.ipAddressNoZoneFor(Addresses.ip(source)));

        assertEquals(OptionalInt.of(protocol), decode(flow).flows().values().iterator().next().packets().protocol());
    }

    @Test
    void aFlowThatCanNotBeReadIsToldOfAndTheOthersCount() {
        final var good = bare().build();
        final var bad = bare().setName(new ObjectName("bad")).build();
        final var unreadable = new HashMap<String, String>();
        final var config = ConfigCodec.decode(tenant(good, (Flow) Proxy.newProxyInstance(Flow.class.getClassLoader(),
            new Class<?>[] {Flow.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("requireSource")) {
                    throw new IllegalArgumentException("no address");
                }
                return method.invoke(bad, arguments);
            })), unreadable);

        assertEquals(List.of("f"), config.flows().values().stream().map(FlowConfig::name).toList());
        assertEquals(Map.of("flow t/a/bad", "no address"), unreadable);
    }

    @ParameterizedTest
    @EnumSource(Policy.class)
    void policiesHaveTheNamesOfTheModel(final Policy policy) {
        assertEquals(policy.getName().replace('-', '_').toUpperCase(Locale.ROOT),
            ConfigCodec.decode(new BandwidthBuilder().setPolicy(policy).build(), new HashMap<>()).policy().name());
    }

    @Test
    void aRateIsToldWithWhatBindsIt() {
        final var id = new FlowId(new ApplicationId("t", "a"), "f");
        final var answer = StateCodec.answer(new FlowRate(id, new Bandwidth(3_000_000),
            Optional.of("link"), Optional.of(new Bandwidth(2_000_000)), false));

        assertEquals(List.of("t", "a", "f"), List.of(answer.getTenant().getValue(), answer.getApplication().getValue(),
            answer.getFlow().getValue()));
        assertEquals(Uint64.valueOf(3_000_000), answer.getRate().getValue());
        assertEquals(Uint64.valueOf(2_000_000), answer.getDemand().getValue());
        assertEquals(Uint32.valueOf(1_500_000), answer.getUtility().getValue());
        assertEquals("link", answer.getBindingLink());
        assertEquals(false, answer.getIdle());
        final var gone = StateCodec.change(id, Optional.empty());
        assertEquals("f", gone.getFlow().getValue());
        assertNull(gone.getRate());
    }

    @Test
    void aFlowWhosePacketsAreDroppedHasARateOfNothingAndNoMeter() {
        final var flow = decode(bare()).flows().entrySet().iterator().next();
        final var answer = StateCodec.registered(List.of(new FlowState(flow.getKey(), flow.getValue(),
            Optional.empty(), Optional.of(new SwitchId("openflow:1")),
            Optional.of(new FlowState.MeterState(OptionalInt.empty(), OptionalLong.empty(), OptionalLong.empty(), 0)),
            OptionalInt.empty(), Optional.empty(), Optional.empty())), flow.getKey().application())
            .nonnullFlow().values().iterator().next();

        assertEquals(Uint64.ZERO, answer.getMeterRate().getValue());
        assertEquals("openflow:1", answer.getSwitch().getValue());
        assertNull(answer.getMeter());
    }

    @Test
    void aMeterHasANumberAndAnIdAtTheSwitch() {
        final var flow = decode(bare()).flows().entrySet().iterator().next();
        final var answer = StateCodec.registered(List.of(new FlowState(flow.getKey(), flow.getValue(),
            Optional.empty(), Optional.of(new SwitchId("openflow:1")),
            Optional.of(new FlowState.MeterState(OptionalInt.of(3), OptionalLong.of(131), OptionalLong.empty(), 2)),
            OptionalInt.empty(), Optional.empty(), Optional.empty())), flow.getKey().application())
            .nonnullFlow().values().iterator().next();

        assertEquals(Uint16.valueOf(3), answer.getMeter());
        assertEquals(Uint32.valueOf(131), answer.getSwitchMeter());
        assertNull(answer.getQueue());
    }

    @Test
    void anExplanationTellsWhatBecameOfTheFlowsPackets() {
        final var flow = decode(bare()).flows().entrySet().iterator().next();
        final var answer = StateCodec.explanation(new Explanation(new FlowState(flow.getKey(), flow.getValue(),
            Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.of(3), Optional.of(new FlowState.Passage(
                Optional.of(new Bandwidth(7)), new Traffic(8, 9))), Optional.of("reason")), Optional.empty(), List.of(),
            Optional.empty()));

        assertEquals(Uint64.valueOf(7), answer.getMeasuredRate().getValue());
        assertEquals(Uint64.valueOf(8), answer.getDroppedPackets().getValue());
        assertEquals(Uint64.valueOf(9), answer.getDroppedBytes().getValue());
        assertEquals("reason", answer.getPending());
    }

    private static QueueBuilder queue(final int codePoint) {
        return new QueueBuilder().setCodePoint(new Dscp(Uint8.valueOf(codePoint)));
    }

    private static FlowBuilder bare() {
        return new FlowBuilder().setName(new ObjectName("f"))
            .setSource(IetfInetUtil.ipAddressNoZoneFor(Addresses.ip("10.0.0.1")))
            .setDestination(IetfInetUtil.ipAddressNoZoneFor(Addresses.ip("10.0.0.2")));
    }

    @Test
    void roundsAreToldInMicroseconds() {
        final var told = StateCodec.events(new Totals(1, 2, 3, 4_999, 5_000));
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L), Stream.of(told.getRounds(), told.getRefused(),
            told.getMeterChanges(), told.getDecidingTime(), told.getEnforcingTime()).map(Uint64::longValue).toList());
    }

    private static BandwidthConfig decode(final FlowBuilder flow) {
        return ConfigCodec.decode(tenant(flow.build()), new HashMap<>());
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Bandwidth tenant(final Flow... flows) {
        return new BandwidthBuilder().setTenant(BindingMap.of(new TenantBuilder()
            .setName(new ObjectName("t")).setApplication(BindingMap.of(new ApplicationBuilder()
                .setName(new ObjectName("a")).setFlow(BindingMap.of(flows)).build())).build())).build();
    }

    private static Weight weight(final int weight) {
        return new Weight(Uint32.valueOf(weight));
    }

    /** The default of the first leaf of that name. */
    private static String inModel(final String leaf) throws IOException {
        try (var model = Objects.requireNonNull(BandwidthBuilder.class.getResourceAsStream(
                "/META-INF/yang/sluice-bandwidth@2026-11-21.yang"))) {
            final var text = new String(model.readAllBytes(), StandardCharsets.UTF_8);
            final var found = Pattern.compile("leaf " + leaf + " \\{(?:(?!\\bleaf\\b).)*?default \"([^\"]*)\"",
                Pattern.DOTALL).matcher(text);
            assertTrue(found.find(), leaf);
            return found.group(1);
        }
    }
}
