// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import java.util.Optional;

/**
 * What a message on the bus is about: {@code /c1/e3/vnf_O/site_B_forwarders}. One to 8 segments of 1 to 63 letters,
 * digits and {@code . _ -}, together at most 255. A last segment {@code site_<site>_<kind>} names the site that
 * publishes on the topic; a topic without one may be published anywhere and reaches every site. A segment that begins
 * with {@code site_} has this form and is last.
 *
 * @param text as on the wire (docs/wire/bus.md)
 */
public record Topic(String text) {
    public Topic {
        if (!BusGrammar.isTopic(text)) {
            throw new IllegalArgumentException("not a topic: " + text);
        }
    }

    /** Returns the site that the topic names, if it names one. */
    public Optional<String> site() {
        final int last = text.lastIndexOf('/') + 1;
        final int site = last + BusGrammar.SITE_MARK.length();
        return text.startsWith(BusGrammar.SITE_MARK, last)
            ? Optional.of(text.substring(site, text.indexOf('_', site))) : Optional.empty();
    }

    @Override
    public String toString() {
        return text;
    }
}
