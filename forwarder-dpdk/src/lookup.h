// SPDX-License-Identifier: EPL-2.0
/* A look into the flow table of a running worker, from another thread.
 *
 *   who asks            worker's lcore
 *   ask: publish -----> between two polls: take, find, copy
 *        wait    <----- done
 *
 * The table belongs to the worker's lcore, so the worker itself looks. It
 * never waits for who asks; a poll pays one read of a word that hardly ever
 * changes. */
#ifndef FWD_LOOKUP_H
#define FWD_LOOKUP_H

#include <stdatomic.h>

#include "replica_store.h"
#include "worker.h"

/* What one peer told of a flow. */
struct fwd_told {
    uint64_t origin; /* Identity of the peer. */
    struct fwd_replica replica;
};

struct fwd_lookup {
    /* Written by who asks, before it is published. */
    struct fwd_key key;

    /* Written by the worker, before 'is_done'. */
    bool is_found;
    struct fwd_flow flow; /* Copy of the entry, if one is found. */
    uint32_t n_told;      /* Replicas of it. */
    struct fwd_told told[FWD_MAX_ORIGINS];
    uint64_t n_free;      /* Slots of the table that may still be used. */
    uint32_t now_s;       /* The worker's clock, seconds. */
    atomic_bool is_done;
};

/* Asks 'worker' for the entry of 'key' and waits for the answer, which is
 * stored in '*lookup'. One thread at a time may ask a worker. Returns 0, or
 * ETIMEDOUT if the worker does not poll. */
int fwd_lookup_ask(struct fwd_worker *worker, const struct fwd_key *key,
                   struct fwd_lookup *lookup);

/* Answers what is asked, if anything still is. For the worker's lcore. */
void fwd_lookup_answer(struct fwd_worker *worker, uint32_t now_s);

#endif
