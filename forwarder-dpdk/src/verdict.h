// SPDX-License-Identifier: EPL-2.0
/* What became of the documents that were sent, as the model's `state`.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_VERDICT_H
#define FWD_VERDICT_H

#include <libyang/libyang.h>

#include "config.h"

struct fwd_verdict {
    char generation[24];          /* Of the rules in force. */
    char reason[FWD_REASON_SIZE]; /* Of the last refusal; empty: taken. */
    uint64_t n_refused;           /* Documents, of whomever. */
};

/* The document of 'config' is in force from now on. */
void fwd_verdict_take(struct fwd_verdict *verdict,
                      const struct fwd_config *config);

/* The state of forwarder 'name' as a document, from malloc(). */
char *fwd_verdict_write(const struct fwd_verdict *verdict,
                        const struct ly_ctx *models, const char *name);

#endif
