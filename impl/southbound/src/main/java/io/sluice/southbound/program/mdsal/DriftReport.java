// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.SwitchId;
import io.sluice.mdsal.DatastoreWrites;
import io.sluice.mdsal.Notifier;
import io.sluice.southbound.program.Programmer.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.DriftRepairedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Fabric;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.Repairs;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.repairs.Repair;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.repairs.RepairBuilder;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what a repair found to mend, and counts it. To be called on one loop. */
final class DriftReport {
    private static final Logger LOG = LoggerFactory.getLogger(DriftReport.class);

    private final DatastoreWrites writes;
    private final Notifier notifier;
    private final Map<SwitchId, Long> repaired = new HashMap<>();
    /** Why switches could not be repaired the last time. */
    private final Map<SwitchId, String> troubles = new HashMap<>();

    DriftReport(final DataBroker dataBroker, final Notifier notifier) {
        writes = new DatastoreWrites(dataBroker, "how many entries were repaired", Runnable::run);
        this.notifier = notifier;
    }

    void report(final Map<SwitchId, Outcome> outcomes) {
        outcomes.forEach((switchId, outcome) -> {
            switch (outcome) {
                case Outcome.Compared compared -> {
                    tell(switchId, compared.refused().entrySet().stream().map(Map.Entry::toString).sorted()
                        .findFirst());
                    final long mended = compared.mended();
                    if (mended > 0) {
                        LOG.info("drift-repaired switch={} entries={}", switchId, mended);
                        notifier.offer(new DriftRepairedBuilder()
                            .setSwitch(ComparisonWords.encode(switchId)).setEntries(Uint32.valueOf(mended)).build());
                        count(switchId, repaired.merge(switchId, mended, Long::sum));
                    }
                }
                case Outcome.Failed failed -> tell(switchId, Optional.of(failed.reason()));
                case Outcome.Connecting connecting -> LOG.debug("{} is not compared while it connects", switchId);
            }
        });
    }

    /** Once, as long as the reason is the same. */
    private void tell(final SwitchId switchId, final Optional<String> trouble) {
        if (trouble.isEmpty()) {
            troubles.remove(switchId);
        } else if (!trouble.orElseThrow().equals(troubles.put(switchId, trouble.orElseThrow()))) {
            LOG.warn("switch-unrepaired switch={} reason=\"{}\"", switchId, trouble.orElseThrow());
        }
    }

    private void count(final SwitchId switchId, final long entries) {
        final var repair = new RepairBuilder().setSwitch(ComparisonWords.encode(switchId))
            .setEntries(Uint64.valueOf(entries))
            .build();
        writes.write(transaction -> transaction.put(LogicalDatastoreType.OPERATIONAL,
            DataObjectIdentifier.builder(Fabric.class).child(Repairs.class).child(Repair.class, repair.key()).build(),
            repair));
    }
}
