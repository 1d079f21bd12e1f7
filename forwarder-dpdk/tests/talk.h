// SPDX-License-Identifier: EPL-2.0
/* A forwarder that knows no MAC addresses, among neighbours that talk with
 * it. */
#ifndef TEST_TALK_H
#define TEST_TALK_H

#include "network.h"
#include "rings.h"

#define MOST_SAID 64 /* Frames. */

#define PEER_A network_peer_mac(0)
#define NAT_0 network_vnf_mac(NAT, 0, 0)
#define FIREWALL_0 network_vnf_mac(FIREWALL, 0, 0)

struct talk {
    struct rings rings;
    struct fate said[MOST_SAID]; /* By the forwarder, in the last tick. */
    int n_said;
};

/* Starts the forwarder and lets it say its first words. */
struct network talk_start(struct talk *talk);

/* Lets NAT 0, firewall 0 and peer C get all traffic. */
struct network talk_only_first(struct talk *talk, struct network network);

/* Collects what the forwarder says some time later. */
void talk_tick(struct talk *talk, uint64_t ms);

/* Tells the forwarder something, and collects what it says; see wire.h. */
void talk_hear(struct talk *talk, int port, const struct wire *wire);
void talk_hear_arp(struct talk *talk, int port, uint16_t vlan,
                   uint16_t operation, uint64_t mac, uint32_t source,
                   uint32_t target);
void talk_hear_nd(struct talk *talk, uint16_t vlan, uint8_t type,
                  uint64_t mac, uint32_t source, uint32_t target);

/* NAT 0, which has 'mac', asks (operation 1) or answers (2) on its ingress
 * side. */
void talk_hear_nat(struct talk *talk, uint16_t operation, uint64_t mac);

/* Whether the forwarder, whose MAC address is zero, said this by ARP to the
 * MAC address 'to', 0 for all. */
bool talk_has_arp(const struct talk *talk, int port, uint16_t vlan,
                  uint16_t operation, uint64_t to, uint32_t source,
                  uint32_t target);

/* What the forwarder said on a VLAN by neighbour discovery of 'type' about
 * 'target'; null if it said nothing. */
const struct wire *talk_nd(const struct talk *talk, uint16_t vlan,
                           uint8_t type, uint32_t target);

/* An IP packet. */
struct wire talk_packet(void);

/* What becomes of it if peer A sends it on stage 1. */
struct fate talk_pass_to_nat(struct talk *talk);

#endif
