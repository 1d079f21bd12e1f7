// SPDX-License-Identifier: EPL-2.0
/* How much of a flow table is to be swept when, so that a pass over all of it
 * takes an interval. */
#ifndef FWD_SWEEP_H
#define FWD_SWEEP_H

#include <stdint.h>

struct fwd_sweep {
    uint32_t interval_s;
    uint64_t pass_ms; /* When this pass over the table began. */
    uint64_t n_swept; /* Lines swept in this pass. */
};

/* Lines of 'n_lines' that are to be swept now, a few hundred at most; counts
 * them as swept. */
uint64_t fwd_sweep_due(struct fwd_sweep *sweep, uint64_t n_lines,
                       uint64_t now_ms);

#endif
