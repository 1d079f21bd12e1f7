// SPDX-License-Identifier: EPL-2.0
/* Packets of every kind that the forwarder reads, and damage to them. */
#ifndef TEST_DAMAGE_H
#define TEST_DAMAGE_H

#include "wire.h"

/* A sound IP packet of some kind. */
struct wire damage_sound_ip(void);

/* A sound frame of ARP or neighbour discovery on a VLAN, 0 for none. */
struct wire damage_sound_message(uint16_t vlan);

/* A sound frame with replicas from 'source' to 'destination', whose identity
 * is 'sender'. */
struct wire damage_sound_replicas(uint32_t source, uint32_t destination,
                                  uint64_t sender);

/* Changes some bytes, and may cut off the end. */
void damage_wire(struct wire *wire);

#endif
