// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Faults of a configuration: the log has each once, for as long as it stays the same. Not thread-safe. */
public final class ConfigurationFaults {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationFaults.class);

    private Map<String, String> told = Map.of();

    /**
     * Tells of those that are new; what is mended is forgotten.
     *
     * @param faults all that there are now: why an item of the configuration is not used, by what the item is
     * @return those that were told of
     */
    public SortedMap<String, String> tell(final Map<String, String> faults) {
        final var fresh = new TreeMap<>(faults);
        fresh.entrySet().removeAll(told.entrySet());
        fresh.forEach((item, reason) -> LOG.warn("configuration-ignored item=\"{}\" reason=\"{}\"", item, reason));
        told = Map.copyOf(faults);
        return fresh;
    }
}
