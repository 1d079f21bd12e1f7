// SPDX-License-Identifier: EPL-2.0
/* Tells the sender of a packet that is too big for its next hop how much
 * fits, so that it sends smaller ones: ICMP "fragmentation needed" (RFC 792,
 * RFC 1191) and ICMPv6 "packet too big" (RFC 4443, Section 3.2). The error
 * goes back to the hop that the packet came from, and from there along its
 * flow. */
#ifndef FWD_TOO_BIG_H
#define FWD_TOO_BIG_H

#include <stdint.h>

#include "drop.h"

struct fwd_job;
struct fwd_rules;

/* Bounds the errors of a worker: one for each millisecond, and some more in
 * a moment. RFC 1812, Section 4.3.2.8. */
struct fwd_bucket {
    uint64_t filled_ms; /* When 'n' was right. */
    uint32_t n;         /* Errors that may be sent at once. */
};

/* Turns the packet of 'job', which is too big for 'hop', into the error
 * about it, for the hop that the packet came from; fills 'error'. Returns
 * FWD_DROP_NONE, or why its sender is not told. */
enum fwd_drop fwd_too_big(struct fwd_bucket *bucket,
                          const struct fwd_rules *rules,
                          const struct fwd_job *job, uint16_t hop,
                          uint64_t now_ms, struct fwd_job *error);

#endif
