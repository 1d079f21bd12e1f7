// SPDX-License-Identifier: EPL-2.0
package io.sluice.bench.fabric;

import io.sluice.api.Host;
import io.sluice.api.SwitchId;
import io.sluice.southbound.fabric.Memory;

/** Remembers nothing: the simulated controller never starts again. */
final class NoMemory implements Memory {
    @Override
    public void remember(final SwitchId switchId, final Base base) {
        // not kept
    }

    @Override
    public void remember(final Known host) {
        // not kept
    }

    @Override
    public void forget(final Host.Id host) {
        // nothing was kept
    }

    @Override
    public void forget(final SwitchId switchId) {
        // nothing was kept
    }
}
