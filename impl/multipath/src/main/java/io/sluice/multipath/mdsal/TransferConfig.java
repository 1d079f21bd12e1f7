// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.mdsal.DatastoreWrites;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Multipath;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.PieceNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.TransferBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.TransferKey;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PositiveBitRate;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Transfers in the configuration: what an RPC granted stands there too, so that it outlives the controller. */
final class TransferConfig {
    private final DatastoreWrites writes;

    TransferConfig(final DataBroker dataBroker) {
        writes = new DatastoreWrites(dataBroker, "configured transfers", Thread::startVirtualThread);
    }

    CompletionStage<Void> put(final Transfer transfer) {
        return writes.write(transaction -> transaction.mergeParentStructurePut(LogicalDatastoreType.CONFIGURATION,
            path(transfer.name()), new TransferBuilder().setName(new ObjectName(transfer.name()))
                .setClient(Values.address(transfer.client())).setService(new ObjectName(transfer.service()))
                .setPiece(transfer.pieces().stream().map(piece -> new PieceNumber(Uint16.valueOf(piece)))
                    .collect(Collectors.toSet()))
                .setBandwidth(transfer.bandwidth().map(rate ->
                    new PositiveBitRate(Uint64.valueOf(rate.bitsPerSecond()))).orElse(null))
                .setIdleTimeout(transfer.idleMs().isEmpty() ? null : Uint32.valueOf(transfer.idleMs().getAsLong()))
                .build()));
    }

    CompletionStage<Void> delete(final String name) {
        return writes.write(transaction -> transaction.delete(LogicalDatastoreType.CONFIGURATION, path(name)));
    }

    private static DataObjectIdentifier<
            org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Transfer> path(
            final String name) {
        return DataObjectIdentifier.builder(Multipath.class).child(
            org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Transfer.class,
            new TransferKey(new ObjectName(name))).build();
    }
}
