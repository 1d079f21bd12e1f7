// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static io.sluice.multipath.engine.SlotBed.PORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.FabricSnapshot;
import io.sluice.api.FlowMatch;
import io.sluice.api.Host;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Ability;
import io.sluice.testlib.Addresses;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What first packets and replies of a service with slots come to at the controller. */
class SlotPacketsTest {
    private final SlotBed slots = new SlotBed(Strategy.JOINT, 3, 1);

    @Test
    void whatCannotBeLaidOutIsNotTriedAgainForEachPacket() {
        final var all = slots.bed.whole;
        final var late = beforeTheFirstHostCame();
        final var host = slots.clientHosts.getFirst();
        late.shown = new FabricSnapshot(2, all.switches(), all.ports(), all.links(), all.hosts());
        late.connect(host, slots.connection(host.addresses().iterator().next()));
        assertEquals(1, late.engine.flows().stream().filter(flow ->
            flow.record().clientSide().equals(host.attachment().switchId())).count());
    }

    @Test
    void theFirstPacketOfANewSwitchWaitsForItsSlots() {
        final var all = slots.bed.whole;
        final var late = beforeTheFirstHostCame();
        final var host = slots.clientHosts.getFirst();
        late.shown = new FabricSnapshot(3, all.switches(), all.ports(), all.links(), all.hosts());
        final var client = host.addresses().iterator().next();
        late.connect(host, slots.connection(client));
        late.runUntil(() -> !late.released.isEmpty());
        assertTrue(late.send(host, slots.servers.getFirst(), slots.connection(client)).toController().isEmpty());
        assertTrue(late.engine.flows().stream().allMatch(flow -> flow.record().key().isSlot()));
    }

    @Test
    void aClientsSwitchThatRefusesMasksGetsConnections() {
        final var host = slots.clientHosts.getFirst();
        refuseMasks(host);
        final var client = host.addresses().iterator().next();
        slots.bed.connect(host, slots.connection(client));
        slots.assertServed(host, client);
        assertEquals(1, connections());
        assertTrue(reasons().contains("BAD_NW_ADDR_MASK"), this::reasons);
    }

