// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

/** A flow by name. */
public record FlowId(ApplicationId application, String flow) {
    @Override
    public String toString() {
        return application + "/" + flow;
    }
}
