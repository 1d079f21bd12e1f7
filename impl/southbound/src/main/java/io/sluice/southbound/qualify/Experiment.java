// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.qualify;

import io.sluice.api.Entry.Flow;
import io.sluice.api.MacAddress;
import io.sluice.southbound.packet.Packet;
import java.util.List;

/** Flow entries of which each sends what it takes to the controller, and packets that tell whether they do. */
record Experiment(List<Flow> entries, List<Trial> trials) {
    Experiment {
        entries = List.copyOf(entries);
        trials = List.copyOf(trials);
    }

    /**
     * A packet for the entries.
     *
     * @param expected what comes to the controller of it, in order
     */
    record Trial(byte[] frame, List<Packet> expected) {
        private static final int LEAST_LENGTH = 60;

        Trial {
            expected = List.copyOf(expected);
        }

        Trial(final byte[] frame, final Packet expected) {
            this(frame, List.of(expected));
        }

        /** A probe that comes back with another destination. */
        static Trial marked(final MacAddress destination, final MacAddress mark) {
            return new Trial(ScratchFlows.probe(destination, LEAST_LENGTH),
                new Packet.Other(ScratchFlows.header(mark), ProbeWire.ETHERNET_TYPE));
        }
    }
}
