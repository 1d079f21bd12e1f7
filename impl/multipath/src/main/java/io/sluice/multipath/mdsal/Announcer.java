// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import io.sluice.api.Connection;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.Notifier;
import io.sluice.multipath.engine.FlowState;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.MultipathEvents;
import io.sluice.multipath.engine.Split;
import io.sluice.multipath.steering.FlowRecord;
import java.util.SortedSet;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FlowMoved;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FlowRefusedBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FlowWithdrawn;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FlowWithdrawnBuilder;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells each change of a flow twice: a notification for programs, a line in the log for people. */
final class Announcer implements MultipathEvents {
    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

    private final Notifier notifier;

    Announcer(final Notifier notifier) {
        this.notifier = notifier;
    }

    @Override
    public void placed(final FlowState flow) {
        LOG.info("flow-placed id={} key=\"{}\" server={} path={} rate={}", flow.record().id(), flow.record().key(),
            flow.record().server().getHostAddress(), flow.forward().links(), flow.why().expectedRate());
        notifier.offer(StateCodec.placed(flow).build());
    }

    @Override
    public void moved(final FlowState flow, final MoveCause cause) {
        LOG.info("flow-moved id={} cause={} path={} rate={}", flow.record().id(), cause, flow.forward().links(),
            flow.why().expectedRate());
        notifier.offer(StateCodec.moved(flow).setCause(switch (cause) {
            case PATH_BROKEN -> FlowMoved.Cause.PathBroken;
            case HOST_MOVED -> FlowMoved.Cause.HostMoved;
            case BETTER_PATH -> FlowMoved.Cause.BetterPath;
            case SINGLE_PATH -> FlowMoved.Cause.SinglePath;
            case SPREAD_AGAIN -> FlowMoved.Cause.SpreadAgain;
            case SERVER_GONE -> FlowMoved.Cause.ServerGone;
            case SPLIT_CORRECTED -> FlowMoved.Cause.SplitCorrected;
            case ASKED_ANEW -> FlowMoved.Cause.AskedAnew;
            case SERVER_DRAINED -> FlowMoved.Cause.ServerDrained;
        }).build());
    }

    @Override
    public void withdrawn(final FlowState flow, final WithdrawCause cause) {
        LOG.info("flow-withdrawn id={} cause={}", flow.record().id(), cause);
        notifier.offer(new FlowWithdrawnBuilder().setId(Uint64.valueOf(flow.record().id()))
            .setCause(switch (cause) {
                case IDLE -> FlowWithdrawn.Cause.Idle;
                case RELEASED -> FlowWithdrawn.Cause.Released;
                case UNREACHABLE -> FlowWithdrawn.Cause.Unreachable;
                case SERVER_DRAINED -> FlowWithdrawn.Cause.ServerDrained;
                case SERVICE_GONE -> FlowWithdrawn.Cause.ServiceGone;
            }).build());
    }

    @Override
    public void refused(final Connection connection, final String reason) {
        LOG.info("flow-refused connection=\"{}\" reason=\"{}\"", connection, reason);
        notifier.offer(new FlowRefusedBuilder().setVlan(Values.vlan(connection.vlan()))
            .setClient(Values.address(connection.source()))
            .setDestination(Values.address(connection.destination())).setReason(reason).build());
    }

    @Override
    public void refused(final Transfer transfer, final String reason) {
        LOG.info("transfer-refused name={} reason=\"{}\"", transfer.name(), reason);
        notifier.offer(new FlowRefusedBuilder().setClient(Values.address(transfer.client()))
            .setReason("transfer " + transfer.name() + ": " + reason).build());
    }

    @Override
    public void refused(final String service, final SortedSet<Integer> slots, final SwitchId edge,
            final String reason) {
        LOG.warn("slots-refused service={} slots={} switch={} reason=\"{}\"", service, slots, edge, reason);
    }

    @Override
    public void turnedAway(final long packets) {
        LOG.warn("first-packets-turned-away packets={}", packets);
    }

    @Override
    public void dropped(final long packets) {
        // a line for each would be as many as there are packets: they are counted
    }

    @Override
    public void fragmentsRelayed(final long packets) {
        // counted, as above
    }

    @Override
    public void fragmentsDropped(final long packets) {
        // counted, as above
    }

    @Override
    public void forgotten(final FlowRecord flow, final String reason) {
        LOG.warn("flow-forgotten flow={} key=\"{}\" reason=\"{}\"", flow.id(), flow.key(), reason);
    }

    @Override
    public void splitChanged(final Split split) {
        LOG.info("split-changed transfer={} mode={} measured={} single-path={}", split.transfer(), split.mode(),
            split.measured(), split.singlePath());
        notifier.offer(SplitCodec.changed(split));
    }
}
