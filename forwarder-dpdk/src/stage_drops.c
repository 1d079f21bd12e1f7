// SPDX-License-Identifier: EPL-2.0
#include "stage_drops.h"

#include <stdlib.h>

/* The row of a stage, which is made if there is none. */
static struct fwd_stage_row *
row_of(struct fwd_stage_drops *drops, uint32_t stage)
{
    struct fwd_stage_row *row = atomic_load_explicit(&drops->rows[stage],
                                                     memory_order_relaxed);

    if (!row) {
        row = calloc(1, sizeof *row);
        atomic_store_explicit(&drops->rows[stage], row, memory_order_release);
    }
    return row;
}

void
fwd_stage_drops_count(struct fwd_stage_drops *drops, uint32_t stage,
                      enum fwd_direction direction, enum fwd_drop reason)
{
    struct fwd_stage_row *row = row_of(drops, stage);

    if (row) {
        row->packets[direction][reason]++;
    }
}

uint64_t
fwd_stage_drops_get(const struct fwd_stage_drops *drops, uint32_t stage,
                    enum fwd_direction direction, enum fwd_drop reason)
{
    const struct fwd_stage_row *row = atomic_load_explicit(
        &drops->rows[stage], memory_order_acquire);

    return row ? row->packets[direction][reason] : 0;
}

void
fwd_stage_drops_clear(struct fwd_stage_drops *drops)
{
    for (uint32_t i = 0; i <= FWD_MAX_STAGE_NUMBERS; i++) {
        free(drops->rows[i]);
    }
}
