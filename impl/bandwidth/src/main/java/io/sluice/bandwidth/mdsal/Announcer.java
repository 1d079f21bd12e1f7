// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthEvents;
import io.sluice.bandwidth.engine.FlowState;
import io.sluice.bandwidth.engine.Reporting;
import io.sluice.mdsal.Notifier;
import java.util.Map;
import java.util.Optional;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReallocatedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportsChangedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RoundRefusedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what changed twice: a notification for programs, a line in the log for people. */
final class Announcer implements BandwidthEvents {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

    private final Notifier notifier;

    Announcer(final Notifier notifier) {
        this.notifier = notifier;
    }

    @Override
    public void reallocated(final Map<FlowId, Optional<FlowState>> flows) {
        LOG.info("reallocated flows={}", flows.size());
        LOG.debug("reallocated names={}", flows.keySet());
        notifier.offer(new ReallocatedBuilder().setAllocation(flows.entrySet().stream()
            .map(flow -> StateCodec.change(flow.getKey(), flow.getValue()))
            .collect(BindingMap.toOrderedMap())).build());
    }

    @Override
    public void heard(final ApplicationId application, final Reporting reporting) {
        LOG.info("reports-changed tenant={} application={} reports={}", application.tenant(),
            application.application(), reporting);
        notifier.offer(new ReportsChangedBuilder().setTenant(new ObjectName(application.tenant()))
            .setApplication(new ObjectName(application.application())).setReports(StateCodec.reporting(reporting))
            .build());
    }

    @Override
    public void refused(final String reason) {
        LOG.warn("round-refused reason=\"{}\"", reason);
        notifier.offer(new RoundRefusedBuilder().setReason(reason).build());
    }
}
