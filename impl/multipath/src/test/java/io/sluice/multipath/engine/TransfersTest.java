// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.engine;

import static io.sluice.multipath.engine.FileService.CLIENT;
import static io.sluice.multipath.engine.FileService.FIGURE_10;
import static io.sluice.multipath.engine.FileService.SERVER;
import static io.sluice.multipath.engine.FileService.assertArrives;
import static io.sluice.multipath.engine.FileService.config;
import static io.sluice.multipath.engine.FileService.server;
import static io.sluice.multipath.engine.FileService.serving;
import static io.sluice.multipath.engine.FileService.transfer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Connection;
import io.sluice.api.FlowMatch;
import io.sluice.multipath.engine.MultipathConfig.Transfer;
import io.sluice.multipath.engine.TransferAnswer.Granted;
import io.sluice.multipath.engine.TransferAnswer.Refused;
import io.sluice.testlib.Addresses;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TransfersTest {
    private final EngineBed bed = new EngineBed(FIGURE_10, config(Map.of()));

    @Test
    void aTransferIsGrantedWhollyAndReleasedByName() {
        for (int request = 0; request < 2; request++) {
            final var granted = assertInstanceOf(Granted.class, bed.await(bed.engine.request(transfer(1, 2, 3, 4))));
            assertEquals(4, granted.flows().size());
            granted.flows().forEach(flow -> assertEquals(Optional.empty(), flow.pending()));
            assertArrives(bed, new Connection(FlowMatch.PROTOCOL_TCP, Addresses.ipv4(CLIENT),
                Addresses.ipv4(SERVER), 77, 8003));
        }
        assertTrue(bed.engine.release("download"));
        assertFalse(bed.engine.release("download"));
        bed.runUntil(bed::isBare);
    }

    @Test
    void aTransferThatIsNotWrittenYetOutlivesANewConfiguration() {
        final var answer = bed.engine.request(transfer(1, 2));
        bed.engine.configure(config(Map.of()));
        assertEquals(2, assertInstanceOf(Granted.class, bed.await(answer)).flows().size());
        bed.engine.configure(config(Map.of("download", transfer(1, 2))));
        bed.engine.configure(config(Map.of()));
        bed.runUntil(bed::isBare);
    }

    @Test
    void aTransferIsIdleOnceNoneOfItsFlowsHasCarriedAnythingForAsLongAsItMay() {
        final var standing = transfer(1, 2);
        bed.engine.configure(config(Map.of("download", new Transfer("download", standing.client(), standing.service(),
            standing.pieces(), Optional.empty(), OptionalLong.of(60_000)))));
        bed.run();
        bed.clock.advance(Duration.ofSeconds(50));
        assertArrives(bed, new Connection(FlowMatch.PROTOCOL_TCP, standing.client(), Addresses.ipv4(SERVER), 77, 8002));
        bed.await(bed.engine.review(false));
        bed.clock.advance(Duration.ofSeconds(50));
        bed.await(bed.engine.review(false));
        assertEquals(List.of(), bed.engine.idleTransfers());
        bed.clock.advance(Duration.ofSeconds(61));
        bed.await(bed.engine.review(false));
        assertEquals(List.of("download"), bed.engine.idleTransfers());
        bed.engine.configure(config(Map.of()));
        bed.runUntil(bed::isBare);
        assertEquals(List.of("placed", "placed", "withdrawn IDLE", "withdrawn IDLE"), bed.events);
    }

    @Test
    void aTransferThatHasNoEndIsNeverIdle() {
        bed.engine.configure(config(Map.of("download", transfer(1, 2))));
        bed.run();
        bed.clock.advance(Duration.ofDays(7));
        bed.await(bed.engine.review(false));
        assertEquals(List.of(), bed.engine.idleTransfers());
        assertEquals(2, bed.engine.flows().size());
    }

    @Test
    void aTransferThatLacksAPieceGetsNothing() {
        assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer(1, 9))));
        assertEquals(List.of(), List.copyOf(bed.engine.flows()));
        assertTrue(bed.isBare());
    }

    /** One server is cut off and comes back; the other goes on meanwhile. */
    @Test
    void aPieceThatWasLostIsPlacedAgain() {
        final var other = FIGURE_10.hosts().get(3);
        final var config = serving(List.of(server("s1", SERVER, 1), server("s2", other, 2)),
            Map.of("download", transfer(1, 2)));
        bed.engine.configure(config);
        bed.run();
        assertEquals(2, bed.engine.flows().size());
        final var lost = FIGURE_10.links().stream().filter(link ->
            link.source().switchId().equals(other.attachment().switchId())).toList();
        lost.forEach(bed::cut);
        bed.await(bed.engine.review(false));
        assertEquals(1, bed.engine.flows().size());
        lost.forEach(bed::restore);
        bed.await(bed.engine.review(false));
        bed.run();
        assertEquals(2, bed.engine.flows().size());
    }

    @Test
    void aRequestThatLosesAPieceMeanwhileLeavesNothing() {
        final var other = FIGURE_10.hosts().get(3);
        bed.engine.configure(serving(List.of(server("s1", SERVER, 1), server("s2", other, 2)), Map.of()));
        final var answer = bed.engine.request(transfer(1, 2));
        assertEquals(2, bed.engine.flows().size());
        FIGURE_10.links().stream().filter(link -> link.source().switchId().equals(other.attachment().switchId()))
            .forEach(bed.network::cut);
        bed.show(bed.network.snapshot());
        final var refused = assertInstanceOf(Refused.class, bed.await(answer));
        assertEquals("transfer download could not be put in place as a whole: a path broke meanwhile; ask again",
            refused.reason());
        bed.runUntil(bed::isBare);
    }

    @Test
    void aNameThatIsBeingWrittenIsTaken() {
        final var written = new CompletableFuture<Void>();
        final var first = bed.engine.request(transfer(1, 2), () -> written);
        bed.run();
        assertInstanceOf(Refused.class, bed.await(bed.engine.request(transfer(3, 4), () -> written)));
        written.complete(null);
        assertInstanceOf(Granted.class, bed.await(first));
        assertEquals(2, bed.engine.flows().size());
    }

    @Test
    void configurationAddsAndRemovesTransfers() {
        bed.engine.configure(config(Map.of("download", transfer(1, 2))));
        bed.run();
        assertEquals(2, bed.engine.flows().size());
        bed.engine.configure(config(Map.of()));
        bed.runUntil(bed::isBare);
    }
}
