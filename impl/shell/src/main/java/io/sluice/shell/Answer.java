// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import org.opendaylight.mdsal.common.api.ReadFailedException;

/** What a command line led to. */
public sealed interface Answer {
    /**
     * The command did what it was asked to.
     *
     * @param text to print, without a newline at the end
     */
    record Text(String text) implements Answer {
        /** The data have nothing at the place. */
        static final Text NOTHING = new Text("nothing is there");
    }

    /**
     * The command was asked about itself.
     *
     * @param page to print, without a newline at the end
     */
    record Help(String page) implements Answer { }

    /**
     * Nothing was done, or the other side refused.
     *
     * @param reason a sentence for the operator
     */
    record Refused(String reason) implements Answer {
        /** A word follows that the command does not take. */
        static Refused surplus(final String word) {
            return new Refused("'" + word + "' is one word too many; see --help");
        }

        /** The datastore did not answer. */
        static Refused unread(final ReadFailedException failure) {
            return new Refused("the datastore can't be read: " + failure.getMessage());
        }
    }
}
