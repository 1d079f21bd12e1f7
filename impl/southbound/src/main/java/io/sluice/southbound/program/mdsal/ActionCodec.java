// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.program.mdsal;

import io.sluice.api.Action;
import io.sluice.api.FlowMatch;
import io.sluice.api.MaskedIp;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Dscp;
import org.opendaylight.yang.gen.v1.urn.ietf.params.xml.ns.yang.ietf.inet.types.rev130715.Uri;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.GroupActionCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.GroupActionCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.OutputActionCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.OutputActionCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.SetFieldCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.SetFieldCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.SetQueueActionCase;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.SetQueueActionCaseBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.group.action._case.GroupActionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.output.action._case.OutputActionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.set.field._case.SetField;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.set.field._case.SetFieldBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.action.set.queue.action._case.SetQueueActionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.ActionBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.ActionKey;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.ethernet.match.fields.EthernetDestinationBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.ethernet.match.fields.EthernetSourceBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.EthernetMatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.IpMatchBuilder;
import org.opendaylight.yang.gen.v1.urn.opendaylight.model.match.types.rev131026.match.Layer3Match;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint8;

/** Action lists to and from the OpenFlow plugin's model. */
final class ActionCodec {
    private static final String TO_CONTROLLER = "CONTROLLER";
    private static final String TO_INGRESS = "IN_PORT";
    /** Sends whole packets to the controller (OpenFlow 1.3.5, section 7.2.5, OFPCML_NO_BUFFER). */
    private static final Uint16 WHOLE = Uint16.MAX_VALUE;

    private ActionCodec() {
        // functions only
    }

    static Map<ActionKey, org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.Action>
            encode(final List<Action> actions) {
        final var encoded = BindingMap.<ActionKey,
            org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.Action>orderedBuilder();
        final var steps = actions.stream().flatMap(ActionCodec::steps).toList();
        for (int i = 0; i < steps.size(); i++) {
            encoded.add(new ActionBuilder().withKey(new ActionKey(i)).setAction(steps.get(i)).build());
        }
        return encoded.build();
    }

    /** Returns the actions, or nothing if there is one that Sluice never uses. */
    static Optional<List<Action>> decode(final Map<ActionKey,
            org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.Action> actions) {
        final var decoded = new ArrayList<Action>();
        final var ordered = actions.values().stream().sorted(Comparator.comparing(action -> action.key().getOrder()))
            .toList();
        int next = 0;
        while (next < ordered.size()) {
            final var one = decodeFirst(ordered.subList(next, ordered.size()));
            if (one.isEmpty()) {
                return Optional.empty();
            }
            decoded.add(one.orElseThrow());
            next += (int) steps(one.orElseThrow()).count();
        }
        return Optional.of(decoded);
    }

    /** What the switch is asked to do, one after the other. */
    private static Stream<org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.Action> steps(
            final Action action) {
        return switch (action) {
            case Action.AnswerArp answer -> ArpCodec.encode(answer).stream().map(field ->
                setField(new SetFieldBuilder().setLayer3Match(field)));
            case Action.AskBack ask -> NeighbourCodec.encode(ask).stream().map(field ->
                setField(new SetFieldBuilder().setLayer3Match(field)));
            default -> Stream.of(encode(action));
        };
    }

    /** Returns what the first step says, or it and those after it together. */
    private static Optional<Action> decodeFirst(final List<
            org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.Action> steps) {
        final var fields = steps.stream().map(ActionCodec::layer3).takeWhile(Optional::isPresent)
            .map(Optional::orElseThrow).toList();
        return decode(steps.getFirst().getAction()).or(() -> ArpCodec.decode(fields))
            .or(() -> NeighbourCodec.decode(fields));
    }

    private static Optional<Layer3Match> layer3(
            final org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.list.Action action) {
        return action.getAction() instanceof SetFieldCase set ? Optional.ofNullable(set.getSetField().getLayer3Match())
            : Optional.empty();
    }

