// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

/**
 * What a publisher said last on a topic.
 *
 * @param stream whose, and which message it is
 * @param body empty if it is withdrawn
 */
public record LastValue(StreamState stream, String body) { }
