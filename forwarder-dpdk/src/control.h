// SPDX-License-Identifier: EPL-2.0
/* What is not the packet path: opens the ports, makes the workers, and turns
 * configuration documents into published rules.
 *
 * Thread-safety: owned by the control thread; another thread may read
 * 'numbers', 'ports', 'bus' and the crew's rules while it holds 'rules_lock',
 * and what never changes. */
#ifndef FWD_CONTROL_H
#define FWD_CONTROL_H

#include <pthread.h>

#include "../bus/node.h"
#include "config.h"
#include "crew.h"
#include "estate.h"
#include "neighbours.h"
#include "rules.h"

struct fwd_control {
    struct fwd_numbers numbers;
    pthread_mutex_t rules_lock; /* Held while numbers, ports, rules and what
                                 * is known of the bus change. */
    struct fwd_port ports[FWD_MAX_PORTS];
    uint8_t n_ports;
    uint16_t n_workers;
    struct rte_mempool *pool;
    struct fwd_exchange exchange;
    struct fwd_neighbours *neighbours;
    struct fwd_crew *crew; /* Owned; an lcore polls each worker. */
    char *document;        /* In force; null before there is one. */
    bool has_bus;
    struct bus_link_state bus; /* As of the last tick, if it has one. */
};

/* Tells whether a forwarder could start with 'config', as far as this can be
 * known without its devices: opens nothing. Returns 0, or a positive errno
 * with the reason in 'reason'. */
int fwd_control_check(const struct fwd_config *config,
                      char reason[FWD_REASON_SIZE]);

/* Makes 'n_workers' workers as 'config' says, without ports and rules; with
 * the flow table of 'estate', unless that is null. 'n_buffers' packets may be
 * in the forwarder at a time for each worker. Stores the result in
 * '*controlp' and returns 0, or returns a positive errno with the reason in
 * 'reason'. */
int fwd_control_make(const struct fwd_config *config,
                     struct fwd_estate *estate, uint16_t n_workers,
                     uint32_t n_buffers, uint64_t now_ms,
                     struct fwd_control **controlp,
                     char reason[FWD_REASON_SIZE]);

/* Opens the ports that are closed; unless 'all', only those that two
 * processes may have open. Returns 0, or a positive errno with the reason in
 * 'reason'. */
int fwd_control_open(struct fwd_control *control, bool all,
                     char reason[FWD_REASON_SIZE]);

/* Whether all ports are open. */
bool fwd_control_is_open(const struct fwd_control *control);

/* Throws away what waits at the open ports, while no lcore forwards: another
 * process had it, too. */
void fwd_control_discard(const struct fwd_control *control);

/* Closes all ports, while no lcore forwards. They can be opened again. */
void fwd_control_close(struct fwd_control *control);

/* Makes workers, opens ports, and publishes rules, all as 'config' says; the
 * same otherwise. */
int fwd_control_create(const struct fwd_config *config, uint16_t n_workers,
                       uint32_t n_buffers, uint64_t now_ms,
                       struct fwd_control **controlp,
                       char reason[FWD_REASON_SIZE]);

/* Closes the ports and frees all, after the workers' lcores have stopped. */
void fwd_control_destroy(struct fwd_control *control);

/* Reads the document in force. Returns 0, or a positive errno with the reason
 * in 'reason'. */
int fwd_control_read(const struct fwd_control *control,
                     const struct ly_ctx *models, struct fwd_config *config,
                     char reason[FWD_REASON_SIZE]);

/* Publishes the rules of the document in force anew: ports that were opened
 * again may have other MAC addresses. Returns 0, or a positive errno with the
 * reason in 'reason'. */
int fwd_control_renew(struct fwd_control *control,
                      const struct ly_ctx *models,
                      char reason[FWD_REASON_SIZE]);

/* Publishes the rules of another document while packets flow. Changes
 * nothing unless it returns 0; a positive errno leaves the reason in
 * 'reason'. Ports have to be the same; flow-table is not read. */
int fwd_control_apply(struct fwd_control *control,
                      const struct fwd_config *config,
                      char reason[FWD_REASON_SIZE]);

#endif
