// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.opendaylight.yangtools.yang.common.QName;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;

/** A node of the models that is a metric, or has metrics below it. */
sealed interface Part {
    NodeIdentifier id();

    /** A marked leaf. */
    record Value(NodeIdentifier id, Metric metric) implements Part { }

    /** A container or a choice. */
    record Group(NodeIdentifier id, List<Part> parts) implements Part { }

    /**
     * A list with keys.
     *
     * @param count the metric that its number of entries is, if the list is marked
     * @param labels the label that each key becomes
     */
    record Entries(NodeIdentifier id, Optional<Metric> count, Map<QName, String> labels, List<Part> parts)
        implements Part { }
}
