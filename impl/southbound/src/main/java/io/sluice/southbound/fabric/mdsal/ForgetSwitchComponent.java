// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.Acting;
import io.sluice.mdsal.Answers;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ForgetSwitch;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ForgetSwitchInput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ForgetSwitchOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.ForgetSwitchOutputBuilder;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;
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
        leadership = new Acting<>(cluster, () ->
            rpcProvider.registerRpcImplementation((ForgetSwitch) this::forget));
    }

    /** Leaves the group. */
    @Deactivate
    public void close() {
        leadership.close();
    }

    private ListenableFuture<RpcResult<ForgetSwitchOutput>> forget(final ForgetSwitchInput input) {
        return Answers.checked(() -> new SwitchId(input.requireSwitch().getValue()), switchId ->
            lead.forget(switchId).thenApply(reason ->
                reason.map(why -> Answers.<ForgetSwitchOutput>refusal(ErrorTag.RESOURCE_DENIED, why))
                    .orElseGet(() -> Answers.success(new ForgetSwitchOutputBuilder().build()))));
    }
}
