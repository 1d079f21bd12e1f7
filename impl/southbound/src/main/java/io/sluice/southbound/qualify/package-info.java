// SPDX-License-Identifier: EPL-2.0
/**
 * Measures what of Sluice works on a given switch, so that a switch can be judged before it is bought or trusted.
 *
 * <p>{@link io.sluice.southbound.qualify.Qualification} puts entries of an owner of its own into the tables that Sluice
 * uses, reads them back, sends packets through them and takes them out again. Their matches are ones that no traffic
 * has: networks for benchmarks (RFC 2544, RFC 5180), an experimental Ethernet type, Ethernet addresses of nobody. One
 * {@link io.sluice.southbound.qualify.Check} is one row of what an operator reads.
 */
package io.sluice.southbound.qualify;
