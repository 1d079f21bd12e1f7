// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.Bus;
import io.sluice.api.Failures;
import io.sluice.api.NodeName;
import io.sluice.api.Subscription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/**
 * What a node asks of others and others of it. A request is sent once; every one ends. It is answered by who was asked,
 * or refused by a proxy on the way there; what others say is dropped. Not thread-safe.
 */
final class Requests {
    /** Ticks that an asker waits: 10 s. */
    static final int PATIENCE_TICKS = 40;
    /** The longest reason of a refusal, in characters; what is longer is cut. */
    static final int REASON_LIMIT = 1024;

    private final NodeName self;
    private final long epoch;
    private final Link link;
    private final Executor listeners;
    private final Executor guarded;
    private final Map<Long, Pending> pending = new LinkedHashMap<>();
    private long asked;
    private boolean closed;
    private BiFunction<NodeName, String, CompletionStage<String>> handler;

    Requests(final NodeName self, final long epoch, final Link link, final Executor listeners, final Executor guarded) {
        this.self = self;
        this.epoch = epoch;
        this.link = link;
        this.listeners = listeners;
        this.guarded = guarded;
    }

    /** A request that nobody has answered yet. */
    private static final class Pending {
        private final CompletableFuture<Bus.Answer> answer = new CompletableFuture<>();
        private final NodeName node;
        private int ticks;

        Pending(final NodeName node) {
            this.node = node;
        }
    }

    /** See {@link Bus#request}. */
    CompletionStage<Bus.Answer> request(final NodeName node, final String body) {
        if (closed) {
            return CompletableFuture.completedStage(new Bus.Answer.Refused(self + " is closed"));
        }
        final byte[] octets = body.getBytes(StandardCharsets.UTF_8);
        if (octets.length > FrameCodec.BODY_LIMIT) {
            return CompletableFuture.completedStage(new Bus.Answer.Refused("a body above 1 MiB"));
        }
        asked++;
        final var request = new Frame(Kind.REQUEST, self.toString(), node.toString(), epoch, asked, 0, octets);
        if (!link.offer(request)) {
            return CompletableFuture.completedStage(new Bus.Answer.Refused("the site's proxy is away or busy"));
        }
        final var waiting = new Pending(node);
        pending.put(asked, waiting);
        return waiting.answer.minimalCompletionStage();
    }

    /** See {@link Bus#handle}. */
    Subscription handle(final BiFunction<NodeName, String, CompletionStage<String>> newHandler) {
        handler = newHandler;
        return () -> {
            if (handler == newHandler) {
                handler = null;
            }
        };
    }

    /** Takes {@code REQUEST}, {@code REPLY} or {@code REFUSED}. */
    void handle(final Frame frame) {
        if (frame.kind() == Kind.REQUEST) {
            serve(frame);
        } else if (frame.epoch() == epoch) {
            final var waiting = pending.get(frame.sequence());
            if (waiting != null && mayAnswer(frame, waiting.node)) {
                pending.remove(frame.sequence());
                complete(waiting, frame.kind() == Kind.REPLY ? new Bus.Answer.Reply(frame.text())
                    : new Bus.Answer.Refused(frame.text()));
            }
        }
    }

    private boolean mayAnswer(final Frame frame, final NodeName node) {
        return frame.node().equals(node.toString()) || frame.kind() == Kind.REFUSED
            && (frame.node().equals(self.site()) || frame.node().equals(node.site()));
    }

    private void serve(final Frame request) {
        final var current = handler;
        if (current == null) {
            refuse(request, self + " answers no requests");
            return;
        }
        listeners.execute(() -> apply(current, request).whenComplete((reply, failure) -> guarded.execute(() -> {
            if (failure == null && reply != null) {
                reply(request, reply);
            } else {
                refuse(request, failure == null ? "no reply" : Failures.reason(failure));
            }
        })));
    }

    /** A handler that throws, or has no stage to give, has failed like one whose stage does. */
    private static CompletionStage<String> apply(final BiFunction<NodeName, String, CompletionStage<String>> handler,
            final Frame request) {
        try {
            return Objects.requireNonNull(handler.apply(NodeName.of(request.node()), request.text()), "no reply");
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void reply(final Frame request, final String body) {
        final byte[] octets = body.getBytes(StandardCharsets.UTF_8);
        if (octets.length > FrameCodec.BODY_LIMIT) {
            refuse(request, "the reply of " + self + ", " + octets.length + " octets, is above 1 MiB");
        } else {
            answer(request, Kind.REPLY, octets);
        }
    }

    private void refuse(final Frame request, final String reason) {
        final var told = reason.substring(0, Math.min(REASON_LIMIT, reason.length()));
        answer(request, Kind.REFUSED, told.getBytes(StandardCharsets.UTF_8));
    }

    private void answer(final Frame request, final Kind kind, final byte[] body) {
        link.offer(new Frame(kind, self.toString(), request.node(), request.epoch(), request.sequence(), 0, body));
    }

    /** Lets a quarter of a second pass. */
    void tick() {
        final var late = new ArrayList<Pending>();
        pending.values().removeIf(waiting -> ++waiting.ticks >= PATIENCE_TICKS && late.add(waiting));
        late.forEach(waiting -> complete(waiting, new Bus.Answer.TimedOut()));
    }

    /** Ends all that is pending, because the node goes, and refuses what is asked from now on. */
    void close() {
        closed = true;
        pending.values().forEach(waiting -> complete(waiting, new Bus.Answer.TimedOut()));
        pending.clear();
    }

    private void complete(final Pending waiting, final Bus.Answer answer) {
        listeners.execute(() -> waiting.answer.complete(answer));
    }
}
