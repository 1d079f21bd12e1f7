// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import java.util.List;

/** A command of the shell, free of the shell. */
public interface LineCommand {
    /** Name within the scope {@code sluice}. */
    String name();

    /** What it does, in a sentence. */
    String description();

    /** Runs it with the words that follow its name; waits for the answer. */
    Answer run(List<String> words) throws InterruptedException;

    /**
     * What the word at the cursor may become.
     *
     * @param before words between the command's name and that word
     * @param word what there is of that word; candidates need not begin with it
     * @return candidates; one that ends with '/' or '=' is not a whole word yet
     */
    List<String> complete(List<String> before, String word) throws InterruptedException;
}
