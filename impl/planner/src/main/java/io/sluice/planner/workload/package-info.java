// SPDX-License-Identifier: EPL-2.0
/** Problems to measure on: public topologies, completed by a seeded model, under the workload of the paper. */
package io.sluice.planner.workload;
