// SPDX-License-Identifier: EPL-2.0
#include "replication.h"

#include <string.h>

#include <rte_ethdev.h>
#include <rte_ip.h>

#include "crew.h"
#include "exchange.h"
#include "replica_store.h"

#define LINES_AT_ONCE 8 /* Swept; their records fit beside a burst's. */

static_assert(FWD_BURST + 2 * LINES_AT_ONCE <= FWD_MAX_RECORDS, "they fit");

void
fwd_replication_tell(struct fwd_worker *worker, const struct fwd_rules *rules,
                     const struct fwd_key *key, const struct fwd_flow *flow,
                     bool is_gone, uint32_t now_s)
{
    struct fwd_records *records = &worker->records;

    if (!rules->n_replica_peers || (key->context & FWD_KEY_FRAGMENT)
        || flow->next >= rules->n_hops || flow->prev >= rules->n_hops) {
        return;
    }
    if (records->n == FWD_MAX_RECORDS) {
        worker->counters->n_replicas_unsent += rules->n_replica_peers;
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

/* The first record after 'first' that has no room in the same datagram;
 * stores the bytes of those before it in '*size'. */
static uint16_t
end_of_datagram(const struct fwd_records *records,
                const struct fwd_rules *rules, uint16_t first, uint16_t *size)
{
    uint32_t room = RTE_MIN(rules->ports[rules->underlay].mtu,
                            FWD_REPLICA_DATAGRAM_MAX) - FWD_REPLICA_HEAD_SIZE;
    uint16_t i = first;

    for (*size = 0; i < records->n; i++) {
        uint16_t more = fwd_replica_size(&records->record[i]);

        if (*size + more > room) {
            break;
        }
        *size += more;
    }
    return i;
}

/* The address at the other end of the tunnel to a peer. */
static uint32_t
address_of(const struct fwd_hop *peer)
{
    uint32_t address;

    memcpy(&address,
           peer->tunnel + RTE_ETHER_HDR_LEN
               + offsetof(struct rte_ipv4_hdr, dst_addr), sizeof address);
    return address;
}

/* Makes a datagram of 'n' records, which have 'size' bytes; null if there is
 * no buffer, or the peer's MAC address is not known. */
static struct rte_mbuf *
make_datagram(const struct fwd_worker *worker, const struct fwd_rules *rules,
              uint16_t hop, const struct fwd_replica *records, uint16_t n,
              uint16_t size)
{
    const struct fwd_hop *peer = &rules->hops[hop];
    const struct fwd_way way = fwd_rules_way(
        rules, fwd_way_number(hop, FWD_FORWARD));
    struct rte_mbuf *packet
        = way.mtu ? rte_pktmbuf_alloc(worker->crew->exchange->pool) : NULL;
    uint16_t at = FWD_REPLICA_HEAD_SIZE;
    uint8_t *ip;

    if (!packet) {
        return NULL;
    }
    ip = (uint8_t *) rte_pktmbuf_append(
        packet, (uint16_t) (RTE_ETHER_HDR_LEN + FWD_REPLICA_HEAD_SIZE + size));
    memcpy(ip, peer->tunnel, RTE_ETHER_HDR_LEN);
    memcpy(ip, &way.mac, sizeof way.mac);
    ip += RTE_ETHER_HDR_LEN;
    for (uint16_t i = 0; i < n; i++) {
        at += fwd_replica_write(&records[i], ip + at);
    }
    fwd_replica_write_head(ip, rules->address, address_of(peer),
                           rules->identity, n, size);
    return packet;
}

/* Sends all that waits to one peer. */
static void
send_to_peer(struct fwd_worker *worker, const struct fwd_rules *rules,
             uint16_t hop)
{
    struct fwd_counters *counters = worker->counters;
    const struct fwd_records *records = &worker->records;
    uint16_t size;

    for (uint16_t first = 0, end; first < records->n; first = end) {
        struct rte_mbuf *packet;
        uint16_t n;

        end = end_of_datagram(records, rules, first, &size);
        n = (uint16_t) (end - first);
        packet = make_datagram(worker, rules, hop, &records->record[first],
                               n, size);
        counters->n_made += packet != NULL;
        if (packet
            && rte_eth_tx_burst(rules->ports[rules->underlay].id,
                                worker->number, &packet, 1)) {
            counters->n_sent++;
            counters->n_replicas_sent += n;
            continue;
        }
        counters->n_replicas_unsent += n;
        if (packet) {
            fwd_worker_drop(worker, packet, FWD_DROP_PORT_FULL);
        }
    }
}

void
fwd_replication_send(struct fwd_worker *worker, const struct fwd_rules *rules)
{
    for (uint8_t i = 0; i < rules->n_replica_peers; i++) {
        send_to_peer(worker, rules, rules->replica_peers[i]);
    }
    worker->records.n = 0;
}

void
fwd_replication_send_due(struct fwd_worker *worker,
                         const struct fwd_rules *rules, uint64_t now_ms)
{
    if (worker->told_ms != now_ms) {
        fwd_replication_send(worker, rules);
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

    fwd_replication_tell(sweep->worker, sweep->rules, key, flow, is_gone,
                         sweep->now_s);
}

void
fwd_replication_sweep(struct fwd_worker *worker, const struct fwd_rules *rules,
                      uint64_t n, uint32_t now_s)
{
    struct sweep sweep = {worker, rules, now_s};

    if (!rules->n_replica_peers) {
        fwd_table_sweep(worker->table, n, now_s, NULL, NULL);
        return;
    }
    for (uint64_t part; n; n -= part) {
        part = RTE_MIN(n, (uint64_t) LINES_AT_ONCE);
        fwd_table_sweep(worker->table, part, now_s, tell_swept, &sweep);
        if (worker->records.n >= FWD_BURST) {
            fwd_replication_send(worker, rules);
        }
    }
}

/* The peer at 'source' that keeps replicas, or FWD_HOP_NONE. */
static uint16_t
replica_at(const struct fwd_rules *rules, uint32_t source)
{
    uint16_t hop = fwd_rules_peer(rules, source);

    for (uint8_t i = 0; i < rules->n_replica_peers; i++) {
        if (rules->replica_peers[i] == hop) {
            return hop;
        }
    }
    return FWD_HOP_NONE;
}

bool
fwd_replication_is_wanted(const struct fwd_rules *rules, const uint8_t *data,
                          uint32_t size)
{
    uint32_t source, destination;

    return rules->n_replica_peers
           && fwd_replica_peek(data, size, &source, &destination)
           && destination == rules->address && replica_at(rules, source);
}

/* Keeps the records of a datagram that belong to the worker. */
static void
keep(struct fwd_worker *worker, struct fwd_replica_datagram *datagram,
     uint32_t now_s)
{
    struct fwd_counters *counters = worker->counters;
    uint64_t seed = worker->table->seed;
    struct fwd_replica replica;

    while (fwd_replica_next(datagram, &replica)) {
        if (fwd_crew_owner(worker->crew, fwd_key_hash(&replica.key, seed))
            != worker->number) {
            continue;
        }
        if (fwd_replica_store_keep(worker->table, datagram->sender, &replica,
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
fwd_replication_take(struct fwd_worker *worker, const struct fwd_rules *rules,
                     struct rte_mbuf *packet, uint8_t port, uint16_t sender,
                     uint32_t now_s)
{
    const uint8_t *data = rte_pktmbuf_mtod(packet, const uint8_t *);
    uint32_t size = rte_pktmbuf_data_len(packet);
    struct fwd_replica_datagram datagram;
    struct fwd_link link;
    uint16_t hop;

    if (fwd_read_link(data, size, &link)
        || !fwd_replica_read_datagram(data + link.size, size - link.size,
                                      &datagram)) {
        fwd_worker_drop(worker, packet, FWD_DROP_REPLICA);
        return;
    }
    hop = replica_at(rules, datagram.source);
    if (!hop || datagram.sender != rules->identities[hop]) {
        fwd_worker_drop(worker, packet, FWD_DROP_REPLICA);
        return;
    }
    keep(worker, &datagram, now_s);
    hand_on(worker, packet, port,
            sender == worker->number ? worker->crew->n_workers - 1u
                                     : packet->hash.usr - 1);
}
