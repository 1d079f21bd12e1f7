// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Entry;
import io.sluice.api.FlowMatch;
import io.sluice.api.Owner;
import io.sluice.api.SwitchId;
import io.sluice.southbound.program.Change;
import io.sluice.southbound.program.Change.Kind;
import io.sluice.southbound.program.EntryKey;
import io.sluice.southbound.program.Held;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrier;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.transaction.rev150304.SendBarrierOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.AddMeter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.RemoveMeter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.AddBundleMessages;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.ControlBundle;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.ControlBundleInput;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;

/** What is sent, told by short words: what a bundle holds stands in brackets, a barrier is a bar. */
class ChangeSenderTest {
    private static final Owner OWNER = new Owner("multipath", 2);
    private static final SwitchId SWITCH = new SwitchId("openflow:1");

    private final List<String> sent = new ArrayList<>();
    private final Set<String> refused = new HashSet<>();
    private boolean breaking;
    private int lastBarrier = Integer.MAX_VALUE;

    @Test
    void flowsAndGroupsChangeAtOnceBetweenMeters() {
        assertEquals(Map.of(), send(true, put(meter(1)), put(group(1)), put(flow(1)), remove(flow(2)),
            remove(meter(2))));
        assertEquals("+meter | open [BundleAddGroupCase BundleAddFlowCase BundleRemoveFlowCase] close | commit | "
            + "-meter |", told());
    }

    @Test
    void whatCanNotBeStagedIsDiscardedAndSentOneByOne() {
        refused.add("add");
        assertEquals(Map.of(), send(true, put(flow(1)), put(flow(2))));
        assertEquals("open [BundleAddFlowCase BundleAddFlowCase] close | discard | +flow +flow |", told());
    }

    @Test
    void anEntryThatIsRefusedIsKnownAlthoughABundleHidesIt() {
        refused.add("ONFBCTCOMMITREQUEST");
        refused.add("group");
        assertEquals(Map.of(new EntryKey.GroupKey(OWNER.groupId(1)), "group refused"),
            send(true, put(group(1)), put(flow(1))));
        assertEquals("open [BundleAddGroupCase BundleAddFlowCase] close | commit | +group | +flow |", told());
    }

    @Test
    void whatThePluginCanNotPutIntoABundleIsSentOneByOne() {
        breaking = true;
        assertEquals(Map.of(), send(true, put(flow(1)), put(flow(2))));
        assertEquals("open close | discard | +flow +flow |", told());
    }

    @Test
    void aSwitchThatGoesAwayGetsNothingMore() {
        lastBarrier = 1;
        assertThrows(CompletionException.class, () -> send(true, put(flow(1)), put(flow(2))));
        assertEquals("open [BundleAddFlowCase BundleAddFlowCase] close | commit |", told());
    }

    @Test
    void groupsChangeAndGoInABundle() {
        send(true, new Change(Kind.REPLACE, EntryKey.of(group(1)), put(group(1)).held()), remove(group(2)));
        assertEquals("open [BundleUpdateGroupCase BundleRemoveGroupCase] close | commit |", told());
    }

    @Test
    void oneChangeNeedsNoBundle() {
        send(true, put(meter(1)), put(flow(1)));
        assertEquals("+meter | +flow |", told());
    }

    @Test
    void withoutBundlesEachKindWaitsForTheOneBefore() {
        send(false, put(meter(1)), put(group(1)), put(flow(1)), remove(flow(2)), remove(meter(2)));
        assertEquals("+meter | +group | +flow | -flow | -meter |", told());
    }

    @Test
    void aSwitchWithBundlesTakesOneAndRefusesOneThatIsNotThere() {
        refused.add("unknown");
        assertEquals(true, new Bundles(rpcs()).areSupported().join());
    }

    @Test
    void aSwitchThatRefusesNothingHasNoBundles() {
        assertEquals(false, new Bundles(rpcs()).areSupported().join());
    }

    @Test
    void aSwitchThatRefusesAllHasNoBundles() {
        refused.addAll(Set.of("unknown", "ONFBCTOPENREQUEST"));
        assertEquals(false, new Bundles(rpcs()).areSupported().join());
    }

    private Map<EntryKey, String> send(final boolean bundles, final Change... changes) {
        final var rpcs = rpcs();
        final var messages = new EntryMessages(SWITCH, rpcs.node(), new EntryCodec(SWITCH, new MeterIds(1 << 16)));
        return new ChangeSender(rpcs, messages, bundles ? Optional.of(new Bundles(rpcs)) : Optional.empty())
            .send(Stream.of(changes).sorted(Comparator.comparingInt(Change::rank)).toList())
            .toCompletableFuture().join();
    }

    private Rpcs rpcs() {
        return new Rpcs(new FakePlugin()
            .provide(SendBarrier.class, (SendBarrier) input -> {
                sent.add("|");
                if (lastBarrier-- == 0) {
                    return Futures.immediateFailedFuture(new IllegalStateException("gone"));
                }
                return RpcResultBuilder.success(new SendBarrierOutputBuilder().build()).buildFuture();
            })
            .provide(AddFlow.class, (AddFlow) input -> answer("+flow", "flow"))
            .provide(RemoveFlow.class, (RemoveFlow) input -> answer("-flow", "flow"))
            .provide(AddGroup.class, (AddGroup) input -> answer("+group", "group"))
            .provide(AddMeter.class, (AddMeter) input -> answer("+meter", "meter"))
            .provide(RemoveMeter.class, (RemoveMeter) input -> answer("-meter", "meter"))
            .provide(AddBundleMessages.class, (AddBundleMessages) input -> {
                if (breaking) {
                    throw new IllegalStateException("can't convert");
                }
                return answer("[" + String.join(" ", input.nonnullMessages().nonnullMessage().stream()
                    .map(message -> message.getBundleInnerMessage().implementedInterface().getSimpleName()).toList())
                    + "]", "add");
            })
            .provide(ControlBundle.class, (ControlBundle) input ->
                answer(word(input), input.getBundleId().getValue().intValue() == 2 ? "unknown"
                    : input.getType().name())), SWITCH.value());
    }

    private <O> ListenableFuture<RpcResult<O>> answer(final String word, final String name) {
        sent.add(word);
        return refused.contains(name)
            ? RpcResultBuilder.<O>failed().withError(ErrorType.APPLICATION, name + " refused").buildFuture()
            : RpcResultBuilder.<O>success().buildFuture();
    }

    private static String word(final ControlBundleInput input) {
        return input.getType().name().replaceAll("ONFBCT|REQUEST", "").toLowerCase(Locale.ROOT);
    }

    private String told() {
        return String.join(" ", sent);
    }

    private static Change put(final Entry entry) {
        return new Change(Kind.ADD, EntryKey.of(entry), new Held.Known(entry, OWNER.number(), OWNER.cookie(1)));
    }

    private static Change remove(final Entry entry) {
        return new Change(Kind.REMOVE, EntryKey.of(entry), new Held.Known(entry, OWNER.number(), OWNER.cookie(1)));
    }

    private static Entry flow(final int priority) {
        return new Entry.Flow(0, priority, FlowMatch.ANY, List.of());
    }

    private static Entry group(final int number) {
        return new Entry.FailoverGroup(OWNER.groupId(number), List.of());
    }

    private static Entry meter(final int number) {
        return new Entry.Meter(OWNER.meterNumber(number), Entry.MeterUnit.PACKETS, 1, 1);
    }
}
