// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.Bus;
import io.sluice.api.NodeName;
import io.sluice.api.Subscription;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;

/** What a node asks of others and others of it. A request is sent once; every one ends. Not thread-safe. */
final class Requests {
    /** Ticks that an asker waits: 10 s. */
    static final int PATIENCE_TICKS = 40;

    private final NodeName self;
    private final long epoch;
    private final Link link;
    private final Executor listeners;
    private final Executor guarded;
    private final Map<Long, Pending> pending = new LinkedHashMap<>();
    private long asked;
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
        private int ticks;
    }

    /** See {@link Bus#request}. */
    CompletionStage<Bus.Answer> request(final NodeName node, final String body) {
        final byte[] octets = body.getBytes(StandardCharsets.UTF_8);
        if (octets.length > FrameCodec.BODY_LIMIT) {
            return CompletableFuture.completedStage(new Bus.Answer.Refused("a body above 1 MiB"));
        }
        asked++;
        final var request = new Frame(Kind.REQUEST, self.toString(), node.toString(), epoch, asked, 0, octets);
        if (!link.offer(request)) {
            return CompletableFuture.completedStage(new Bus.Answer.Refused("the site's proxy is away or busy"));
        }
        final var waiting = new Pending();
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
            final var waiting = pending.remove(frame.sequence());
            if (waiting != null) {
                complete(waiting, frame.kind() == Kind.REPLY ? new Bus.Answer.Reply(frame.text())
                    : new Bus.Answer.Refused(frame.text()));
            }
        }
    }

    private void serve(final Frame request) {
        final var current = handler;
        if (current == null) {
            answer(request, Kind.REFUSED, self + " answers no requests");
            return;
        }
        listeners.execute(() -> apply(current, request).whenComplete((reply, failure) -> guarded.execute(() ->
            answer(request, failure == null ? Kind.REPLY : Kind.REFUSED,
                failure == null ? reply : String.valueOf(failure.getMessage())))));
    }

    /** A handler that throws has failed like one whose stage does. */
    private static CompletionStage<String> apply(final BiFunction<NodeName, String, CompletionStage<String>> handler,
            final Frame request) {
        try {
            return handler.apply(NodeName.of(request.node()), request.text());
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private void answer(final Frame request, final Kind kind, final String body) {
        link.offer(new Frame(kind, self.toString(), request.node(), request.epoch(), request.sequence(), 0,
            body.getBytes(StandardCharsets.UTF_8)));
    }

    /** Lets a quarter of a second pass. */
    void tick() {
        final var late = new ArrayList<Pending>();
        pending.values().removeIf(waiting -> ++waiting.ticks >= PATIENCE_TICKS && late.add(waiting));
        late.forEach(waiting -> complete(waiting, new Bus.Answer.TimedOut()));
    }

    /** Ends all that is pending, because the node goes. */
    void close() {
        pending.values().forEach(waiting -> complete(waiting, new Bus.Answer.TimedOut()));
        pending.clear();
    }

    private void complete(final Pending waiting, final Bus.Answer answer) {
        listeners.execute(() -> waiting.answer.complete(answer));
    }
}
