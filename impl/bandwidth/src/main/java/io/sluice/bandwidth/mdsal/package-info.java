// SPDX-License-Identifier: EPL-2.0
/** The edge to MD-SAL: configuration, RPCs, published state and notifications of {@code sluice-bandwidth}. */
package io.sluice.bandwidth.mdsal;
