// SPDX-License-Identifier: EPL-2.0
/* What the forwarder offers to chains: for each service of a chain that it
 * has instances of, its address and the sum of their weights by stage
 * (Switchboard, section 5.2; docs/wire/forwarder.md has the topics).
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_OFFERS_H
#define FWD_OFFERS_H

#include "config.h"
#include "notices.h"

/* Tells whether all that 'config' offers at 'site' has a topic. Returns 0, or
 * EINVAL with the reason in 'reason'. */
int fwd_offers_check(const struct fwd_config *config, const char *site,
                     char reason[FWD_REASON_SIZE]);

/* Posts all that 'config' offers at 'site'. */
void fwd_offers_post(const struct fwd_config *config, const char *site,
                     const struct ly_ctx *models,
                     struct fwd_notices *notices);

#endif
