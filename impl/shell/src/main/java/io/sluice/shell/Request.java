// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import org.opendaylight.yangtools.yang.data.api.schema.ContainerNode;

/** What the words after a command's name ask for. */
sealed interface Request {
    /**
     * Invoke the RPC.
     *
     * @param input complete, and as its model wants it
     * @param json true if the answer is wanted as JSON
     */
    record Call(ContainerNode input, boolean json) implements Request { }

    /** Explain the command. */
    record Help() implements Request { }

    /**
     * Nothing that makes sense.
     *
     * @param reason a sentence that names the option
     */
    record Refused(String reason) implements Request { }
}
