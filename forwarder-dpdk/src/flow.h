// SPDX-License-Identifier: EPL-2.0
/* The flow table: where connections are pinned to their hops.
 *
 * A line is one cache line with room for two entries of IPv4 or one of IPv6,
 * so a lookup costs one cache miss as a rule. An entry goes to the first line
 * with room, from its home line on; each full line that it passes counts it
 * in 'passed', and a lookup ends at a line that nothing passed (as in F14's
 * overflow counts). Removal decrements the same counts: no tombstones, and
 * no entry ever moves, so a burst may hold pointers to entries until it
 * inserts or removes.
 *
 *   line   | key 20 B, seen, next, prev, passed, state | the same     | IPv4
 *          | key 44 B, seen, next, prev, passed, state                | IPv6
 *
 * A third more lines than needed keeps chains short: two thirds of all slots
 * are in use when the table is full.
 *
 * The memory is a file of its own (memfd, huge pages if there are any), which
 * begins with a head that says what is in it and holds no pointers: another
 * process can map it and go on.
 *
 * Thread-safety: owned by one lcore. 'used' and 'hop_flows' may be read by
 * others, who see them a little late; so may 'n_replicas'. */
#ifndef FWD_FLOW_H
#define FWD_FLOW_H

#include <assert.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_common.h>
#include <rte_prefetch.h>

#include "key.h"

#define FWD_HOP_NONE 0      /* No hop; the first real one is 1. */
#define FWD_MAX_HOPS 65536  /* Hops are numbered in 16 bits. */
#define FWD_MAX_ORIGINS 31  /* Peers whose entries are kept at a time. */
#define FWD_MAX_PASSED 1024 /* Most lines that an insertion looks at. */

/* Of the head, the lines, the key and its hash: changes with any of them. */
#define FWD_TABLE_FORMAT 0x536c756963650002ULL

/* What was seen of a flow: bits of fwd_flow.state. */
#define FWD_SEEN_FORWARD 0x01
#define FWD_SEEN_RETURN 0x02
#define FWD_FIN_FORWARD 0x04
#define FWD_FIN_RETURN 0x08
#define FWD_RESET 0x10

/* An entry of IPv4, or the first half of one of IPv6. */
struct fwd_flow {
    /* Key, written at insertion. */
    uint64_t context; /* As in struct fwd_key; 0: free. */
    uint64_t address; /* First word of addresses. */
    uint32_t ports;   /* As in struct fwd_key. */

    /* Written by packets. */
    uint32_t seen_s; /* Time of the last packet, seconds. */
    uint16_t next;   /* Hop towards the egress; of a replica its number
                      * among the identities of the head. */
    uint16_t prev;   /* Likewise towards the ingress. */
    uint8_t state;   /* FWD_SEEN_..., FWD_FIN_..., FWD_RESET. */
    uint8_t zero;    /* Explicit padding. */

    /* Of the line; used in its first slot only, free or not. */
    uint16_t passed; /* Entries that found this line full. */
};

struct fwd_line {
    struct fwd_flow first;
    union {
        struct fwd_flow second;
        uint64_t address[4]; /* IPv6: words 1 to 3 of addresses. */
    };
} __attribute__((aligned(64)));

static_assert(sizeof(struct fwd_flow) == 32, "two entries in a line");
static_assert(sizeof(struct fwd_line) == 64, "a line is a cache line");

/* Seconds without a packet after which an entry is removed. */
struct fwd_timeouts {
    uint32_t tcp_established_s;
    uint32_t tcp_transitory_s;
    uint32_t udp_s;
    uint32_t other_s;
    uint32_t fragment_s;
};

/* A peer whose entries are kept (replica_store.h). */
struct fwd_origin {
    uint64_t identity; /* As in replica_wire.h. */
    uint64_t n;        /* Its entries. */
};

/* The beginning of the memory. */
struct fwd_head {
    /* Written once. */
    uint64_t format;   /* FWD_TABLE_FORMAT. */
    uint64_t n_lines;
    uint64_t capacity; /* Slots that may be used. */
    uint64_t seed;     /* Of the hash; random, the same for a crew. */
    uint64_t huge;     /* 1: on huge pages. */

    /* Written by the lcore. */
    uint64_t used;  /* Slots in use; an entry of IPv6 uses two. */
    uint64_t swept; /* Next line to sweep. */
    uint64_t n_replicas; /* Slots of those in use that have replicas. */
    uint32_t hop_flows[FWD_MAX_HOPS]; /* Own entries pinned to each hop. */

