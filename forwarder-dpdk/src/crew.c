// SPDX-License-Identifier: EPL-2.0
#include "crew.h"

#include <errno.h>
#include <stdlib.h>

#include "replication.h"

#define RING_SIZE 1024 /* Packets and one, a power of two. */
#define MAX_RELAYS 2   /* Of a packet: to its keeper, to its owner. */

/* Memory of DPDK's that begins at a cache line. */
static void *
allocate(size_t size)
{
    return aligned_alloc(RTE_CACHE_LINE_SIZE,
                         RTE_ALIGN_CEIL(size, RTE_CACHE_LINE_SIZE));
}

static int
make_ring(struct rte_ring **ringp)
{
    *ringp = allocate((size_t) rte_ring_get_memsize(RING_SIZE));
    return *ringp ? -rte_ring_init(*ringp, "sluice", RING_SIZE,
                                   RING_F_SP_ENQ | RING_F_SC_DEQ)
                  : ENOMEM;
}

static int
make_rings(struct fwd_crew *crew)
{
    int error = 0;

    for (uint16_t from = 0; from < crew->n_workers; from++) {
        for (uint16_t to = 0; to < crew->n_workers && !error; to++) {
            if (from != to) {
                error = make_ring(&crew->rings[from][to]);
            }
        }
    }
    return error;
}

static int
make_rcu(struct fwd_crew *crew)
{
    int error;

    crew->rcu = allocate(rte_rcu_qsbr_get_memsize(crew->n_workers));
    error = crew->rcu ? rte_rcu_qsbr_init(crew->rcu, crew->n_workers)
                      : ENOMEM;
    for (uint16_t i = 0; i < crew->n_workers && !error; i++) {
        error = rte_rcu_qsbr_thread_register(crew->rcu, i);
    }
    return error ? ENOMEM : 0;
}

int
fwd_crew_create(struct fwd_table *const tables[], uint16_t n_workers,
                uint32_t sweep_interval_s, uint64_t now_ms,
                struct fwd_crew **crewp)
{
    struct fwd_crew *crew = calloc(1, sizeof *crew);
    int error = crew ? 0 : ENOMEM;

    for (uint16_t i = 0; i < n_workers; i++) {
        if (!error) {
            error = fwd_worker_create(crew, i, tables[i], sweep_interval_s,
                                      now_ms, &crew->workers[i]);
        }
        if (error) {
            fwd_table_destroy(tables[i]);
        } else {
            crew->n_workers++;
        }
    }
    if (!error) {
        error = make_rcu(crew);
    }
    if (!error) {
        error = make_rings(crew);
    }
    if (error) {
        fwd_crew_destroy(crew);
        return error;
    }
    *crewp = crew;
    return 0;
}

static void
destroy_ring(struct rte_ring *ring)
{
    void *packet;

    while (ring && !rte_ring_dequeue(ring, &packet)) {
        rte_pktmbuf_free(packet);
    }
    free(ring);
}

void
fwd_crew_destroy(struct fwd_crew *crew)
{
    if (!crew) {
        return;
    }
    for (uint16_t i = 0; i < crew->n_workers; i++) {
        for (uint16_t to = 0; to < crew->n_workers; to++) {
            destroy_ring(crew->rings[i][to]);
        }
        fwd_worker_destroy(crew->workers[i]);
    }
    fwd_rules_destroy((struct fwd_rules *) atomic_load(&crew->rules));
    free(crew->rcu);
    free(crew);
}

void
fwd_crew_publish(struct fwd_crew *crew, struct fwd_rules *rules)
{
    const struct fwd_rules *old = atomic_exchange(&crew->rules, rules);

    rte_rcu_qsbr_synchronize(crew->rcu, RTE_QSBR_THRID_INVALID);
    fwd_rules_destroy((struct fwd_rules *) old);
}

void
fwd_crew_drain(struct fwd_crew *crew, uint64_t now_ms)
{
    for (int hop = 0; hop < MAX_RELAYS; hop++) {
        for (uint16_t i = 0; i < crew->n_workers; i++) {
            fwd_worker_take(crew->workers[i], now_ms);
        }
    }
    for (uint16_t i = 0; i < crew->n_workers; i++) {
        fwd_replication_send(crew->workers[i], atomic_load(&crew->rules));
    }
}

uint64_t
fwd_crew_sum(const struct fwd_crew *crew, const uint64_t *counter)
{
    ptrdiff_t i = counter - (const uint64_t *) crew->workers[0]->counters;
    uint64_t sum = 0;

    for (uint16_t w = 0; w < crew->n_workers; w++) {
        sum += ((const uint64_t *) crew->workers[w]->counters)[i];
    }
    return sum;
}

void
fwd_crew_count(const struct fwd_crew *crew,
               const struct fwd_count counts[2], struct fwd_count sums[2])
{
    for (int i = 0; i < 2; i++) {
        sums[i].packets = fwd_crew_sum(crew, &counts[i].packets);
        sums[i].bytes = fwd_crew_sum(crew, &counts[i].bytes);
    }
}

uint32_t
fwd_crew_stage_drops(const struct fwd_crew *crew, uint32_t stage,
                     struct fwd_stage_drop drops[FWD_MAX_STAGE_DROPS])
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < FWD_MAX_STAGE_DROPS; i++) {
        struct fwd_stage_drop sum = {
            .direction = i / FWD_N_DROPS, .reason = i % FWD_N_DROPS,
        };

        for (uint16_t j = 0; j < crew->n_workers; j++) {
            sum.packets += fwd_stage_drops_get(
                &crew->workers[j]->counters->stage_drops, stage,
                sum.direction, sum.reason);
        }
        if (sum.packets) {
            drops[n++] = sum;
        }
    }
    return n;
}

uint64_t
fwd_crew_flows(const struct fwd_crew *crew, uint32_t hop)
{
    uint64_t sum = 0;

    for (uint16_t i = 0; i < crew->n_workers; i++) {
        sum += crew->workers[i]->table->head->hop_flows[hop];
    }
    return sum;
}

struct fwd_crew_use
fwd_crew_use(const struct fwd_crew *crew)
{
    struct fwd_crew_use use = {.huge = true};

    for (uint16_t i = 0; i < crew->n_workers; i++) {
        const struct fwd_table *table = crew->workers[i]->table;

        use.capacity += table->head->capacity;
        use.used += table->head->used;
        use.replicas += table->head->n_replicas;
        use.size += table->n_lines * sizeof *table->lines;
        use.huge = use.huge && table->head->huge;
    }
    return use;
}
