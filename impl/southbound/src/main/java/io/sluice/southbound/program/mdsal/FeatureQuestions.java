// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.southbound.decoders.TableQuestions;
import io.sluice.southbound.program.FlowTables;
import io.sluice.southbound.program.SwitchFeatures;
import io.sluice.southbound.program.SwitchFeatures.GroupCapability;
import io.sluice.southbound.program.SwitchFeatures.GroupType;
import io.sluice.southbound.program.SwitchFeatures.Groups;
import io.sluice.southbound.program.SwitchFeatures.MeterBand;
import io.sluice.southbound.program.SwitchFeatures.MeterCapability;
import io.sluice.southbound.program.SwitchFeatures.Meters;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GetGroupFeatures;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GetGroupFeaturesInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.statistics.rev131111.GroupFeaturesUpdated;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.Chaining;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.ChainingChecks;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupAll;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupFf;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupIndirect;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.GroupSelect;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.SelectLiveness;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.SelectWeight;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.GetMeterFeatures;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.GetMeterFeaturesInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.MeterFeaturesUpdated;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterBandDrop;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterBandDscpRemark;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterBurst;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterKbps;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterPktps;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.types.rev130918.MeterStats;
import org.opendaylight.yang.gen.v1.urn.opendaylight.table.service.rev131026.UpdateTable;
import org.opendaylight.yang.gen.v1.urn.opendaylight.table.service.rev131026.UpdateTableInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.table.service.rev131026.table.update.UpdatedTableBuilder;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a switch what it can do. A switch without groups or meters may refuse the question, of which the plugin says
 * nothing; one that does not answer it, but answers a barrier then, counts as having none.
 */
final class FeatureQuestions {
    private static final Logger LOG = LoggerFactory.getLogger(FeatureQuestions.class);
    private static final Map<Object, GroupType> GROUP_TYPES = Map.of(GroupAll.VALUE, GroupType.ALL,
        GroupSelect.VALUE, GroupType.SELECT, GroupIndirect.VALUE, GroupType.INDIRECT,
        GroupFf.VALUE, GroupType.FAST_FAILOVER);
    private static final Map<Object, GroupCapability> GROUP_CAPABILITIES = Map.of(
        SelectWeight.VALUE, GroupCapability.SELECT_WEIGHT, SelectLiveness.VALUE, GroupCapability.SELECT_LIVENESS,
        Chaining.VALUE, GroupCapability.CHAINING, ChainingChecks.VALUE, GroupCapability.CHAINING_CHECKS);
    private static final Map<Object, MeterBand> METER_BANDS = Map.of(MeterBandDrop.VALUE, MeterBand.DROP,
        MeterBandDscpRemark.VALUE, MeterBand.DSCP_REMARK);
    private static final Map<Object, MeterCapability> METER_CAPABILITIES = Map.of(
        MeterKbps.VALUE, MeterCapability.KILOBITS, MeterPktps.VALUE, MeterCapability.PACKETS,
        MeterBurst.VALUE, MeterCapability.BURST, MeterStats.VALUE, MeterCapability.STATISTICS);

    /** What a refusal counts as: transactions are not negative. */
    private static final long NO_TRANSACTION = -1;
    /** Others wait meanwhile; Open vSwitch needs some ten milliseconds. */
    private static final long PATIENCE_S = 2;

    private final Rpcs rpcs;
    private final StatisticsReplies.OfSession replies;
    private final TableQuestions tableQuestions;

    FeatureQuestions(final Rpcs rpcs, final StatisticsReplies.OfSession replies, final TableQuestions tableQuestions) {
        this.rpcs = rpcs;
        this.replies = replies;
        this.tableQuestions = tableQuestions;
    }

