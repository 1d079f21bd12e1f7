// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import io.sluice.api.NodeName;

/**
 * How far a stream is, as its last value at a proxy tells.
 *
 * @param publisher who publishes it
 * @param epoch of the last value
 * @param sequence of the last value, from 1
 * @param octets of the last value; 0 if it is withdrawn
 */
public record StreamState(NodeName publisher, long epoch, long sequence, int octets) {
    /** Returns what a frame tells of its stream. */
    static StreamState of(final StreamId stream, final Frame last) {
        return new StreamState(stream.publisher(), last.epoch(), last.sequence(), last.body().length);
    }
}
