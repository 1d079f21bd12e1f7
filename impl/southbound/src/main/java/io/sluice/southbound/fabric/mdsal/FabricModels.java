// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.fabric.mdsal;

import io.sluice.api.Bandwidth;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.Host;
import io.sluice.api.Link;
import io.sluice.api.MacAddress;
import io.sluice.api.Port;
import io.sluice.api.PortId;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.SwitchStates.State;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.AddressConflict;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.AddressConflictBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.Fabric;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.HostChange;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.HostChangeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.LinkChange;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.LinkChangeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.PortChange;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.PortChangeBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.SharedRiskGroup;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.Hosts;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.Links;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.Switches;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.hosts.HostBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.links.LinkBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.switches.Switch;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.switches._switch.PortBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.link.change.DestinationBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.link.change.SourceBuilder;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.BitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.PositiveBitRate;
import org.opendaylight.yang.gen.v1.urn.sluice.types.rev261121.VlanOrNone;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;
import org.opendaylight.yangtools.binding.util.BindingMap;
import org.opendaylight.yangtools.yang.common.Uint16;
import org.opendaylight.yangtools.yang.common.Uint32;
import org.opendaylight.yangtools.yang.common.Uint64;

/** Snapshots in the words of sluice-fabric. */
final class FabricModels {
    static final DataObjectIdentifier<Fabric> ROOT = DataObjectIdentifier.builder(Fabric.class).build();
    /** All that snapshots fill. */
    static final List<DataObjectIdentifier<?>> PARTS = List.of(ROOT.toBuilder().child(Switches.class).build(),
        ROOT.toBuilder().child(Links.class).build(), ROOT.toBuilder().child(Hosts.class).build());

    private FabricModels() {
        // functions only
    }

    /** The entries of all lists, by their paths. */
    static Map<DataObjectIdentifier<?>, DataObject> encode(final FabricSnapshot snapshot,
            final Map<SwitchId, State> states) {
        final var data = new HashMap<DataObjectIdentifier<?>, DataObject>();
        final var ports = snapshot.ports().values().stream()
            .collect(Collectors.groupingBy(port -> port.id().switchId()));
        states.forEach((switchId, state) -> {
            final var node = SwitchWords.encode(switchId, state)
                .setPort(ports.getOrDefault(switchId, List.of()).stream().map(FabricModels::encode)
                    .collect(BindingMap.toMap()))
                .build();
            data.put(ROOT.toBuilder().child(Switches.class).child(Switch.class, node.key()).build(), node);
        });
        snapshot.links().forEach(link -> {
            final var encoded = encode(link);
            data.put(ROOT.toBuilder().child(Links.class).child(
                org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.links.Link.class, encoded.key())
                .build(), encoded);
        });
        snapshot.hosts().forEach(host -> {
            final var encoded = encode(host);
            data.put(ROOT.toBuilder().child(Hosts.class).child(
                org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.hosts.Host.class, encoded.key())
                .build(), encoded);
        });
        return data;
    }

    static LinkChange linkChange(final Link link, final boolean up) {
        return new LinkChangeBuilder().setUp(up)
            .setSource(new SourceBuilder().setSwitch(Names.encode(link.source().switchId()))
                .setPort(Names.encode(link.source().number())).build())
            .setDestination(new DestinationBuilder().setSwitch(Names.encode(link.destination().switchId()))
                .setPort(Names.encode(link.destination().number())).build())
            .build();
    }

    static PortChange portChange(final PortId port, final String name, final PortChange.State state) {
        return new PortChangeBuilder().setSwitch(Names.encode(port.switchId())).setPort(Names.encode(port.number()))
            .setName(name).setState(state).build();
    }

    static HostChange hostChange(final Host host, final HostChange.Change change) {
        return new HostChangeBuilder().setVlan(HostWords.vlan(host.vlan())).setMac(HostWords.encode(host.mac()))
            .setChange(change)
            .setAddress(HostWords.encode(host.addresses()))
            .setSwitch(Names.encode(host.attachment().switchId()))
            .setPort(Names.encode(host.attachment().number())).build();
    }

    static AddressConflict addressConflict(final io.sluice.southbound.hosts.HostChange.Contested contested) {
        return conflict(contested.address(), contested.claimant(), contested.at())
            .setVlan(HostWords.vlan(contested.host().vlan())).setReason(AddressConflict.Reason.OwnerAnswers)
            .setOwner(HostWords.encode(contested.host().mac())).build();
    }

    static AddressConflict addressConflict(final io.sluice.southbound.hosts.HostChange.Disallowed disallowed) {
        final var host = disallowed.host();
        return conflict(disallowed.address(), host.mac(), host.attachment())
            .setVlan(HostWords.vlan(host.vlan())).setReason(AddressConflict.Reason.NotAllowed).build();
    }

    private static AddressConflictBuilder conflict(final InetAddress address, final MacAddress claimant,
            final PortId at) {
        return new AddressConflictBuilder().setAddress(HostWords.encode(address))
            .setClaimant(HostWords.encode(claimant)).setSwitch(Names.encode(at.switchId()))
            .setPort(Names.encode(at.number()));
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.switches._switch.Port encode(
            final Port port) {
        final var builder = new PortBuilder().setNumber(Names.encode(port.id().number())).setName(port.name())
            .setUp(port.up()).setReceived(rate(port.received())).setSent(rate(port.sent()));
        return port.capacity().equals(Bandwidth.ZERO) ? builder.build()
            : builder.setCapacity(new PositiveBitRate(bits(port.capacity()))).build();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.links.Link encode(
            final Link link) {
        final PortId source = link.source();
        final PortId destination = link.destination();
        return new LinkBuilder().setSourceSwitch(Names.encode(source.switchId()))
            .setSourcePort(Names.encode(source.number()))
            .setDestinationSwitch(Names.encode(destination.switchId()))
            .setDestinationPort(Names.encode(destination.number()))
            .setCapacity(rate(link.capacity())).setLoad(rate(link.load()))
            .setSharedRiskGroup(link.sharedRiskGroups().stream()
                .map(group -> new SharedRiskGroup(Uint32.valueOf(group))).collect(Collectors.toUnmodifiableSet()))
            .build();
    }

    private static org.opendaylight.yang.gen.v1.urn.sluice.fabric.rev261121.fabric.hosts.Host encode(
            final Host host) {
        return new HostBuilder().setVlan(new VlanOrNone(Uint16.valueOf(host.vlan())))
            .setMac(HostWords.encode(host.mac())).setAddress(HostWords.encode(host.addresses()))
            .setSwitch(Names.encode(host.attachment().switchId()))
            .setPort(Names.encode(host.attachment().number())).build();
    }

    private static BitRate rate(final Bandwidth bandwidth) {
        return new BitRate(bits(bandwidth));
    }

    private static Uint64 bits(final Bandwidth bandwidth) {
        return Uint64.valueOf(bandwidth.bitsPerSecond());
    }
}
