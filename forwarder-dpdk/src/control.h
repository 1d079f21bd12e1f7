// SPDX-License-Identifier: EPL-2.0
/* What is not the packet path: opens the ports, makes the worker, and turns
 * configuration documents into published rules.
 *
 * Thread-safety: owned by the control thread; another thread may read
 * 'numbers' while it holds 'numbers_lock', and what never changes. */
#ifndef FWD_CONTROL_H
#define FWD_CONTROL_H

#include <pthread.h>

#include "config.h"
#include "rules.h"
#include "worker.h"

struct fwd_control {
    struct fwd_numbers numbers;
    pthread_mutex_t numbers_lock; /* Held while 'numbers' changes. */
    struct fwd_port ports[FWD_MAX_PORTS];
    char devices[FWD_MAX_PORTS][256]; /* As in the document. */
    uint8_t n_ports;
    struct rte_mempool *pool;
    struct fwd_worker *worker; /* Owned; its lcore polls it. */
};

/* Tells whether a forwarder could start with 'config', as far as this can be
 * known without its devices: opens nothing. Returns 0, or a positive errno
 * with the reason in 'reason'. */
int fwd_control_check(const struct fwd_config *config,
                      char reason[FWD_REASON_SIZE]);

/* Opens ports and makes the worker as 'config' says, and publishes its
 * rules. 'n_buffers' packets may be in the forwarder at a time. Stores the
 * result in '*controlp' and returns 0, or returns a positive errno with the
 * reason in 'reason'. */
int fwd_control_create(const struct fwd_config *config, uint32_t n_buffers,
                       uint64_t now_ms, struct fwd_control **controlp,
                       char reason[FWD_REASON_SIZE]);

/* Closes the ports and frees all, after the worker's lcore has stopped. */
void fwd_control_destroy(struct fwd_control *control);

/* Publishes the rules of another document while packets flow. Changes
 * nothing unless it returns 0; a positive errno leaves the reason in
 * 'reason'. Ports have to be the same; flow-table is not read. */
int fwd_control_apply(struct fwd_control *control,
                      const struct fwd_config *config,
                      char reason[FWD_REASON_SIZE]);

#endif
