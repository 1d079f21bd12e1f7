// SPDX-License-Identifier: EPL-2.0
/* The rules: all that the packet path reads of the configuration, made anew
 * from each document and never changed after it is published, but for the
 * MAC addresses of neighbours that are asked for (struct fwd_way).
 *
 * Hops and stages keep their numbers from one document to the next (struct
 * fwd_numbers), so pinned flows and counters outlive the rules that they
 * came from. */
#ifndef FWD_RULES_H
#define FWD_RULES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>
#include <rte_ether.h>

#include "address.h"
#include "config.h"
#include "flow.h"
#include "names.h"
#include "sets.h"

#define FWD_MAX_STAGES 64
#define FWD_MAX_PORTS 32
#define FWD_N_VLANS 4096
#define FWD_TUNNEL_SIZE 64           /* Bytes of headers up to the labels. */
#define FWD_HOP_SELF (FWD_MAX_HOPS - 1) /* In sets: an instance here. */
#define FWD_MAX_STAGE_NUMBERS 65535
#define FWD_MAX_REPLICA_PEERS 8 /* Peers that keep replicas. */

/* A port of this forwarder. */
struct fwd_port {
    char name[65];
    char device[256]; /* As in the document. */
    bool is_open;
    uint16_t id;  /* DPDK's. */
    uint16_t mtu; /* Bytes of the largest layer-3 packet. */
    uint16_t n_queues; /* That packets come in at; worker i polls number i. */
    struct rte_ether_addr mac;
};

#define FWD_ADDRESSES_SIZE (2 * RTE_ETHER_ADDR_LEN) /* Bytes. */

/* An interface of an instance. It is small, so that a hop's two are in one
 * cache line. */
struct fwd_side {
    bool present : 1;
    bool stripped : 1;  /* Labels are removed towards it. */
    bool single : 1;    /* Serves both directions; labels tell which. */
    uint8_t port;       /* Index of the port. */
    uint8_t head_size;  /* Bytes of 'head'. */
    uint32_t chain;     /* Labels to put back, if stripped. */
    uint32_t egress;
    uint8_t head[16];   /* Addresses and tag; the type follows. The
                         * destination is the way's. */
};

enum fwd_hop_kind {
    FWD_HOP_GONE, /* Not in these rules. */
    FWD_HOP_INSTANCE,
    FWD_HOP_PEER,  /* By a tunnel, as what follows. */
    FWD_HOP_MOVED, /* An instance that is attached to a peer now. */
};

struct fwd_hop {
    enum fwd_hop_kind kind;
    uint16_t service; /* Number of its service; 0 for a peer. */
    uint16_t peer;    /* The hop that is the peer which a tunnel leads to,
                       * as this one may be; or FWD_HOP_NONE. */

    /* An instance: where packets in either direction leave to it. */
    struct fwd_side sides[2]; /* By enum fwd_direction. */

    /* By a tunnel: all headers up to the labels, with zero for lengths, source
     * port and VNI, and the checksum without them. The destination of
     * Ethernet is the way's. */
    uint8_t tunnel[FWD_TUNNEL_SIZE] __attribute__((aligned(64)));
};

struct fwd_stage {
    uint8_t number;
    uint16_t service;  /* At the end of the stage. */
    uint64_t place;    /* fwd_key_place() of chain and stage. */
    uint16_t counters; /* Number of the stage's counters. */
    struct fwd_set instances;
    struct fwd_set next_hops;
    struct fwd_set previous_hops;
};

struct fwd_chain {
    uint32_t chain;
    uint32_t egress;
    bool stateful;
    uint8_t n_stages;
    uint8_t at[FWD_MAX_STAGES + 1]; /* By number: index + 1, or 0. */
    struct fwd_stage *stages;       /* By ascending number. */
};

struct fwd_peer_entry {
    uint32_t address; /* Network order; 0: free. */
    uint16_t hop;
};

/* A hop that is known by its identity (replica_wire.h). */
struct fwd_named {
    uint64_t identity;
    uint16_t hop; /* FWD_HOP_SELF: this forwarder; FWD_HOP_NONE: free. */
};

/* What frames to a hop in one direction need and what may change while rules
 * are in force: 8 bytes, which are read and written as one. All zero: its MAC
 * address is not known, and nothing fits. */
struct fwd_way {
    struct rte_ether_addr mac;
    uint16_t mtu; /* Bytes of the largest layer-3 packet; of the port. */
};

static_assert(sizeof(struct fwd_way) == sizeof(uint64_t), "one word");

/* A port and VLAN, and who the forwarder is there. */
struct fwd_interface {
    uint8_t port; /* Index of the port. */
    uint16_t vlan;
    struct in6_addr ipv4; /* Own addresses; either may be none. */
    struct in6_addr ipv6;
};

/* Who has to be asked for the MAC address of a way. */
struct fwd_target {
    uint32_t way;       /* Number of the way. */
    uint32_t interface; /* Index of the interface. */
    struct in6_addr address;
};

struct fwd_rules {
    uint32_t address;   /* Own, network order. */
    uint32_t vni_base;
    uint8_t underlay;   /* Index of the port. */
    uint8_t n_ports;
    const struct fwd_port *ports;

    struct fwd_hop *hops; /* By number. */
    uint32_t n_hops;
    _Atomic uint64_t *ways; /* struct fwd_way by fwd_way_number(). */
    struct fwd_chain *chains;
    uint32_t n_chains;
    uint32_t *chain_index; /* Index + 1 by hash of the labels; 0: free. */
    uint32_t chain_mask;
    struct fwd_peer_entry *peers; /* By hash of the address. */
    uint32_t peer_mask;
    uint32_t *sides[FWD_MAX_PORTS]; /* By VLAN: hop * 2 + side, or 0. */
    struct in6_addr icmp_source[2]; /* Of errors, by "is IPv6"; or none. */

