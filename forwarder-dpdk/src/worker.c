// SPDX-License-Identifier: EPL-2.0
#include "worker.h"

#include <errno.h>
#include <stdlib.h>

#include <rte_ethdev.h>

#include "crew.h"
#include "exchange.h"
#include "lookup.h"
#include "replication.h"

#define PREFETCH_AHEAD 8   /* Packets. */
#define GROUP 8            /* Packets whose flows are fetched together. */

/* Packets that came in together. */
struct burst {
    struct rte_mbuf **packets;
    uint16_t n;
    uint16_t sender; /* Worker that handed them over, or this one. */
    uint8_t port;    /* Index of the port that they came in at. */
    uint64_t now_ms;
};

int
fwd_worker_create(const struct fwd_crew *crew, uint16_t number,
                  struct fwd_table *table, uint32_t sweep_interval_s,
                  uint64_t now_ms, struct fwd_worker **workerp)
{
    struct fwd_worker *worker = calloc(1, sizeof *worker);

    if (worker) {
        worker->counters = calloc(1, sizeof *worker->counters);
    }
    if (!worker || !worker->counters) {
        free(worker);
        return ENOMEM;
    }
    worker->crew = crew;
    worker->number = number;
    worker->table = table;
    worker->sweep.interval_s = sweep_interval_s;
    worker->sweep.pass_ms = now_ms;
    *workerp = worker;
    return 0;
}

void
fwd_worker_destroy(struct fwd_worker *worker)
{
    if (worker) {
        fwd_table_destroy(worker->table);
        fwd_stage_drops_clear(&worker->counters->stage_drops);
        free(worker->counters);
        free(worker);
    }
}

