// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

/** Why a proxy did not act on a frame; each has a counter. */
public enum Refusal {
    /** Of no key that is allowed: it was, or claims a user id, or JeroMQ lost it to a full queue. */
    KEY,
    /** Not what the wire page calls a frame. */
    MALFORMED,
    /** The name is not that of the key, not of this site, or of a site that this one connects to. */
    HELLO,
    /** Said in the name of another node. */
    PUBLISHER,
    /** Published on a topic that names another site. */
    SITE,
    /** Older than the last start of the publisher. */
    EPOCH,
    /** Of a new stream, while there are as many as may be. */
    STREAMS,
    /** A question for messages, or an answer, for somebody who is not connected or is busy. */
    TARGET,
    /** Known already: not a fault. */
    DUPLICATE
}
