// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Owner;
import io.sluice.api.Subscription;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.FlowReport;
import io.sluice.bandwidth.engine.BandwidthEngine;
import io.sluice.bandwidth.engine.BandwidthEvents;
import io.sluice.bandwidth.engine.Environment;
import io.sluice.bandwidth.engine.FakeQueues;
import io.sluice.bandwidth.engine.FlowState;
import io.sluice.bandwidth.engine.Reporting;
import io.sluice.testlib.Addresses;
import io.sluice.testlib.FakeNetwork;
import io.sluice.testlib.FakeProgrammer;
import io.sluice.testlib.HandLoop;
import io.sluice.testlib.ManualClock;
import io.sluice.testlib.Topologies;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.CommitInfo;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.BandwidthBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Explain;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ExplainInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ExplainOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.FlowSettings;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Interval;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Reallocate;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReallocateInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RegisterApplication;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RegisterApplicationInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RegisterApplicationOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlows;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportFlowsInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.UnregisterApplication;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.UnregisterApplicationInputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Weight;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.TenantBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.Application;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.register.application.input.Flow;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.register.application.input.FlowBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PositiveBitRate;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Applications that come and go by RPC, on two switches with a cable of 10 Mbit/s and a datastore in a map. */
class RegistrationTest implements Fabric, BandwidthEvents {
    private static final Owner OWNER = new Owner("bandwidth", 3);

    private final FabricSnapshot network = Topologies.line(2, 1, 2, new Topologies.Rates(
        io.sluice.api.Bandwidth.ofMegabits(100), io.sluice.api.Bandwidth.ofMegabits(10),
        io.sluice.api.Bandwidth.ofMegabits(10)));
    private final FakeNetwork switches = new FakeNetwork(network);
    private final HandLoop loop = new HandLoop();
    private final Map<String, Application> stored = new TreeMap<>();
    private final Map<Class<?>, Object> rpcs = new HashMap<>();
    private final BandwidthEngine engine = new BandwidthEngine(new Environment(this,
        new Environment.Switches(new FakeProgrammer(switches).claim(OWNER), new FakeQueues()), match -> List.of(),
        this, new Environment.Time(loop, task -> { }, new ManualClock())), OWNER);

