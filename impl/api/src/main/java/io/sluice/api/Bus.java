// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * Messages between the nodes of all sites. Bodies are RFC 7951 JSON of Sluice's YANG; the bus does not look into them.
 *
 * <p>Messages of one publisher on one topic are a stream. From the first message that a listener gets of a stream, it
 * gets each later one once and in order, or is told of a gap. The first one is at the latest the last value that the
 * topic had when the filter was installed at the publisher's site. Nothing is said of the order between streams.
 */
public interface Bus {
    /**
     * Publishes a message, which becomes the last value of the topic. An empty body withdraws the last value.
     *
     * @param topic names this node's site or none
     */
    Publication publish(Topic topic, String body);

    /** Tells the listener of messages on the topics until closed, on a thread of the bus's own, which must not wait. */
    Subscription subscribe(TopicFilter filter, Listener listener);

    /** Asks a node; completes with an answer of either kind, never exceptionally. */
    CompletionStage<Answer> request(NodeName node, String body);

    /**
     * Answers what other nodes request of this one until closed; there is one handler at a time, the latest.
     *
     * @param handler from asker and body to the body of the reply; if that fails, the asker is refused with the message
     */
    Subscription handle(BiFunction<NodeName, String, CompletionStage<String>> handler);

    /** What is said to a subscriber; nothing of it is said twice. */
    interface Listener {
        /** A message arrived; an empty body withdraws what the publisher said before. */
        void message(Message message);

        /** Messages of a stream are gone; what follows of the stream comes after this. */
        void gap(Gap gap);
    }

    /** A message as its publisher sent it. */
    record Message(Topic topic, NodeName publisher, String body) { }

    /**
     * What a subscriber will never get.
     *
     * @param messages how many, or 0 if nobody knows because the publisher restarted
     * @param reason why, for an operator
     */
    record Gap(Topic topic, NodeName publisher, long messages, String reason) { }

    /** Answer to {@link #publish}. */
    sealed interface Publication {
        /** The message is kept for repair, and was sent or will be when the site's proxy can be reached. */
        record Accepted() implements Publication { }

        /** The bus does not have it; if it is busy, try again later. */
        record Refused(boolean busy, String reason) implements Publication { }
    }

    /** Answer to {@link #request}. */
    sealed interface Answer {
        /** What the node replied. */
        record Reply(String body) implements Answer { }

        /** The node or a proxy on the way refused. */
        record Refused(String reason) implements Answer { }

        /** Nobody answered in time; whether the node acted is not known. */
        record TimedOut() implements Answer { }
    }
}
