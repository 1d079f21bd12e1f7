// SPDX-License-Identifier: EPL-2.0
/**
 * Commands of the Karaf shell, made from the YANG models: one for each RPC, one that shows data, and two that set and
 * unset what is configured. There is no code for any particular model, so a new one brings its commands along.
 *
 * <p>A module is ours if its namespace begins with {@code urn:sluice:}; what follows is its area.
 *
 * <pre>
 *   words --&gt; RequestReader --Call--&gt; RPC --&gt; TextReport, or JSON
 *                  |   |
 *            Refused   Help --&gt; HelpPage
 *
 *   area, path --&gt; Places --&gt; ShowCommand, ConfigurationCommand
 *   values --&gt; ValueReader --&gt; SetChange
 * </pre>
 *
 * <p>Everything here works on words and text; {@code io.sluice.shell.karaf} ties it to the shell and to MD-SAL.
 */
package io.sluice.shell;
