// SPDX-License-Identifier: EPL-2.0
/** The RPC {@code qualify}, and probes over the OpenFlow plugin. */
package io.sluice.southbound.qualify.mdsal;
