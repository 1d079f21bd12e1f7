// SPDX-License-Identifier: EPL-2.0
#include "replicate.h"

#include <string.h>

#include <rte_ethdev.h>

#include "crew.h"
#include "exchange.h"
#include "replicas.h"

#define LINES_AT_ONCE 8 /* Swept; their records fit beside a burst's. */

static_assert(FWD_BURST + 2 * LINES_AT_ONCE <= FWD_MAX_RECORDS, "they fit");

void
fwd_replicate_tell(struct fwd_worker *worker, const struct fwd_rules *rules,
                   const struct fwd_key *key, const struct fwd_flow *flow,
                   bool is_gone, uint32_t now_s)
{
    struct fwd_records *records = &worker->records;

    if (!rules->n_replicas || (key->context & FWD_KEY_FRAGMENT)
        || flow->next >= rules->n_hops || flow->prev >= rules->n_hops) {
        return;
    }
    if (records->n == FWD_MAX_RECORDS) {
        worker->counters->n_replicas_unsent += rules->n_replicas;
        return;
    }
    records->record[records->n++] = (struct fwd_replica) {
        .key = *key,
        .next = rules->identities[flow->next],
        .prev = rules->identities[flow->prev],
        .idle_s = now_s - flow->seen_s,
        .state = flow->state,
        .is_gone = is_gone,
    };
}

/* Makes a datagram of records from '*i' on, and moves that to the first one
 * that has no room. Returns null if there is no buffer. */
static struct rte_mbuf *
make_datagram(const struct fwd_worker *worker, const struct fwd_rules *rules,
              uint16_t hop, uint16_t *i)
{
    const struct fwd_records *records = &worker->records;
    const uint8_t *tunnel = rules->hops[hop].tunnel;
    uint32_t room = RTE_MIN(rules->ports[rules->underlay].mtu,
                            FWD_REPLICAS_MAX_SIZE) - FWD_REPLICAS_HEAD;
    const struct fwd_way way = fwd_rules_way(
        rules, fwd_way_number(hop, FWD_FORWARD));
    struct rte_mbuf *packet = rte_pktmbuf_alloc(worker->crew->exchange->pool);
    uint16_t first = *i, size = 0;
    uint32_t destination;
    uint8_t *ip;

    for (; *i < records->n
           && size + fwd_replica_size(&records->record[*i]) <= room; ++*i) {
        size += fwd_replica_size(&records->record[*i]);
    }
    if (!packet || !way.mtu) {
        rte_pktmbuf_free(packet);
        return NULL;
    }
    ip = (uint8_t *) rte_pktmbuf_append(
        packet, (uint16_t) (RTE_ETHER_HDR_LEN + FWD_REPLICAS_HEAD + size));
    memcpy(ip, tunnel, RTE_ETHER_HDR_LEN);
    memcpy(ip, &way.mac, sizeof way.mac);
    ip += RTE_ETHER_HDR_LEN;
    for (uint16_t j = first, at = FWD_REPLICAS_HEAD; j < *i; j++) {
        at += fwd_replica_write(&records->record[j], ip + at);
    }
    memcpy(&destination,
           tunnel + RTE_ETHER_HDR_LEN + offsetof(struct rte_ipv4_hdr,
                                                 dst_addr),
           sizeof destination);
    fwd_replicas_write_head(ip, rules->address, destination, rules->identity,
                            (uint16_t) (*i - first), size);
    return packet;
}

/* Sends all that waits to one peer. */
static void
send_to_peer(struct fwd_worker *worker, const struct fwd_rules *rules,
             uint16_t hop)
{
    struct fwd_counters *counters = worker->counters;

    for (uint16_t i = 0, first = 0; i < worker->records.n; first = i) {
        struct rte_mbuf *packet = make_datagram(worker, rules, hop, &i);

        counters->n_made += packet != NULL;
        if (packet
            && rte_eth_tx_burst(rules->ports[rules->underlay].id,
                                worker->number, &packet, 1)) {
            counters->n_sent++;
            counters->n_replicas_sent += i - first;
            continue;
        }
        counters->n_replicas_unsent += i - first;
        if (packet) {
            fwd_worker_drop(worker, packet, FWD_DROP_PORT_FULL);
        }
    }
}

void
fwd_replicate_send(struct fwd_worker *worker, const struct fwd_rules *rules)
{
    for (uint8_t i = 0; i < rules->n_replicas; i++) {
        send_to_peer(worker, rules, rules->replicas[i]);
    }
    worker->records.n = 0;
}

