// SPDX-License-Identifier: EPL-2.0
/* The neighbours whose MAC addresses are asked for, by ARP or IPv6 neighbour
 * discovery, and the forwarder's own addresses, for which it answers.
 *
 *               answers, or asks itself
 *   unknown --------------------------------> known
 *   asked each second                         silent for 30 s: asked, too
 *      ^                                         |
 *      +----------- asked 5 times in vain -------+
 *
 * The packet path never waits: workers hand over what they get of ARP and
 * ND, send what is made here (exchange.h), and read MAC addresses out of the
 * rules' ways. Each question goes to all on the link, so a neighbour may come
 * back with another MAC address.
 *
 * Thread-safety: owned by the control thread, but for what tells of them. */
#ifndef FWD_NEIGHBOURS_H
#define FWD_NEIGHBOURS_H

#include "exchange.h"
#include "rules.h"

struct fwd_neighbours;

/* Makes a table where nobody is known, and uses 'exchange', which has to live
 * as long. Never null. */
struct fwd_neighbours *fwd_neighbours_create(struct fwd_exchange *exchange);

void fwd_neighbours_destroy(struct fwd_neighbours *neighbours);

/* Fills in the ways of 'rules', which are about to be published, and keeps
 * these up to date instead of the ones before. */
void fwd_neighbours_follow(struct fwd_neighbours *neighbours,
                           struct fwd_rules *rules);

/* Does what is due: announces, asks, hears, answers. To be called some times
 * a second. */
void fwd_neighbours_tick(struct fwd_neighbours *neighbours, uint64_t now_ms);

/* Told of a neighbour of a port what it would say of itself; its MAC address
 * is zero as long as it is unknown. */
typedef void fwd_neighbour_told(void *aux, uint8_t port,
                                const struct fwd_arp_nd *known);

/* Calls 'tell' for each neighbour. For any thread. */
void fwd_neighbours_tell(struct fwd_neighbours *neighbours,
                         fwd_neighbour_told *tell, void *aux);

/* Takes what a message says of its sender, if that is asked for. */
void fwd_neighbours_learn(struct fwd_neighbours *neighbours, uint8_t port,
                          const struct fwd_arp_nd *message);

/* Frames that were heard but are neither sound ARP nor ND. */
uint64_t fwd_neighbours_n_unread(const struct fwd_neighbours *neighbours);

#endif