    RegistrationTest() {
        final var provider = (RpcProviderService) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {RpcProviderService.class}, (proxy, method, arguments) -> {
                Arrays.stream((Object[]) arguments[0]).forEach(rpc -> rpcs.put(rpc.getClass().getInterfaces()[0], rpc));
                return (Registration) () -> { };
            });
        final var dataBroker = (DataBroker) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {DataBroker.class}, (proxy, method, arguments) -> transaction());
        new BandwidthRpcs(engine, this::refresh, new ApplicationWrites(dataBroker), loop).register(provider);
    }

    @Test
    void whatIsRegisteredStandsInTheConfigurationAndHasItsRate() {
        final var answer = register("a", flow("f", 1, 3), limited(flow("g", 2, 4), 2_000_000));

        assertEquals(Map.of("f", 8_000_000L, "g", 2_000_000L), rates(answer));
        assertEquals(List.of("t/a"), List.copyOf(stored.keySet()));
        assertEquals(new Weight(Uint32.TWO), stored.get("t/a").getWeight());
        assertEquals(List.of("f", "g"), names("t/a"));
        assertEquals(2, answer.getResult().nonnullFlow().values().stream()
            .filter(flow -> flow.getStatus().getName().equals("in-place")).count());
    }

    @Test
    void aRegistrationIsOneRound() {
        register("a", flow("f", 1, 3));
        final long rounds = engine.totals().rounds();

        register("b", flow("g", 2, 4));

        assertEquals(1, engine.totals().rounds() - rounds);
    }

    @Test
    void theSameAgainChangesNothingAndOtherContentTakesItsPlace() {
        register("a", flow("f", 1, 3), flow("g", 2, 4));
        final var changes = engine.totals().meterChanges();

        assertTrue(register("a", flow("g", 2, 4), flow("f", 1, 3)).isSuccessful());
        assertEquals(changes, engine.totals().meterChanges());

        assertEquals(Map.of("g", 10_000_000L), rates(register("a", flow("g", 2, 4))));
        assertEquals(List.of("g"), names("t/a"));
        assertEquals(Map.of(), rates(register("a")));
        assertEquals(List.of("t/a"), List.copyOf(stored.keySet()));
    }

    @Test
    void whatCanNotBeHeldToARateIsRefusedByNameAndNothingIsWritten() {
        register("a", flow("f", 1, 3));
        final var before = Map.copyOf(stored);

        assertRefused("flow-not-enforceable", "flow t/b/f: its packets are those of t/a/f", "b", flow("f", 1, 3));
        assertRefused("flow-not-enforceable", "flow t/b/f: source fd00:0:0:0:0:0:0:1 and destination 10.0.0.3 are", "b",
            new FlowBuilder(flow("f", 1, 3)).setSource(IetfInetUtil.ipAddressNoZoneFor(Addresses.ip("fd00::1")))
                .build());
        assertRefused("guarantees-overfill-link", "guarantees of [t/b/f] sum to 11000000 bit/s", "b",
            guaranteed(flow("f", 2, 4), 11_000_000));
        assertEquals(before, stored);
    }

    @Test
    void ofTwoAtOnceThatDoNotFitTogetherTheSecondIsRefused() {
        final var first = begin("a", guaranteed(flow("f", 1, 3), 6_000_000));
        final var second = begin("b", guaranteed(flow("f", 2, 4), 6_000_000));

        assertTrue(await(first).isSuccessful());
        assertEquals("guarantees-overfill-link", await(second).getErrors().getFirst().getApplicationTag());
        assertEquals(List.of("t/a"), List.copyOf(stored.keySet()));
        assertTrue(register("b", guaranteed(flow("f", 2, 4), 4_000_000)).isSuccessful());
    }

    @Test
    void aFlowWithoutADestinationIsRefusedByName() {
        final var refused = register("a", new FlowBuilder(flow("f", 1, 3)).setDestination(null).build());

        assertEquals(ErrorTag.INVALID_VALUE, refused.getErrors().getFirst().getTag());
        assertTrue(refused.getErrors().getFirst().getMessage().startsWith("flow t/a/f: "), refused::toString);
        assertEquals(Map.of(), stored);
    }

    @Test
    void aFlowOfHostsThatAreNotSeenIsPending() {
        final var flow = register("a", flow("f", 1, 77)).getResult().nonnullFlow().values().iterator().next();

        assertEquals("pending", flow.getStatus().getName());
        assertTrue(flow.getReason().startsWith("no host with address 10.0.0.77 is seen; "), flow::getReason);
    }

    @Test
    void nothingIsLeftOfWhatIsUnregistered() {
        register("a", flow("f", 1, 3), flow("g", 2, 4));

        assertTrue(unregister("a").isSuccessful());
        assertEquals(Map.of(), stored);
        assertTrue(switches.switches().stream().allMatch(node -> node.entries().isEmpty()));
        final var again = unregister("a");
        assertFalse(again.isSuccessful());
        assertEquals("no application is named t/a; look its name up in the configuration",
            again.getErrors().getFirst().getMessage());
    }

    private void assertRefused(final String appTag, final String reason, final String name, final Flow flow) {
        final var error = register(name, flow).getErrors().getFirst();
        assertEquals(appTag, error.getApplicationTag());
        assertTrue(error.getMessage().startsWith(reason), error::getMessage);
    }

    private RpcResult<RegisterApplicationOutput> register(final String name, final Flow... flows) {
        return await(begin(name, flows));
    }

    private ListenableFuture<RpcResult<RegisterApplicationOutput>> begin(final String name, final Flow... flows) {
        return ((RegisterApplication) rpcs.get(RegisterApplication.class)).invoke(
            new RegisterApplicationInputBuilder().setTenant(new ObjectName("t")).setApplication(new ObjectName(name))
                .setWeight(new Weight(Uint32.TWO)).setFlow(BindingMap.of(flows)).build());
    }

    @Test
    void aReportCountsForAllItsFlowsOrForNone() {
        register("a", flow("f", 1, 3), flow("g", 2, 4));

        final var refused = report(Map.of("f", Uint64.valueOf(125_000), "h", Uint64.ONE));
        assertEquals("no flows are named [t/a/h]; add them to the configuration",
            refused.getErrors().iterator().next().getMessage());
        assertEquals(ErrorTag.DATA_MISSING, refused.getErrors().iterator().next().getTag());
        assertEquals(Map.of(), demands());

        assertTrue(report(Map.of("f", Uint64.valueOf(125_000))).isSuccessful());
        assertEquals(Map.of("f", 1_000_000L), demands());

        assertTrue(report(Map.of("g", Uint64.MAX_VALUE)).isSuccessful());
        assertEquals(Math.round((double) FlowReport.MOST_BYTES * 8 / 5), demands().get("g"));
    }

    @Test
    void aFlowIsExplainedByNameAndOneThatIsNotThereIsAnError() {
        register("a", flow("f", 1, 3), flow("g", 2, 4));

        final var explained = explain("g").getResult();
        assertEquals(5_000_000, explained.getRate().getValue().longValue());
        assertEquals(2, explained.getLink().nonnullFlow().size());
        assertEquals("no flow is named t/a/h; add it to the configuration",
            explain("h").getErrors().iterator().next().getMessage());
    }

    /** Of a second that brought so many bytes. */
    private RpcResult<?> report(final Map<String, Uint64> transferred) {
        final var flows = transferred.entrySet().stream().map(flow ->
            new org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.report.flows.input.FlowBuilder()
                .setName(new ObjectName(flow.getKey())).setTransferred(flow.getValue()).setSenderBefore(Uint64.ZERO)
                .setSenderAfter(Uint64.ZERO).setReceiverBefore(Uint64.ZERO).setReceiverAfter(Uint64.ZERO).build())
            .collect(BindingMap.toMap());
        return await(((ReportFlows) rpcs.get(ReportFlows.class)).invoke(new ReportFlowsInputBuilder()
            .setTenant(new ObjectName("t")).setApplication(new ObjectName("a"))
            .setInterval(new Interval(Uint32.valueOf(1_000_000))).setFlow(flows).build()));
    }

    private RpcResult<ExplainOutput> explain(final String flow) {
        return await(((Explain) rpcs.get(Explain.class)).invoke(new ExplainInputBuilder()
            .setTenant(new ObjectName("t")).setApplication(new ObjectName("a")).setFlow(new ObjectName(flow)).build()));
    }

    /** In bit/s, as a new round has them, which is to send all in 5 s. */
    private Map<String, Long> demands() {
        final var answer = await(((Reallocate) rpcs.get(Reallocate.class)).invoke(
            new ReallocateInputBuilder().build()));
        return answer.getResult().nonnullAllocation().values().stream().filter(rate -> rate.getDemand() != null)
            .collect(Collectors.toMap(rate -> rate.getFlow().getValue(),
                rate -> rate.getDemand().getValue().longValue()));
    }

    private RpcResult<?> unregister(final String name) {
        return await(((UnregisterApplication) rpcs.get(UnregisterApplication.class)).invoke(
            new UnregisterApplicationInputBuilder().setTenant(new ObjectName("t"))
                .setApplication(new ObjectName(name)).build()));
    }

    private <O> RpcResult<O> await(final ListenableFuture<RpcResult<O>> answer) {
        answer.addListener(() -> { }, loop); // the loop waits for tasks, and the answer may come from elsewhere
        loop.runUntil(answer::isDone);
        return Futures.getUnchecked(answer);
    }

    private static Map<String, Long> rates(final RpcResult<RegisterApplicationOutput> answer) {
        return answer.getResult().nonnullFlow().values().stream().collect(Collectors.toMap(
            flow -> flow.getName().getValue(), flow -> flow.getRate().getValue().longValue()));
    }

    private List<String> names(final String application) {
        return stored.get(application).nonnullFlow().values().stream().map(FlowSettings::getName)
            .map(ObjectName::getValue).sorted().toList();
    }

    private static Flow flow(final String name, final int from, final int to) {
        return new FlowBuilder().setName(new ObjectName(name))
            .setSource(IetfInetUtil.ipAddressNoZoneFor(Addresses.ip("10.0.0." + from)))
            .setDestination(IetfInetUtil.ipAddressNoZoneFor(Addresses.ip("10.0.0." + to))).build();
    }

    private static Flow limited(final Flow flow, final long bitsPerSecond) {
        return new FlowBuilder(flow).setLimit(new PositiveBitRate(Uint64.valueOf(bitsPerSecond))).build();
    }

    private static Flow guaranteed(final Flow flow, final long bitsPerSecond) {
        return new FlowBuilder(flow).setGuarantee(new BitRate(Uint64.valueOf(bitsPerSecond))).build();
    }

    private CompletionStage<Void> refresh() {
        final var written = new BandwidthBuilder().setTenant(BindingMap.of(new TenantBuilder()
            .setName(new ObjectName("t")).setApplication(stored.values().stream().collect(BindingMap.toMap()))
            .build())).build();
        return CompletableFuture.runAsync(() ->
            engine.configure(ConfigCodec.decode(written, new HashMap<>())), loop);
    }

    private WriteTransaction transaction() {
        return (WriteTransaction) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {WriteTransaction.class}, (proxy, method, arguments) -> switch (method.getName()) {
                case "mergeParentStructurePut" -> stored.put(name(arguments[1]), (Application) arguments[2]);
                case "delete" -> stored.remove(name(arguments[1]));
                case "commit" -> CommitInfo.emptyFluentFuture();
                default -> throw new UnsupportedOperationException(method.getName());
            });
    }

    private static String name(final Object path) {
        return "t/" + ((DataObjectIdentifier<?>) path).getFirstKeyOf(Application.class).getName().getValue();
    }

    @Override
    public FabricSnapshot snapshot() {
        return network;
    }

    @Override
    public Subscription subscribe(final Consumer<FabricSnapshot> listener) {
        return () -> { };
    }

    @Override
    public void reallocated(final Map<FlowId, Optional<FlowState>> flows) {
        // not looked at
    }

    @Override
    public void heard(final ApplicationId application, final Reporting reporting) {
        // not looked at
    }

    @Override
    public void refused(final String reason) {
        throw new AssertionError(reason);
    }
}
