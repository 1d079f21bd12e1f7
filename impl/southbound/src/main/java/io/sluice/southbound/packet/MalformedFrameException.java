// SPDX-License-Identifier: EPL-2.0
package io.sluice.southbound.packet;

/** Ends the reading of a frame; stays inside this package, and costs no stack trace. */
final class MalformedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedFrameException(final String reason) {
        super(reason, null, false, false);
    }
}
