// SPDX-License-Identifier: EPL-2.0
/* Entries of the flow table on their way to a peer that keeps replicas of
 * them: many records in a datagram (docs/wire/forwarder.md, "Replicas of
 * entries").
 *
 * Numbers of hops mean nothing to another forwarder. A record has their
 * identities instead: the hash of their name. So nothing has to be agreed on
 * before, and each datagram can be read by itself, whatever was lost before
 * it and whoever has started again. */
#ifndef FWD_REPLICA_WIRE_H
#define FWD_REPLICA_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "key.h"
#include "names.h"

#define FWD_REPLICA_PORT 5572 /* UDP, source and destination. */
#define FWD_REPLICA_HEAD_SIZE 44 /* Bytes of IPv4, UDP and our header. */
#define FWD_REPLICA_RECORD_MAX 68 /* Bytes of a record of IPv6. */
#define FWD_REPLICA_DATAGRAM_MAX 1500 /* Bytes of a datagram with IPv4. */

/* Lowest bit of an identity: of a forwarder, not of an instance. */
#define FWD_IDENTITY_PEER 1ULL

/* What a record says. */
struct fwd_replica {
    struct fwd_key key; /* Of a flow, not of fragments. */
    uint64_t next;      /* Identity of the hop towards the egress. */
    uint64_t prev;      /* Likewise towards the ingress. */
    uint32_t idle_s;    /* Since the last packet, seconds. */
    uint8_t state;      /* FWD_SEEN_..., FWD_FIN_..., FWD_RESET. */
    bool is_gone;       /* The entry was removed. */
};

/* A datagram that is read. */
struct fwd_replica_datagram {
    uint32_t source;      /* Network order. */
    uint32_t destination; /* Network order. */
    uint64_t sender;      /* Identity of who sent it. */
    uint16_t n;           /* Records that are left. */
    const uint8_t *at;    /* The next one. */
};

/* Identity of a hop named peer/x or instance/x. */
static inline uint64_t
fwd_identity(const char *name)
{
    return (fwd_name_hash(name) & ~FWD_IDENTITY_PEER)
           | (name[0] == 'p' ? FWD_IDENTITY_PEER : 0);
}

/* Bytes of a record. */
uint16_t fwd_replica_size(const struct fwd_replica *replica);

/* Writes a record; returns its size. */
uint16_t fwd_replica_write(const struct fwd_replica *replica, uint8_t *at);

/* Writes what stands before 'n' records of 'size' bytes, which follow
 * 'data' + FWD_REPLICA_HEAD_SIZE: from the IPv4 header on. */
void fwd_replica_write_head(uint8_t *data, uint32_t source,
                            uint32_t destination, uint64_t sender,
                            uint16_t n, uint16_t size);

/* Whether a packet from the IPv4 header on is for the port of replicas, and
 * from where to where; it may be damaged. */
bool fwd_replica_peek(const uint8_t *data, uint32_t size, uint32_t *source,
                      uint32_t *destination);

/* Reads a datagram from the IPv4 header on. Returns whether it is sound from
 * the first to the last byte; only then are there records. */
bool fwd_replica_read_datagram(const uint8_t *data, uint32_t size,
                               struct fwd_replica_datagram *datagram);

/* Takes the next record; false if there is none left. */
bool fwd_replica_next(struct fwd_replica_datagram *datagram,
                      struct fwd_replica *replica);

#endif
