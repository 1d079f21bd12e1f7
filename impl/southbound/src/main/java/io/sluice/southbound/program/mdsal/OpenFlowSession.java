// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Claim.Metered;
import io.sluice.api.Claim.Traffic;
import io.sluice.api.Entry;
import io.sluice.api.Owner;
import io.sluice.api.SwitchId;
import io.sluice.southbound.decoders.TableQuestions;
import io.sluice.southbound.program.Change;
import io.sluice.southbound.program.EntryKey;
import io.sluice.southbound.program.EntryKey.AlienKey;
import io.sluice.southbound.program.EntryKey.GroupKey;
import io.sluice.southbound.program.EntryKey.MeterKey;
import io.sluice.southbound.program.Held;
import io.sluice.southbound.program.SwitchFeatures;
import io.sluice.southbound.program.SwitchSession;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.opendaylight.mdsal.binding.api.RpcService;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetFlowStatistics;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetFlowStatisticsInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetMeterStatistics;
import org.opendaylight.yang.gen.v1.urn.opendaylight.direct.statistics.rev160511.GetMeterStatisticsInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.statistics.rev130819.GetAggregateFlowStatisticsFromFlowTableForGivenMatch;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.statistics.rev130819.GetAggregateFlowStatisticsFromFlowTableForGivenMatchInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.statistics.rev130819.flow.and.statistics.map.list.FlowAndStatisticsMapList;
import org.opendaylight.yang.gen.v1.urn.opendaylight.flow.types.rev131026.FlowCookie;
import org.opendaylight.yang.gen.v1.urn.opendaylight.group.types.rev131018.Group;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.GetAllMeterConfigStatistics;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.GetAllMeterConfigStatisticsInputBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.meter.statistics.rev131111.MeterConfigStatsUpdated;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/**
 * One connection of one switch. It asks for flow entries with Sluice's mark only: the plugin drops a whole reply that
 * holds one field it does not know, and other people's entries may hold any.
 */
final class OpenFlowSession implements SwitchSession {
    private static final FlowCookie MARK = new FlowCookie(Uint64.fromLongBits(Owner.COOKIE_MARK));
    private static final FlowCookie MARK_MASK = new FlowCookie(Uint64.fromLongBits(Owner.COOKIE_MARK_MASK));
    private static final FlowCookie ANY_COOKIE = new FlowCookie(Uint64.ZERO);
    /** OpenFlow 1.3.5, section 7.3.5.2, OFPTT_ALL. */
    private static final Uint8 ALL_TABLES = Uint8.MAX_VALUE;

    private final Rpcs rpcs;
    private final StatisticsReplies.OfSession replies;
    private final SwitchFeatures features;
    private final MeterIds meterIds;
    private final EntryCodec codec;
    private final ChangeSender sender;
    private final GroupTable groupTable;

    private OpenFlowSession(final SwitchId switchId, final Rpcs rpcs, final StatisticsReplies.OfSession replies,
            final SwitchFeatures features) {
        this.rpcs = rpcs;
        this.replies = replies;
        this.features = features;
        meterIds = new MeterIds(features.meters().room());
        codec = new EntryCodec(switchId, meterIds);
        sender = new ChangeSender(rpcs, new EntryMessages(switchId, rpcs.node(), codec),
            features.bundles() ? Optional.of(new Bundles(rpcs)) : Optional.empty());
        groupTable = new GroupTable(rpcs, replies);
    }

    /**
     * Asks a switch that has just connected for its features; fails if it does not answer.
     *
     * @param tables how many tables it said it has when it connected
     */
    static CompletionStage<OpenFlowSession> open(final SwitchId switchId, final int tables, final RpcService rpcService,
            final StatisticsReplies replies, final TableQuestions tableQuestions) {
        final var rpcs = new Rpcs(rpcService, switchId.value());
        final var answers = replies.open(switchId.value());
        return new FeatureQuestions(rpcs, answers, tableQuestions).ask(tables)
            .thenApply(features -> new OpenFlowSession(switchId, rpcs, answers, features));
    }

    @Override
    public SwitchFeatures features() {
        return features;
    }

    @Override
    public CompletionStage<Contents> read() {
        final var contents = new HashMap<EntryKey, Held>();
        return readFlows(ALL_TABLES).thenAccept(flows -> flows.forEach(flow -> note(flow, contents)))
            .thenCompose(flows -> readGroups(contents)).thenCompose(groups -> readMeters(contents))
            .thenCompose(meters -> countFlows())
            .thenApply(all -> new Contents(contents, (int) Math.max(0, all - contents.values().stream()
                .filter(OpenFlowSession::isFlow).count())));
    }

    @Override
    public CompletionStage<Map<EntryKey, String>> apply(final List<Change> changes) {
        return sender.send(changes);
    }

