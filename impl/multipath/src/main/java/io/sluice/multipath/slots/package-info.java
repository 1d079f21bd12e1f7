// SPDX-License-Identifier: EPL-2.0
/**
 * Clients of a service divided beforehand, by the lowest bits of their addresses: pure functions. {@link
 * io.sluice.multipath.slots.SlotShares} says how many slots each server and path gets, {@link
 * io.sluice.multipath.slots.SlotBalance} how a measured split is corrected, {@link
 * io.sluice.multipath.slots.ReplyCover} how replies find the switch of a slot's client.
 */
package io.sluice.multipath.slots;
