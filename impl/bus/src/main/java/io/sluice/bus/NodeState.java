// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

/**
 * A node as an operator sees it.
 *
 * @param link its side of the connection to its proxy
 * @param duplicates messages that came although they were there
 * @param gaps how often its listeners were told that messages are gone
 * @param malformed what came and was no frame
 */
public record NodeState(LinkState link, long duplicates, long gaps, long malformed) { }
