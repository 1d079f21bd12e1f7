// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlowInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlowInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroupInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroupInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.UpdateGroupInput;
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
import org.opendaylight.yangtools.binding.RpcInput;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint32;

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
     * Completes with whether the switch has bundles. One that takes what it can't carry out has none, or its refusals
     * do not get here.
     */
    CompletableFuture<Boolean> areSupported() {
        final var probe = nextId();
        final var unknown = nextId();
        final var opened = control(probe, BundleControlType.ONFBCTOPENREQUEST);
        final var discarded = control(probe, BundleControlType.ONFBCTDISCARDREQUEST);
        final var committed = control(unknown, BundleControlType.ONFBCTCOMMITREQUEST);
        return rpcs.barrier().thenCompose(done -> opened).thenCombine(discarded, (open, discard) -> open && discard)
            .thenCombine(committed, (works, commit) -> works && !commit);
    }

    /** Carries out messages in their order; completes with false if the switch refused, and is as it was. */
    CompletableFuture<Boolean> carryOut(final List<RpcInput> messages) {
        final var bundle = nextId();
        final var opened = control(bundle, BundleControlType.ONFBCTOPENREQUEST);
        final var added = add(bundle, messages);
        final var closed = control(bundle, BundleControlType.ONFBCTCLOSEREQUEST);
        return rpcs.barrier().thenCompose(done -> opened).thenCombine(added, (open, all) -> open && all)
            .thenCombine(closed, (staged, close) -> staged && close)
            .thenCompose(staged -> end(bundle, staged));
    }

    /** What was not taken as a whole is discarded, for which a bundle may be missing. */
    private CompletableFuture<Boolean> end(final BundleId bundle, final boolean staged) {
        final var ended = control(bundle, staged ? BundleControlType.ONFBCTCOMMITREQUEST
            : BundleControlType.ONFBCTDISCARDREQUEST);
        return rpcs.barrier().thenCompose(done -> ended).thenApply(success -> staged && success);
    }

    private BundleId nextId() {
        return new BundleId(Uint32.fromIntBits((int) lastId.incrementAndGet()));
    }

    private CompletableFuture<Boolean> control(final BundleId bundle, final BundleControlType type) {
        return rpcs.invoke(ControlBundle.class, new ControlBundleInputBuilder().setNode(rpcs.node())
            .setBundleId(bundle).setFlags(FLAGS).setType(type).build()).thenApply(RpcResult::isSuccessful);
    }

    private CompletableFuture<Boolean> add(final BundleId bundle, final List<RpcInput> messages) {
        return rpcs.invoke(AddBundleMessages.class, new AddBundleMessagesInputBuilder().setNode(rpcs.node())
            .setBundleId(bundle).setFlags(FLAGS).setMessages(new MessagesBuilder()
                .setMessage(messages.stream().map(this::inner).toList()).build())
            .build()).thenApply(RpcResult::isSuccessful);
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
