// SPDX-License-Identifier: EPL-2.0
/** The planner from the command line. */
package io.sluice.planner.cli;
