// SPDX-License-Identifier: EPL-2.0
/** Services and flows over disjoint paths. */
package io.sluice.multipath;
