// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.steering;

import io.sluice.api.PathLabel;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/** Collects what one step changes. */
final class ChangeLog {
    private final TreeMap<Long, SteeringRecord> declared = new TreeMap<>();
    private final TreeMap<Long, SteeringRecord> withdrawn = new TreeMap<>(Comparator.reverseOrder());

    void declare(final SteeringRecord record) {
        declared.put(record.object(), record);
    }

    void withdraw(final SteeringRecord record) {
        declared.remove(record.object());
        withdrawn.put(record.object(), record);
    }

    Changes compiledBy(final SteeringCompiler compiler, final Function<PathLabel, DetourRecord> detours) {
        return new Changes(declared.values().stream()
            .map(record -> new Changes.Declared(record, compiler.compile(record, detours))).toList(),
            List.copyOf(withdrawn.values()));
    }
}
