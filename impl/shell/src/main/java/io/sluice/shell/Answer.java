// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

/** What a command line led to. */
public sealed interface Answer {
    /**
     * The command did what it was asked to.
     *
     * @param text to print, without a newline at the end
     */
    record Text(String text) implements Answer { }

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
    record Refused(String reason) implements Answer { }
}
