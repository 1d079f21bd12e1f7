// SPDX-License-Identifier: EPL-2.0
/** Measures chain routing; the main class prints one JSON object for each row. */
package io.sluice.bench.planner;
