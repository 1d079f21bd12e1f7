// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.TopicFilter;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One side of a connection: its session, what was sent and received in it, the credit for more, the filters that the
 * other side has or is to have, and the streams whose last value it may lack. The side that connected calls, the other
 * one is called.
 *
 * <p>Frames of a session are numbered. A number that is not the next one, or a count from the other side that is not
 * what arrived, is a loss: nothing more is taken, and the session is begun again. So what was taken in a session is
 * always what was sent first, without a hole. Not thread-safe.
 */
final class Link {
    /** What a frame meant for the owner of the link. */
    enum Event {
        /** Nothing. */
        NONE,
        /** A session began: the other side knows nothing of filters, and nothing is known of what it has. */
        BEGUN,
        /** It ended, and another one is being asked for. */
        ENDED,
        /** There may be credit again. */
        CREDIT,
        /** The frame is for the owner. */
        FRAME
    }

    private static final int PATIENCE_TICKS = 20;
    private static final int CALL_AGAIN_TICKS = 4;
    private static final int TELL_AGAIN_TICKS = 4;
    private static final int WANTS_ANSWER = 1;
    private static final int LEAST_CREDIT = 4;
    private static final int BACKLOG = 4 * StreamTracker.ASK_LIMIT;

    private final Predicate<Frame> wire;
    private final String name;
    private final boolean caller;
    private final int window;
    /** Filters that the other side got in some session, and that are still wanted. */
    private final Set<TopicFilter> installed = new HashSet<>();
    private final ArrayDeque<Change> changes = new ArrayDeque<>();
    private final Map<StreamId, Long> stale = new LinkedHashMap<>();
    private final ArrayDeque<Frame> backlog = new ArrayDeque<>();

    private boolean up;
    private boolean resumed;
    private long session;
    private long sent;
    private long confirmed;
    private long received;
    private long asked;
    private int credit;
    private int silentTicks;
    private int callTicks = CALL_AGAIN_TICKS;
    private int toldTicks;
    private long messages;
    private long deferred;
    private long renewals;

    /** A {@code SUBSCRIBE} or {@code UNSUBSCRIBE} that waits. */
    private record Change(Kind kind, TopicFilter filter) { }

    /**
     * Makes a link that is down.
     *
     * @param wire sends, or returns false and does not
     * @param name this side's
     * @param caller whether this side begins sessions
     * @param window frames that may be under way unconfirmed; after losses fewer, down to 4
     */
    Link(final Predicate<Frame> wire, final String name, final boolean caller, final int window) {
        this.wire = wire;
        this.name = name;
        this.caller = caller;
        this.window = window;
        credit = window;
    }

    boolean isUp() {
        return up;
    }

    /** Returns how many frames were sent in the session. */
    long sent() {
        return sent;
    }

    /** Returns how many of them the other side has confirmed. */
    long confirmed() {
        return confirmed;
    }

    /** Returns whether there are last values that were not sent in the session. */
    boolean lacksValues() {
        return !stale.isEmpty();
    }

    /** Goes on where another link to the same side was. */
    void resume(final Link former) {
        resumed = true;
        installed.addAll(former.installed);
    }

    /** Returns whether the other side got the filter in some session, and it is still wanted. */
    boolean hasInstalled(final TopicFilter filter) {
        return installed.contains(filter);
    }

    /** Returns whether a message can be sent now, as far as credit goes. */
    boolean hasCredit() {
        return up && sent - confirmed < credit;
    }

    /** Takes a frame that arrived. */
    Event receive(final Frame frame) {
        silentTicks = 0;
        return switch (frame.kind()) {
            case HELLO -> called(frame);
            case WELCOME -> welcomed(frame);
            case AGAIN -> caller && up ? renew() : Event.NONE;
            case STATUS -> status(frame);
            default -> counted(frame.count());
        };
    }

    private Event called(final Frame hello) {
        if (caller) {
            return Event.NONE;
        }
        session = hello.sequence();
        tell(new Frame(Kind.WELCOME, name, "", 0, session, resumed ? 1 : 0));
        begin();
        return Event.BEGUN;
    }

    private Event welcomed(final Frame welcome) {
        if (!caller || up || welcome.sequence() != session) {
            return Event.NONE;
        }
        begin();
        return Event.BEGUN;
    }

    private Event status(final Frame status) {
        if (!up || status.epoch() != session) {
            return ofNoSession();
        }
        if (status.sequence() != received) {
            return renew();
        }
        if (status.count() != 0) {
            tellStatus(0);
        }
        if (status.mark() > confirmed) {
            confirmed = Math.min(sent, status.mark());
            credit = Math.min(window, credit + 1);
        }
        return Event.CREDIT;
    }

    private Event counted(final int count) {
        if (!up) {
            return ofNoSession();
        }
        if (count != (int) (received + 1)) {
            return renew();
        }
        received++;
        return Event.FRAME;
    }

    private Event ofNoSession() {
        if (!caller) {
            tell(new Frame(Kind.AGAIN, "", "", 0, 0, 0));
        }
        return Event.NONE;
    }

    /** What was under way may be lost because it was too much: less at a time from now on, and slowly more again. */
    private void begin() {
        if (sent > confirmed) {
            credit = (int) Math.max(LEAST_CREDIT, Math.min(credit, sent - confirmed) / 2);
        }
        up = true;
        resumed = true;
        sent = 0;
        confirmed = 0;
        received = 0;
        asked = 0;
        changes.clear();
        stale.clear();
        backlog.clear();
    }

