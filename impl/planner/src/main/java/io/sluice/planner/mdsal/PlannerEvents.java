// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.mdsal;

import io.sluice.mdsal.Notifier;
import io.sluice.planner.plan.Figures;
import io.sluice.planner.run.Status;
import java.util.Set;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.ChainsMovedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.RunEndedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.planner.rev261121.planner.Run;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what happens twice: a notification for programs, a line in the log for people. */
final class PlannerEvents {
    private static final Logger LOG = LoggerFactory.getLogger(PlannerEvents.class);

    private final Notifier notifier;

    PlannerEvents(final Notifier notifier) {
        this.notifier = notifier;
    }

    /** A run has ended, and is shown like this. */
    void runEnded(final Run run, final Status status) {
        LOG.info("run-ended number={} task={} outcome={} elapsed-ms={}", run.getNumber(), run.getTask().getName(),
            run.getOutcome().getName(), status.elapsedMs());
        notifier.offer(new RunEndedBuilder().setNumber(run.getNumber()).setTask(run.getTask())
            .setOutcome(run.getOutcome()).build());
    }

    /** Chains that stayed have other routes. */
    void chainsMoved(final Set<ObjectName> chains, final Figures figures) {
        LOG.info("chains-moved chains={} carried={} demand={}", chains.size(), figures.carried(), figures.demand());
        notifier.offer(new ChainsMovedBuilder().setChain(chains)
            .setCarried(WhatIfCodec.rate(figures.carried().bitsPerSecond()))
            .setDemand(WhatIfCodec.rate(figures.demand().bitsPerSecond())).build());
    }
}