    /* Of replicas. */
    uint16_t replica_peers[FWD_MAX_REPLICA_PEERS]; /* Those that keep
                                                    * replicas. */
    uint8_t n_replica_peers;
    uint64_t identity;       /* Own. */
    uint64_t *identities;    /* Of hops by number, gone or not. */
    struct fwd_named *named; /* By identity: hops that are not gone. */
    uint32_t named_mask;

    /* For the control thread. */
    struct fwd_sets *sets; /* Whence those of the stages were taken. */
    struct fwd_interface *interfaces; /* The underlay's is the first one. */
    uint32_t n_interfaces;
    struct fwd_target *targets;
    uint32_t n_targets;
};

/* What keeps its number, and the sets that rules of these hops share. */
struct fwd_numbers {
    struct fwd_names hops;
    struct fwd_names services;
    struct fwd_names stages;
    struct fwd_sets *sets;
};

int fwd_numbers_init(struct fwd_numbers *numbers);
void fwd_numbers_destroy(struct fwd_numbers *numbers);

/* Makes rules from a document. 'ports' are those of the document in its
 * order, and must live as long as the rules, as 'numbers' must. Stores the
 * rules in '*rulesp' and returns 0, or leaves 'numbers' as they were and
 * returns a positive errno with the reason in 'reason'. */
int fwd_rules_create(const struct fwd_config *config,
                     const struct fwd_port *ports, uint8_t n_ports,
                     struct fwd_numbers *numbers, struct fwd_rules **rulesp,
                     char reason[FWD_REASON_SIZE]);

/* Frees 'rules', which may be null and which no one reads any more. */
void fwd_rules_destroy(struct fwd_rules *rules);

static inline uint32_t
fwd_labels_hash(uint32_t chain, uint32_t egress)
{
    return (uint32_t) ((((uint64_t) chain << 20 | egress)
                        * 0x9e3779b97f4a7c15ULL) >> 32);
}

static inline uint32_t
fwd_address_hash(uint32_t address)
{
    return (uint32_t) ((address * 0x9e3779b97f4a7c15ULL) >> 32);
}

/* The chain of two labels, or null. */
static inline const struct fwd_chain *
fwd_rules_chain(const struct fwd_rules *rules, uint32_t chain,
                uint32_t egress)
{
    uint32_t i = fwd_labels_hash(chain, egress) & rules->chain_mask;

    for (; rules->chain_index[i]; i = (i + 1) & rules->chain_mask) {
        const struct fwd_chain *c = &rules->chains[rules->chain_index[i] - 1];

        if (likely(c->chain == chain && c->egress == egress)) {
            return c;
        }
    }
    return NULL;
}

static inline uint32_t
fwd_way_number(uint16_t hop, enum fwd_direction direction)
{
    return hop * 2u + direction;
}

static inline struct fwd_way
fwd_rules_way(const struct fwd_rules *rules, uint32_t number)
{
    uint64_t word = atomic_load_explicit(&rules->ways[number],
                                         memory_order_relaxed);
    struct fwd_way way;

    memcpy(&way, &word, sizeof way);
    return way;
}

/* For the control thread, while the packet path reads. */
static inline void
fwd_rules_set_way(struct fwd_rules *rules, uint32_t number,
                  struct fwd_way way)
{
    uint64_t word;

    memcpy(&word, &way, sizeof word);
    atomic_store_explicit(&rules->ways[number], word, memory_order_relaxed);
}

/* The hop that is the peer at 'address', or FWD_HOP_NONE. */
static inline uint16_t
fwd_rules_peer(const struct fwd_rules *rules, uint32_t address)
{
    uint32_t i = fwd_address_hash(address) & rules->peer_mask;

    for (; rules->peers[i].address; i = (i + 1) & rules->peer_mask) {
        if (likely(rules->peers[i].address == address)) {
            return rules->peers[i].hop;
        }
    }
    return FWD_HOP_NONE;
}

/* Stage by number, or null. */
static inline const struct fwd_stage *
fwd_chain_stage(const struct fwd_chain *chain, uint32_t number)
{
    uint8_t at = number <= FWD_MAX_STAGES ? chain->at[number] : 0;

    return at ? &chain->stages[at - 1] : NULL;
}

/* The stage on which packets of 'direction' leave an instance of 'service':
 * forward the one behind it, return the one before it. Null: none here. */
static inline const struct fwd_stage *
fwd_chain_stage_of(const struct fwd_chain *chain, uint16_t service,
                   enum fwd_direction direction)
{
    if (direction == FWD_FORWARD) {
        for (uint8_t i = 0; i < chain->n_stages; i++) {
            if (chain->stages[i].service == service) {
                return fwd_chain_stage(chain, chain->stages[i].number + 1u);
            }
        }
    } else {
        for (uint8_t i = chain->n_stages; i--;) {
            if (chain->stages[i].service == service) {
                return chain->stages[i].number ? &chain->stages[i] : NULL;
            }
        }
    }
    return NULL;
}

/* Whether a packet of 'direction' can be sent to 'hop'. */
static inline bool
fwd_hop_usable(const struct fwd_rules *rules, uint16_t hop,
               enum fwd_direction direction)
{
    return hop < rules->n_hops
           && (rules->hops[hop].kind >= FWD_HOP_PEER
               || (rules->hops[hop].kind == FWD_HOP_INSTANCE
                   && rules->hops[hop].sides[direction].present));
}

#endif