    /**
     * Asks; fails if the switch does not answer at all.
     *
     * @param tables how many tables the switch said it has when it connected
     */
    CompletableFuture<SwitchFeatures> ask(final int tables) {
        return groups().thenCompose(groups -> meters().thenCompose(meters -> new Bundles(rpcs).areSupported()
            .thenCombine(tables(tables), (bundles, described) -> new SwitchFeatures(described,
                groups.map(FeatureQuestions::decode).orElse(Groups.NONE),
                meters.map(FeatureQuestions::decode).orElse(Meters.NONE), bundles))));
    }

    /** A switch that refuses to describe its tables, or takes too long, does not describe them. */
    private CompletableFuture<FlowTables> tables(final int number) {
        final var question = new UpdateTableInputBuilder().setNode(rpcs.node())
            .setUpdatedTable(new UpdatedTableBuilder().build()).build();
        final var answer = tableQuestions.ask(() -> rpcs.invoke(UpdateTable.class, question)
            .thenApply(result -> result.isSuccessful()
                ? result.getResult().getTransactionId().getValue().longValue() : NO_TRANSACTION)
            .orTimeout(PATIENCE_S, TimeUnit.SECONDS));
        return unlessRefused(answer).thenApply(described -> {
            if (described.filter(tables -> !tables.isEmpty()).isEmpty()) {
                LOG.info("tables-undescribed switch={}", rpcs.nodeId());
            }
            return new FlowTables(number, described.orElse(Map.of()));
        });
    }

    private CompletableFuture<Optional<GroupFeaturesUpdated>> groups() {
        return unlessRefused(rpcs.demand(GetGroupFeatures.class,
                new GetGroupFeaturesInputBuilder().setNode(rpcs.node()).build())
            .thenCompose(answer -> replies.await(GroupFeaturesUpdated.class, answer.getTransactionId())));
    }

    private CompletableFuture<Optional<MeterFeaturesUpdated>> meters() {
        return unlessRefused(rpcs.demand(GetMeterFeatures.class,
                new GetMeterFeaturesInputBuilder().setNode(rpcs.node()).build())
            .thenCompose(answer -> replies.await(MeterFeaturesUpdated.class, answer.getTransactionId())));
    }

    private <N> CompletableFuture<Optional<N>> unlessRefused(final CompletableFuture<N> reply) {
        return reply.thenApply(Optional::of).exceptionallyCompose(failure ->
            failure.getCause() instanceof TimeoutException ? rpcs.barrier().thenApply(done -> Optional.empty())
                : CompletableFuture.failedFuture(failure));
    }

    /**
     * The room of each type stands in the order of the types. The plugin may fold equal numbers into one: then nobody
     * knows whose they are, and the largest stands for all, so that no type that is supported seems to have no room.
     */
    static Groups decode(final GroupFeaturesUpdated features) {
        final List<Uint32> rooms = features.requireMaxGroups();
        final long most = rooms.stream().mapToLong(Uint32::toJava).max().orElse(0);
        final boolean isWhole = rooms.size() == GroupType.values().length;
        final var room = new EnumMap<GroupType, Long>(GroupType.class);
        decode(features.requireGroupTypesSupported(), GROUP_TYPES).forEach(type ->
            room.put(type, isWhole ? rooms.get(type.ordinal()).toJava() : most));
        return new Groups(room, decode(features.requireGroupCapabilitiesSupported(), GROUP_CAPABILITIES));
    }

    static Meters decode(final MeterFeaturesUpdated features) {
        return new Meters(features.getMaxMeter() == null ? 0 : features.getMaxMeter().getValue().toJava(),
            features.getMaxBands() == null ? 0 : features.getMaxBands().toJava(),
            decode(features.requireMeterBandSupported(), METER_BANDS),
            decode(features.requireMeterCapabilitiesSupported(), METER_CAPABILITIES));
    }

    private static <T> Set<T> decode(final Set<?> identities, final Map<Object, T> names) {
        return identities.stream().filter(names::containsKey).map(names::get).collect(Collectors.toSet());
    }
}
