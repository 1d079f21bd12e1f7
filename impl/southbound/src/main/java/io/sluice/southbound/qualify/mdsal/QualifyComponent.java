// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Fabric;
import io.sluice.api.Port;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.Acting;
import io.sluice.mdsal.Answers;
import io.sluice.southbound.program.SwitchSession;
import io.sluice.southbound.program.mdsal.ProgrammerComponent;
import io.sluice.southbound.qualify.Qualification;
import io.sluice.southbound.qualify.Qualification.Outcome;
import io.sluice.southbound.qualify.Qualification.Ports;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.opendaylight.mdsal.binding.api.NotificationService;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.mdsal.singleton.api.ClusterSingletonServiceProvider;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Qualify;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.QualifyInput;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.QualifyOutput;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RPC {@code qualify}, on the controller that acts. */
@Component(service = { })
public final class QualifyComponent {
    private static final Logger LOG = LoggerFactory.getLogger(QualifyComponent.class);
    private static final Executor MEASURING = task -> Thread.ofVirtual().name("sluice-qualify").start(task);

    private final ProgrammerComponent programmer;
    private final Fabric fabric;
    private final RpcService rpcService;
    private final NotificationService notifications;
    private final Registration leadership;
    private final Set<SwitchId> underWay = ConcurrentHashMap.newKeySet();

    /** Joins the group of those who may act. */
    @Activate
    public QualifyComponent(@Reference final ProgrammerComponent programmer, @Reference final Fabric fabric,
            @Reference final RpcService rpcService, @Reference final NotificationService notifications,
            @Reference final RpcProviderService rpcProvider, @Reference final ClusterSingletonServiceProvider cluster) {
        this.programmer = programmer;
        this.fabric = fabric;
        this.rpcService = rpcService;
        this.notifications = notifications;
        leadership = new Acting<>(cluster, () ->
            rpcProvider.registerRpcImplementation((Qualify) this::qualify));
    }

    /** Leaves the group. */
    @Deactivate
    public void close() {
        leadership.close();
    }

    private ListenableFuture<RpcResult<QualifyOutput>> qualify(final QualifyInput input) {
        return Answers.checked(() -> new SwitchId(input.requireSwitch().getValue()), switchId ->
            programmer.session(switchId).thenCompose(session -> {
                if (session.isEmpty()) {
                    return CompletableFuture.completedStage(refusal(switchId + " is not attached;"
                        + " sluice:show fabric switches lists those that are"));
                }
                return underWay.add(switchId)
                    ? CompletableFuture.supplyAsync(() -> measure(switchId, session.orElseThrow()), MEASURING)
                    : CompletableFuture.completedStage(refusal(switchId + " is being measured already;"
                        + " ask again when that is over"));
            }));
    }

    private RpcResult<QualifyOutput> measure(final SwitchId switchId, final SwitchSession session) {
        try (var probes = new SwitchProbes(switchId, rpcService, notifications)) {
            final var ports = new Ports(port(switchId, true), port(switchId, false));
            return switch (new Qualification(session, probes, ports, System::nanoTime).run()) {
                case Outcome.Measured measured ->
                    Answers.success(ReportWords.encode(measured.report()));
                case Outcome.Aborted aborted -> refusal(switchId + " " + aborted.reason());
            };
        } catch (RuntimeException e) {
            LOG.error("{} can't be measured", switchId, e);
            return refusal("the measurement of " + switchId + " broke off: " + e + "; see the log");
        } finally {
            underWay.remove(switchId);
        }
    }

    /** Lowest port of the switch in that state. */
    private Optional<Long> port(final SwitchId switchId, final boolean up) {
        return fabric.snapshot().ports().values().stream()
            .filter(port -> port.id().switchId().equals(switchId) && port.up() == up)
            .map(Port::id).map(port -> port.number()).min(Long::compare);
    }

    private static RpcResult<QualifyOutput> refusal(final String reason) {
        return Answers.refusal(ErrorTag.RESOURCE_DENIED, reason);
    }
}
