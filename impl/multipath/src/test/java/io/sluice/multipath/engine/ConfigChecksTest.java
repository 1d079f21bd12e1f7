// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.sluice.api.FlowMatch;
import io.sluice.multipath.engine.MultipathConfig.Server;
import io.sluice.multipath.engine.MultipathConfig.ServerPort;
import io.sluice.multipath.engine.MultipathConfig.Service;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.placement.PlacerSettings;
import io.sluice.multipath.placement.Strategy;
import io.sluice.testlib.Addresses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** On the documents of {@code models} that break a rule, and on what such a fault entails. */
class ConfigChecksTest {
    private static final Path DOCUMENTS = Path.of("../../models/src/test/resources/sluice-multipath/invalid");

    @Test
    void aVirtualPortNeedsAnAddress() throws IOException {
        assertFault("virtual-port-without-address", "service store", "virtual-port needs virtual-address");
    }

    @Test
    void slotsNeedAnAddress() throws IOException {
        assertFault("slots-without-virtual-address", "service store", "slots needs virtual-address");
    }

    @Test
    void twoServicesWithSlotsDontShareAPortOfAServer() {
        final var one = slotted("a", "10.9.9.1", "10.0.0.1", 80);
        final var otherPort = slotted("b", "10.9.9.2", "10.0.0.1", 81);
        final var sameReplies = slotted("c", "10.9.9.3", "10.0.0.1", 80);
        final var sameRequests = slotted("d", "10.9.9.1", "10.0.0.4", 80);
        final var checked = ConfigChecks.check(
            config(List.of(sameRequests, sameReplies, otherPort, one), List.of()), Map.of());
        assertEquals(Set.of("service c", "service d"), checked.faults().keySet());
        assertEquals("service a has slots at port 80 of 10.0.0.1 too; take the slots from one of them, or use another "
            + "port", checked.ofService("c").orElseThrow());
    }

    @Test
    void twoServicesAreNotAskedForAtOnePort() {
        final var one = asked("a", "10.9.9.1", 80, 81);
        final var apart = asked("b", "10.9.9.1", 82);
        final var same = asked("c", "10.9.9.1", 81);
        final var slotted = slotted("d", "10.9.9.1", "10.0.0.7", 80);
        final var checked = ConfigChecks.check(config(List.of(slotted, same, apart, one), List.of()), Map.of());
        assertEquals(Map.of("service c", "service a is asked for at port 81 of 10.9.9.1 too; use another address or "
            + "port", "service d", "service a is asked for at port 80 of 10.9.9.1 too; use another address or port"),
            checked.faults());
    }

    private static Service asked(final String name, final String virtual, final int... ports) {
        return new Service(name, FlowMatch.PROTOCOL_TCP, Optional.of(Addresses.ip(virtual)), OptionalInt.empty(), 1,
            OptionalInt.empty(), Optional.empty(), List.of(new Server("s", Addresses.ip("10.0.0.1"), 4, 1,
                IntStream.of(ports).mapToObj(port -> new ServerPort(port, 1)).toList())), 60_000);
    }

    @Test
    void aPieceIsOneOfTheServices() throws IOException {
        assertFault("piece-beyond-pieces", "service store", "piece is beyond the service's pieces: port 80 of server "
            + "s1 has piece 3 of 2");
    }

    @Test
    void aTransferIsOfAServiceThatIsThere() throws IOException {
        final var checked = assertFault("transfer-of-unknown-service", "transfer t",
            "there is no sound service other; add or mend it");
        assertEquals(Set.of("store"), checked.sound().services().keySet());
    }

    @Test
    void aTransferAsksForPiecesOfItsService() {
        final var service = service("store", 2, OptionalInt.empty(), OptionalInt.empty(), List.of());
        assertEquals(Map.of("transfer beyond", "piece 3 is beyond the pieces of service store, 2; ask for another, or "
            + "raise pieces"), ConfigChecks.check(config(List.of(service), List.of(
                transfer("beyond", "store", List.of(2, 3)), transfer("within", "store", List.of(1, 2)))), Map.of())
            .faults());
    }

