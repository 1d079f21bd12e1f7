// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Who may answer a request, with what, and how each one ends. */
class RequestsTest {
    private static final long EPOCH = 7;
    private static final NodeName SELF = new NodeName("A", "asker");
    private static final NodeName ASKED = new NodeName("B", "asked");

    private final List<Frame> sent = new ArrayList<>();
    private final Requests requests = new Requests(SELF, EPOCH, link(), Runnable::run, Runnable::run);

    private Link link() {
        final var link = new Link(sent::add, SELF.toString(), true, 100);
        link.tick();
        link.receive(new Frame(Kind.WELCOME, "A", "", 0, 1, 0));
        sent.clear();
        return link;
    }

    private CompletableFuture<Bus.Answer> ask() {
        return requests.request(ASKED, "prepare").toCompletableFuture();
    }

    private void answer(final Kind kind, final String from, final String body) {
        requests.handle(new Frame(kind, from, SELF.toString(), EPOCH, 1, 0, body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void onlyWhoWasAskedReplies() {
        final var answer = ask();

        for (final var other : List.of("B/other", "A/asked", "A/asker")) {
            answer(Kind.REPLY, other, "forged");
            answer(Kind.REFUSED, other, "forged");
        }
        assertFalse(answer.isDone());
        answer(Kind.REPLY, ASKED.toString(), "done");

        assertEquals(new Bus.Answer.Reply("done"), answer.join());
    }

    @Test
    void aProxyOnTheWayRefusesAndNoOther() {
        final var own = ask();
        answer(Kind.REFUSED, "C", "forged");
        assertFalse(own.isDone());
        answer(Kind.REFUSED, "A", "not connected");
        assertEquals(new Bus.Answer.Refused("not connected"), own.join());

        final var theirs = ask();
        requests.handle(new Frame(Kind.REFUSED, "B", SELF.toString(), EPOCH, 2, 0));
        assertEquals(new Bus.Answer.Refused(""), theirs.join());
    }

    /** What a handler that gives this stage makes the node send. */
    private Frame served(final CompletionStage<String> stage) {
        try (var handling = requests.handle((from, body) -> stage)) {
            requests.handle(new Frame(Kind.REQUEST, ASKED.toString(), SELF.toString(), 1, 1, 0));
        }
        return sent.removeLast();
    }

    @Test
    void aReplyAboveTheLimitIsRefusedWithItsSize() {
        final var largest = served(CompletableFuture.completedStage("x".repeat(FrameCodec.BODY_LIMIT)));
        assertEquals(Kind.REPLY, largest.kind());
        assertInstanceOf(FrameCodec.Decoded.Valid.class, FrameCodec.decode(FrameCodec.encode(largest)));

        final var refused = served(CompletableFuture.completedStage("\u00e9".repeat(FrameCodec.BODY_LIMIT / 2) + "x"));

        assertEquals(Kind.REFUSED, refused.kind());
        assertTrue(refused.text().contains(Integer.toString(FrameCodec.BODY_LIMIT + 1)), refused::text);
    }

    @Test
    void aLongReasonIsCut() {
        final var reason = new IllegalArgumentException("x".repeat(2 * FrameCodec.BODY_LIMIT));

        assertEquals(Requests.REASON_LIMIT, served(CompletableFuture.failedStage(reason)).body().length);
    }

    @Test
    void aFailureWithoutAMessageIsNamed() {
        assertEquals("IllegalStateException",
            served(CompletableFuture.failedStage(new IllegalStateException())).text());
    }

    @Test
    void aHandlerThatGivesNothingRefuses() {
        assertEquals(Kind.REFUSED, served(null).kind());
        assertEquals(Kind.REFUSED, served(CompletableFuture.completedStage(null)).kind());
    }

    @Test
    void aClosedNodeEndsWhatIsUnderWayAndRefusesWhatIsNew() {
        final var underWay = ask();

        requests.close();

        assertEquals(new Bus.Answer.TimedOut(), underWay.getNow(null));
        assertEquals(new Bus.Answer.Refused("A/asker is closed"), ask().getNow(null));
    }
}
