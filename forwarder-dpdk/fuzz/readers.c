// SPDX-License-Identifier: EPL-2.0
#include "readers.h"

#include "arp_nd.h"
#include "input.h"
#include "packet.h"
#include "replica_wire.h"

/* What was read can be written, and says the same then. */
static void
repeat_message(const struct fwd_arp_nd *message)
{
    static const struct rte_ether_addr to = {{2}};
    uint8_t data[FWD_ARP_ND_SIZE];
    struct fwd_arp_nd again;
    uint16_t size = fwd_arp_nd_write(message, &to, data);

    require(size <= sizeof data && fwd_arp_nd_read(data, size, &again)
            && !memcmp(&again.about, &message->about, sizeof again.about)
            && !memcmp(&again.mac, &message->mac, sizeof again.mac)
            && again.vlan == message->vlan,
            "ARP and neighbour discovery are written as they were read");
}

/* The records of a datagram are written as they were read. */
static void
repeat_replicas(struct fwd_replica_datagram *datagram)
{
    struct fwd_replica replica;

    for (const uint8_t *at = datagram->at;
         fwd_replica_next(datagram, &replica); at = datagram->at) {
        uint8_t again[FWD_REPLICA_RECORD_MAX];

        require(fwd_replica_write(&replica, again) == datagram->at - at
                && !memcmp(again, at, fwd_replica_size(&replica)),
                "replicas are written as they were read");
    }
}

static void
read_ip(const uint8_t *data, uint32_t size)
{
    struct fwd_tuple tuple;
    struct fwd_key key;

    if (!fwd_read_tuple(data, size, size, &tuple)) {
        fwd_tuple_key(&tuple, 0, FWD_RETURN, &key);
        fwd_fragment_key(&tuple, 0, FWD_FORWARD, &key);
        require(tuple.size <= size, "an IP packet ends with its frame");
    }
}

void
readers_run(const struct wire *wire)
{
    static const uint16_t offsets[] = {0, 14, 18, 22, 26, 64, 72};
    uint8_t *exact = malloc(wire->size + 1u), *frame = exact + 1;

    memcpy(frame, wire->data, wire->size);
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        const uint8_t *data = frame + offsets[i];
        uint32_t size = wire->size - offsets[i];
        struct fwd_replica_datagram datagram;
        struct fwd_arp_nd message;
        struct fwd_labels labels;
        struct fwd_tunnel tunnel;
        struct fwd_link link;

        if (offsets[i] > wire->size) {
            break;
        }
        if (fwd_arp_nd_read(data, size, &message)) {
            repeat_message(&message);
        }
        if (fwd_replica_read_datagram(data, size, &datagram)) {
            repeat_replicas(&datagram);
        }
        fwd_read_link(data, size, &link);
        fwd_read_labels(data, size, &labels);
        fwd_read_tunnel(data, size, size, &tunnel);
        read_ip(data, size);
    }
    free(exact);
}
