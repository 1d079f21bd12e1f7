// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.Action;
import io.sluice.api.Entry;
import io.sluice.api.Entry.Bucket;
import io.sluice.api.Entry.FailoverGroup;
import io.sluice.api.Entry.Flow;
import io.sluice.api.FlowMatch;
import io.sluice.api.FlowMatch.MaskedMac;
import io.sluice.api.Owner;
import io.sluice.api.PathLabel;
import io.sluice.api.Pipeline;
import io.sluice.api.SwitchId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Writes a record as the entries that the switches should hold. A function of its arguments. */
final class SteeringCompiler {
    private final Owner owner;

    SteeringCompiler(final Owner owner) {
        this.owner = owner;
    }

    /** Entries of {@code record}; {@code detours} knows all detours that a path names. */
    Map<SwitchId, List<Entry>> compile(final SteeringRecord record,
            final Function<PathLabel, DetourRecord> detours) {
        return switch (record) {
            case DetourRecord detour -> compile(detour);
            case PathRecord path -> compile(path, detours);
            case FlowRecord flow -> compile(flow);
        };
    }

    private static Map<SwitchId, List<Entry>> compile(final DetourRecord detour) {
        final var entries = new HashMap<SwitchId, List<Entry>>();
        detour.hops().stream().skip(1).forEach(hop -> entries.put(hop.out().switchId(),
            List.of(steer(detour.label(), List.of(new Action.Output(hop.out().number()))))));
        entries.put(detour.egress(), List.of(end(detour.label())));
        return Map.copyOf(entries);
    }

    private Map<SwitchId, List<Entry>> compile(final PathRecord path,
            final Function<PathLabel, DetourRecord> detours) {
        final var entries = new HashMap<SwitchId, List<Entry>>();
        final long groupId = owner.groupId((int) path.label().number());
        final var steer = steer(path.label(), List.of(new Action.ToGroup(groupId)));
        for (int index = 0; index < path.hops().size(); index++) {
            final var buckets = new ArrayList<Bucket>();
            final long port = path.hops().get(index).out().number();
            buckets.add(new Bucket(port, List.of(new Action.Output(port))));
            if (path.detourAround(index).map(detours).orElse(null) instanceof DetourRecord detour) {
                buckets.add(evade(detour, index == 0 ? Optional.empty() : Optional.of(path.hops().get(index - 1))));
            }
            entries.put(path.hops().get(index).out().switchId(),
                List.of(new FailoverGroup(groupId, buckets), steer));
        }
        entries.put(path.egress(), List.of(end(path.label())));
        return Map.copyOf(entries);
    }

    /** The bucket that enters a detour, on a switch that is reached by {@code arrival}. */
    private static Bucket evade(final DetourRecord detour, final Optional<Hop> arrival) {
        final var first = detour.hops().getFirst().out();
        final boolean back = arrival.map(Hop::in).stream().anyMatch(first::equals);
        return new Bucket(first.number(), List.of(new Action.SetEthernetDestination(detour.label().mac()),
            back ? new Action.OutputToIngress() : new Action.Output(first.number())));
    }

    private static Map<SwitchId, List<Entry>> compile(final FlowRecord flow) {
        final var key = flow.key();
        final var toServer = new ArrayList<Action>();
        final var toClient = new ArrayList<Action>();
        if (flow.isVirtual()) {
            toServer.add(new Action.SetIpDestination(flow.server()));
            toClient.add(new Action.SetIpSource(key.target()));
        }
        flow.labels().ifPresent(labels -> {
            toServer.add(new Action.SetEthernetDestination(labels.forward().mac()));
            toClient.add(new Action.SetEthernetDestination(labels.backward().mac()));
        });
        final int next = flow.labels().isPresent() ? Pipeline.STEER : Pipeline.DELIVER;
        final var forward = new Flow(Pipeline.CLASSIFY, key.forwardPriority(), key.forward(), toServer)
            .goingOnTo(next);
        final var backward = flow.replyTo().stream().<Entry>map(clients -> new Flow(Pipeline.CLASSIFY,
            key.backwardPriority(), key.backward(flow.server(), clients), toClient).goingOnTo(next)).toList();
        return flow.labels().isPresent()
            ? Map.of(flow.clientSide(), List.of(forward), flow.serverSide(), backward)
            : Map.of(flow.clientSide(), Stream.concat(Stream.of(forward), backward.stream()).toList());
    }

    private static Flow end(final PathLabel label) {
        return steer(label, List.of()).goingOnTo(Pipeline.DELIVER);
    }

    private static Flow steer(final PathLabel label, final List<Action> actions) {
        return new Flow(Pipeline.STEER, Pipeline.PRIORITY_CONNECTION,
            FlowMatch.builder().ethernetDestination(MaskedMac.exact(label.mac())).build(), actions);
    }
}
