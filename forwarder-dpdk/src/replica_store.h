// SPDX-License-Identifier: EPL-2.0
/* Replicas: what peers told of their entries, kept in the flow table beside
 * the forwarder's own entries.
 *
 * The key of a replica has the number of the peer that told it, its origin,
 * so it is another key than that of an own entry: packets never find it, and
 * it can't overrule one. It is read when a flow has no own entry, or one whose
 * hop is gone (recall.h). Its hops are numbers of identities (replica_wire.h),
 * which mean a hop only once a packet comes: by the rules of then.
 *
 * Replicas take at most half of the table. They age as own entries do, from
 * the last packet that the peer told of.
 *
 * Thread-safety: as the table, owned by one lcore. */
#ifndef FWD_REPLICA_STORE_H
#define FWD_REPLICA_STORE_H

#include "flow.h"
#include "replica_wire.h"

/* Keeps what the forwarder with identity 'origin' told, or forgets it if its
 * entry is gone. Returns whether there was room. */
bool fwd_replica_store_keep(struct fwd_table *table, uint64_t origin,
                            const struct fwd_replica *replica, uint32_t now_s);

/* The entry of 'key' that origin number 'number' told, or null; fills
 * '*replica'. */
struct fwd_flow *fwd_replica_store_find(const struct fwd_table *table,
                                        uint32_t number,
                                        const struct fwd_key *key,
                                        uint32_t now_s,
                                        struct fwd_replica *replica);

#endif
