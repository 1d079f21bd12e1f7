// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Failures;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlowInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlowInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlowInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.flow.MatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroupInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroupInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroupInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.UpdateGroupInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupId;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupTypes;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.AddBundleMessages;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.AddBundleMessagesInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.ControlBundle;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.ControlBundleInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.add.bundle.messages.input.MessagesBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.add.bundle.messages.input.messages.Message;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.add.bundle.messages.input.messages.MessageBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.BundleInnerMessage;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.BundleAddFlowCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.BundleAddGroupCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.BundleRemoveFlowCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.BundleRemoveGroupCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.BundleUpdateGroupCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.bundle.add.flow._case.AddFlowCaseDataBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.bundle.add.group._case.AddGroupCaseDataBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.bundle.remove.flow._case.RemoveFlowCaseDataBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.bundle.remove.group._case.RemoveGroupCaseDataBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.bundle.service.rev170124.bundle.inner.message.grouping.bundle.inner.message.bundle.update.group._case.UpdateGroupCaseDataBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.rev170124.BundleControlType;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.rev170124.BundleFlags;
import org.opendaylight.yang.gen.v1.urn.opendaylight.openflowplugin.extension.onf.rev170124.BundleId;
import org.opendaylight.yangtools.binding.Rpc;
import org.opendaylight.yangtools.binding.RpcInput;
import org.opendaylight.yangtools.binding.RpcOutput;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

/**
 * Bundles of one switch: changes of flows and groups that it carries out all at once, or not at all (ONF extension 230
 * to OpenFlow 1.3; OpenFlow 1.4, section 6.8).
 */
final class Bundles {
    private static final BundleFlags FLAGS = new BundleFlags(true, true);

    private final Rpcs rpcs;
    private final AtomicLong lastId = new AtomicLong();

    Bundles(final Rpcs rpcs) {
        this.rpcs = rpcs;
    }

    /**
     * Completes with whether the switch has bundles of flows and groups; fails if it could not be asked. One that takes
     * what it can't carry out has none, or its refusals do not get here.
     */
    CompletableFuture<Boolean> areSupported() {
        final var probe = nextId();
        final var unknown = nextId();
        final var taken = List.of(control(probe, BundleControlType.ONFBCTOPENREQUEST), tried(add(probe, probes())),
            control(probe, BundleControlType.ONFBCTDISCARDREQUEST));
        final var refused = control(unknown, BundleControlType.ONFBCTCOMMITREQUEST);
        return rpcs.barrier().thenCompose(done -> refusal(taken))
            .thenCombine(refused, (refusal, expected) -> refusal.isEmpty() && expected.isPresent());
    }

    /**
     * Carries out messages in their order; completes with why the switch refused, and is as it was, if it did; fails if
     * nobody knows.
     */
    CompletableFuture<Optional<String>> carryOut(final List<RpcInput> messages) {
        final var bundle = nextId();
        final var staged = List.of(tried(control(bundle, BundleControlType.ONFBCTOPENREQUEST)),
            tried(add(bundle, messages)), tried(control(bundle, BundleControlType.ONFBCTCLOSEREQUEST)));
        return rpcs.barrier().thenCompose(done -> refusal(staged)).thenCompose(refusal -> refusal.isEmpty()
            ? end(bundle, BundleControlType.ONFBCTCOMMITREQUEST)
            : end(bundle, BundleControlType.ONFBCTDISCARDREQUEST).thenApply(discarded -> refusal));
    }

    private CompletableFuture<Optional<String>> end(final BundleId bundle, final BundleControlType type) {
        final var ended = control(bundle, type);
        return rpcs.barrier().thenCompose(done -> ended);
    }

    /** The removal of what is not there, for a bundle that is discarded. */
    private List<RpcInput> probes() {
        return List.of(
            new RemoveFlowInputBuilder().setNode(rpcs.node()).setTableId(Uint8.ZERO).setPriority(Uint16.ZERO)
                .setStrict(Boolean.TRUE).setMatch(new MatchBuilder().build()).build(),
            new RemoveGroupInputBuilder().setNode(rpcs.node()).setGroupId(new GroupId(Uint32.ONE))
                .setGroupType(GroupTypes.GroupFf).build());
    }

    private BundleId nextId() {
        return new BundleId(Uint32.fromIntBits((int) lastId.incrementAndGet()));
    }

    private CompletableFuture<Optional<String>> control(final BundleId bundle, final BundleControlType type) {
        return ask(ControlBundle.class, new ControlBundleInputBuilder().setNode(rpcs.node()).setBundleId(bundle)
            .setFlags(FLAGS).setType(type).build(), type.name());
    }

    private CompletableFuture<Optional<String>> add(final BundleId bundle, final List<RpcInput> messages) {
        return ask(AddBundleMessages.class, new AddBundleMessagesInputBuilder().setNode(rpcs.node())
            .setBundleId(bundle).setFlags(FLAGS).setMessages(new MessagesBuilder()
                .setMessage(messages.stream().map(this::inner).toList()).build()).build(), "ADD");
    }

    /** What the plugin can't do of a step that changes nothing counts as refused. */
    private static CompletableFuture<Optional<String>> tried(final CompletableFuture<Optional<String>> step) {
        return step.exceptionally(failure -> Optional.of(Failures.reason(failure)));
    }

    /** Completes with why a step was refused; fails if it could not be asked for. */
    private <I extends RpcInput, O extends RpcOutput> CompletableFuture<Optional<String>> ask(
            final Class<? extends Rpc<I, O>> rpc, final I input, final String step) {
        return CompletableFuture.completedFuture(input).thenCompose(ready -> rpcs.invoke(rpc, ready))
            .thenApply(answer -> answer.isSuccessful() ? Optional.<String>empty()
                : Optional.of((step + " " + Rpcs.reason(answer)).strip()));
    }

    private static CompletableFuture<Optional<String>> refusal(final List<CompletableFuture<Optional<String>>> steps) {
        return steps.stream().reduce((one, next) -> one.thenCombine(next, (first, second) -> first.or(() -> second)))
            .orElseThrow();
    }

    private Message inner(final RpcInput message) {
        return new MessageBuilder().setNode(rpcs.node()).setBundleInnerMessage(encode(message)).build();
    }

    private static BundleInnerMessage encode(final RpcInput message) {
        return switch (message) {
            case AddFlowInput flow -> new BundleAddFlowCaseBuilder()
                .setAddFlowCaseData(new AddFlowCaseDataBuilder(flow).build()).build();
            case RemoveFlowInput flow -> new BundleRemoveFlowCaseBuilder()
                .setRemoveFlowCaseData(new RemoveFlowCaseDataBuilder(flow).build()).build();
            case AddGroupInput group -> new BundleAddGroupCaseBuilder()
                .setAddGroupCaseData(new AddGroupCaseDataBuilder(group).build()).build();
            case UpdateGroupInput group -> new BundleUpdateGroupCaseBuilder()
                .setUpdateGroupCaseData(new UpdateGroupCaseDataBuilder(group.getUpdatedGroup()).build()).build();
            case RemoveGroupInput group -> new BundleRemoveGroupCaseBuilder()
                .setRemoveGroupCaseData(new RemoveGroupCaseDataBuilder(group).build()).build();
            default -> throw new IllegalArgumentException("bundles of the plugin hold no "
                + message.implementedInterface().getSimpleName());
        };
    }
}
