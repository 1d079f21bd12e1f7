// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.transport;

/** What keeps senders from overfilling a connection; may be called on any thread. */
interface Valve {
    /** Above so many bytes that are not yet the kernel's, the valve is closed. */
    long highBytes();

    /** At so many it opens again. */
    long lowBytes();

    /** The connection is full. */
    void close();

    /** It has room again, or takes nothing more. */
    void open();
}
