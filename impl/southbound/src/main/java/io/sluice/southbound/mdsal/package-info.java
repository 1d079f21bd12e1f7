// SPDX-License-Identifier: EPL-2.0
/** What the edges to OpenDaylight share. */
package io.sluice.southbound.mdsal;
