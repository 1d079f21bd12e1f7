// SPDX-License-Identifier: EPL-2.0
/** Registers the commands with the Karaf shell, anew whenever the controller's models change. */
package io.sluice.shell.karaf;
