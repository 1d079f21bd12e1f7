// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.Topic;
import java.util.List;

/**
 * A topic as an operator sees it.
 *
 * @param topic its name
 * @param streams of its publishers, by their names
 * @param subscribers nodes of the site, and other sites, with a filter that matches; by name
 */
public record TopicState(Topic topic, List<StreamState> streams, List<String> subscribers) {
    public TopicState {
        streams = List.copyOf(streams);
        subscribers = List.copyOf(subscribers);
    }
}
