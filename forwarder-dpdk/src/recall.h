// SPDX-License-Identifier: EPL-2.0
/* What replicas say of a connection that this forwarder has not pinned, or
 * whose hop is gone: where it goes on.
 *
 * The hops of a replica mean what the rules of now say. An instance or a peer
 * that they have is that hop. What they don't have is where the replica comes
 * from, its origin, so it is reached by way of that forwarder, as long as
 * that is a peer.
 *
 *  - Taken over: an origin has died, or given instances away, and rules map
 *    them to this forwarder. Its flows go on to the same instances, and back
 *    to the same hops before, and are pinned.
 *  - Strayed: an instance here sends what belongs to a flow that passes an
 *    instance of the origin instead, as return traffic that enters at
 *    another edge. It goes by way of the origin, whose entry knows the rest.
 *    Nothing is pinned here, so what strays follows the origin's latest word.
 *
 * No loops: a replica sends what comes from a peer to an instance here, or
 * nowhere; only what comes from an instance is sent to a peer. So of two
 * forwarders in a row at most the first one acts by a replica, and the second
 * does what it does with any packet from a peer. Nor does a stray go to who
 * would send it back: if the origin's entry leads to this forwarder, it picks
 * here.
 *
 * If several peers told of a flow, those count first whose replica leads to an
 * instance here, and then who saw a packet last: an entry that its forwarder
 * has handed on only ages.
 *
 * Thread-safety: of a worker, on its lcore. */
#ifndef FWD_RECALL_H
#define FWD_RECALL_H

#include "replica_store.h"
#include "worker.h"

struct fwd_recall {
    uint16_t hop;   /* Where packets of this direction go; never none. */
    uint16_t back;  /* Where those of the other one go. */
    uint8_t state;  /* As in struct fwd_flow. */
    bool is_stray;  /* Not to be pinned. */
    uint32_t idle_s; /* Since the peer that told saw a packet, seconds. */
    struct fwd_flow *flow; /* The replica. */
};

/* Fills '*recall' and returns true if a peer told of the flow of 'job' and
 * the rules know where it goes on. */
bool fwd_recall_find(const struct fwd_worker *worker,
                     const struct fwd_rules *rules, const struct fwd_job *job,
                     uint32_t now_s, struct fwd_recall *recall);

/* The same at once if there are no replicas. */
static inline bool
fwd_recall(const struct fwd_worker *worker, const struct fwd_rules *rules,
           const struct fwd_job *job, uint32_t now_s,
           struct fwd_recall *recall)
{
    return unlikely(worker->table->head->n_replicas)
           && fwd_recall_find(worker, rules, job, now_s, recall);
}

#endif
