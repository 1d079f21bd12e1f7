// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthEvents;
import io.sluice.bandwidth.engine.Reporting;
import java.util.Map;
import java.util.Optional;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReallocatedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ReportsChangedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.Notification;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what changed twice: a notification for programs, a line in the log for people. */
final class Announcer implements BandwidthEvents {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

    private final NotificationPublishService publisher;

    Announcer(final NotificationPublishService publisher) {
        this.publisher = publisher;
    }

    @Override
    public void reallocated(final Map<FlowId, Optional<FlowRate>> flows) {
        LOG.info("reallocated flows={}", flows.keySet());
        tell(new ReallocatedBuilder().setAllocation(flows.entrySet().stream()
            .map(flow -> StateCodec.change(flow.getKey(), flow.getValue()))
            .collect(BindingMap.toOrderedMap())).build());
    }

    @Override
    public void heard(final ApplicationId application, final Reporting reporting) {
        LOG.info("reports-changed tenant={} application={} reports={}", application.tenant(),
            application.application(), reporting);
        tell(new ReportsChangedBuilder().setTenant(new ObjectName(application.tenant()))
            .setApplication(new ObjectName(application.application())).setReports(StateCodec.reporting(reporting))
            .build());
    }

    @Override
    public void refused(final String reason) {
        LOG.warn("round-refused reason=\"{}\"", reason);
    }

    private void tell(final Notification<?> notification) {
        if (publisher.offerNotification(notification) == NotificationPublishService.REJECTED) {
            LOG.debug("a notification was dropped: its queue is full");
        }
    }
}
