// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import org.apache.storm.generated.KillOptions;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/** Ends a topology at once: {@code NAME}. What is under way in it is lost. */
public final class Kill {
    private Kill() {
        // one command
    }

    /** Asks Nimbus; returns when it has begun. */
    public static void main(final String[] args) throws TException {
        if (args.length != 1) {
            throw new IllegalArgumentException("which topology? Its name is the only argument");
        }
        final var atOnce = new KillOptions();
        atOnce.set_wait_secs(0);
        try (var nimbus = NimbusClient.getConfiguredClient(Utils.readStormConfig())) {
            nimbus.getClient().killTopologyWithOpts(args[0], atOnce);
        }
    }
}
