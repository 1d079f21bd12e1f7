// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.TopicFilter;
import java.util.List;

/**
 * A filter as an operator sees it.
 *
 * @param filter as it was installed
 * @param subscribers nodes of the site, and other sites, that have it; by name
 */
public record FilterState(TopicFilter filter, List<String> subscribers) {
    public FilterState {
        subscribers = List.copyOf(subscribers);
    }
}
