// SPDX-License-Identifier: EPL-2.0
/* A weighted set of hops, from which the first packet of a connection picks
 * one by its hash: consistently, so a hop that leaves moves only what had
 * picked it, and one that joins takes only its part.
 *
 * The hash space is cut into 8,192 slots. A slot belongs to the member with
 * the largest score, -weight / log(u), where u in (0, 1) is a hash of slot
 * and member's name (weighted rendezvous hashing: D. Thaler, C. Ravishankar,
 * 1998; J. Resch, 2015). Shares are right to about half a percent, and
 * forwarders with the same members pick alike. A set of one has no slots.
 *
 * Immutable, part of the rules. */
#ifndef FWD_SET_H
#define FWD_SET_H

#include <stdint.h>

#define FWD_SET_BITS 13
#define FWD_SET_SLOTS (1u << FWD_SET_BITS)

struct fwd_member {
    uint64_t name;   /* fwd_name_hash() of its name. */
    uint32_t weight; /* With 0 it is never picked. */
    uint16_t hop;
};

struct fwd_set {
    uint16_t only;   /* The hop, if there are no slots; 0: none. */
    uint16_t *slots; /* FWD_SET_SLOTS hops, or null. */
};

/* Makes a set. Returns 0 or a positive errno. */
int fwd_set_init(struct fwd_set *set, const struct fwd_member *members,
                 uint32_t n);

void fwd_set_destroy(struct fwd_set *set);

/* The hop for a connection, or 0 if no member has a weight. */
static inline uint16_t
fwd_set_pick(const struct fwd_set *set, uint64_t hash)
{
    return set->slots ? set->slots[hash >> (64 - FWD_SET_BITS)] : set->only;
}

#endif
