// SPDX-License-Identifier: EPL-2.0
package io.sluice.testlib;

import io.sluice.api.Entry;

/**
 * An entry that a switch holds.
 *
 * @param cookie of a flow; 0 for groups and meters, which have none
 */
public record Installed(Entry entry, long cookie) { }
