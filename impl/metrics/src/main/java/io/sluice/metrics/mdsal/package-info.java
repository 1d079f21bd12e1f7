// SPDX-License-Identifier: EPL-2.0
/** Ties the exporter to the datastore and to the HTTP server. */
package io.sluice.metrics.mdsal;
