// SPDX-License-Identifier: EPL-2.0
/* Feeds damaged packets to the readers, under the address and undefined
 * behaviour sanitizers: each packet stands at the very end of its own
 * allocation. FWD_SEED repeats a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arp_nd.h"
#include "damage.h"
#include "packet.h"
#include "replica_wire.h"
#include "seed.h"

#define N_PACKETS 2000000

/* What was read can be written, and says the same then. */
static void
repeat(const struct fwd_arp_nd *message)
{
    static const struct rte_ether_addr to = {{2}};
    uint8_t data[FWD_ARP_ND_SIZE];
    struct fwd_arp_nd again;
    uint16_t size = fwd_arp_nd_write(message, &to, data);

    if (size > sizeof data || !fwd_arp_nd_read(data, size, &again)
        || memcmp(&again.about, &message->about, sizeof again.about)
        || memcmp(&again.mac, &message->mac, sizeof again.mac)
        || again.vlan != message->vlan) {
        abort();
    }
}

/* The records of a datagram are written as they were read. */
static void
read_replicas(const uint8_t *data, uint32_t size)
{
    struct fwd_replica_datagram datagram;
    struct fwd_replica replica;

    if (!fwd_replica_read_datagram(data, size, &datagram)) {
        return;
    }
    for (const uint8_t *at = datagram.at;
         fwd_replica_next(&datagram, &replica); at = datagram.at) {
        uint8_t again[FWD_REPLICA_RECORD_MAX];

        if (fwd_replica_write(&replica, again) != datagram.at - at
            || memcmp(again, at, fwd_replica_size(&replica))) {
            abort();
        }
    }
}

static void
read_all(const uint8_t *data, uint32_t size)
{
    struct fwd_link link;
    struct fwd_tunnel tunnel;
    struct fwd_labels labels;
    struct fwd_tuple tuple;
    struct fwd_arp_nd message;
    struct fwd_key key;

    if (fwd_arp_nd_read(data, size, &message)) {
        repeat(&message);
    }
    read_replicas(data, size);
    fwd_read_link(data, size, &link);
    fwd_read_labels(data, size, &labels);
    fwd_read_tunnel(data, size, &tunnel);
    if (!fwd_read_tuple(data, size, size, &tuple)) {
        fwd_tuple_key(&tuple, 0, FWD_RETURN, &key);
        fwd_fragment_key(&tuple, 0, FWD_FORWARD, &key);
        if (tuple.size > size) {
            abort();
        }
    }
}

/* A sound packet of some kind. */
static struct wire
sound_packet(bool *is_summed)
{
    struct wire wire = {.size = 0};

    *is_summed = false;
    switch (random() % 7) {
    case 0:
        wire_ethernet(&wire, 7 * (random() % 2), 0x0800);
        return wire;
    case 1:
        wire_tunnel(&wire, 1, 2, 3, 0);
        memmove(wire.data, wire.data + 14, wire.size -= 14);
        return wire;
    case 2:
        return damage_sound_message(7 * (random() % 2));
    case 3:
        wire = damage_sound_replicas(1, 2, 3);
        memmove(wire.data, wire.data + 14, wire.size -= 14);
        *is_summed = random() % 2;
        return wire;
    default:
        return damage_sound_ip();
    }
}

int
main(void)
{

    seed_random();
    for (int i = 0; i < N_PACKETS; i++) {
        bool is_summed; /* Damaged before its checksum was made. */
        struct wire wire = sound_packet(&is_summed);
        uint8_t *exact;

        damage_wire(&wire);
        if (is_summed && wire.size > 28) {
            wire_sum_udp(&wire, 0);
        }
        exact = malloc(wire.size);
        memcpy(exact, wire.data, wire.size);
        read_all(exact, wire.size);
        free(exact);
    }
    printf("1..1\nok 1 - %d damaged packets\n", N_PACKETS);
    return 0;
}
