// SPDX-License-Identifier: EPL-2.0
/* Counters over HTTP, for Prometheus: GET /metrics, where the document's
 * container metrics says, if there is one (scrape.h has the text).
 *
 * Thread-safety: owned by the control thread; scrapes are answered by a thread
 * of libmicrohttpd's. */
#ifndef FWD_EXPORTER_H
#define FWD_EXPORTER_H

#include "control.h"

struct fwd_exporter;

/* Serves the counters of 'control' as 'config' says. Stores the result in
 * '*exporterp' and returns 0, or returns a positive errno with the reason in
 * 'reason'. */
int fwd_exporter_create(struct fwd_control *control,
                        const struct fwd_config *config,
                        struct fwd_exporter **exporterp,
                        char reason[FWD_REASON_SIZE]);

/* Listens as 'config' says from now on, or no more. Returns 0, or a positive
 * errno with the reason in 'reason'; then all is as before. 'exporter' may be
 * null. */
int fwd_exporter_apply(struct fwd_exporter *exporter,
                       const struct fwd_config *config,
                       char reason[FWD_REASON_SIZE]);

/* Ends; waits for a scrape that has begun. 'exporter' may be null. */
void fwd_exporter_destroy(struct fwd_exporter *exporter);

#endif
