// SPDX-License-Identifier: EPL-2.0
package io.sluice.mdsal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigurationFaultsTest {
    private final ConfigurationFaults faults = new ConfigurationFaults();

    @Test
    void eachIsToldOfOnce() {
        assertEquals(Map.of("service a", "no port", "service b", "no port"),
            faults.tell(Map.of("service a", "no port", "service b", "no port")));
        assertEquals(Map.of("service b", "two ports"),
            faults.tell(Map.of("service a", "no port", "service b", "two ports")));
        assertEquals(Map.of(), faults.tell(Map.of("service a", "no port", "service b", "two ports")));
    }

    @Test
    void oneThatComesBackIsToldOfAgain() {
        faults.tell(Map.of("service a", "no port"));
        assertEquals(Map.of(), faults.tell(Map.of()));
        assertEquals(Map.of("service a", "no port"), faults.tell(Map.of("service a", "no port")));
    }
}
