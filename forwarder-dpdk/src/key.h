// SPDX-License-Identifier: EPL-2.0
/* The key of a flow: one connection on one stage of one chain.
 *
 * Addresses and ports always stand as in a packet from ingress to egress; a
 * packet on its way back is keyed with them swapped, so both directions of a
 * connection have one key. The stage tells the two sides of a VNF apart, and
 * with them two VNFs of a chain on one forwarder; a VNF that rewrites the
 * packet has one key before it and another one behind it.
 *
 * context, from the highest bit:
 *
 *   63    62    61        60          58..53  52..45    44..40  39..20  19..0
 *   used  IPv6  fragment  return      stage   protocol  origin  chain   egress
 *                         (fragment)                            label   label
 * The other bits are zero. So is the origin, but in the table, where it tells
 * replicas of a peer's entries from own entries (replica_store.h).
 */
#ifndef FWD_KEY_H
#define FWD_KEY_H

#include <stdbool.h>
#include <stdint.h>

#define FWD_KEY_USED (1ULL << 63)
#define FWD_KEY_IPV6 (1ULL << 62)
#define FWD_KEY_FRAGMENT (1ULL << 61)
#define FWD_KEY_RETURN (1ULL << 60) /* Of a fragment only. */
#define FWD_KEY_STAGE_SHIFT 53
#define FWD_KEY_PROTOCOL_SHIFT 45
#define FWD_KEY_ORIGIN_SHIFT 40
#define FWD_KEY_CHAIN_SHIFT 20

enum fwd_direction {
    FWD_FORWARD, /* From ingress to egress. */
    FWD_RETURN,  /* From egress to ingress. */
};

static inline const char *
fwd_direction_name(enum fwd_direction direction)
{
    return direction == FWD_FORWARD ? "forward" : "return";
}

/* 48 bytes without padding. IPv4: 'address[0]' holds source and destination,
 * the rest is zero. IPv6: source high, low, destination high, low. All as on
 * the wire. */
struct fwd_key {
    uint64_t context;    /* See above; host order. */
    uint64_t address[4]; /* Network order. */
    uint32_t ports;      /* Source, destination; network order. */
    uint32_t zero;       /* Explicit padding. */
};

/* The part of a context that labels and stage make. */
static inline uint64_t
fwd_key_place(uint32_t chain, uint32_t egress, uint8_t stage)
{
    return FWD_KEY_USED | (uint64_t) stage << FWD_KEY_STAGE_SHIFT
           | (uint64_t) chain << FWD_KEY_CHAIN_SHIFT | egress;
}

static inline uint8_t
fwd_key_protocol(uint64_t context)
{
    return (uint8_t) (context >> FWD_KEY_PROTOCOL_SHIFT);
}

static inline uint8_t
fwd_key_stage(uint64_t context)
{
    return context >> FWD_KEY_STAGE_SHIFT & 0x3f;
}

/* Number of the peer that told of it; 0: an own entry. */
static inline uint32_t
fwd_key_origin(uint64_t context)
{
    return context >> FWD_KEY_ORIGIN_SHIFT & 0x1f;
}

/* Slots of the table that an entry takes. */
static inline uint64_t
fwd_key_slots(uint64_t context)
{
    return context & FWD_KEY_IPV6 ? 2 : 1;
}

/* Folds the 128-bit product of two words: mixes well, costs 4 cycles. */
static inline uint64_t
fwd_mix(uint64_t a, uint64_t b)
{
    __extension__ unsigned __int128 product = (unsigned __int128) a * b;

    return (uint64_t) product ^ (uint64_t) (product >> 64);
}

/* Hash of a key under a seed. A random seed hides collisions from whoever
 * chooses the packets. */
static inline uint64_t
fwd_key_hash(const struct fwd_key *key, uint64_t seed)
{
    uint64_t h = fwd_mix(key->context ^ seed, 0x9e3779b97f4a7c15ULL ^ seed);

    h = fwd_mix(key->address[0] ^ h, key->ports ^ 0xd6e8feb86659fd93ULL);
    if (key->context & FWD_KEY_IPV6) {
        h = fwd_mix(key->address[1] ^ h,
                    key->address[2] ^ 0xa0761d6478bd642fULL);
        h = fwd_mix(key->address[3] ^ h, 0xe7037ed1a0b428dbULL ^ seed);
    }
    return fwd_mix(h ^ seed, 0x8ebc6af09c88c6e3ULL);
}

#endif
