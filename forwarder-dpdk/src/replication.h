// SPDX-License-Identifier: EPL-2.0
/* Tells the peers that keep replicas what becomes of own entries, and takes
 * what they tell.
 *
 *   pinned, pinned anew --\                                    peer
 *   swept: is there still --> records --> datagrams --> each worker keeps
 *   removed --------------/   of a worker              those of its flows
 *
 * A record is on its way within a millisecond, or once a burst's worth of
 * them waits. All entries are told again in each sweep-interval, so what was
 * lost is healed by then, and who has just started knows all by then.
 *
 * Thread-safety: of a worker, on its lcore. */
#ifndef FWD_REPLICATION_H
#define FWD_REPLICATION_H

#include "worker.h"

/* Tells of an own entry, if peers want to know and it is not of fragments. */
void fwd_replication_tell(struct fwd_worker *worker,
                          const struct fwd_rules *rules,
                          const struct fwd_key *key,
                          const struct fwd_flow *flow, bool is_gone,
                          uint32_t now_s);

/* Sends the records that wait. */
void fwd_replication_send(struct fwd_worker *worker,
                          const struct fwd_rules *rules);

/* The same, unless that was done in the same millisecond. */
void fwd_replication_send_due(struct fwd_worker *worker,
                              const struct fwd_rules *rules, uint64_t now_ms);

/* The next 'n' lines are swept, and told if peers want to know. */
void fwd_replication_sweep(struct fwd_worker *worker,
                           const struct fwd_rules *rules, uint64_t n,
                           uint32_t now_s);

/* Whether what is no tunnel comes from a peer that keeps replicas and is for
 * their port; 'data' is an IPv4 packet. */
bool fwd_replication_is_wanted(const struct fwd_rules *rules,
                               const uint8_t *data, uint32_t size);

/* Takes a datagram that came in at 'port', or was handed over by worker
 * 'sender'; keeps what belongs to this worker, and hands it over to the next
 * one. */
void fwd_replication_take(struct fwd_worker *worker,
                          const struct fwd_rules *rules,
                          struct rte_mbuf *packet, uint8_t port,
                          uint16_t sender, uint32_t now_s);

#endif
