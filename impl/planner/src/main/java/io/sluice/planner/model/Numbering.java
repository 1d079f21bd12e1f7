// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** The numbers that nodes, links, sites and VNFs have in a {@link Problem} that is told by names. */
public record Numbering(Names nodes, Names links, Names sites, Names vnfs) {
    /** Numbers things in the order of their names. */
    public static Numbering of(final List<String> nodes, final List<String> links, final List<String> sites,
            final List<String> vnfs) {
        return new Numbering(new Names("node", nodes), new Names("link", links), new Names("site", sites),
            new Names("VNF", vnfs));
    }

    /**
     * A chain that is told by names.
     *
     * @param usual traffic of every stage that {@code others} does not name
     * @param others traffic of stages by their numbers, 0 to the number of VNFs
     * @throws IllegalArgumentException if a node, a VNF or a stage is not there, or a stage is there twice
     */
    public Chain chain(final String name, final Collection<String> ingresses, final Collection<String> egresses,
            final List<String> path, final Stage usual, final Collection<Map.Entry<Long, Stage>> others) {
        final var stages = new ArrayList<>(Collections.nCopies(path.size() + 1, usual));
        final var known = new HashSet<Long>();
        for (final var other : others) {
            final long number = other.getKey();
            if (number < 0 || number > path.size()) {
                throw new IllegalArgumentException("there is no stage " + number + ", the last one is " + path.size());
            }
            if (!known.add(number)) {
                throw new IllegalArgumentException("stage " + number + " is there twice");
            }
            stages.set((int) number, other.getValue());
        }
        return new Chain(name, ends(ingresses), ends(egresses), path.stream().map(vnfs::number).toList(), stages);
    }

    private List<Integer> ends(final Collection<String> names) {
        return names.stream().map(nodes::number).sorted().toList();
    }
}
