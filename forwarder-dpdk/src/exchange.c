// SPDX-License-Identifier: EPL-2.0
#include "exchange.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#define MADE_SIZE 512 /* Frames that wait. */

/* Makes a ring whose name is no other forwarder's in this process. */
static struct rte_ring *
create_ring(const struct fwd_exchange *exchange, const char *what,
            unsigned int number, unsigned int size, unsigned int flags)
{
    char name[RTE_RING_NAMESIZE];

    snprintf(name, sizeof name, "%s%u-%" PRIxPTR, what, number,
             (uintptr_t) exchange);
    return rte_ring_create(name, size, SOCKET_ID_ANY, flags);
}

int
fwd_exchange_init(struct fwd_exchange *exchange,
                  const struct fwd_port *ports, uint8_t n_ports,
                  struct rte_mempool *pool)
{
    *exchange = (struct fwd_exchange) {
        .made = create_ring(exchange, "made", 0, MADE_SIZE,
                            RING_F_SP_ENQ | RING_F_MC_RTS_DEQ),
        .ports = ports,
        .n_ports = n_ports,
        .pool = pool,
    };
    for (uint8_t i = 0; i < n_ports; i++) {
        exchange->heard[i] = create_ring(exchange, "heard", i,
                                         FWD_HEARD_SIZE,
                                         RING_F_MP_RTS_ENQ | RING_F_SC_DEQ);
        if (!exchange->heard[i]) {
            return ENOMEM;
        }
    }
    return exchange->made ? 0 : ENOMEM;
}

/* Frees a ring, which may be null, with the frames in it. */
static void
destroy_ring(struct rte_ring *ring)
{
    void *packet;

    while (ring && !rte_ring_dequeue(ring, &packet)) {
        rte_pktmbuf_free(packet);
    }
    rte_ring_free(ring);
}

void
fwd_exchange_destroy(struct fwd_exchange *exchange)
{
    for (uint8_t i = 0; i < exchange->n_ports; i++) {
        destroy_ring(exchange->heard[i]);
    }
    destroy_ring(exchange->made);
}

struct rte_mbuf *
fwd_exchange_hear(struct fwd_exchange *exchange, uint8_t port)
{
    void *packet;

    return rte_ring_dequeue(exchange->heard[port], &packet) ? NULL : packet;
}

bool
fwd_exchange_say(struct fwd_exchange *exchange, uint8_t port,
                 struct fwd_arp_nd *message, const struct rte_ether_addr *to)
{
    struct rte_mbuf *packet = rte_pktmbuf_alloc(exchange->pool);

    message->mac = exchange->ports[port].mac;
    if (packet) {
        packet->port = port;
        packet->data_len = fwd_arp_nd_write(
            message, to, rte_pktmbuf_mtod(packet, uint8_t *));
        packet->pkt_len = packet->data_len;
        if (!rte_ring_enqueue(exchange->made, packet)) {
            return true;
        }
    }
    rte_pktmbuf_free(packet);
    __atomic_fetch_add(&exchange->n_unsent, 1, __ATOMIC_RELAXED);
    return false;
}

uint64_t
fwd_exchange_n_unsent(const struct fwd_exchange *exchange)
{
    return __atomic_load_n(&exchange->n_unsent, __ATOMIC_RELAXED);
}
