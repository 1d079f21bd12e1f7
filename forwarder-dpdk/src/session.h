// SPDX-License-Identifier: EPL-2.0
/* The forwarder's session with the bus: who it is there, and where, as the
 * container bus of its document says.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_SESSION_H
#define FWD_SESSION_H

#include "../bus/client.h"
#include "config.h"

/* Both return 0, or a positive errno with the reason in 'reason'. */

/* Tells whether the files of the bus that 'config' names are in order, if it
 * names one: takes a number from the epoch file, which is lost. */
int fwd_session_check(const struct fwd_config *config,
                      char reason[FWD_REASON_SIZE]);

/* Connects as node <site>/<name>, whose last values end with it; or, if
 * '*clientp' is not null, connects that anew with the proxy and the keys of
 * 'bus'. */
int fwd_session_open(struct bus_client **clientp, const char *site,
                     const char *name, const struct lyd_node *bus,
                     char reason[FWD_REASON_SIZE]);

#endif
