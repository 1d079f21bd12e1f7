// SPDX-License-Identifier: EPL-2.0
#include "worker.h"

#include <errno.h>
#include <stdlib.h>

#include <rte_ethdev.h>

#define LINES_PER_POLL 256 /* Most lines that are swept in one poll. */
#define PREFETCH_AHEAD 8   /* Packets. */

int
fwd_worker_create(struct fwd_table *table, uint32_t sweep_interval_s,
                  uint64_t now_ms, struct fwd_worker **workerp)
{
    struct fwd_worker *worker = calloc(1, sizeof *worker);
    size_t rcu_size = rte_rcu_qsbr_get_memsize(1);

    if (!worker) {
        return ENOMEM;
    }
    worker->table = table;
    worker->sweep_interval_s = sweep_interval_s;
    worker->pass_ms = now_ms;
    worker->counters = calloc(1, sizeof *worker->counters);
    worker->rcu = aligned_alloc(RTE_CACHE_LINE_SIZE, rcu_size);
    if (!worker->counters || !worker->rcu
        || rte_rcu_qsbr_init(worker->rcu, 1)
        || rte_rcu_qsbr_thread_register(worker->rcu, 0)) {
        fwd_worker_destroy(worker);
        return ENOMEM;
    }
    *workerp = worker;
    return 0;
}

void
fwd_worker_destroy(struct fwd_worker *worker)
{
    if (worker) {
        fwd_rules_destroy((struct fwd_rules *) atomic_load(&worker->rules));
        fwd_table_destroy(worker->table);
        free(worker->counters);
        free(worker->rcu);
        free(worker);
    }
}

void
fwd_worker_publish(struct fwd_worker *worker, struct fwd_rules *rules)
{
    const struct fwd_rules *old = atomic_exchange(&worker->rules, rules);

    rte_rcu_qsbr_synchronize(worker->rcu, RTE_QSBR_THRID_INVALID);
    fwd_rules_destroy((struct fwd_rules *) old);
}

static inline void
drop_packet(struct fwd_worker *worker, struct rte_mbuf *packet,
            enum fwd_drop reason)
{
    worker->counters->drops[reason]++;
    rte_pktmbuf_free(packet);
}

/* Sends what waits for 'port'; what it does not take is dropped. */
static void
flush(struct fwd_worker *worker, const struct fwd_rules *rules, uint8_t port)
{
    struct fwd_out *out = &worker->out[port];
    uint16_t n_sent = rte_eth_tx_burst(rules->ports[port].id, 0,
                                       out->packets, out->n);

    worker->counters->n_sent += n_sent;
    for (uint16_t i = n_sent; i < out->n; i++) {
        drop_packet(worker, out->packets[i], FWD_DROP_PORT_FULL);
    }
    out->n = 0;
}

static inline void
count(struct fwd_counters *counters, const struct fwd_job *job, uint16_t hop)
{
    struct fwd_count *of_stage
        = &counters->stages[job->stage->counters][job->direction];
    struct fwd_count *of_hop = &counters->hops[hop][job->direction];

    of_stage->packets++;
    of_stage->bytes += job->tuple.size;
    of_hop->packets++;
    of_hop->bytes += job->tuple.size;
}

/* Fetches the headers, and the room before them that a tunnel takes. */
static inline void
prefetch_data(const struct rte_mbuf *packet)
{
    const uint8_t *data = rte_pktmbuf_mtod(packet, const uint8_t *);

    rte_prefetch0(data - RTE_CACHE_LINE_SIZE);
    rte_prefetch0(data);
    rte_prefetch0(data + RTE_CACHE_LINE_SIZE);
}

/* Classifies a burst; prefetches the flows of what is not dropped, whose
 * number is returned. */
static uint16_t
classify_burst(struct fwd_worker *worker, const struct fwd_rules *rules,
               uint8_t port, struct rte_mbuf **packets, uint16_t n,
               struct fwd_job *jobs)
{
    uint16_t n_jobs = 0;

    for (uint16_t i = 0; i < n; i++) {
        rte_prefetch0(packets[i]);
    }
    for (uint16_t i = 0; i < n && i < PREFETCH_AHEAD; i++) {
        prefetch_data(packets[i]);
    }
    for (uint16_t i = 0; i < n; i++) {
        struct fwd_job *job = &jobs[n_jobs];
        enum fwd_drop drop;

        if (i + PREFETCH_AHEAD < n) {
            prefetch_data(packets[i + PREFETCH_AHEAD]);
        }
        job->packet = packets[i];
        drop = fwd_classify(rules, port, job);
        if (unlikely(drop)) {
            drop_packet(worker, packets[i], drop);
            continue;
        }
        job->hash = fwd_key_hash(&job->key, worker->table->seed);
        fwd_table_prefetch(worker->table, job->hash);
        n_jobs++;
    }
    return n_jobs;
}

/* Decides and rewrites; takes ownership of every packet of the burst. */
static void
forward_burst(struct fwd_worker *worker, const struct fwd_rules *rules,
              const struct fwd_job *jobs, uint16_t n, uint32_t now_s)
{
    for (uint16_t i = 0; i < n; i++) {
        const struct fwd_job *job = &jobs[i];
        enum fwd_drop drop;
        uint16_t hop;
        uint8_t port;

        drop = fwd_decide(worker, rules, job, now_s, &hop);
        if (likely(!drop)) {
            drop = fwd_rewrite(rules, job, hop, &port);
        }
        if (unlikely(drop)) {
            drop_packet(worker, job->packet, drop);
            continue;
        }
        count(worker->counters, job, hop);
        worker->out[port].packets[worker->out[port].n++] = job->packet;
    }
    for (uint8_t port = 0; port < rules->n_ports; port++) {
        if (worker->out[port].n) {
            flush(worker, rules, port);
        }
    }
}

/* Sweeps the lines that are due, so that all are swept in an interval. */
static void
sweep(struct fwd_worker *worker, uint64_t now_ms)
{
    uint64_t interval_ms = worker->sweep_interval_s * 1000ULL;
    uint64_t n_lines = worker->table->n_lines;
    uint64_t due = (now_ms - worker->pass_ms) * n_lines / interval_ms;
    uint64_t n;

    due = due < n_lines ? due : n_lines;
    n = due - worker->n_swept;
    if (n) {
        n = n < LINES_PER_POLL ? n : LINES_PER_POLL;
        fwd_table_sweep(worker->table, n, (uint32_t) (now_ms / 1000));
        worker->n_swept += n;
    }
    if (worker->n_swept == n_lines) {
        worker->pass_ms = now_ms;
        worker->n_swept = 0;
    }
}

uint32_t
fwd_worker_poll(struct fwd_worker *worker, uint64_t now_ms)
{
    const struct fwd_rules *rules = atomic_load_explicit(
        &worker->rules, memory_order_acquire);
    uint32_t n_received = 0;

    for (uint8_t port = 0; port < rules->n_ports; port++) {
        struct rte_mbuf *packets[FWD_BURST];
        struct fwd_job jobs[FWD_BURST];
        uint16_t n = rte_eth_rx_burst(rules->ports[port].id, 0, packets,
                                      FWD_BURST);

        if (n) {
            uint16_t n_jobs = classify_burst(worker, rules, port, packets, n,
                                             jobs);

            forward_burst(worker, rules, jobs, n_jobs,
                          (uint32_t) (now_ms / 1000));
            n_received += n;
        }
    }
    worker->counters->n_received += n_received;
    sweep(worker, now_ms);
    rte_rcu_qsbr_quiescent(worker->rcu, 0);
    return n_received;
}
