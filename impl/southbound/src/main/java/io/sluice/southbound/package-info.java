// SPDX-License-Identifier: EPL-2.0
/** The only module that knows OpenFlow: what the network is, and what its switches hold. */
package io.sluice.southbound;
