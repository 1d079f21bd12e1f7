// SPDX-License-Identifier: EPL-2.0
/**
 * Google OR-Tools as a bundle: the solver's classes, its native libraries, and what loads them inside OSGi.
 *
 * <p>The native libraries stay with the class loader that loaded them. So this bundle holds nothing that changes from
 * day to day: refreshing it while a solver runs would load a second copy.
 */
package io.sluice.ortools;
