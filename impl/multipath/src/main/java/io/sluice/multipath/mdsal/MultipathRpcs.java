// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Bandwidth;
import io.sluice.api.Fabric;
import io.sluice.mdsal.Answers;
import io.sluice.multipath.engine.ConfigChecks;
import io.sluice.multipath.engine.ConfigChecks.Checked;
import io.sluice.multipath.engine.MultipathConfig;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.MultipathEngine;
import io.sluice.multipath.engine.TransferAnswer;
import io.sluice.multipath.placement.LinkAdvice;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.opendaylight.mdsal.binding.api.RpcProviderService;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.AdviseLinks;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.AdviseLinksInput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.AdviseLinksOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.AdviseLinksOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Explain;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FindPaths;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.PieceNumber;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Rebalance;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.RebalanceInput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.RebalanceOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.RebalanceOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReleaseTransfer;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReleaseTransferInput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReleaseTransferOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReleaseTransferOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReportLoad;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReportLoadInput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReportLoadOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.ReportLoadOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.RequestTransfer;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.RequestTransferInput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.RequestTransferOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.RequestTransferOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint32;

/** The RPCs of {@code sluice-multipath}; a refusal is an error with the reason. */
final class MultipathRpcs {
    private static final double PPM = 1e6;

    private final MultipathEngine engine;
    private final Fabric fabric;
    private final Supplier<CompletionStage<Void>> refresh;
    private final Supplier<Checked> checked;
    private final TransferConfig transfers;
    private final Executor loop;

    private record Report(String service, String server, long busiestPpm, long connections) { }

    /**
     * Each RPC waits for {@code refresh}, which gives the engine the latest configuration.
     *
     * @param checked the configuration as it was read, with what the engine was not given
     */
    MultipathRpcs(final MultipathEngine engine, final Fabric fabric, final Supplier<CompletionStage<Void>> refresh,
            final Supplier<Checked> checked, final TransferConfig transfers, final Executor loop) {
        this.engine = engine;
        this.fabric = fabric;
        this.refresh = refresh;
        this.checked = checked;
        this.transfers = transfers;
        this.loop = loop;
    }

    Registration register(final RpcProviderService provider, final FindPaths findPaths, final Explain explain) {
        return provider.registerRpcImplementations((RequestTransfer) this::requestTransfer,
            (ReleaseTransfer) this::releaseTransfer, (ReportLoad) this::reportLoad, (Rebalance) this::rebalance,
            (AdviseLinks) this::adviseLinks, findPaths, explain);
    }

    private ListenableFuture<RpcResult<RequestTransferOutput>> requestTransfer(final RequestTransferInput input) {
        return Answers.checked(() -> wanted(input), wanted -> onLoop(() -> {
            final var service = engine.config().services().get(wanted.service());
            if (service == null) {
                return noService(wanted.service());
            }
            if (stands(wanted.name())) {
                return refused(ErrorTag.DATA_EXISTS, "there is a transfer " + wanted.name() + " already"
                    + checked.get().ofTransfer(wanted.name()).map(fault -> ", which is not used: " + fault).orElse("")
                    + "; release it first");
            }
            final var transfer = wanted.pieces().isEmpty()
                ? wanted.of(IntStream.rangeClosed(1, service.pieces()).boxed().toList()) : wanted;
            final var fault = ConfigChecks.fault(transfer, service);
            if (fault.isPresent()) {
                return refused(ErrorTag.INVALID_VALUE, fault.orElseThrow());
            }
            return engine.request(transfer, () -> transfers.put(transfer)).thenCompose(answer -> switch (answer) {
                case TransferAnswer.Refused refusal -> refused(ErrorTag.RESOURCE_DENIED, refusal.reason());
                case TransferAnswer.Granted granted -> CompletableFuture.completedStage(
                    Answers.success(new RequestTransferOutputBuilder().setAssignment(granted.flows().stream()
                        .map(StateCodec::assignment).collect(BindingMap.toOrderedMap())).build()));
            });
        }));
    }

    private ListenableFuture<RpcResult<ReleaseTransferOutput>> releaseTransfer(final ReleaseTransferInput input) {
        return Answers.checked(() -> input.requireName().getValue(), name -> onLoop(() -> {
            final boolean placed = engine.release(name);
            if (!placed && !stands(name)) {
                return refused(ErrorTag.DATA_MISSING, "there is no transfer " + name);
            }
            return transfers.delete(name).thenApply(gone ->
                Answers.success(new ReleaseTransferOutputBuilder().build()));
        }));
    }

