// SPDX-License-Identifier: EPL-2.0
/* The workers of a forwarder. Each has an lcore, a part of the flow table,
 * counters and a queue of every port to itself; they share nothing but the
 * rules, which they read.
 *
 * A flow belongs to the worker that the hash of its key names. Both
 * directions of a connection have one key, and so have ICMP errors about it,
 * so all of them meet there. NICs see neither through tunnel and labels nor
 * which way a packet goes: who receives a packet hands it over to its owner,
 * through a ring for each pair of workers.
 *
 *   ports --> worker 0 --ring 0-1--> worker 1 --> ports
 *         <--          <--ring 1-0--          <--
 *
 * Later fragments bear no ports. All fragments of a packet go by way of a
 * third worker, the keeper, which the hash of their own key names (as in
 * Maglev, NSDI 2016, section 4.3): from the first one the keeper learns the
 * owner of the flow, and sends the others after it, in order.
 *
 * Thread-safety: the control thread makes, publishes and destroys, and reads
 * counters, which it sees a little late. */
#ifndef FWD_CREW_H
#define FWD_CREW_H

#include <rte_rcu_qsbr.h>
#include <rte_ring.h>

#include "worker.h"

struct fwd_exchange;

struct fwd_crew {
    _Atomic(const struct fwd_rules *) rules;
    struct rte_rcu_qsbr *rcu; /* Worker i is its thread i. */
    struct fwd_exchange *exchange; /* With the control thread. */
    uint16_t n_workers;
    struct fwd_worker *workers[FWD_MAX_WORKERS];
    struct rte_ring *rings[FWD_MAX_WORKERS][FWD_MAX_WORKERS]; /* From, to. */
};

/* Makes workers without rules, one for each of 'tables', which have one seed
 * and become theirs in any case. Stores the crew in '*crewp' and returns 0,
 * or returns a positive errno. */
int fwd_crew_create(struct fwd_table *const tables[], uint16_t n_workers,
                    uint32_t sweep_interval_s, uint64_t now_ms,
                    struct fwd_crew **crewp);

/* Frees workers that have stopped, and their rules; it may be null. */
void fwd_crew_destroy(struct fwd_crew *crew);

/* Publishes 'rules', waits until no worker reads the old ones any more, and
 * frees them. */
void fwd_crew_publish(struct fwd_crew *crew, struct fwd_rules *rules);

/* Forwards what is on its way between workers, which have stopped, and tells
 * peers what waits to be told. */
void fwd_crew_drain(struct fwd_crew *crew, uint64_t now_ms);

/* Sum over all workers of a counter, given as that of the first worker. */
uint64_t fwd_crew_sum(const struct fwd_crew *crew, const uint64_t *counter);

/* The same of counts by direction. */
void fwd_crew_count(const struct fwd_crew *crew,
                    const struct fwd_count counts[2],
                    struct fwd_count sums[2]);

/* The same of what was dropped of a stage, given by its number: stores in
 * 'drops' what is above 0, and returns how many that are. */
uint32_t
fwd_crew_stage_drops(const struct fwd_crew *crew, uint32_t stage,
                     struct fwd_stage_drop drops[FWD_MAX_STAGE_DROPS]);

/* Entries that are pinned to 'hop' now. */
uint64_t fwd_crew_flows(const struct fwd_crew *crew, uint32_t hop);

/* Of the tables of all workers. */
struct fwd_crew_use {
    uint64_t capacity; /* Slots that may be used. */
    uint64_t used;     /* Slots in use. */
    uint64_t replicas; /* Of those, with entries of peers. */
    uint64_t size;     /* Bytes. */
    bool huge;         /* On huge pages. */
};

struct fwd_crew_use fwd_crew_use(const struct fwd_crew *crew);

/* The worker that what has this hash belongs to. */
static inline uint16_t
fwd_crew_owner(const struct fwd_crew *crew, uint64_t hash)
{
    return (uint16_t) ((hash & UINT32_MAX) * crew->n_workers >> 32);
}

#endif
