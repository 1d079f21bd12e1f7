// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus.mdsal;

import io.sluice.bus.BusState;
import io.sluice.mdsal.Notifier;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.SiteChangeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bus.rev261122.SiteName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells which links to other sites came or went, twice: a notification for programs, a line in the log for people. */
final class SiteAnnouncer {
    private static final Logger LOG = LoggerFactory.getLogger(SiteAnnouncer.class);

    private final Notifier notifier;
    private Set<String> linked = Set.of();

    SiteAnnouncer(final Notifier notifier) {
        this.notifier = notifier;
    }

    /** Tells what is another than at the last look. */
    void look(final Optional<BusState> state) {
        final var now = state.map(SiteAnnouncer::linked).orElseGet(Set::of);
        final var changed = new TreeSet<>(now);
        changed.addAll(linked);
        changed.removeIf(site -> now.contains(site) == linked.contains(site));
        linked = now;
        changed.forEach(site -> tell(site, now.contains(site)));
    }

    private static Set<String> linked(final BusState state) {
        return state.proxy().links().entrySet().stream()
            .filter(link -> link.getValue().up() && link.getKey().indexOf('/') < 0)
            .map(link -> link.getKey()).collect(Collectors.toUnmodifiableSet());
    }

    private void tell(final String site, final boolean up) {
        LOG.info("{} site={}", up ? "site-up" : "site-down", site);
        notifier.offer(new SiteChangeBuilder().setSite(new SiteName(site)).setUp(up).build());
    }
}