    /** True if the configuration has the transfer, sound or not. */
    private boolean stands(final String transfer) {
        return engine.config().transfers().containsKey(transfer) || checked.get().ofTransfer(transfer).isPresent();
    }

    private ListenableFuture<RpcResult<ReportLoadOutput>> reportLoad(final ReportLoadInput input) {
        return Answers.checked(() -> report(input), report -> onLoop(() -> {
            final var service = engine.config().services().get(report.service());
            if (service == null) {
                return noService(report.service());
            }
            final var found = service.servers().stream().filter(known -> known.name().equals(report.server()))
                .findFirst();
            if (found.isEmpty()) {
                return refused(ErrorTag.DATA_MISSING, "service " + service.name() + " has no server "
                    + report.server() + "; it has " + service.servers().stream()
                        .map(MultipathConfig.Server::name).toList());
            }
            final var server = found.orElseThrow();
            final double connections = (double) report.connections() / server.maxLoad();
            final double busiest = report.busiestPpm() / PPM;
            engine.reportLoad(service.name(), server.name(), Math.min(1, Math.max(busiest, connections)));
            return CompletableFuture.completedStage(Answers.success(new ReportLoadOutputBuilder().build()));
        }));
    }

    private ListenableFuture<RpcResult<RebalanceOutput>> rebalance(final RebalanceInput input) {
        return Answers.of(onLoop(() -> engine.review(true).thenApply(moved ->
            Answers.success(new RebalanceOutputBuilder().setMoved(Uint32.valueOf(moved)).build()))));
    }

    private ListenableFuture<RpcResult<AdviseLinksOutput>> adviseLinks(final AdviseLinksInput input) {
        return Answers.of(onLoop(() -> {
            final var named = Optional.ofNullable(input.getService()).map(ObjectName::getValue);
            final var services = engine.config().services();
            if (named.filter(name -> !services.containsKey(name)).isPresent()) {
                return noService(named.orElseThrow());
            }
            final var edges = LinkAdvice.of(fabric.snapshot(), services.values().stream()
                .filter(service -> named.isEmpty() || service.name().equals(named.orElseThrow()))
                .map(MultipathRpcs::offers).toList());
            return edges.isEmpty() ? refused(ErrorTag.DATA_MISSING, "no server of "
                    + named.map(name -> "service " + name).orElse("any service")
                    + " was seen; let one send a packet first")
                : CompletableFuture.completedStage(Answers.success(new AdviseLinksOutputBuilder()
                    .setEdge(edges.stream().map(StateCodec::edge).collect(BindingMap.toOrderedMap())).build()));
        }));
    }

    private static List<LinkAdvice.Offer> offers(final Service service) {
        return service.servers().stream().map(server -> new LinkAdvice.Offer(server.address(),
            server.ports().stream().map(MultipathConfig.ServerPort::piece).collect(Collectors.toSet()))).toList();
    }

    /** The transfer that is asked for; it names no pieces if all are wanted. */
    private static Transfer wanted(final RequestTransferInput input) {
        final var pieces = input.getPiece() == null ? Stream.<PieceNumber>empty() : input.getPiece().stream();
        return new Transfer(input.requireName().getValue(), Values.address(input.requireClient()),
            input.requireService().getValue(), pieces.map(piece -> piece.getValue().toJava()).sorted().toList(),
            Optional.ofNullable(input.getBandwidth()).map(rate -> new Bandwidth(rate.getValue().longValue())),
            ConfigCodec.idleMs(input));
    }

    private static Report report(final ReportLoadInput input) {
        return new Report(input.requireService().getValue(), input.requireServer().getValue(),
            Math.max(input.requireProcessor().getValue().toJava(), input.requireMemory().getValue().toJava()),
            input.requireConnections().toJava());
    }

    private <O> CompletionStage<RpcResult<O>> noService(final String name) {
        return checked.get().ofService(name).map(fault -> MultipathRpcs.<O>refused(ErrorTag.INVALID_VALUE,
            "service " + name + " is not used: " + fault)).orElseGet(() ->
                refused(ErrorTag.DATA_MISSING, "there is no service " + name + "; add it to the configuration"));
    }

    private static <O> CompletionStage<RpcResult<O>> refused(final ErrorTag tag, final String reason) {
        return CompletableFuture.completedStage(Answers.refusal(tag, reason));
    }

    private <O> CompletionStage<RpcResult<O>> onLoop(final Supplier<CompletionStage<RpcResult<O>>> task) {
        return refresh.get().thenComposeAsync(refreshed -> task.get(), loop);
    }
}
