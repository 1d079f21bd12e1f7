// SPDX-License-Identifier: EPL-2.0
package io.sluice.planner.model;

import io.sluice.api.Bandwidth;
import java.util.Comparator;
import java.util.List;

/**
 * A service chain (chain c of table 1), with sets for ingress and egress, which the paper leaves out: traffic may be
 * split over the members of a set as over the sites of a VNF. Traffic that must enter or leave at a certain node is a
 * chain of its own with that node alone.
 *
 * @param name what an operator calls it
 * @param ingresses nodes where traffic may enter, at least one
 * @param egresses nodes where it may leave, at least one
 * @param vnfs numbers of the VNFs in the order of forward traffic; may be empty
 * @param stages one more than VNFs: ingress to first VNF, ..., last VNF to egress; both directions of one together are
 *     at most {@link Long#MAX_VALUE} bit/s
 */
public record Chain(String name, List<Integer> ingresses, List<Integer> egresses, List<Integer> vnfs,
        List<Stage> stages) {
    public Chain {
        ingresses = List.copyOf(ingresses);
        egresses = List.copyOf(egresses);
        vnfs = List.copyOf(vnfs);
        stages = List.copyOf(stages);
        if (ingresses.isEmpty() || egresses.isEmpty()) {
            throw new IllegalArgumentException("no ingress or no egress");
        }
        if (stages.size() != vnfs.size() + 1) {
            throw new IllegalArgumentException(stages.size() + " stages, " + vnfs.size() + " VNFs");
        }
        for (final var stage : stages) {
            if (stage.forward().bitsPerSecond() > Long.MAX_VALUE - stage.reverse().bitsPerSecond()) {
                throw new IllegalArgumentException(stage.forward() + " and " + stage.reverse()
                    + " together are more than " + Long.MAX_VALUE);
            }
        }
    }

    /** What the chain counts for among others: both directions of its largest stage, as a VNF may change the rate. */
    public Bandwidth demand() {
        return stages.stream().map(Stage::total).max(Comparator.naturalOrder()).orElseThrow();
    }

    /** Whether another chain may take the same routes: traffic and name apart both are the same. */
    public boolean servesAs(final Chain other) {
        return ingresses.equals(other.ingresses) && egresses.equals(other.egresses) && vnfs.equals(other.vnfs);
    }
}