    /** Ends the session, if there is one, and asks for another. */
    Event renew() {
        final boolean ended = up;
        up = false;
        renewals++;
        if (caller) {
            call();
        } else {
            tell(new Frame(Kind.AGAIN, "", "", 0, 0, 0));
        }
        return ended ? Event.ENDED : Event.NONE;
    }

    /** Ends the session because its connection is gone; the other side makes another one. */
    void lost() {
        up = false;
    }

    private void call() {
        session++;
        callTicks = tell(new Frame(Kind.HELLO, name, "", 0, session, resumed ? 1 : 0)) ? 0 : CALL_AGAIN_TICKS;
    }

    /**
     * Lets a quarter of a second pass: calls again, asks for what is not confirmed, tells the counts each second if
     * nothing is, or ends a session after 5 s of silence. A site has a link with every other one: most have nothing to
     * say.
     */
    Event tick() {
        silentTicks++;
        if (up && silentTicks > PATIENCE_TICKS) {
            return renew();
        }
        if (up && sent > confirmed) {
            tellStatus(WANTS_ANSWER);
        } else if (up && ++toldTicks >= TELL_AGAIN_TICKS) {
            toldTicks = 0;
            tellStatus(0);
        } else if (!up && caller && ++callTicks >= CALL_AGAIN_TICKS) {
            call();
        }
        return Event.NONE;
    }

    /** Ticks since the other side was heard. */
    int silentTicks() {
        return silentTicks;
    }

    private void tellStatus(final int wish) {
        tell(new Frame(Kind.STATUS, "", "", session, sent, received).counted(wish));
    }

    /** Session frames are repeated, so one that finds a full queue is not missed. */
    private boolean tell(final Frame frame) {
        final boolean gone = wire.test(frame);
        if (!gone) {
            deferred++;
        }
        return gone;
    }

    /** Sends a frame in the session. Returns false, and has sent nothing, without session, credit or room. */
    boolean offer(final Frame frame) {
        if (!up || frame.kind().needsCredit() && !hasCredit()
            || !wire.test(frame.counted((int) (sent + 1)))) {
            return false;
        }
        sent++;
        if (frame.kind().carriesMessage()) {
            messages++;
        }
        if (sent - asked >= credit / 2) {
            asked = sent;
            tellStatus(WANTS_ANSWER);
        }
        return true;
    }

    /**
     * Installs a filter in the session, at once or, in the order of the changes, when {@link #drain} can.
     *
     * @return false if something waits
     */
    boolean subscribe(final TopicFilter filter) {
        return change(new Change(Kind.SUBSCRIBE, filter));
    }

    /** Uninstalls a filter in the same way. */
    boolean unsubscribe(final TopicFilter filter) {
        installed.remove(filter);
        return change(new Change(Kind.UNSUBSCRIBE, filter));
    }

    private boolean change(final Change change) {
        if (up) {
            changes.addLast(change);
            drainChanges();
        }
        return changes.isEmpty();
    }

    private void drainChanges() {
        while (!changes.isEmpty() && offer(frame(changes.getFirst()))) {
            final var gone = changes.removeFirst();
            if (gone.kind() == Kind.SUBSCRIBE) {
                installed.add(gone.filter());
            } else {
                installed.remove(gone.filter());
            }
        }
    }

    private Frame frame(final Change change) {
        final boolean again = change.kind() == Kind.SUBSCRIBE && installed.contains(change.filter());
        return new Frame(change.kind(), "", change.filter().text(), 0, again ? 1 : 0, 0);
    }

    /** Sends what somebody asked for, at once or when {@link #drain} can; what is too much is asked for again. */
    void reply(final Frame frame) {
        if (isBehind() || !offer(frame)) {
            if (up && backlog.size() < BACKLOG) {
                backlog.addLast(frame);
            } else {
                deferred++;
            }
        }
    }

    /**
     * Sends the newest message of a stream, at once or, as last value, when {@link #drain} can.
     *
     * @param mark the first message of the stream that the other side is entitled to
     * @return false if it waits
     */
    boolean forward(final StreamId stream, final Frame data, final long mark) {
        final long entitled = Math.min(stale.getOrDefault(stream, mark), data.sequence());
        final boolean gone = changes.isEmpty() && offer(data.as(Kind.DATA, entitled));
        if (gone) {
            stale.remove(stream);
        } else if (up) {
            deferred++;
            stale.put(stream, entitled);
        }
        return gone;
    }

    /** Notes that the other side may lack the last value of the stream. */
    void lacks(final StreamId stream, final long mark) {
        stale.merge(stream, mark, Math::min);
    }

    /**
     * Sends what waits, as far as credit and room go: filters, replays, then last values. A stream without one is
     * forgotten.
     *
     * @return whether something waits for room, which nobody will tell of
     */
    boolean drain(final Function<StreamId, Frame> lastValue) {
        drainChanges();
        while (changes.isEmpty() && !backlog.isEmpty() && offer(backlog.getFirst())) {
            backlog.removeFirst();
        }
        final var each = stale.entrySet().iterator();
        while (!isBehind() && each.hasNext() && hasCredit()) {
            final var next = each.next();
            final var value = lastValue.apply(next.getKey());
            if (value != null && !offer(value.as(Kind.DATA, Math.min(next.getValue(), value.sequence())))) {
                return true;
            }
            each.remove();
        }
        return hasCredit() && isBehind();
    }

    /** Returns whether something waits that comes before last values. */
    private boolean isBehind() {
        return !changes.isEmpty() || !backlog.isEmpty();
    }

    /** Returns what an operator can see of the link. */
    LinkState state() {
        return new LinkState(up, messages, sent - confirmed, changes.size() + backlog.size() + stale.size(), deferred,
            renewals);
    }
}