    private static org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.Action encode(
            final Action action) {
        return switch (action) {
            case Action.AnswerArp answer -> throw new IllegalArgumentException("in one step: " + answer);
            case Action.AskBack ask -> throw new IllegalArgumentException("in one step: " + ask);
            case Action.Output output -> output(Long.toString(output.portNumber()), Uint16.ZERO);
            case Action.OutputToIngress ingress -> output(TO_INGRESS, Uint16.ZERO);
            case Action.OutputToController controller -> output(TO_CONTROLLER, WHOLE);
            case Action.ToGroup group -> new GroupActionCaseBuilder().setGroupAction(
                new GroupActionBuilder().setGroupId(Uint32.valueOf(group.groupId())).build()).build();
            case Action.SetQueue queue -> new SetQueueActionCaseBuilder().setSetQueueAction(
                new SetQueueActionBuilder().setQueueId(Uint32.valueOf(queue.number())).build()).build();
            case Action.SetEthernetSource set -> setField(new SetFieldBuilder().setEthernetMatch(
                new EthernetMatchBuilder().setEthernetSource(
                    new EthernetSourceBuilder().setAddress(MatchCodec.encode(set.address())).build()).build()));
            case Action.SetEthernetDestination set -> setField(new SetFieldBuilder().setEthernetMatch(
                new EthernetMatchBuilder().setEthernetDestination(
                    new EthernetDestinationBuilder().setAddress(MatchCodec.encode(set.address())).build()).build()));
            case Action.SetIpSource set -> setField(new SetFieldBuilder().setLayer3Match(
                AddressCodec.encode(Optional.of(MaskedIp.host(set.address())), Optional.empty())));
            case Action.SetIpDestination set -> setField(new SetFieldBuilder().setLayer3Match(
                AddressCodec.encode(Optional.empty(), Optional.of(MaskedIp.host(set.address())))));
            case Action.SetCodePoint mark -> setField(new SetFieldBuilder().setIpMatch(
                new IpMatchBuilder().setIpDscp(new Dscp(Uint8.valueOf(mark.codePoint()))).build()));
        };
    }

    private static OutputActionCase output(final String port, final Uint16 length) {
        return new OutputActionCaseBuilder().setOutputAction(
            new OutputActionBuilder().setOutputNodeConnector(new Uri(port)).setMaxLength(length).build()).build();
    }

    private static SetFieldCase setField(final SetFieldBuilder field) {
        return new SetFieldCaseBuilder().setSetField(field.build()).build();
    }

    private static Optional<Action> decode(
            final org.opendaylight.yang.gen.v1.urn.opendaylight.action.types.rev131112.action.Action action) {
        return switch (action) {
            case OutputActionCase output -> decodeOutput(output.getOutputAction().getOutputNodeConnector().getValue(),
                output.getOutputAction().getMaxLength());
            case GroupActionCase group -> Optional.of(
                new Action.ToGroup(group.getGroupAction().getGroupId().toJava()));
            case SetQueueActionCase queue -> Optional.of(
                new Action.SetQueue(queue.getSetQueueAction().getQueueId().toJava()));
            case SetFieldCase set -> decodeField(set.getSetField());
            default -> Optional.empty();
        };
    }

    private static Optional<Action> decodeOutput(final String port, final Uint16 length) {
        return switch (port) {
            case TO_INGRESS -> Optional.of(new Action.OutputToIngress());
            case TO_CONTROLLER -> WHOLE.equals(length) ? Optional.of(new Action.OutputToController())
                : Optional.empty();
            default -> port.chars().allMatch(Character::isDigit)
                ? Optional.of(new Action.Output(Long.parseLong(port))) : Optional.empty();
        };
    }

    private static Optional<Action> decodeField(final SetField field) {
        final var ethernet = field.getEthernetMatch();
        if (ethernet != null && ethernet.getEthernetDestination() != null) {
            return Optional.of(new Action.SetEthernetDestination(
                MatchCodec.decode(ethernet.getEthernetDestination().getAddress())));
        }
        if (ethernet != null && ethernet.getEthernetSource() != null) {
            return Optional.of(new Action.SetEthernetSource(
                MatchCodec.decode(ethernet.getEthernetSource().getAddress())));
        }
        if (field.getIpMatch() != null && field.getIpMatch().getIpDscp() != null) {
            return Optional.of(new Action.SetCodePoint(field.getIpMatch().getIpDscp().getValue().toJava()));
        }
        final var builder = FlowMatch.builder();
        AddressCodec.decode(field.getLayer3Match(), builder);
        final var match = builder.build();
        return match.source().<Action>map(prefix -> new Action.SetIpSource(prefix.address()))
            .or(() -> match.destination().map(prefix -> new Action.SetIpDestination(prefix.address())));
    }
}
