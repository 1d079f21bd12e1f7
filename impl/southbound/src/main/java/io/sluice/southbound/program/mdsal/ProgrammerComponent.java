// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Claim;
import io.sluice.api.FlowProgrammer;
import io.sluice.api.Owner;
import io.sluice.api.Subscription;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.Acting;
import io.sluice.mdsal.Loop;
import io.sluice.mdsal.Notifier;
import io.sluice.southbound.decoders.mdsal.Decoders;
import io.sluice.southbound.program.Programmer;
import io.sluice.southbound.program.Programmer.Outcome;
import io.sluice.southbound.program.SwitchFeatures;
import io.sluice.southbound.program.SwitchSession;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.opendaylight.mdsal.binding.api.DataBroker;
import org.opendaylight.mdsal.binding.api.NotificationPublishService;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.opendaylight.yangtools.concepts.Registration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Desired state on the switches of this controller, with the RPCs that compare and repair them. */
@Component(service = { FlowProgrammer.class, ProgrammerComponent.class })
public final class ProgrammerComponent implements FlowProgrammer {
    /** Drift is looked for this often: what another controller or a person changed, what was lost in a failover. */
    private static final long AUDIT_S = 30;
    /** What the plugin answers by notification comes within milliseconds, or never. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Loop loop = new Loop("sluice-southbound");
    private final Programmer programmer = new Programmer(loop);
    private final DriftReport drift;
    private final StatisticsReplies replies;
    private final SwitchWatcher watcher;
    private final Registration leadership;

    /** Starts to watch for switches. */
    @Activate
    public ProgrammerComponent(@Reference final DataBroker dataBroker, @Reference final RpcService rpcService,
            @Reference final NotificationService notifications, @Reference final NotificationPublishService publisher,
            @Reference final RpcProviderService rpcProvider, @Reference final ClusterSingletonServiceProvider cluster,
            @Reference final Decoders decoders) {
        replies = new StatisticsReplies(notifications, PATIENCE);
        watcher = new SwitchWatcher(dataBroker, programmer, loop,
            (switchId, tables) -> OpenFlowSession.open(switchId, tables, rpcService, replies,
                decoders.tableQuestions()));
        drift = new DriftReport(dataBroker, new Notifier(publisher));
        final var rpcs = new ProgrammerRpcs(programmer::validate, this::repair);
        leadership = new Acting<>(cluster, () -> rpcs.register(rpcProvider));
        loop.scheduleWithFixedDelay(() -> repair(Optional.empty()), AUDIT_S, AUDIT_S, TimeUnit.SECONDS);
    }

    @Override
    public Claim claim(final Owner owner) {
        return programmer.claim(owner);
    }

    /** Tells what each switch can do, those that are attached and those that will be. */
    public Subscription onAttached(final BiConsumer<SwitchId, SwitchFeatures> listener) {
        return programmer.onAttached(listener);
    }

    /** The session with an attached switch; nothing if there is none. */
    public CompletionStage<Optional<SwitchSession>> session(final SwitchId switchId) {
        return programmer.session(switchId);
    }

    /** Forgets a switch that has left for good, as {@link Programmer#forget} does. */
    public CompletionStage<Optional<String>> forget(final SwitchId switchId, final Owner owner) {
        return programmer.forget(switchId, owner);
    }

    /** Repairs one switch, or all, and tells what there was to repair. */
    private CompletionStage<Map<SwitchId, Outcome>> repair(final Optional<SwitchId> only) {
        return programmer.sync(only).thenApplyAsync(outcomes -> {
            drift.report(outcomes);
            return outcomes;
        }, loop);
    }

    /** Lets go of all switches; entries stay on them. */
    @Deactivate
    public void close() {
        leadership.close();
        watcher.close();
        replies.close();
        loop.shutdown();
    }
}
