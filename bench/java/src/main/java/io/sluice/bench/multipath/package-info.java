// SPDX-License-Identifier: EPL-2.0
/** Measures the algorithms under the multipath application; each main class prints one JSON object. */
package io.sluice.bench.multipath;