    /* Of replicas. A number of an identity is its place here, the first free
     * one from its hash on, and stays its own; none has 0. */
    struct fwd_origin origins[FWD_MAX_ORIGINS + 1]; /* By number, from 1. */
    uint64_t n_identities;
    uint64_t identities[FWD_MAX_HOPS];
} __attribute__((aligned(64)));

struct fwd_table {
    struct fwd_line *lines;
    uint64_t n_lines; /* As in the head. */
    uint64_t seed;    /* As in the head. */
    struct fwd_head *head;
    struct fwd_timeouts timeouts;
    int fd; /* The memory, to hand on. */
};

/* Makes a table for 'capacity' entries of IPv4, whose hash has this seed.
 * Stores it in '*tablep' and returns 0, or returns a positive errno. */
int fwd_table_create(uint64_t capacity, uint64_t seed,
                     const struct fwd_timeouts *timeouts,
                     struct fwd_table **tablep);

/* Maps the memory of another process's table, whose 'fd' becomes the
 * table's, if it succeeds. The same otherwise; EPROTO: it is none that is
 * known here. */
int fwd_table_open(int fd, const struct fwd_timeouts *timeouts,
                   struct fwd_table **tablep);

/* Frees 'table', which may be null. */
void fwd_table_destroy(struct fwd_table *table);

/* Pins the flow of 'key', which must not be there, to two hops. Returns the
 * entry, or null if the table is full. */
struct fwd_flow *fwd_table_insert(struct fwd_table *table,
                                  const struct fwd_key *key, uint64_t hash,
                                  uint16_t next, uint16_t prev,
                                  uint32_t now_s);

/* Removes an entry that find or insert returned. */
void fwd_table_remove(struct fwd_table *table, struct fwd_flow *flow);

/* Pins an entry to two other hops. */
void fwd_table_repin(struct fwd_table *table, struct fwd_flow *flow,
                     uint16_t next, uint16_t prev);

/* Told of an own entry that was swept: it stays, or it is about to be
 * removed. */
typedef void fwd_swept(void *aux, const struct fwd_key *key,
                       const struct fwd_flow *flow, bool is_gone);

/* Removes what is idle from the next 'n' lines, and calls 'tell', unless it
 * is null, for each own entry there. */
void fwd_table_sweep(struct fwd_table *table, uint64_t n, uint32_t now_s,
                     fwd_swept *tell, void *aux);

/* Seconds that an entry may be idle. */
uint32_t fwd_flow_timeout_s(const struct fwd_flow *flow,
                            const struct fwd_timeouts *timeouts);

static inline uint64_t
fwd_table_home(const struct fwd_table *table, uint64_t hash)
{
    return (uint64_t) ((hash >> 32) * table->n_lines >> 32);
}

/* Fetches what find will read: the home line, and the one that most of the
 * entries that found it full are in. */
static inline void
fwd_table_prefetch(const struct fwd_table *table, uint64_t hash)
{
    const struct fwd_line *home = &table->lines[fwd_table_home(table, hash)];

    rte_prefetch0(home);
    rte_prefetch0(home + 1);
}

/* Bits in which the first words of an entry's key differ from 'key'. */
static inline uint64_t
fwd_flow_differs(const struct fwd_flow *flow, const struct fwd_key *key)
{
    return (flow->context ^ key->context) | (flow->address ^ key->address[0])
           | (flow->ports ^ key->ports);
}

/* The entry of 'key' in one line, or null. Which of two it is can't be
 * foreseen, so there is no branch on it. */
static inline struct fwd_flow *
fwd_line_find(struct fwd_line *line, const struct fwd_key *key)
{
    uint64_t first = fwd_flow_differs(&line->first, key);
    uint64_t second = fwd_flow_differs(&line->second, key)
                      | (line->first.context & FWD_KEY_IPV6);

    if (key->context & FWD_KEY_IPV6) {
        return first | (line->address[0] ^ key->address[1])
                       | (line->address[1] ^ key->address[2])
                       | (line->address[2] ^ key->address[3])
                   ? NULL
                   : &line->first;
    }
    return RTE_MIN(first, second) ? NULL
                                  : (struct fwd_flow *) line + !!first;
}

/* The entry of 'key', whose hash is 'hash', or null. */
static inline struct fwd_flow *
fwd_table_find(const struct fwd_table *table, const struct fwd_key *key,
               uint64_t hash)
{
    uint64_t i = fwd_table_home(table, hash);

    for (;;) {
        struct fwd_flow *flow = fwd_line_find(&table->lines[i], key);

        if (likely(flow || !table->lines[i].first.passed)) {
            return flow;
        }
        i = i + 1 == table->n_lines ? 0 : i + 1;
    }
}

#endif
