// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.yangtools.binding.Notification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends notifications, and never waits: one that the queue has no room for is lost, and told of in the log. */
public final class Notifier {
    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);

    private final NotificationPublishService publisher;

    public Notifier(final NotificationPublishService publisher) {
        this.publisher = publisher;
    }

    /** Sends, if there is room. */
    public void offer(final Notification<?> notification) {
        if (publisher.offerNotification(notification) == NotificationPublishService.REJECTED) {
            LOG.warn("notification-lost notification={}", notification);
        }
    }
}
