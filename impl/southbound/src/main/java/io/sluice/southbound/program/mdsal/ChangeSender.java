// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Failures;
import io.sluice.southbound.program.Change;
import io.sluice.southbound.program.Change.Kind;
import io.sluice.southbound.program.EntryKey;
import io.sluice.southbound.program.EntryKey.MeterKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.AddFlowInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlow;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.service.rev130819.RemoveFlowInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.AddGroupInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.RemoveGroupInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.UpdateGroup;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.service.rev130918.UpdateGroupInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.AddMeter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.AddMeterInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.RemoveMeter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.RemoveMeterInput;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.UpdateMeter;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.service.rev130918.UpdateMeterInput;
import org.opendaylight.yangtools.binding.RpcInput;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends changes to one switch. Where it has bundles, flows and groups change all at once; if it refuses that, and
 * where it has none, one goes after the other, in an order that is safe at each step, so that what is refused is known
 * by entry. Meters, which the plugin can't bundle, are there before what uses them and go after it.
 */
final class ChangeSender {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeSender.class);

    private final Rpcs rpcs;
    private final EntryMessages messages;
    private final Optional<Bundles> bundles;

    /**
     * Starts.
     *
     * @param bundles those of the switch; nothing if it has none
     */
    ChangeSender(final Rpcs rpcs, final EntryMessages messages, final Optional<Bundles> bundles) {
        this.rpcs = rpcs;
        this.messages = messages;
        this.bundles = bundles;
    }

    /** Carries out changes that stand in the order of their ranks; completes with what the switch refused, and why. */
    CompletionStage<Map<EntryKey, String>> send(final List<Change> changes) {
        final var refused = new ConcurrentHashMap<EntryKey, String>();
        final var bundled = changes.stream().filter(change -> !(change.key() instanceof MeterKey)).toList();
        final var sent = bundles.isEmpty() || bundled.size() < 2 ? oneByOne(changes, refused)
            : oneByOne(meters(changes, false), refused)
                .thenCompose(done -> atOnce(bundles.orElseThrow(), bundled, refused))
                .thenCompose(done -> oneByOne(meters(changes, true), refused));
        return sent.thenApply(done -> refused);
    }

    private static List<Change> meters(final List<Change> changes, final boolean removed) {
        return changes.stream().filter(change -> change.key() instanceof MeterKey
            && change.kind() == Kind.REMOVE == removed).toList();
    }

    private CompletableFuture<Void> atOnce(final Bundles switchBundles, final List<Change> changes,
            final Map<EntryKey, String> refused) {
        final List<RpcInput> inputs;
        try {
            inputs = changes.stream().map(messages::of).toList();
        } catch (RuntimeException e) {
            return oneByOne(changes, refused);
        }
        return switchBundles.carryOut(inputs).thenCompose(refusal -> {
            refusal.ifPresent(reason -> LOG.info("bundle-refused switch={} changes={} reason=\"{}\"", rpcs.nodeId(),
                changes.size(), reason));
            return refusal.isEmpty() ? CompletableFuture.completedFuture(null) : oneByOne(changes, refused);
        });
    }

    private CompletableFuture<Void> oneByOne(final List<Change> changes, final Map<EntryKey, String> refused) {
        if (changes.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        final var answers = new ArrayList<CompletableFuture<?>>();
        int rank = changes.getFirst().rank();
        for (var change : changes) {
            if (change.rank() != rank) {
                answers.add(rpcs.barrier());
                rank = change.rank();
            }
            answers.add(send(change, refused));
        }
        answers.add(rpcs.barrier());
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
    }

    private CompletableFuture<?> send(final Change change, final Map<EntryKey, String> refused) {
        final CompletableFuture<? extends RpcResult<?>> answer;
        try {
            answer = invoke(messages.of(change));
        } catch (RuntimeException e) {
            refused.put(change.key(), Failures.reason(e));
            return CompletableFuture.completedFuture(null);
        }
        return answer.thenAccept(result -> {
            if (!result.isSuccessful()) {
                refused.put(change.key(), Rpcs.reason(result));
            }
        });
    }

    private CompletableFuture<? extends RpcResult<?>> invoke(final RpcInput message) {
        return switch (message) {
            case AddFlowInput flow -> rpcs.invoke(AddFlow.class, flow);
            case RemoveFlowInput flow -> rpcs.invoke(RemoveFlow.class, flow);
            case AddGroupInput group -> rpcs.invoke(AddGroup.class, group);
            case UpdateGroupInput group -> rpcs.invoke(UpdateGroup.class, group);
            case RemoveGroupInput group -> rpcs.invoke(RemoveGroup.class, group);
            case AddMeterInput meter -> rpcs.invoke(AddMeter.class, meter);
            case UpdateMeterInput meter -> rpcs.invoke(UpdateMeter.class, meter);
            case RemoveMeterInput meter -> rpcs.invoke(RemoveMeter.class, meter);
            default -> throw new IllegalArgumentException("no message of ours: " + message);
        };
    }
}
