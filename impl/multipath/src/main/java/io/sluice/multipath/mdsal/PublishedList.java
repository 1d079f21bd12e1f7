// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.mdsal;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.opendaylight.mdsal.binding.api.WriteTransaction;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.yangtools.binding.DataObject;
import org.opendaylight.yangtools.binding.DataObjectIdentifier;

/** A list in the operational datastore that follows values; only what differs from before is written. */
final class PublishedList<K, V, D extends DataObject> {
    private final Function<K, DataObjectIdentifier<D>> path;
    private final Function<V, D> codec;
    private final Map<K, V> published = new HashMap<>();

    PublishedList(final Function<K, DataObjectIdentifier<D>> path, final Function<V, D> codec) {
        this.path = path;
        this.codec = codec;
    }

    /** The list is empty in the datastore, whatever was written before. */
    void forget() {
        published.clear();
    }

    /** Puts into {@code transaction} what has changed; says whether anything has. */
    boolean follow(final Map<K, V> values, final WriteTransaction transaction) {
        boolean changed = false;
        for (var value : values.entrySet()) {
            if (!value.getValue().equals(published.put(value.getKey(), value.getValue()))) {
                transaction.put(LogicalDatastoreType.OPERATIONAL, path.apply(value.getKey()),
                    codec.apply(value.getValue()));
                changed = true;
            }
        }
        for (var key : published.keySet().stream().filter(key -> !values.containsKey(key)).toList()) {
            published.remove(key);
            transaction.delete(LogicalDatastoreType.OPERATIONAL, path.apply(key));
            changed = true;
        }
        return changed;
    }
}
