// SPDX-License-Identifier: EPL-2.0
/** The edge to OpenDaylight's OpenFlow plugin: entries to and from its models, its RPCs, its switches. */
package io.sluice.southbound.program.mdsal;
