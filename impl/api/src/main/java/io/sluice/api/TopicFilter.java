// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.Optional;

/**
 * The topics that a subscriber wants: one, or with a {@code /} at the end all that begin so.
 *
 * @param text a topic, or a prefix of 0 to 7 whole segments that name no site, followed by {@code /}
 */
public record TopicFilter(String text) {
    public TopicFilter {
        if (!BusGrammar.isPrefix(text)) {
            new Topic(text);
        }
    }

    /** Returns the filter for one topic. */
    public static TopicFilter of(final Topic topic) {
        return new TopicFilter(topic.text());
    }

    /** Returns whether a message on the topic is wanted. */
    public boolean matches(final Topic topic) {
        return isPrefix() ? topic.text().startsWith(text) : topic.text().equals(text);
    }

    /** Returns whether topics of the site can match; topics without a site are on every site and not meant. */
    public boolean concerns(final String site) {
        return isPrefix() || new Topic(text).site().equals(Optional.of(site));
    }

    /** Returns whether it matches all topics that begin with it. */
    public boolean isPrefix() {
        return text.endsWith("/");
    }

    @Override
    public String toString() {
        return text;
    }
}
