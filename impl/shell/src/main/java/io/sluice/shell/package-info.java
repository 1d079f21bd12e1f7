// SPDX-License-Identifier: EPL-2.0
/**
 * Commands of the Karaf shell, made from the YANG models: one for each RPC, and one that shows state. There is no code
 * for any particular RPC, so a new model brings its commands along.
 *
 * <p>A module is ours if its namespace begins with {@code urn:sluice:}; what follows is its area.
 *
 * <pre>
 *   words --&gt; RequestReader --Call--&gt; RPC --&gt; TextReport, or JSON
 *                  |   |
 *            Refused   Help --&gt; HelpPage
 * </pre>
 *
 * <p>Everything here works on words and text; {@code io.sluice.shell.karaf} ties it to the shell and to MD-SAL.
 */
package io.sluice.shell;
