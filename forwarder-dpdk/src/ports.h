// SPDX-License-Identifier: EPL-2.0
/* The ports of a forwarder: devices of DPDK that the document names.
 *
 * Thread-safety: owned by the control thread; workers read what never
 * changes while a port is open. */
#ifndef FWD_PORTS_H
#define FWD_PORTS_H

#include <rte_mempool.h>

#include "config.h"
#include "rules.h"

#define FWD_N_DESCRIPTORS 1024 /* Of each queue of a port. */

/* Reads what the document says of its ports, which stay closed. Stores their
 * number in '*n'. Returns 0, or EINVAL with the reason in 'reason'. */
int fwd_ports_read(const struct fwd_config *config,
                   struct fwd_port ports[FWD_MAX_PORTS], uint8_t *n,
                   char reason[FWD_REASON_SIZE]);

/* Bytes of a packet buffer that takes the largest frame of any port. */
uint16_t fwd_ports_buffer_size(const struct fwd_port *ports, uint8_t n);

/* Packet buffers that each worker needs: what its queues of all ports of the
 * document may hold, and enough for those on their way between them. */
uint32_t fwd_ports_n_buffers(const struct fwd_config *config);

/* Whether these were read from the same list, in the same order. */
bool fwd_ports_equal(const struct fwd_port *a, uint8_t n_a,
                     const struct fwd_port *b, uint8_t n_b);

/* Opens a port, which was read, for 'n_workers' workers; packets come in in
 * buffers of 'pool'. Returns 0, or a positive errno with the reason in
 * 'reason'. */
int fwd_port_open(struct fwd_port *port, uint16_t n_workers,
                  struct rte_mempool *pool, char reason[FWD_REASON_SIZE]);

/* Closes a port, and with its last one unplugs the device, so that another
 * process can have it, or this one again. */
void fwd_port_close(struct fwd_port *port);

/* Whether two processes may have the device open, as while one takes over
 * from the other. */
bool fwd_port_is_sharable(const struct fwd_port *port);

/* Packets that a device lost since it was opened, before a worker got them. */
struct fwd_losses {
    uint64_t missed;    /* Its queues were full: the lcores are too slow. */
    uint64_t errors;    /* They were damaged. */
    uint64_t no_buffer; /* There was no packet buffer. */
};

/* What a port lost; nothing if it is closed, or the device does not say. */
struct fwd_losses fwd_port_losses(const struct fwd_port *port);

/* Throws away what waits to be received, not all that comes in meanwhile. */
void fwd_port_discard(const struct fwd_port *port);

#endif
