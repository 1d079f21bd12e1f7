// SPDX-License-Identifier: EPL-2.0
/**
 * Optimisations that somebody waits for: with a time limit, cancelled on demand, and telling how far they are.
 *
 * <pre>
 *   WAITING --execute--&gt; RUNNING --gap proven, time limit, cancel--&gt; ENDED with an answer to its Task
 *                           \---- an error of the environment -----&gt; BROKEN with a reason
 * </pre>
 */
package io.sluice.planner.run;