    @Test
    void aServersSwitchThatRefusesMasksGetsConnectionsAsItsRepliesCome() {
        final var host = slots.clientHosts.getFirst();
        final var server = slots.servers.getFirst();
        refuseMasks(server);
        final var client = host.addresses().stream().filter(address ->
            slots.server(host, address).equals(server)).findFirst().orElseThrow();
        final var reply = new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(server), client, PORT, 1000);
        for (int packets = 1; packets <= 2; packets++) {
            slots.bed.connect(server, reply);
            assertEquals(packets, slots.bed.released.size());
        }
        slots.assertServed(host, client);
        assertEquals(1, connections());
        assertTrue(reasons().contains("BAD_NW_ADDR_MASK"), this::reasons);
    }

    @Test
    void aConnectionThatCameByAReplyOfADrainedServerLeavesItToo() {
        final var host = slots.clientHosts.getFirst();
        final var server = slots.servers.getFirst();
        refuseMasks(server);
        final var client = host.addresses().stream().filter(address ->
            slots.server(host, address).equals(server)).findFirst().orElseThrow();
        slots.bed.engine.configure(slots.config(0, 1));
        slots.bed.run();
        slots.bed.connect(server,
            new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(server), client, PORT, 1000));
        assertEquals(1, connections());
        slots.pass(Duration.ofSeconds(10));
        slots.pass(FileService.DRAIN);
        assertEquals(0, connections());
        assertTrue(slots.bed.events.contains("withdrawn SERVER_DRAINED"), slots.bed.events::toString);
    }

    private void refuseMasks(final Host host) {
        slots.bed.engine.configure(slots.without());
        slots.bed.runUntil(slots.bed::isBare);
        slots.bed.network.at(host.attachment().switchId()).lose(Ability.MASKED_IP);
        slots.bed.engine.configure(slots.config(3, 1));
        slots.bed.run();
    }

    private long connections() {
        return slots.bed.engine.flows().stream().filter(flow -> !flow.record().key().isSlot()).count();
    }

    private String reasons() {
        return slots.bed.engine.flows().stream().flatMap(flow -> flow.pending().stream()).distinct().toList()
            .toString();
    }

    @Test
    void aReplyThatComesToTheControllerIsNoNewConnection() {
        final var host = slots.clientHosts.getFirst();
        final var client = host.addresses().iterator().next();
        final var server = slots.server(host, client);
        slots.bed.connect(server, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(server), client, PORT, 1000));
        assertTrue(slots.bed.engine.flows().stream().allMatch(flow -> flow.record().key().isSlot()));
    }

    @Test
    void aReplyToAnAddressThatNobodyUsedBeforeIsNoNewConnectionEither() {
        final var first = slots.clientHosts.getFirst();
        final var fresh = Addresses.ip("10.1.4.1");
        final var addresses = new HashSet<>(first.addresses());
        addresses.add(fresh);
        final var host = new Host(first.mac(), addresses, first.attachment());
        final var late = new SlotBed(Strategy.JOINT, 3, 1, List.of(host, slots.clientHosts.get(1)));
        final var all = late.bed.whole;
        late.bed.engine.configure(late.without());
        late.bed.runUntil(late.bed::isBare);
        late.bed.show(new FabricSnapshot(2, all.switches(), all.ports(), all.links(),
            all.hosts().stream().map(known -> known.equals(host) ? first : known).toList()));
        late.bed.engine.configure(late.config(3, 1));
        late.bed.run();
        final var server = late.server(host, fresh);
        late.bed.shown = new FabricSnapshot(3, all.switches(), all.ports(), all.links(), all.hosts());
        late.bed.connect(server,
            new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(server), fresh, PORT, 1000));
        assertTrue(late.bed.engine.flows().stream().allMatch(flow -> flow.record().key().isSlot()));
        late.assertServed(host, fresh);
    }

    @Test
    void connectionsToTheServersOwnAddressGoOn() {
        final var host = slots.clientHosts.getFirst();
        final var client = host.addresses().iterator().next();
        final var server = slots.servers.get(1);
        final var connection = new Connection(FlowMatch.PROTOCOL_TCP, client, Addresses.ipv4(server), 2000, PORT);
        slots.bed.connect(host, connection);
        assertTrue(slots.bed.send(host, server, connection).endsOnlyAt(server));
        final var back = slots.bed.send(server, host, connection.reversed());
        assertEquals(Optional.of(connection.reversed()), back.deliveries().getFirst().packet().connection());
        slots.assertServed(host, client);
    }

    /** The network has changed, but the engine has not been told yet when a packet arrives. */
    @Test
    void aPacketDoesNotHideALostLink() {
        final var client = slots.clientHosts.getFirst();
        final var lost = slots.uplink(client, 0);
        slots.bed.network.cut(lost);
        slots.bed.shown = slots.bed.network.snapshot();
        assertNotEquals(slots.bed.whole.version(), slots.bed.shown.version());
        final var server = slots.servers.getFirst();
        slots.bed.connect(server, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(server),
            client.addresses().iterator().next(), SlotBed.PORT, 1000));

        slots.bed.show(slots.bed.shown);
        assertEquals(List.of(), slots.bed.engine.flows().stream().filter(flow -> flow.forward().links().stream()
            .anyMatch(link -> link.source().equals(lost.source()))).toList());
    }

    private EngineBed beforeTheFirstHostCame() {
        final var all = slots.bed.whole;
        final var late = new EngineBed(all, slots.without());
        late.shown = new FabricSnapshot(2, all.switches(), all.ports(), all.links(), all.hosts().stream()
            .filter(other -> !other.equals(slots.clientHosts.getFirst())).toList());
        late.start(slots.config(3, 1));
        return late;
    }
}
