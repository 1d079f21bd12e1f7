// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.io.Serializable;
import java.math.BigInteger;
import java.util.Comparator;
import java.util.regex.Pattern;

/** Order of names in which {@code openflow:2} comes before {@code openflow:10}. */
final class NumbersInOrder implements Comparator<String>, Serializable {
    private static final long serialVersionUID = 1L;
    private static final Pattern PARTS = Pattern.compile("(?<=\\D)(?=\\d)|(?<=\\d)(?=\\D)");

    @Override
    public int compare(final String left, final String right) {
        final var ours = PARTS.split(left);
        final var theirs = PARTS.split(right);
        for (int i = 0; i < Math.min(ours.length, theirs.length); i++) {
            final var order = isNumber(ours[i]) && isNumber(theirs[i])
                ? new BigInteger(ours[i]).compareTo(new BigInteger(theirs[i])) : ours[i].compareTo(theirs[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(ours.length, theirs.length);
    }

    private static boolean isNumber(final String part) {
        return !part.isEmpty() && part.chars().allMatch(character -> character >= '0' && character <= '9');
    }
}
