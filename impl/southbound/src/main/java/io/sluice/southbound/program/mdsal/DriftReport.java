// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.SwitchId;
import io.sluice.southbound.program.Programmer.Outcome;
import java.util.Map;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.DriftRepairedBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what a periodic comparison found. */
final class DriftReport {
    private static final Logger LOG = LoggerFactory.getLogger(DriftReport.class);

    private final NotificationPublishService publisher;

    DriftReport(final NotificationPublishService publisher) {
        this.publisher = publisher;
    }

    void report(final Map<SwitchId, Outcome> outcomes) {
        outcomes.forEach((switchId, outcome) -> {
            switch (outcome) {
                case Outcome.Compared compared -> {
                    final int differences = compared.comparison().differences().size();
                    if (differences > 0) {
                        LOG.info("drift-repaired switch={} entries={}", switchId, differences);
                        publisher.offerNotification(new DriftRepairedBuilder()
                            .setSwitch(Models.encode(switchId)).setEntries(Uint32.valueOf(differences)).build());
                    }
                }
                case Outcome.Failed failed -> LOG.warn("switch {} can't be audited: {}", switchId, failed.reason());
            }
        });
    }
}
