// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a message on the bus is about: {@code /c1/e3/vnf_O/site_B_forwarders}. One to 8 segments of 1 to 63 letters,
 * digits and {@code . _ -}, together at most 255. A last segment {@code site_<site>_<kind>} names the site that
 * publishes on the topic; a topic without one may be published anywhere and reaches every site. A segment that begins
 * with {@code site_} has this form and is last.
 *
 * @param text as on the wire (docs/wire/bus.md)
 */
public record Topic(String text) {
    private static final String SEGMENT = "(?!site_)[A-Za-z0-9._-]{1,63}";
    private static final Pattern GRAMMAR = Pattern.compile(
        "(?=.{1,255}$)(?:/" + SEGMENT + "){0,7}/(?:" + SEGMENT
            + "|site_(?<site>" + NodeName.SITE + ")_[A-Za-z0-9._-]{1,26})");

    public Topic {
        if (!GRAMMAR.matcher(text).matches()) {
            throw new IllegalArgumentException("not a topic: " + text);
        }
    }

    /** Returns the site that the topic names, if it names one. */
    public Optional<String> site() {
        final var matcher = GRAMMAR.matcher(text);
        return matcher.matches() ? Optional.ofNullable(matcher.group("site")) : Optional.empty();
    }

    @Override
    public String toString() {
        return text;
    }
}
