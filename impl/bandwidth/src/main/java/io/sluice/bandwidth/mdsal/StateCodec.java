// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth.mdsal;

import io.sluice.bandwidth.AllocatableLink;
import io.sluice.bandwidth.Allocation.FlowRate;
import io.sluice.bandwidth.ApplicationId;
import io.sluice.bandwidth.FlowId;
import io.sluice.bandwidth.engine.BandwidthEngine;
import io.sluice.bandwidth.engine.Explanation;
import io.sluice.bandwidth.engine.FlowState;
import io.sluice.bandwidth.engine.FlowState.MeterState;
import io.sluice.bandwidth.engine.Reporting;
import io.sluice.bandwidth.engine.Totals;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.IetfInetUtil;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Bandwidth;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.BandwidthBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ExplainOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.ExplainOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RegisterApplicationOutput;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.RegisterApplicationOutputBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.Link;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.LinkBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.RoundEvents;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.RoundEventsBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.Tenant;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.TenantBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.Application;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.ApplicationBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.application.Flow;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.application.FlowBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.application.flow.Allocation;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.bandwidth.tenant.application.flow.AllocationBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.explain.output.SlowestBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ByteCount;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.ObjectName;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PacketCount;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.Ratio;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.SwitchId;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Flows and their rates in the words of {@code sluice-bandwidth}; what is absent is null on the YANG side. */
final class StateCodec {
    private StateCodec() {
        // functions only
    }

    /** All that the engine has to show. */
    static Bandwidth state(final BandwidthEngine engine) {
        final var tenants = engine.flows().stream().collect(Collectors.groupingBy(
            flow -> flow.id().application().tenant(), Collectors.groupingBy(flow -> flow.id().application())));
        return new BandwidthBuilder().setRefusal(engine.refusal().orElse(null))
            .setRoundEvents(events(engine.totals()))
            .setLink(engine.links().stream().map(StateCodec::shares).collect(BindingMap.toMap()))
            .setTenant(tenants.entrySet().stream().map(tenant -> tenant(tenant.getKey(), tenant.getValue(), engine))
                .collect(BindingMap.toMap())).build();
    }

    /** Whether an engine tells of its flows. */
    static org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Reporting reporting(final Reporting reporting) {
        return switch (reporting) {
            case NONE -> org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Reporting.None;
            case CURRENT -> org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Reporting.Current;
            case SILENT -> org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.Reporting.Silent;
        };
    }

    /** A flow of a round, for the answer to an RPC. */
    static org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.reallocate.output.Allocation answer(
            final FlowRate rate) {
        final var id = rate.flow();
        return new org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.reallocate.output.AllocationBuilder(
            allocation(Optional.of(rate)).build()).setTenant(new ObjectName(id.application().tenant()))
            .setApplication(new ObjectName(id.application().application())).setFlow(new ObjectName(id.flow())).build();
    }

    /** What each flow of an application has, for the answer to an RPC. */
    static RegisterApplicationOutput registered(final Collection<FlowState> flows, final ApplicationId id) {
        return new RegisterApplicationOutputBuilder().setFlow(flows.stream()
            .filter(flow -> flow.id().application().equals(id))
            .map(flow -> {
                final var builder = new org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.register
                    .application.output.FlowBuilder().setName(new ObjectName(flow.id().flow()));
                builder.fieldsFrom(allocation(flow));
                return builder.build();
            }).collect(BindingMap.toOrderedMap())).build();
    }

    /** A flow whose meter or mark changed, for a notification. */
    static org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.reallocated.Allocation change(
            final FlowId id, final Optional<FlowState> state) {
        return new org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.reallocated.AllocationBuilder(
            state.map(StateCodec::allocation).orElseGet(new AllocationBuilder()::build))
            .setTenant(new ObjectName(id.application().tenant()))
            .setApplication(new ObjectName(id.application().application())).setFlow(new ObjectName(id.flow())).build();
    }

