// SPDX-License-Identifier: EPL-2.0
/* All counters in the text format of Prometheus, 0.0.4: totals, drops by
 * reason, the flow table, what was carried by stage, peer and instance of the
 * rules in force, in either direction, and the node of the bus.
 *
 * Thread-safety: for any thread; waits for rules that are being changed. */
#ifndef FWD_SCRAPE_H
#define FWD_SCRAPE_H

#include "control.h"

/* Returns the text, from malloc(), and its size in bytes in '*size'; null if
 * there is no memory. */
char *fwd_scrape(struct fwd_control *control, size_t *size);

#endif
