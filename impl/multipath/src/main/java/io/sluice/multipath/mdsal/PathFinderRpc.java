// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import com.google.common.util.concurrent.ListenableFuture;
import io.sluice.api.Fabric;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Path;
import io.sluice.api.SwitchId;
import io.sluice.mdsal.Answers;
import io.sluice.multipath.placement.PathFinder;
import io.sluice.multipath.placement.PathFinder.Unshared;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IpAddressNoZone;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.Disjointness;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FindPaths;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FindPathsInput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FindPathsOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.FindPathsOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.find.paths.output.PathBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.find.paths.output.PathKey;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.ErrorTag;
import org.opendaylight.yangtools.yang.common.RpcResult;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Answers {@code find-paths} from the fabric as it is now. */
final class PathFinderRpc implements FindPaths {
    private static final int DEFAULT_PATHS = 2;

    private final Fabric fabric;

    PathFinderRpc(final Fabric fabric) {
        this.fabric = fabric;
    }

    @Override
    public ListenableFuture<RpcResult<FindPathsOutput>> invoke(final FindPathsInput input) {
        return Answers.checked(() -> {
            input.requireSource();
            input.requireDestination();
            return input;
        }, wanted -> CompletableFuture.completedStage(find(wanted)));
    }

    private RpcResult<FindPathsOutput> find(final FindPathsInput input) {
        final var snapshot = fabric.snapshot();
        final var source = place(input.getSource().getSwitchId(), input.getSource().getIpAddressNoZone(), snapshot);
        final var target = place(input.getDestination().getSwitchId(), input.getDestination().getIpAddressNoZone(),
            snapshot);
        if (source.isEmpty() || target.isEmpty()) {
            return Answers.refusal(ErrorTag.DATA_MISSING, (source.isEmpty() ? input.getSource().stringValue()
                : input.getDestination().stringValue()) + " is neither an attached switch nor a host that was seen");
        }
        if (source.equals(target)) {
            return Answers.refusal(ErrorTag.INVALID_VALUE, "source and destination are on one switch, "
                + source.orElseThrow());
        }
        final int paths = input.getPaths() == null ? DEFAULT_PATHS : input.getPaths().toJava();
        return answer(new PathFinder(snapshot).find(source.orElseThrow(), target.orElseThrow(), paths,
            unshared(input.getDisjointness())));
    }

    private static Unshared unshared(final Disjointness disjointness) {
        return disjointness == null ? Unshared.LINK : switch (disjointness) {
            case Link -> Unshared.LINK;
            case Node -> Unshared.SWITCH;
            case SharedRiskGroup -> Unshared.SHARED_RISK_GROUP;
        };
    }

    private static RpcResult<FindPathsOutput> answer(final PathFinder.Answer answer) {
        if (answer.paths().isEmpty()) {
            return Answers.refusal(ErrorTag.DATA_MISSING, "no path leads there");
        }
        final var paths = BindingMap.<PathKey,
            org.opendaylight.yang.gen.v1.urn.sluice.multipath.rev261121.find.paths.output.Path>orderedBuilder();
        for (int i = 0; i < answer.paths().size(); i++) {
            paths.add(new PathBuilder().setIndex(Uint8.valueOf(i)).setCost(Uint64.valueOf(answer.costs().get(i)))
                .setHop(StateCodec.hops(answer.paths().get(i))).build());
        }
        return Answers.success(new FindPathsOutputBuilder()
            .setDisjointPaths(Uint8.valueOf(answer.disjoint())).setProven(answer.proven()).setPath(paths.build())
            .setShared(new LinkedHashSet<>(answer.shared())).build());
    }

    private static Optional<SwitchId> place(final org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId switchId,
            final IpAddressNoZone address, final FabricSnapshot snapshot) {
        return switchId != null
            ? Optional.of(Values.switchId(switchId)).filter(snapshot.switches()::contains)
            : snapshot.host(Values.address(address)).map(host -> host.attachment().switchId());
    }
}
