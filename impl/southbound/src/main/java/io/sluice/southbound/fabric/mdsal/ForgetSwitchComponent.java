// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.SettableFuture;
import io.sluice.api.Failures;
import io.sluice.api.SwitchId;
import io.sluice.southbound.mdsal.ActingRpcs;
import java.util.Optional;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ForgetSwitch;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ForgetSwitchInput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ForgetSwitchOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ForgetSwitchOutputBuilder;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.ErrorType;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.RpcResultBuilder;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** The RPC {@code forget-switch}, on the controller that acts. */
@Component(service = { })
public final class ForgetSwitchComponent {
    private final LeadComponent lead;
    private final Registration leadership;

    /** Joins the group of those who may act. */
    @Activate
    public ForgetSwitchComponent(@Reference final LeadComponent lead, @Reference final RpcProviderService rpcProvider,
            @Reference final ClusterSingletonServiceProvider cluster) {
        this.lead = lead;
        leadership = ActingRpcs.offer(cluster, () ->
            rpcProvider.registerRpcImplementation((ForgetSwitch) this::forget));
    }

    /** Leaves the group. */
    @Deactivate
    public void close() {
        leadership.close();
    }

    private ListenableFuture<RpcResult<ForgetSwitchOutput>> forget(final ForgetSwitchInput input) {
        if (input.getSwitch() == null) {
            return RpcResultBuilder.<ForgetSwitchOutput>failed()
                .withError(ErrorType.APPLICATION, ErrorTag.MISSING_ELEMENT, "no switch is named").buildFuture();
        }
        final var answer = SettableFuture.<RpcResult<ForgetSwitchOutput>>create();
        lead.forget(new SwitchId(input.getSwitch().getValue())).whenComplete((reason, failure) ->
            answer.set(failure == null ? encode(reason) : refusal(Failures.reason(failure))));
        return answer;
    }

    private static RpcResult<ForgetSwitchOutput> encode(final Optional<String> reason) {
        return reason.map(ForgetSwitchComponent::refusal)
            .orElseGet(() -> RpcResultBuilder.success(new ForgetSwitchOutputBuilder().build()).build());
    }

    private static RpcResult<ForgetSwitchOutput> refusal(final String reason) {
        return RpcResultBuilder.<ForgetSwitchOutput>failed()
            .withError(ErrorType.APPLICATION, ErrorTag.RESOURCE_DENIED, reason).build();
    }
}
