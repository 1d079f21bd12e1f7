// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

import io.sluice.api.SwitchId;
import java.net.InetAddress;

/**
 * A place where a piece can be had.
 *
 * @param server its name
 * @param port transport port; 0 for any
 * @param edge switch that the server is attached to
 * @param load how busy the server is
 * @param room how many more requests it takes; {@link #UNBOUNDED} if it is not asked
 */
public record Candidate(String server, InetAddress address, int port, SwitchId edge, Load load, int room) {
    /** Room of a server that the client named itself. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    /**
     * How busy a server is, 0 for idle, 1 for as much as it should serve.
     *
     * @param counted requests placed on it over those that it serves at a time
     * @param reported what it last said of itself; 0 if it said nothing
     */
    public record Load(double counted, double reported) {
        public static final Load NONE = new Load(0, 0);

        /** The higher of the two, which counts. */
        public double value() {
            return Math.max(counted, reported);
        }

        /** True if what the server said of itself counts. */
        public boolean isReported() {
            return reported > counted;
        }
    }

    /** The same without a bound on its requests. */
    public Candidate unbounded() {
        return new Candidate(server, address, port, edge, load, UNBOUNDED);
    }

    double busy() {
        return load.value();
    }
}
