// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.Answers;
import io.sluice.southbound.program.Programmer.Outcome;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Sync;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SyncInput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SyncOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SyncOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Validate;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ValidateInput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ValidateOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ValidateOutputBuilder;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.RpcResult;

/** The RPCs {@code validate} and {@code sync}, on the controller that acts. */
final class ProgrammerRpcs {
    private final Action validate;
    private final Action sync;

    /** What is done to one switch, or to all. */
    interface Action extends Function<Optional<SwitchId>, CompletionStage<Map<SwitchId, Outcome>>> { }

    ProgrammerRpcs(final Action validate, final Action sync) {
        this.validate = validate;
        this.sync = sync;
    }

    Registration register(final RpcProviderService rpcProvider) {
        return rpcProvider.registerRpcImplementations((Validate) this::validate, (Sync) this::sync);
    }

    private ListenableFuture<RpcResult<ValidateOutput>> validate(final ValidateInput input) {
        return answer(validate.apply(name(input.getSwitch())),
            outcomes -> new ValidateOutputBuilder().setSwitch(ComparisonWords.encode(outcomes)).build());
    }

    private ListenableFuture<RpcResult<SyncOutput>> sync(final SyncInput input) {
        return answer(sync.apply(name(input.getSwitch())),
            outcomes -> new SyncOutputBuilder().setSwitch(ComparisonWords.encode(outcomes)).build());
    }

    private static Optional<SwitchId> name(
            final org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId switchId) {
        return Optional.ofNullable(switchId).map(id -> new SwitchId(id.getValue()));
    }

    private static <O> ListenableFuture<RpcResult<O>> answer(final CompletionStage<Map<SwitchId, Outcome>> outcomes,
            final Function<Map<SwitchId, Outcome>, O> encoder) {
        return Answers.of(outcomes.thenApply(encoder).thenApply(Answers::success));
    }
}