    @Test
    void theTransfersOfAFaultyServiceAreLeftOutToo() {
        final var checked = ConfigChecks.check(config(List.of(
            service("store", 1, OptionalInt.of(80), OptionalInt.empty(), List.of())),
            List.of(transfer("t", "store", List.of(1)))), Map.of());
        assertEquals(Map.of(), checked.sound().services());
        assertEquals(Map.of(), checked.sound().transfers());
        assertTrue(checked.ofService("store").isPresent());
        assertEquals(Set.of("service store", "transfer t"), checked.faults().keySet());
    }

    @Test
    void whatCanNotBeReadIsAFaultOfItsName() {
        final var checked = ConfigChecks.check(config(List.of(), List.of(transfer("t", "store", List.of(1)))),
            Map.of(ConfigChecks.service("store"), "address: no such member"));
        assertEquals(Optional.of("address: no such member"), checked.ofService("store"));
        assertEquals(Optional.of("there is no sound service store; add or mend it"), checked.ofTransfer("t"));
    }

    private static ConfigChecks.Checked assertFault(final String document, final String item, final String reason)
            throws IOException {
        final var file = JsonParser.parseString(Files.readString(DOCUMENTS.resolve(document + ".json")))
            .getAsJsonObject();
        final var multipath = file.getAsJsonObject("document").getAsJsonObject("sluice-multipath:multipath");
        final var checked = ConfigChecks.check(config(objects(multipath, "service").map(ConfigChecksTest::service)
            .toList(), objects(multipath, "transfer").map(ConfigChecksTest::transfer).toList()), Map.of());
        assertEquals(Set.of(item), checked.faults().keySet());
        assertTrue(checked.faults().get(item).startsWith(reason), checked.faults()::toString);
        return checked;
    }

    private static MultipathConfig config(final List<Service> services, final List<Transfer> transfers) {
        return new MultipathConfig(Strategy.JOINT, 1000, new PlacerSettings(0, 0, 0), 1000,
            services.stream().collect(Collectors.toMap(Service::name, Function.identity())),
            transfers.stream().collect(Collectors.toMap(Transfer::name, Function.identity())));
    }

    private static Service service(final JsonObject service) {
        return service(service.get("name").getAsString(), number(service, "pieces").orElse(1),
            number(service, "virtual-port"), number(service, "slots"),
            objects(service, "server").map(server -> new Server(server.get("name").getAsString(),
                Addresses.ip(server.get("address").getAsString()), 4, 1, objects(server, "port").map(port ->
                    new ServerPort(port.get("number").getAsInt(), port.get("piece").getAsInt())).toList())).toList());
    }

    private static Service slotted(final String name, final String virtual, final String server, final int port) {
        return new Service(name, FlowMatch.PROTOCOL_TCP, Optional.of(Addresses.ip(virtual)), OptionalInt.empty(), 1,
            OptionalInt.of(4), Optional.empty(), List.of(new Server("s", Addresses.ip(server), 4, 1,
                List.of(new ServerPort(port, 1)))), 60_000);
    }

    private static OptionalInt number(final JsonObject service, final String leaf) {
        return service.has(leaf) ? OptionalInt.of(service.get(leaf).getAsInt()) : OptionalInt.empty();
    }

    private static Service service(final String name, final int pieces, final OptionalInt virtualPort,
            final OptionalInt slots, final List<Server> servers) {
        return new Service(name, FlowMatch.PROTOCOL_TCP, Optional.empty(), virtualPort, pieces, slots,
            Optional.empty(), servers, 60_000);
    }

    private static Transfer transfer(final JsonObject transfer) {
        return transfer(transfer.get("name").getAsString(), transfer.get("service").getAsString(),
            elements(transfer, "piece").map(JsonElement::getAsInt).toList());
    }

    private static Transfer transfer(final String name, final String service, final List<Integer> pieces) {
        return new Transfer(name, Addresses.ip("10.0.0.9"), service, pieces, Optional.empty(), OptionalLong.empty());
    }

    private static Stream<JsonObject> objects(final JsonObject parent, final String list) {
        return elements(parent, list).map(JsonElement::getAsJsonObject);
    }

    private static Stream<JsonElement> elements(final JsonObject parent, final String list) {
        final var array = parent.has(list) ? parent.getAsJsonArray(list) : new JsonArray();
        return StreamSupport.stream(array.spliterator(), false);
    }
}
