// SPDX-License-Identifier: EPL-2.0
#include "sweep.h"

#define MAX_LINES 256 /* At a time. */

uint64_t
fwd_sweep_due(struct fwd_sweep *sweep, uint64_t n_lines, uint64_t now_ms)
{
    uint64_t interval_ms = sweep->interval_s * 1000ULL;
    uint64_t due = (now_ms - sweep->pass_ms) * n_lines / interval_ms;
    uint64_t n;

    due = due < n_lines ? due : n_lines;
    n = due - sweep->n_swept;
    n = n < MAX_LINES ? n : MAX_LINES;
    sweep->n_swept += n;
    if (sweep->n_swept == n_lines) {
        sweep->pass_ms = now_ms;
        sweep->n_swept = 0;
    }
    return n;
}
