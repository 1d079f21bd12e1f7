// SPDX-License-Identifier: EPL-2.0
package io.sluice.multipath.placement;

/** How a server and a path are chosen; {@code sluice-multipath} says what each does. */
public enum Strategy { SINGLE, ECMP, RANDOM, LEAST_LOADED, GREEDY, JOINT }
