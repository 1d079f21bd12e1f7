// SPDX-License-Identifier: EPL-2.0
#include "lookup.h"

#include <errno.h>
#include <time.h>

#define REST_NS 100000 /* Between looks at the answer. */
#define MAX_RESTS 10000 /* A second, and what the looks take. */

static bool
is_done(struct fwd_lookup *lookup)
{
    return atomic_load_explicit(&lookup->is_done, memory_order_acquire);
}

static void
rest(void)
{
    nanosleep(&(struct timespec) {.tv_nsec = REST_NS}, NULL);
}

int
fwd_lookup_ask(struct fwd_worker *worker, const struct fwd_key *key,
               struct fwd_lookup *lookup)
{
    struct fwd_lookup *asked = lookup;

    *lookup = (struct fwd_lookup) {.key = *key};
    atomic_store(&worker->lookup, lookup);
    for (int i = 0; i < MAX_RESTS && !is_done(lookup); i++) {
        rest();
    }
    if (!is_done(lookup)
        && atomic_compare_exchange_strong(&worker->lookup, &asked, NULL)) {
        return ETIMEDOUT;
    }
    /* If the worker has just taken it, it is about to answer. */
    while (!is_done(lookup)) {
        rest();
    }
    return 0;
}

/* Copies what peers told of the flow. */
static void
copy_replicas(const struct fwd_table *table, uint32_t now_s,
              struct fwd_lookup *lookup)
{
    for (uint32_t i = 1; i <= FWD_MAX_ORIGINS; i++) {
        struct fwd_told *told = &lookup->told[lookup->n_told];

        if (fwd_replica_store_find(table, i, &lookup->key, now_s,
                                   &told->replica)) {
            told->origin = table->head->origins[i].identity;
            lookup->n_told++;
        }
    }
}

void
fwd_lookup_answer(struct fwd_worker *worker, uint32_t now_s)
{
    struct fwd_lookup *lookup = atomic_exchange(&worker->lookup, NULL);
    const struct fwd_table *table = worker->table;
    const struct fwd_flow *flow;

    if (!lookup) {
        return;
    }
    flow = fwd_table_find(table, &lookup->key,
                          fwd_key_hash(&lookup->key, table->seed));
    if (flow) {
        lookup->is_found = true;
        lookup->flow = *flow;
    }
    copy_replicas(table, now_s, lookup);
    lookup->n_free = table->head->capacity - table->head->used;
    lookup->now_s = now_s;
    atomic_store_explicit(&lookup->is_done, true, memory_order_release);
}