    @Override
    public CompletionStage<Map<Long, Traffic>> traffic(final int tableId) {
        return readFlows(Uint8.valueOf(tableId)).thenApply(flows -> {
            final var traffic = new HashMap<Long, Traffic>();
            for (var flow : flows) {
                traffic.merge(flow.getCookie().getValue().longValue(), new Traffic(
                    flow.getPacketCount().getValue().longValue(), flow.getByteCount().getValue().longValue()),
                    Traffic::plus);
            }
            return traffic;
        });
    }

    @Override
    public CompletionStage<Map<Integer, Metered>> metered() {
        return features.meters().room() == 0 ? CompletableFuture.completedStage(Map.of())
            : rpcs.demand(GetMeterStatistics.class, new GetMeterStatisticsInputBuilder().setNode(rpcs.node()).build())
                .thenApply(output -> {
                    final var metered = new HashMap<Integer, Metered>();
                    output.nonnullMeterStats().values().forEach(meter ->
                        meterIds.number(meter.getMeterId().getValue().toJava()).ifPresent(number ->
                            EntryCodec.decode(meter).ifPresent(amount -> metered.put(number, amount))));
                    return metered;
                });
    }

    private CompletionStage<List<FlowAndStatisticsMapList>> readFlows(final Uint8 table) {
        return rpcs.demand(GetFlowStatistics.class, new GetFlowStatisticsInputBuilder().setNode(rpcs.node())
                .setTableId(table).setCookie(MARK).setCookieMask(MARK_MASK).build())
            .thenApply(output -> List.copyOf(output.nonnullFlowAndStatisticsMapList()));
    }

    private CompletionStage<Long> countFlows() {
        return rpcs.demand(GetAggregateFlowStatisticsFromFlowTableForGivenMatch.class,
                new GetAggregateFlowStatisticsFromFlowTableForGivenMatchInputBuilder().setNode(rpcs.node())
                    .setTableId(ALL_TABLES).setCookie(ANY_COOKIE).setCookieMask(ANY_COOKIE).build())
            .thenApply(output -> output.nonnullAggregatedFlowStatistics().stream()
                .mapToLong(statistics -> statistics.getFlowCount().getValue().longValue()).sum());
    }

    private CompletionStage<Void> readGroups(final Map<EntryKey, Held> contents) {
        return features.groups().equals(SwitchFeatures.Groups.NONE) ? CompletableFuture.completedStage(null)
            : groupTable.owned().thenAccept(groups -> groups.forEach((id, group) ->
                contents.put(new GroupKey(id), held(id, group))));
    }

    private CompletionStage<Void> readMeters(final Map<EntryKey, Held> contents) {
        return features.meters().room() == 0 ? CompletableFuture.completedStage(null)
            : rpcs.demand(GetAllMeterConfigStatistics.class,
                new GetAllMeterConfigStatisticsInputBuilder().setNode(rpcs.node()).build())
            .thenCompose(answer -> replies.await(MeterConfigStatsUpdated.class, answer.getTransactionId()))
            .thenAccept(meters -> note(meters, contents));
    }

    private void note(final FlowAndStatisticsMapList flow, final Map<EntryKey, Held> contents) {
        final long cookie = flow.getCookie().getValue().longValue();
        final int owner = Owner.ownerOfCookie(cookie);
        codec.decode(flow).ifPresentOrElse(
            entry -> contents.put(EntryKey.of(entry), new Held.Known(entry, owner, cookie)),
            () -> contents.put(codec.key(flow).orElseGet(() -> alien(flow)), new Held.Unknown(owner, flow)));
    }

    private static AlienKey alien(final FlowAndStatisticsMapList flow) {
        return new AlienKey("table " + flow.getTableId() + ", priority " + flow.getPriority() + ", other match "
            + flow.getMatch());
    }

    private Held held(final long groupId, final Optional<Group> described) {
        final int owner = Owner.ownerOfGroup(groupId);
        return described.map(group -> codec.decode(group).<Held>map(entry -> new Held.Known(entry, owner, 0))
            .orElseGet(() -> new Held.Unknown(owner, group))).orElseGet(() -> new Held.Unread(owner));
    }

    private void note(final MeterConfigStatsUpdated meters, final Map<EntryKey, Held> contents) {
        meters.nonnullMeterConfigStats().values().forEach(meter ->
            meterIds.number(meter.getMeterId().getValue().toJava()).ifPresent(number -> {
                final int owner = Owner.ownerOfMeter(number);
                contents.put(new MeterKey(number), codec.decode(meter).<Held>map(entry ->
                    new Held.Known(entry, owner, 0)).orElseGet(() -> new Held.Unknown(owner, meter)));
            }));
    }

    private static boolean isFlow(final Held held) {
        return switch (held) {
            case Held.Known known -> known.entry() instanceof Entry.Flow;
            case Held.Unknown unknown -> unknown.handle() instanceof FlowAndStatisticsMapList;
            case Held.Unread unread -> false;
        };
    }
}
