// SPDX-License-Identifier: EPL-2.0
/* Two forwarders of one chain in this process, which keep replicas of each
 * other's entries:
 *
 *   A, B --stage 1--> [nat-0..3] --stage 2--> [exit-F], C, D
 *                     forwarder F
 *   A, B --stage 1--> [nat-4..7] --stage 2--> [exit-G], C, D
 *                     forwarder G
 *
 * Instances keep labels. NAT i has VLAN 10 + 2 * i on its ingress side and
 * one more on its egress side, the exits have VLAN 40 and 41. Either may have
 * an entry of the chain, too, at VLAN 50 and 51. */
#ifndef TEST_PAIR_H
#define TEST_PAIR_H

#include "rings.h"

#define CHAIN 100
#define EGRESS 203
#define N_NATS 4 /* Of each forwarder. */
#define MAX_MAIL 1024
#define N_FLOWS 400
#define SWEEP_MS 1100 /* More than their sweep-interval. */
#define STEP_MS 20    /* Between polls. */
#define PAIR_TEXT_SIZE 16384 /* Bytes of a document. */

enum { F, G, N_FORWARDERS };

/* Rules of one of them. */
struct pair_rules {
    int who;             /* F or G. */
    bool has_nats[2];    /* Those of F, those of G. */
    bool has_exit[2];    /* Likewise. */
    bool has_moved;      /* Its NATs are attached to the other one now. */
    bool is_alone;       /* The other one is no peer. */
    bool has_replicas;   /* Of the other one. */
    uint32_t first_weight[2];    /* At stage 1: F, G; 0, 0: no entry here. */
    uint32_t next_weight[4];     /* At stage 2: F, G, C, D. */
    uint32_t previous_weight[2]; /* At stage 2: F, G. */
    uint32_t capacity;   /* Of the flow table; 0: 8192. */
};

/* Frames from one to the other, on their way; more are lost. */
struct pair_mail {
    struct wire wire[MAX_MAIL];
    int n;
};

struct pair {
    struct rings rings[N_FORWARDERS];
    struct pair_mail replicas[N_FORWARDERS]; /* To each. */
    uint32_t n_per_ms; /* Packets that pass in a millisecond; 1 at first. */
    uint32_t n_passed;
};

/* A connection as the chain carries it. */
struct pair_flow {
    struct wire_flow wire;
    int before; /* A (0) or B (1). */
    int nat;
    int behind; /* C (0) or D (1). */
};

/* Where a packet went. */
struct pair_place {
    enum fwd_drop drop;
    bool is_peer;
    uint32_t peer; /* Last byte of its address: 1 F, 2 G, 10 A ... 13 D. */
    uint32_t vni;
    int vlan;
};

/* Starts DPDK, once in a process. Returns 0 on success. */
int pair_init(struct pair *pair);

/* The rules that F and G start with. */
struct pair_rules pair_rules_of(int who);

/* Writes their document. */
void pair_write(const struct pair_rules *rules, char text[PAIR_TEXT_SIZE]);

/* Starts a forwarder, or gives a running one other rules. */
void pair_start(struct pair *pair, const struct pair_rules *rules);
void pair_apply(struct pair *pair, const struct pair_rules *rules);

/* The same with 'to' in the place of the first 'from'; see rings_apply(). */
int pair_apply_changed(struct pair *pair, const struct pair_rules *rules,
                       const char *from, const char *to,
                       char reason[FWD_REASON_SIZE]);

/* Starts both with so many lcores; with replicas or without. */
void pair_start_both(struct pair *pair, uint16_t n_lcores, bool has_replicas);

/* Time passes for both, in steps of at most 'step_ms'; what they tell waits
 * in 'replicas'. */
void pair_pass_time(struct pair *pair, uint64_t ms, uint64_t step_ms);

/* Delivers what waits for 'who'. */
void pair_deliver(struct pair *pair, int who);

/* Lets a packet in from peer 'peer' (last byte of its address), or from an
 * instance at 'vlan'; 'is_return' as the packet is on its way. */
struct pair_place pair_from_peer(struct pair *pair, int who, uint32_t peer,
                                 uint32_t stage, bool is_return,
                                 const struct wire_flow *flow, uint8_t flags);
struct pair_place pair_from_vlan(struct pair *pair, int who, int vlan,
                                 bool is_return,
                                 const struct wire_flow *flow, uint8_t flags);

/* The frame that an instance at 'vlan' sends. */
struct wire pair_wire_from_vlan(int vlan, bool is_return,
                                const struct wire_flow *flow, uint8_t flags);

/* A new connection of some protocol. */
struct pair_flow pair_some_flow(uint32_t number);

/* Sends the first packets of a connection through 'who'; learns its hops. */
void pair_pin(struct pair *pair, int who, struct pair_flow *flow);

/* Does so through F with new connections, and delivers what G is told. */
void pair_pin_all(struct pair *pair, struct pair_flow flows[N_FLOWS]);

/* Sum of a counter, which is given by its offset; slots that replicas take. */
uint64_t pair_sum(const struct pair *pair, int who, size_t counter);
uint64_t pair_n_replicas(const struct pair *pair, int who);

/* Whether all four ways of a connection through 'who' lead where 'flow' says;
 * what it meets instead is pinned. */
bool pair_is_kept(struct pair *pair, int who, const struct pair_flow *flow);

/* F dies, and its instances are mapped to G. */
void pair_take_over(struct pair *pair);

/* Connections through G that are not kept. */
int pair_count_moved(struct pair *pair,
                     const struct pair_flow flows[N_FLOWS]);

#endif
