// SPDX-License-Identifier: EPL-2.0
/* What the files that make rules from a document share. Each function
 * returns 0, or a positive errno with the reason in 'build->reason'. */
#ifndef FWD_BUILD_H
#define FWD_BUILD_H

#include <errno.h>
#include <stdio.h>

#include "rules.h"

/* What one document is being made into. */
struct fwd_build {
    const struct fwd_config *config;
    struct fwd_numbers *numbers;
    struct fwd_rules *rules;
    char *reason;
};

#define REFUSE(build, ...)                                                    \
    fwd_refused(snprintf((build)->reason, FWD_REASON_SIZE, __VA_ARGS__))

/* EINVAL, after the reason was written. */
static inline int
fwd_refused(int written)
{
    (void) written;
    return EINVAL;
}

/* The number of a hop; of a new one only if 'is_new_fine'; 0: none. */
uint32_t fwd_build_hop(struct fwd_build *build, const char *kind,
                       const char *name, bool is_new_fine);

/* Number of entries of a list. */
uint32_t fwd_build_count(const struct lyd_node *parent, const char *name);

/* The size of a hash table of 'n' entries: a power of two. */
uint32_t fwd_build_size(uint32_t n);

/* Index of a port, or -1. */
int fwd_build_port(const struct fwd_rules *rules, const char *name);

/* Gives every hop its number, and makes room for all that have one. */
int fwd_build_number_hops(struct fwd_build *build);

/* Makes room for ways, interfaces and targets, and reads the forwarder's own
 * addresses on the underlay and for ICMP errors. */
int fwd_build_addresses(struct fwd_build *build);

/* Makes the ways to hop 'number', the peer at 'address'. */
int fwd_build_peer_ways(struct fwd_build *build, const struct lyd_node *peer,
                        uint16_t number, uint32_t address);

/* Makes the way to one side of an instance, which was read. */
int fwd_build_side_way(struct fwd_build *build, const struct lyd_node *node,
                       uint16_t number, enum fwd_direction direction);

/* Makes the hops that are peers. */
int fwd_build_peers(struct fwd_build *build);

/* Makes the hops that are instances. */
int fwd_build_instances(struct fwd_build *build);

/* Gives hops their identities, and reads which peers keep replicas. */
int fwd_build_identities(struct fwd_build *build);

#endif
