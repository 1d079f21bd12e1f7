// SPDX-License-Identifier: EPL-2.0
/* Hands packets to the workers that they belong to; crew.h says which. */
#include "crew.h"

/* Remembers the owner of a flow for later fragments, if it is another
 * worker: an entry without hops, whose state is its number. What was known
 * of another packet with the same identification is forgotten. */
static void
keep_owner(struct fwd_worker *worker, const struct fwd_key *key,
           uint64_t hash, uint16_t owner, uint32_t now_s)
{
    struct fwd_flow *flow = fwd_table_find(worker->table, key, hash);

    if (flow) {
        fwd_table_remove(worker->table, flow);
    }
    if (owner != worker->number) {
        flow = fwd_table_insert(worker->table, key, hash, FWD_HOP_NONE,
                                FWD_HOP_NONE, now_s);
        if (flow) {
            flow->state = (uint8_t) owner;
        }
    }
}

/* The worker that a fragment goes to from this one: its keeper, and from
 * there its owner. */
static uint16_t
next_of_fragment(struct fwd_worker *worker, const struct fwd_job *job,
                 uint16_t sender, uint32_t now_s)
{
    bool is_first = job->tuple.kind == FWD_KIND_FIRST_FRAGMENT;
    uint16_t owner = fwd_crew_owner(worker->crew, job->hash), keeper;
    const struct fwd_flow *flow;
    struct fwd_key key;
    uint64_t hash;

    fwd_fragment_key(&job->tuple, job->stage->place, job->direction, &key);
    hash = fwd_key_hash(&key, worker->table->seed);
    keeper = fwd_crew_owner(worker->crew, hash);
    if (keeper != worker->number) {
        if (sender != keeper) {
            return keeper;
        }
        return is_first ? owner : worker->number;
    }
    if (is_first) {
        keep_owner(worker, &key, hash, owner, now_s);
        return owner;
    }
    flow = fwd_table_find(worker->table, &key, hash);
    return flow && !flow->next ? flow->state : worker->number;
}

/* The worker that a packet goes to from this one. */
static inline uint16_t
next_of(struct fwd_worker *worker, const struct fwd_job *job,
        uint16_t sender, uint32_t now_s)
{
    return job->tuple.kind == FWD_KIND_FIRST_FRAGMENT
                   || job->tuple.kind == FWD_KIND_LATER_FRAGMENT
               ? next_of_fragment(worker, job, sender, now_s)
               : fwd_crew_owner(worker->crew, job->hash);
}

/* Hands over what waits for 'receiver'; what its ring does not take is
 * dropped. */
static void
flush(struct fwd_worker *worker, uint16_t receiver)
{
    struct fwd_out *over = &worker->over[receiver];
    struct rte_ring *ring = worker->crew->rings[worker->number][receiver];
    uint32_t n = rte_ring_sp_enqueue_burst(ring, (void **) over->packets,
                                           over->n, NULL);

    worker->counters->n_handed += n;
    for (; n < over->n; n++) {
        fwd_worker_drop(worker, over->packets[n], FWD_DROP_LCORE_FULL);
    }
    over->n = 0;
}

uint16_t
fwd_relay(struct fwd_worker *worker, struct fwd_job *jobs, uint16_t n,
          uint8_t port, uint16_t sender, uint32_t now_s)
{
    uint16_t n_own = 0;

    for (uint16_t i = 0; i < n; i++) {
        uint16_t next = next_of(worker, &jobs[i], sender, now_s);
        struct fwd_out *over = &worker->over[next];

        if (next == worker->number) {
            fwd_table_prefetch(worker->table, jobs[i].hash);
            jobs[n_own++] = jobs[i];
        } else {
            jobs[i].packet->port = port;
            over->packets[over->n++] = jobs[i].packet;
        }
    }
    for (uint16_t next = 0; next < worker->crew->n_workers; next++) {
        if (worker->over[next].n) {
            flush(worker, next);
        }
    }
    return n_own;
}
