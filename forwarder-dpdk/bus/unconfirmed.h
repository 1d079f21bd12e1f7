// SPDX-License-Identifier: EPL-2.0
/* What a node has published and its proxy has yet to confirm, over all
 * sessions: no more than the node keeps, so that nothing of it has to go
 * before somebody can ask for it. A proxy has it when it has confirmed all
 * frames of a session up to one by which each topic's last value was sent.
 *
 * Thread-safety: owned by one thread. */
#ifndef BUS_UNCONFIRMED_H
#define BUS_UNCONFIRMED_H

#include "link.h"
#include "log.h"

struct bus_unconfirmed {
    uint32_t n_messages;
    uint64_t bytes; /* Of their bodies. */

    /* What the proxy has when it has confirmed frame 'told' of the session.
     * Invariant: not more than the above. */
    bool is_told;
    uint64_t told;
    uint32_t n_told;
    uint64_t bytes_told;
};

/* Whether a body of this size may be published; a single one always may. */
bool bus_unconfirmed_has_room(const struct bus_unconfirmed *unconfirmed,
                              const struct bus_limits *limits, size_t size);

/* Notes a message that was published. */
void bus_unconfirmed_add(struct bus_unconfirmed *unconfirmed, size_t size);

/* A session begins: what was told in another one may be lost. */
void bus_unconfirmed_begin(struct bus_unconfirmed *unconfirmed);

/* Looks how far the proxy is. */
void bus_unconfirmed_look(struct bus_unconfirmed *unconfirmed,
                          const struct bus_link *link,
                          const struct bus_log *log);

#endif
