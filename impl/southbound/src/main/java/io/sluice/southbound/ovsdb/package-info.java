// SPDX-License-Identifier: EPL-2.0
/**
 * What OpenFlow can't say of an Open vSwitch: what it does when it has lost its controllers, and the queues of its
 * ports. Its management connects to {@link io.sluice.southbound.ovsdb.OvsdbListener} and speaks the Open vSwitch
 * Database Management Protocol (RFC 7047).
 */
package io.sluice.southbound.ovsdb;
