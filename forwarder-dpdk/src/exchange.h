// SPDX-License-Identifier: EPL-2.0
/* Frames between workers and the control thread: ARP and ND that came in, and
 * what is to be sent. Nobody waits: what finds a ring full is dropped and
 * counted.
 *
 * Thread-safety: any worker may put into 'heard' and take from 'made' (relaxed
 * tail sync, so none waits for another one), the control thread does the
 * rest. */
#ifndef FWD_EXCHANGE_H
#define FWD_EXCHANGE_H

#include <rte_mbuf.h>
#include <rte_ring.h>

#include "arp_nd.h"
#include "rules.h"

#define FWD_HEARD_SIZE 64 /* Frames that wait, of each port. */

struct fwd_exchange {
    /* By port, so that who floods one can't keep others unheard. */
    struct rte_ring *heard[FWD_MAX_PORTS];

    /* To be sent from the port in 'rte_mbuf.port', an index. */
    struct rte_ring *made;

    const struct fwd_port *ports;
    uint8_t n_ports;
    struct rte_mempool *pool;
    uint64_t n_unsent; /* Frames: no buffer, or 'made' is full. */
};

/* 'ports' and 'pool' have to live as long. Returns 0, or a positive errno,
 * after which it has to be destroyed all the same. */
int fwd_exchange_init(struct fwd_exchange *exchange,
                      const struct fwd_port *ports, uint8_t n_ports,
                      struct rte_mempool *pool);

/* After all workers have stopped. */
void fwd_exchange_destroy(struct fwd_exchange *exchange);

/* Takes a frame that came in at 'port'; null if there is none. */
struct rte_mbuf *fwd_exchange_hear(struct fwd_exchange *exchange,
                                   uint8_t port);

/* Sends a message, whose MAC address is filled in, out of 'port'; an answer
 * goes to 'to'. Returns whether there was room. */
bool fwd_exchange_say(struct fwd_exchange *exchange, uint8_t port,
                      struct fwd_arp_nd *message,
                      const struct rte_ether_addr *to);

/* Frames that could not be sent. For any thread. */
uint64_t fwd_exchange_n_unsent(const struct fwd_exchange *exchange);

#endif
