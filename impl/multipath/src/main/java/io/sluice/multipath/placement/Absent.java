// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.SwitchId;

/** Why a server that offers a piece is no candidate for it. */
public sealed interface Absent {
    /** What would help. */
    String needed();

    /** No packet of it was seen, or none for long. */
    record Unseen(String server) implements Absent {
        @Override
        public String needed() {
            return "let server " + server + " send a packet, or check its address";
        }

        @Override
        public String toString() {
            return "server " + server + " was not seen";
        }
    }

    /** Its switch has no session with the controller. */
    record Away(String server, SwitchId edge) implements Absent {
        @Override
        public String needed() {
            return "check " + edge + " and its way to the controller";
        }

        @Override
        public String toString() {
            return "server " + server + " is behind " + edge + ", which is not connected";
        }
    }

    /** It gets nothing new. */
    record Drained(String server) implements Absent {
        @Override
        public String needed() {
            return "give server " + server + " a weight";
        }

        @Override
        public String toString() {
            return "server " + server + " is drained";
        }
    }
}