/* Sends what waits for 'port'; what it does not take is dropped. */
static void
flush(struct fwd_worker *worker, const struct fwd_rules *rules, uint8_t port)
{
    struct fwd_out *out = &worker->out[port];
    uint16_t n_sent = rte_eth_tx_burst(rules->ports[port].id,
                                       worker->number, out->packets, out->n);

    worker->counters->n_sent += n_sent;
    for (uint16_t i = n_sent; i < out->n; i++) {
        fwd_worker_drop(worker, out->packets[i], FWD_DROP_PORT_FULL);
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

/* Counts a dropped packet at its stage, as far as that is known. */
static __rte_cold void
count_at_stage(struct fwd_counters *counters, const struct fwd_job *job,
               enum fwd_drop drop)
{
    if (job->stage) {
        fwd_stage_drops_count(&counters->stage_drops, job->stage->counters,
                              job->direction, drop);
    }
}

/* Gives ARP and ND to the control thread; takes replicas; drops all else. */
static __rte_noinline void
set_aside(struct fwd_worker *worker, const struct fwd_rules *rules,
          const struct burst *burst, const struct fwd_job *job,
          enum fwd_drop drop)
{
    struct rte_mbuf *packet = job->packet;
    struct rte_ring *heard = worker->crew->exchange->heard[burst->port];

    if (drop == FWD_DROP_NEIGHBOUR && !rte_ring_enqueue(heard, packet)) {
        worker->counters->n_heard++;
    } else if (drop == FWD_DROP_REPLICA) {
        fwd_replication_take(worker, rules, packet, burst->port, burst->sender,
                             (uint32_t) (burst->now_ms / 1000));
    } else {
        count_at_stage(worker->counters, job, drop);
        fwd_worker_drop(worker, packet, drop);
    }
}

/* Fetches the flows of 'n' packets.
 *
 * In a large table nearly every flow misses the TLB, and a prefetch that does
 * holds up what follows until its page is found. Side by side they wait
 * together. */
static inline void
prefetch_flows(const struct fwd_worker *worker, const struct fwd_job *jobs,
               uint16_t n)
{
    for (uint16_t i = 0; i < n; i++) {
        fwd_table_prefetch(worker->table, jobs[i].hash);
    }
}

/* Classifies a burst; returns the number of packets that were not dropped,
 * and prefetches their flows if they are the worker's ('is_own'). */
static uint16_t
classify_burst(struct fwd_worker *worker, const struct fwd_rules *rules,
               const struct burst *burst, bool is_own, struct fwd_job *jobs)
{
    uint16_t n = burst->n, n_jobs = 0;

    for (uint16_t i = 0; i < n; i++) {
        rte_prefetch0(burst->packets[i]);
    }
    for (uint16_t i = 0; i < n && i < PREFETCH_AHEAD; i++) {
        prefetch_data(burst->packets[i]);
    }
    for (uint16_t i = 0; i < n; i++) {
        struct fwd_job *job = &jobs[n_jobs];
        enum fwd_drop drop;

        if (i + PREFETCH_AHEAD < n) {
            prefetch_data(burst->packets[i + PREFETCH_AHEAD]);
        }
        job->packet = burst->packets[i];
        job->stage = NULL;
        drop = fwd_classify(rules, burst->port, job);
        if (unlikely(drop)) {
            set_aside(worker, rules, burst, job, drop);
            continue;
        }
        job->hash = fwd_key_hash(&job->key, worker->table->seed);
        n_jobs++;
        if (is_own && n_jobs % GROUP == 0) {
            prefetch_flows(worker, jobs + n_jobs - GROUP, GROUP);
        }
    }
    if (is_own) {
        prefetch_flows(worker, jobs + n_jobs - n_jobs % GROUP, n_jobs % GROUP);
    }
    return n_jobs;
}

/* Rewrites a packet for 'hop', and leaves it there for the end of the burst.
 * Returns why it can't. */
static inline enum fwd_drop
send_to(struct fwd_worker *worker, const struct fwd_rules *rules,
        const struct fwd_job *job, uint16_t hop)
{
    struct fwd_out *out;
    uint8_t port;
    enum fwd_drop drop = fwd_rewrite(rules, job, hop, &port);

    if (unlikely(drop)) {
        return drop;
    }
    count(worker->counters, job, hop);
    out = &worker->out[port];
    out->packets[out->n++] = job->packet;
    return FWD_DROP_NONE;
}

/* Drops a packet that can't be sent to 'hop'. If it is too big the error
 * that tells its sender goes out in its place. */
static __rte_cold void
refuse(struct fwd_worker *worker, const struct fwd_rules *rules,
       const struct fwd_job *job, uint16_t hop, enum fwd_drop drop,
       uint64_t now_ms)
{
    struct fwd_counters *counters = worker->counters;

    if (drop == FWD_DROP_TOO_BIG) {
        struct fwd_job error;

        drop = fwd_too_big(&worker->errors, rules, job, hop, now_ms, &error);
        if (!drop) {
            drop = send_to(worker, rules, &error, job->from);
        }
        if (!drop) {
            counters->drops[FWD_DROP_TOO_BIG]++;
            count_at_stage(counters, job, FWD_DROP_TOO_BIG);
            counters->n_made++;
            return;
        }
    }
    count_at_stage(counters, job, drop);
    fwd_worker_drop(worker, job->packet, drop);
}

static void
flush_all(struct fwd_worker *worker, const struct fwd_rules *rules)
{
    for (uint8_t port = 0; port < rules->n_ports; port++) {
        if (worker->out[port].n) {
            flush(worker, rules, port);
        }
    }
}

/* Decides and rewrites; takes ownership of every packet. */
static void
forward_jobs(struct fwd_worker *worker, const struct fwd_rules *rules,
             struct fwd_job *jobs, uint16_t n, uint64_t now_ms)
{
    uint32_t now_s = (uint32_t) (now_ms / 1000);

    for (uint16_t i = 0; i < n; i++) {
        struct fwd_job *job = &jobs[i];
        uint16_t hop = FWD_HOP_NONE;
        enum fwd_drop drop = fwd_decide(worker, rules, job, now_s, &hop);

        if (likely(!drop)) {
            drop = send_to(worker, rules, job, hop);
        }
        if (unlikely(drop)) {
            refuse(worker, rules, job, hop, drop, now_ms);
        }
    }
    flush_all(worker, rules);
}

/* Takes ownership of every packet of the burst. */
static void
forward_burst(struct fwd_worker *worker, const struct fwd_rules *rules,
              const struct burst *burst)
{
    uint64_t now_ms = burst->now_ms;
    bool is_shared = worker->crew->n_workers > 1;
    bool is_own = !is_shared || burst->sender != worker->number;
    struct fwd_job jobs[FWD_BURST];
    uint16_t n = classify_burst(worker, rules, burst, is_own, jobs);

    if (is_shared) {
        n = fwd_relay(worker, jobs, n, burst->port, burst->sender,
                      (uint32_t) (now_ms / 1000));
    }
    forward_jobs(worker, rules, jobs, n, now_ms);
    if (unlikely(worker->records.n >= FWD_BURST)) {
        fwd_replication_send(worker, rules);
    }
}

/* Forwards what a worker handed over, but not what it adds meanwhile. Each
 * packet bears the port that it came in at. */
static void
forward_handed(struct fwd_worker *worker, const struct fwd_rules *rules,
               uint16_t sender, uint64_t now_ms)
{
    struct rte_ring *ring = worker->crew->rings[sender][worker->number];
    uint32_t left = rte_ring_count(ring), n;

    for (; left; left -= n) {
        struct rte_mbuf *packets[FWD_BURST];

        n = rte_ring_sc_dequeue_burst(ring, (void **) packets,
                                      RTE_MIN(left, FWD_BURST), NULL);
        for (uint32_t i = 0, end; i < n; i = end) {
            struct burst burst = {
                .packets = packets + i, .sender = sender,
                .port = (uint8_t) packets[i]->port, .now_ms = now_ms,
            };

            for (end = i + 1; end < n
                              && packets[end]->port == burst.port; end++) {
            }
            burst.n = (uint16_t) (end - i);
            forward_burst(worker, rules, &burst);
        }
    }
}

static const struct fwd_rules *
read_rules(const struct fwd_worker *worker)
{
    return atomic_load_explicit(&worker->crew->rules, memory_order_acquire);
}

void
fwd_worker_take(struct fwd_worker *worker, uint64_t now_ms)
{
    const struct fwd_rules *rules = read_rules(worker);

    for (uint16_t from = 0; from < worker->crew->n_workers; from++) {
        if (from != worker->number) {
            forward_handed(worker, rules, from, now_ms);
        }
    }
}

/* Receives a burst from a port, if the worker has a queue of it, and forwards
 * it. Returns the number of packets received. */
static uint16_t
receive(struct fwd_worker *worker, const struct fwd_rules *rules,
        uint8_t port, uint64_t now_ms)
{
    struct rte_mbuf *packets[FWD_BURST];
    struct burst burst = {
        .packets = packets, .port = port, .sender = worker->number,
        .now_ms = now_ms,
    };

    if (worker->number < rules->ports[port].n_queues) {
        burst.n = rte_eth_rx_burst(rules->ports[port].id, worker->number,
                                   packets, FWD_BURST);
    }
    if (burst.n) {
        forward_burst(worker, rules, &burst);
    }
    return burst.n;
}

/* Sends what the control thread made. */
static void
send_made(struct fwd_worker *worker, const struct fwd_rules *rules)
{
    struct rte_mbuf *packets[FWD_BURST];
    uint32_t n = rte_ring_dequeue_burst(worker->crew->exchange->made,
                                        (void **) packets, FWD_BURST, NULL);

    for (uint32_t i = 0; i < n; i++) {
        struct fwd_out *out = &worker->out[packets[i]->port];

        out->packets[out->n++] = packets[i];
    }
    worker->counters->n_made += n;
    flush_all(worker, rules);
}

/* Sweeps the lines that are due. */
static void
sweep(struct fwd_worker *worker, const struct fwd_rules *rules,
      uint64_t now_ms)
{
    uint64_t n = fwd_sweep_due(&worker->sweep, worker->table->n_lines, now_ms);

    if (n) {
        fwd_replication_sweep(worker, rules, n, (uint32_t) (now_ms / 1000));
    }
}

uint32_t
fwd_worker_poll(struct fwd_worker *worker, uint64_t now_ms)
{
    const struct fwd_crew *crew = worker->crew;
    const struct fwd_rules *rules = read_rules(worker);
    uint32_t n_received = 0;

    fwd_worker_take(worker, now_ms);
    for (uint8_t port = 0; port < rules->n_ports; port++) {
        n_received += receive(worker, rules, port, now_ms);
    }
    if (unlikely(!rte_ring_empty(crew->exchange->made))) {
        send_made(worker, rules);
    }
    worker->counters->n_received += n_received;
    sweep(worker, rules, now_ms);
    if (unlikely(worker->records.n)) {
        fwd_replication_send_due(worker, rules, now_ms);
    }
    if (unlikely(atomic_load_explicit(&worker->lookup,
                                      memory_order_relaxed))) {
        fwd_lookup_answer(worker, (uint32_t) (now_ms / 1000));
    }
    rte_rcu_qsbr_quiescent(crew->rcu, worker->number);
    return n_received;
}
