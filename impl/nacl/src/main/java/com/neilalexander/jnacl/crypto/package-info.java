// SPDX-License-Identifier: EPL-2.0
/**
 * The functions that JeroMQ calls of jnacl, by the names it calls them: they answer 0, or -1 if a box is not authentic
 * or a public key is none. All is done in {@link io.sluice.nacl}.
 */
package com.neilalexander.jnacl.crypto;
