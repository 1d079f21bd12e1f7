// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What things of one kind are called. A name's number is its place in their order.
 *
 * @param kind what such a thing is, for errors
 * @param names in order, whatever order they are given in
 */
public record Names(String kind, List<String> names) {
    public Names {
        names = names.stream().sorted().toList();
    }

    /**
     * The number of a name.
     *
     * @throws IllegalArgumentException if nothing is called so
     */
    public int number(final String name) {
        final int number = Collections.binarySearch(names, name);
        if (number < 0) {
            throw new IllegalArgumentException("there is no " + kind + " " + name);
        }
        return number;
    }

    /** Numbers of some names, as {@link #number}. */
    public Set<Integer> numbers(final Collection<String> some) {
        return some.stream().map(this::number).collect(Collectors.toUnmodifiableSet());
    }
}
