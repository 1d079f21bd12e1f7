// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

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
import org.opendaylight.yangtools.yang.common.Uint64;

/** Transfers in the configuration: what an RPC granted stands there too, so that it outlives the controller. */
final class TransferConfig {
    private final DataBroker dataBroker;

    TransferConfig(final DataBroker dataBroker) {
        this.dataBroker = dataBroker;
    }

    CompletionStage<Void> put(final Transfer transfer) {
        final var transaction = dataBroker.newWriteOnlyTransaction();
        transaction.mergeParentStructurePut(LogicalDatastoreType.CONFIGURATION, path(transfer.name()),
            new TransferBuilder().setName(new ObjectName(transfer.name()))
                .setClient(Values.address(transfer.client())).setService(new ObjectName(transfer.service()))
                .setPiece(transfer.pieces().stream().map(piece -> new PieceNumber(Uint16.valueOf(piece)))
                    .collect(Collectors.toSet()))
                .setBandwidth(transfer.bandwidth().map(rate ->
                    new PositiveBitRate(Uint64.valueOf(rate.bitsPerSecond()))).orElse(null)).build());
        return Committed.commit(transaction);
    }

    CompletionStage<Void> delete(final String name) {
        final var transaction = dataBroker.newWriteOnlyTransaction();
        transaction.delete(LogicalDatastoreType.CONFIGURATION, path(name));
        return Committed.commit(transaction);
    }

    private static DataObjectIdentifier<org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Transfer> path(final String name) {
        return DataObjectIdentifier.builder(Multipath.class)
            .child(org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.multipath.Transfer.class, new TransferKey(new ObjectName(name)))
            .build();
    }
}
