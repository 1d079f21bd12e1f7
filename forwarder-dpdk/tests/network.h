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
#include "worker.h"

#define CHAIN 100
#define EGRESS 203
#define OWN 0xc0000201u    /* Address of F; 192.0.2.1. */
#define PEER(i) (0xc000020au + (i)) /* A, B, C, D: 192.0.2.10 to 13. */
#define GATEWAY 0xc0000202u /* 192.0.2.2. */
#define ICMP_SOURCE 0xc6336401u /* 198.51.100.1, or the IPv6 of wire.h. */
#define N_PEERS 4
#define N_VNFS 4
#define NETWORK_TEXT_SIZE 16384 /* Bytes of its document. */

enum { NAT, FIREWALL, N_KINDS };

struct network {
    bool stateful;
    uint32_t capacity;           /* Of the flow table. */
    uint16_t mtu;                /* Of the port "wan"; 1500 is even. */
    bool single;                 /* NATs have one interface, on the VLAN of
                                  * their ingress side. */
    bool asks;                   /* No MAC addresses are configured. */
    uint32_t prefix_length;      /* Of the underlay, with a gateway; or 0. */
    bool has_replicas;           /* A keeps replicas. */
    bool is_mute;                /* Has no source for ICMP errors. */
    bool has_second_chain;       /* CHAIN + 1, stateless, has the NATs. */
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

/* Where hosts on a VLAN have their addresses: the VNF's and, with 'own', the
 * forwarder's; of NATs IPv4, of firewalls the IPv6 of wire.h. */
static inline uint32_t
network_address(uint16_t vlan, bool own)
{
    return 0x0a630000u | (uint32_t) vlan << 8 | (own ? 254 : 1);
}

/* MAC addresses of peers and VNFs. */
static inline uint64_t
network_peer_mac(int i)
{
    return 0x02000000ff00u | (uint64_t) i;
}

static inline uint64_t
network_vnf_mac(int kind, int i, int egress)
{
    return 0x020000000000u | (uint64_t) kind << 8
           | (uint64_t) (2 * i + egress);
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

/* The same of NAT 'i' that has one interface for both sides. */
struct wire network_from_single(int i, int egress, const struct wire *ip);

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

/* The same where NATs have one interface: as if they had two. */
struct place network_single_place(int port, const struct wire *wire);

/* Packets of a stage of the chain that were dropped for 'reason'. */
uint64_t network_n_dropped(const struct rings *rings, uint32_t stage,
                           enum fwd_direction direction,
                           enum fwd_drop reason);

#endif
