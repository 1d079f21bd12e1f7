// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/** What names and topics on the bus are made of (docs/wire/bus.md). Each message is checked, so it has to be fast. */
final class BusGrammar {
    static final String SITE_MARK = "site_";

    private static final int TOPIC_MOST = 255;
    private static final int SEGMENTS_MOST = 8;
    private static final int SEGMENT_MOST = 63;
    private static final int SITE_MOST = 31;
    private static final int KIND_MOST = 26;

    private BusGrammar() {
        // functions only
    }

    static boolean isSite(final String text) {
        return isSite(text, 0, text.length());
    }

    /** Whether it names a node within its site. */
    static boolean isNode(final String text) {
        return isName(text, 0, text.length(), SEGMENT_MOST);
    }

    static boolean isTopic(final String text) {
        final int last = text.lastIndexOf('/') + 1;
        return isBeginning(text)
            && (isSegment(text, last, text.length()) || isSiteSegment(text, last, text.length()));
    }

    /** Whether it is what topics begin with, up to a slash. */
    static boolean isPrefix(final String text) {
        return text.endsWith("/") && isBeginning(text);
    }

    /** Whether it is a topic or prefix but for what follows its last slash. */
    private static boolean isBeginning(final String text) {
        if (text.isEmpty() || text.length() > TOPIC_MOST || text.charAt(0) != '/') {
            return false;
        }
        int begin = 1;
        int segments = 1;
        for (int slash = text.indexOf('/', 1); slash >= 0; slash = text.indexOf('/', begin)) {
            if (!isSegment(text, begin, slash)) {
                return false;
            }
            begin = slash + 1;
            segments++;
        }
        return segments <= SEGMENTS_MOST;
    }

    private static boolean isSegment(final String text, final int begin, final int end) {
        return isName(text, begin, end, SEGMENT_MOST) && !text.startsWith(SITE_MARK, begin);
    }

    private static boolean isSiteSegment(final String text, final int begin, final int end) {
        final int site = begin + SITE_MARK.length();
        final int rest = text.indexOf('_', site);
        return text.startsWith(SITE_MARK, begin) && rest >= 0 && isSite(text, site, rest)
            && isName(text, rest + 1, end, KIND_MOST);
    }

    private static boolean isSite(final String text, final int begin, final int end) {
        for (int at = begin; at < end; at++) {
            if (!isAlphanumeric(text.charAt(at)) && text.charAt(at) != '-') {
                return false;
            }
        }
        return end > begin && end - begin <= SITE_MOST;
    }

    private static boolean isName(final String text, final int begin, final int end, final int most) {
        for (int at = begin; at < end; at++) {
            if (!isAlphanumeric(text.charAt(at)) && "._-".indexOf(text.charAt(at)) < 0) {
                return false;
            }
        }
        return end > begin && end - begin <= most;
    }

    private static boolean isAlphanumeric(final char character) {
        return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z'
            || character >= '0' && character <= '9';
    }
}
