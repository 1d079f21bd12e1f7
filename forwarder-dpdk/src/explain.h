// SPDX-License-Identifier: EPL-2.0
/* A trace in words: a step for each thing that the packet meets, in the order
 * in which it meets them. Steps that it does not come to are left out; the
 * last one is the verdict.
 *
 *   in, in_link, in_tunnel, in_labels   the port, and the headers that came
 *   from, stage                         the hop before; place and direction
 *   connection, kind                    addresses; if it is not plain: what
 *   lcore                               which of those that forward has it
 *   flow, pinned_next, pinned_previous  its entry, and where that leads
 *   decision, picked_from, chance, hop  why it goes to which hop
 *   answer                              to its sender, as it is too big
 *   out_link, out_tunnel, out_labels    the headers that it, or the answer,
 *                                       would leave with
 *   verdict                             sent on a port, for the forwarder
 *                                       itself, or why it is dropped
 *
 * Thread-safety: as trace.h. */
#ifndef FWD_EXPLAIN_H
#define FWD_EXPLAIN_H

#include "trace.h"

#define FWD_STEP_SIZE 128 /* Bytes of a text with its final zero. */
#define FWD_MAX_STEPS 24

struct fwd_steps {
    int n;
    struct {
        const char *name;
        char text[FWD_STEP_SIZE];
    } step[FWD_MAX_STEPS];
};

/* Tells what 'trace', which was answered, met. */
void fwd_explain(const struct fwd_control *control,
                 const struct fwd_trace *trace, struct fwd_steps *steps);

#endif
