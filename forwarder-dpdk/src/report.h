// SPDX-License-Identifier: EPL-2.0
/* What the forwarder tells on the bus of what it carries: all of it by drop
 * reason, peer and instance, and each chain by stage and direction
 * (docs/wire/forwarder.md has the topics).
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_REPORT_H
#define FWD_REPORT_H

#include "control.h"
#include "notices.h"

/* Posts the counters of 'control', whose node is 'site'/'name'. */
void fwd_report_post(const struct fwd_control *control,
                     const struct ly_ctx *models, const char *site,
                     const char *name, struct fwd_notices *notices);

#endif
