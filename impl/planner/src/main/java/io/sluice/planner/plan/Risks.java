// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.plan;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Links that may fail together, since they share a duct or a card.
 *
 * @param groups numbers of links; a link may be in several groups or in none
 */
public record Risks(List<Set<Integer>> groups) {
    public Risks {
        groups = groups.stream().map(Set::copyOf).toList();
    }

    /** The links that share a risk with one of those that failed, and did not fail themselves. */
    public Set<Integer> suspects(final Set<Integer> failed) {
        final var suspects = new TreeSet<Integer>();
        groups.stream().filter(group -> group.stream().anyMatch(failed::contains)).forEach(suspects::addAll);
        suspects.removeAll(failed);
        return suspects;
    }
}
