// SPDX-License-Identifier: EPL-2.0
/** Measures the allocators; the main class prints one JSON object for each row. */
package io.sluice.bench.bandwidth;
