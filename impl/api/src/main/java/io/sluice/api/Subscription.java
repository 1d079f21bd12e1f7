// SPDX-License-Identifier: EPL-2.0
package io.sluice.api;

/** A standing request for events; ends with {@link #close()}, which may be called more than once. */
public interface Subscription extends AutoCloseable {
    @Override
    void close();
}