void
fwd_replicate_send_due(struct fwd_worker *worker,
                       const struct fwd_rules *rules, uint64_t now_ms)
{
    if (worker->told_ms != now_ms) {
        fwd_replicate_send(worker, rules);
        worker->told_ms = now_ms;
    }
}

/* Whose entries are swept. */
struct sweep {
    struct fwd_worker *worker;
    const struct fwd_rules *rules;
    uint32_t now_s;
};

static void
tell_swept(void *sweep_, const struct fwd_key *key,
           const struct fwd_flow *flow, bool is_gone)
{
    const struct sweep *sweep = sweep_;

    fwd_replicate_tell(sweep->worker, sweep->rules, key, flow, is_gone,
                       sweep->now_s);
}

void
fwd_replicate_sweep(struct fwd_worker *worker, const struct fwd_rules *rules,
                    uint64_t n, uint32_t now_s)
{
    struct sweep sweep = {worker, rules, now_s};

    if (!rules->n_replicas) {
        fwd_table_sweep(worker->table, n, now_s, NULL, NULL);
        return;
    }
    for (uint64_t part; n; n -= part) {
        part = RTE_MIN(n, (uint64_t) LINES_AT_ONCE);
        fwd_table_sweep(worker->table, part, now_s, tell_swept, &sweep);
        if (worker->records.n >= FWD_BURST) {
            fwd_replicate_send(worker, rules);
        }
    }
}

/* The peer at 'source' that keeps replicas, or FWD_HOP_NONE. */
static uint16_t
replica_at(const struct fwd_rules *rules, uint32_t source)
{
    uint16_t hop = fwd_rules_peer(rules, source);

    for (uint8_t i = 0; i < rules->n_replicas; i++) {
        if (rules->replicas[i] == hop) {
            return hop;
        }
    }
    return FWD_HOP_NONE;
}

bool
fwd_replicate_is_wanted(const struct fwd_rules *rules, const uint8_t *data,
                        uint32_t size)
{
    uint32_t source, destination;

    return rules->n_replicas
           && fwd_replicas_peek(data, size, &source, &destination)
           && destination == rules->address && replica_at(rules, source);
}

/* Keeps the records of a datagram that belong to the worker. */
static void
keep(struct fwd_worker *worker, struct fwd_replicas *replicas, uint32_t now_s)
{
    struct fwd_counters *counters = worker->counters;
    uint64_t seed = worker->table->seed;
    struct fwd_replica replica;

    while (fwd_replicas_next(replicas, &replica)) {
        if (fwd_crew_owner(worker->crew, fwd_key_hash(&replica.key, seed))
            != worker->number) {
            continue;
        }
        if (fwd_replicas_keep(worker->table, replicas->sender, &replica,
                              now_s)) {
            counters->n_replicas_taken++;
        } else {
            counters->n_replicas_refused++;
        }
    }
}

/* Hands a datagram over to the next worker; it goes round until all have had
 * it. 'left' workers have not. */
static void
hand_on(struct fwd_worker *worker, struct rte_mbuf *packet, uint8_t port,
        uint32_t left)
{
    const struct fwd_crew *crew = worker->crew;
    uint32_t next = (worker->number + 1u) % crew->n_workers;

    if (!left) {
        worker->counters->n_heard++;
        rte_pktmbuf_free(packet);
        return;
    }
    packet->port = port;
    packet->hash.usr = left;
    if (rte_ring_sp_enqueue(crew->rings[worker->number][next], packet)) {
        fwd_worker_drop(worker, packet, FWD_DROP_LCORE_FULL);
    } else {
        worker->counters->n_handed++;
    }
}

void
fwd_replicate_take(struct fwd_worker *worker, const struct fwd_rules *rules,
                   struct rte_mbuf *packet, uint8_t port, uint16_t sender,
                   uint32_t now_s)
{
    const uint8_t *ip = rte_pktmbuf_mtod_offset(packet, const uint8_t *,
                                                RTE_ETHER_HDR_LEN);
    uint32_t size = rte_pktmbuf_data_len(packet) - RTE_ETHER_HDR_LEN;
    struct fwd_replicas replicas;
    uint16_t hop;

    if (!fwd_replicas_read(ip, size, &replicas)) {
        fwd_worker_drop(worker, packet, FWD_DROP_REPLICA);
        return;
    }
    hop = replica_at(rules, replicas.source);
    if (!hop || replicas.sender != rules->identities[hop]) {
        fwd_worker_drop(worker, packet, FWD_DROP_REPLICA);
        return;
    }
    keep(worker, &replicas, now_s);
    hand_on(worker, packet, port,
            sender == worker->number ? worker->crew->n_workers - 1u
                                     : packet->hash.usr - 1);
}
