// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

/** What a strategy chose for a piece, and how. */
record Choice(Option option, Weighing weighing) { }
