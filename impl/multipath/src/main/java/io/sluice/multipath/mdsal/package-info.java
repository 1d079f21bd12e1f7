// SPDX-License-Identifier: EPL-2.0
/** The edge to MD-SAL: configuration, RPCs, state, notifications and kept records of {@code sluice-multipath}. */
package io.sluice.multipath.mdsal;
