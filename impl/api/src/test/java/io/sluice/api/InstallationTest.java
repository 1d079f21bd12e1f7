// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;

class InstallationTest {
    @Test
    void eachSwitchIsNamedWithItsReason() {
        assertEquals("openflow:1: full, openflow:2: away", new Installation.Pending(Map.of(
            new SwitchId("openflow:2"), "away", new SwitchId("openflow:1"), "full")).told());
    }
}
