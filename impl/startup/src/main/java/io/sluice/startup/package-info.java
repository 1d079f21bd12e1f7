// SPDX-License-Identifier: EPL-2.0
/**
 * Completes what upstream can leave half done at a start: {@link io.sluice.startup.EncryptionServiceWatch} the service
 * without which nobody can log in, {@link io.sluice.startup.AcknowledgedWrites} the last writes before a kill. {@link
 * io.sluice.startup.RestconfWatch} says when RESTCONF is there.
 */
package io.sluice.startup;
