// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.api.MacAddress;
import java.util.concurrent.CompletionStage;

/** Sends probes into the tables of a switch, and sees them come back to the controller. */
public interface ProbeWire {
    /** Ethernet type of a probe, the first for local experiments (IEEE 802, section 9.2.3). */
    int ETHERNET_TYPE = 0x88b5;

    /**
     * Sends a probe through the tables, from the first one on.
     *
     * @return the destination that the probe bears when the switch sends it up; fails if it does not within some time
     */
    CompletionStage<MacAddress> send(MacAddress destination);
}
