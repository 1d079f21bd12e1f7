// SPDX-License-Identifier: EPL-2.0
/* What was dropped of each stage, by direction and reason. A stage takes room
 * when something of it is dropped.
 *
 * Thread-safety: one thread counts; others read, and see it a little late. */
#ifndef FWD_STAGE_DROPS_H
#define FWD_STAGE_DROPS_H

#include <stdatomic.h>
#include <stdint.h>

#include "drop.h"
#include "rules.h"

struct fwd_stage_row {
    uint64_t packets[2][FWD_N_DROPS]; /* By direction and reason. */
};

struct fwd_stage_drops {
    _Atomic(struct fwd_stage_row *) rows[FWD_MAX_STAGE_NUMBERS + 1];
};

#define FWD_MAX_STAGE_DROPS (2 * FWD_N_DROPS) /* Of a stage. */

/* Packets of a stage that were dropped for a reason, on one way. */
struct fwd_stage_drop {
    enum fwd_direction direction;
    enum fwd_drop reason;
    uint64_t packets;
};

/* Counts a packet of stage number 'stage'; not if there is no memory. */
void fwd_stage_drops_count(struct fwd_stage_drops *drops, uint32_t stage,
                           enum fwd_direction direction,
                           enum fwd_drop reason);

/* What was counted. */
uint64_t fwd_stage_drops_get(const struct fwd_stage_drops *drops,
                             uint32_t stage, enum fwd_direction direction,
                             enum fwd_drop reason);

/* Frees what it takes, but not 'drops' itself. */
void fwd_stage_drops_clear(struct fwd_stage_drops *drops);

#endif
