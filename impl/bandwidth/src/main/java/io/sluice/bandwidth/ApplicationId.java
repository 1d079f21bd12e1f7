// SPDX-License-Identifier: EPL-2.0
package io.sluice.bandwidth;

/** An application by name. */
public record ApplicationId(String tenant, String application) {
    @Override
    public String toString() {
        return tenant + "/" + application;
    }
}
