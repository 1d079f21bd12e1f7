// SPDX-License-Identifier: EPL-2.0
/** Stand-ins for switches, networks and time, for the tests of the other modules. */
package io.sluice.testlib;