    /** Why a flow has its rate. */
    static ExplainOutput explanation(final Explanation explanation) {
        final var builder = new ExplainOutputBuilder().setPending(explanation.flow().pending().orElse(null));
        builder.fieldsFrom(allocation(explanation.flow()));
        explanation.link().ifPresent(link -> builder.setLink(
            new org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.explain.output.LinkBuilder(shares(link))
                .setFlow(explanation.sharing().stream().map(StateCodec::sharing)
                    .collect(BindingMap.toOrderedMap())).build()));
        explanation.slowest().ifPresent(slowest -> builder.setSlowest(
            new SlowestBuilder(allocation(Optional.of(slowest)).build())
                .setFlow(new ObjectName(slowest.flow().flow())).build()));
        return builder.build();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.explain.output.link.Flow sharing(
            final FlowRate rate) {
        final var id = rate.flow();
        return new org.opendaylight.yang.gen.v1.urn.sluice.bandwidth.rev261121.explain.output.link.FlowBuilder()
            .setTenant(new ObjectName(id.application().tenant()))
            .setApplication(new ObjectName(id.application().application())).setFlow(new ObjectName(id.flow()))
            .setRate(rate(rate.rate().bitsPerSecond())).build();
    }

    private static Link shares(final AllocatableLink link) {
        return new LinkBuilder().setName(link.name()).setCapacity(rate(link.capacity().bitsPerSecond()))
            .setCrossTraffic(rate(link.crossTraffic().bitsPerSecond()))
            .setAvailable(rate(link.available().bitsPerSecond())).build();
    }

    static RoundEvents events(final Totals totals) {
        return new RoundEventsBuilder().setRounds(Uint64.valueOf(totals.rounds()))
            .setRefused(Uint64.valueOf(totals.refused()))
            .setMeterChanges(Uint64.valueOf(totals.meterChanges()))
            .setDecidingTime(microseconds(totals.decidingNs()))
            .setEnforcingTime(microseconds(totals.enforcingNs())).build();
    }

    private static Uint64 microseconds(final long nanoseconds) {
        return Uint64.valueOf(TimeUnit.NANOSECONDS.toMicros(nanoseconds));
    }

    private static Tenant tenant(final String name,
            final Map<ApplicationId, ? extends Collection<FlowState>> applications, final BandwidthEngine engine) {
        return new TenantBuilder().setName(new ObjectName(name)).setApplication(applications.entrySet().stream()
            .map(application -> application(application.getKey().application(), application.getValue(),
                engine.reporting(application.getKey())))
            .collect(BindingMap.toMap())).build();
    }

    private static Application application(final String name, final Collection<FlowState> flows,
            final Reporting reporting) {
        return new ApplicationBuilder().setName(new ObjectName(name)).setReports(reporting(reporting))
            .setFlow(flows.stream().map(StateCodec::flow).collect(BindingMap.toMap())).build();
    }

    private static Flow flow(final FlowState flow) {
        final var packets = flow.config().packets();
        return new FlowBuilder().setName(new ObjectName(flow.id().flow()))
            .setSource(IetfInetUtil.ipAddressNoZoneFor(packets.source()))
            .setDestination(IetfInetUtil.ipAddressNoZoneFor(packets.destination()))
            .setAllocation(allocation(flow)).build();
    }

    private static Allocation allocation(final FlowState flow) {
        final var meter = flow.meter();
        final var builder = allocation(flow.rate());
        flow.passage().ifPresent(passage -> builder
            .setMeasuredRate(passage.measured().map(measured -> rate(measured.bitsPerSecond())).orElse(null))
            .setDroppedPackets(new PacketCount(Uint64.valueOf(passage.dropped().packets())))
            .setDroppedBytes(new ByteCount(Uint64.valueOf(passage.dropped().bytes()))));
        return builder.setMeter(meter.map(MeterState::meter).filter(OptionalInt::isPresent)
                .map(number -> Uint16.valueOf(number.getAsInt())).orElse(null))
            .setSwitchMeter(meter.map(MeterState::switchMeter).filter(OptionalLong::isPresent)
                .map(id -> Uint32.valueOf(id.getAsLong())).orElse(null))
            .setQueue(meter.map(MeterState::queue).filter(OptionalLong::isPresent)
                .map(number -> Uint32.valueOf(number.getAsLong())).orElse(null))
            .setSwitch(flow.switchId().map(id -> new SwitchId(id.value())).orElse(null))
            .setMeterRate(meter.map(held -> rate(held.kilobits() * 1000)).orElse(null))
            .setLevel(flow.level().isPresent() ? Uint8.valueOf(flow.level().getAsInt()) : null)
            .setStatus(flow.pending().isPresent() ? Allocation.Status.Pending
                : meter.isPresent() || flow.level().isPresent() ? Allocation.Status.InPlace
                : Allocation.Status.Unmetered)
            .setReason(flow.pending().orElse(null)).build();
    }

    private static AllocationBuilder allocation(final Optional<FlowRate> given) {
        final var builder = new AllocationBuilder();
        given.ifPresent(rate -> {
            builder.setRate(rate(rate.rate().bitsPerSecond())).setIdle(rate.idle())
                .setBindingLink(rate.bindingLink().orElse(null))
                .setDemand(rate.demand().map(demand -> rate(demand.bitsPerSecond())).orElse(null));
            rate.utilityPpm().stream().filter(utility -> utility < Long.MAX_VALUE).forEach(utility ->
                builder.setUtility(new Ratio(Uint32.valueOf(Math.min(Uint32.MAX_VALUE.toJava(), utility)))));
        });
        return builder;
    }

    private static BitRate rate(final long bitsPerSecond) {
        return new BitRate(Uint64.valueOf(bitsPerSecond));
    }
}
