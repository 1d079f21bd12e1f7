// SPDX-License-Identifier: EPL-2.0
/**
 * Completes the start of what upstream can leave half started, as {@link io.sluice.startup.EncryptionServiceWatch} does
 * for the service without which nobody can log in. Knows OSGi alone.
 */
package io.sluice.startup;
