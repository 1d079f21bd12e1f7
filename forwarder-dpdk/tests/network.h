// SPDX-License-Identifier: EPL-2.0
/* The network that tests forward in: forwarder F with a NAT and a firewall
 * of one chain.
 *
 *   A, B --stage 1--> [nat-0..3] --stage 2--> [fw-0..3] --stage 3--> C, D
 *   (forwarders)      keep labels             no labels              (forwarders)
 *
 * VNF i of a kind has VLAN 10 + 2 * i (NAT) or 30 + 2 * i (firewall) on its
 * ingress side, and one more on its egress side. */
#ifndef TEST_NETWORK_H
#define TEST_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire.h"

#define CHAIN 100
#define EGRESS 203
#define OWN 0xc0000201u    /* Address of F; 192.0.2.1. */
#define PEER(i) (0xc000020au + (i)) /* A, B, C, D: 192.0.2.10 to 13. */
#define N_PEERS 4
#define N_VNFS 4
#define NETWORK_TEXT_SIZE 16384 /* Bytes of its document. */

enum { NAT, FIREWALL, N_KINDS };

struct network {
    bool stateful;
    uint32_t capacity;           /* Of the flow table. */
    uint16_t mtu;                /* Of the port "wan"; 1500 is even. */
    bool gone[N_KINDS][N_VNFS];  /* Instance is not there. */
    uint32_t weight[N_KINDS][N_VNFS];
    uint32_t next_weight[2];     /* Of C and D. */
    uint32_t previous_weight[2]; /* Of A and B. */
};

/* A network where all weights are 1. */
struct network network_even(void);

/* Writes its document for rings.h. */
void network_write(const struct network *network, char *text, size_t size);

struct rings;

/* Starts a forwarder in it; see rings_start(). */
void network_start(const struct network *network, struct rings *rings);

/* Gives a running forwarder this network; see rings_apply(). */
int network_apply(const struct network *network, struct rings *rings);

/* The VLAN of a side of an instance; 'egress' is 0 or 1. */
static inline uint16_t
network_vlan(int kind, int i, int egress)
{
    return (uint16_t) ((kind == NAT ? 10 : 30) + 2 * i + egress);
}

/* VNI of a stage and direction (0 forward, 1 return). */
static inline uint32_t
network_vni(uint32_t stage, uint32_t direction)
{
    return 2 * stage + direction;
}

/* A packet of 'ip' as peer 'i' sends it. */
struct wire network_from_peer(int i, uint32_t stage, uint32_t direction,
                              const struct wire *ip);

/* A packet of 'ip' as an instance sends it. */
struct wire network_from_vnf(int kind, int i, int egress,
                             const struct wire *ip);

/* Where a packet went: the peer, or kind, instance and side. */
struct place {
    bool is_peer;
    int peer;
    uint32_t vni;
    int kind;
    int vnf;
    int egress;
    uint16_t ip_offset; /* Where its IP header is. */
};

/* Reads where a packet on port 'port' (WAN or LAN) goes, and checks all
 * headers up to IP. */
struct place network_place(int port, const struct wire *wire);

#endif
