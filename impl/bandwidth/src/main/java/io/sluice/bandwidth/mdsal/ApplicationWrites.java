// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import io.sluice.bandwidth.ApplicationId;
import io.sluice.mdsal.DatastoreWrites;
import java.util.concurrent.CompletionStage;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Bandwidth;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RegisterApplicationInput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.Tenant;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.TenantKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.Application;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.ApplicationBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.ApplicationKey;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.application.FlowBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;

/** Applications in the configuration: what an RPC registers stands there, as if it had been written there. */
final class ApplicationWrites {
    private final DatastoreWrites writes;

    ApplicationWrites(final DataBroker dataBroker) {
        writes = new DatastoreWrites(dataBroker, "registered applications", Thread::startVirtualThread);
    }

    /** Completes when it stands there, as a whole in place of what had its name. */
    CompletionStage<Void> put(final ApplicationId id, final RegisterApplicationInput settings) {
        final var application = new ApplicationBuilder(settings).setName(new ObjectName(id.application()))
            .setFlow(settings.nonnullFlow().values().stream().map(flow -> new FlowBuilder(flow).build())
                .collect(BindingMap.toMap())).build();
        return writes.write(transaction ->
            transaction.mergeParentStructurePut(LogicalDatastoreType.CONFIGURATION, path(id), application));
    }

    CompletionStage<Void> delete(final ApplicationId id) {
        return writes.write(transaction -> transaction.delete(LogicalDatastoreType.CONFIGURATION, path(id)));
    }

    private static DataObjectIdentifier<Application> path(final ApplicationId id) {
        return DataObjectIdentifier.builder(Bandwidth.class)
            .child(Tenant.class, new TenantKey(new ObjectName(id.tenant())))
            .child(Application.class, new ApplicationKey(new ObjectName(id.application()))).build();
    }
}
