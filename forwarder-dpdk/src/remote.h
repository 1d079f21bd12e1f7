// SPDX-License-Identifier: EPL-2.0
/* Control over the message bus: rules come in as documents, published or
 * requested by one node, and the forwarder tells what became of them, what it
 * offers and what it carries (docs/wire/forwarder.md, "Control").
 *
 * A document is taken as a whole or not at all. The reason of a refusal goes
 * into the state, or to who asked. A withdrawn document changes nothing.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_REMOTE_H
#define FWD_REMOTE_H

#include "control.h"

struct fwd_remote;

/* Joins the bus as 'config' says, and tells of the rules in force. Stores the
 * result, or null if 'config' names no bus, in '*remotep' and returns 0; or
 * returns a positive errno with the reason in 'reason'. */
int fwd_remote_create(struct fwd_control *control,
                      const struct ly_ctx *models,
                      const struct fwd_config *config,
                      struct fwd_remote **remotep,
                      char reason[FWD_REASON_SIZE]);

/* Leaves the rules as they are while 'is_held': the latest document that comes
 * in meanwhile is taken afterwards; who asks is refused. 'remote' may be
 * null. */
void fwd_remote_hold(struct fwd_remote *remote, bool is_held);

/* Withdraws all that was told, unless another process tells it from now on.
 * 'remote' may be null. */
void fwd_remote_withdraw(struct fwd_remote *remote);

/* Leaves the bus. 'remote' may be null. */
void fwd_remote_destroy(struct fwd_remote *remote);

/* Serves the bus, if 'remote' is not null, until 'fd' is readable or
 * 'timeout_ms' have passed. Returns whether 'fd' is readable. */
bool fwd_remote_wait(struct fwd_remote *remote, int fd, int timeout_ms);

/* Tells the bus of rules that came another way, and uses the proxy and the
 * keys of their document from now on. 'remote' may be null. Returns 0, or a
 * positive errno with the reason in 'reason'; then proxy and keys stay. */
int fwd_remote_applied(struct fwd_remote *remote,
                       const struct fwd_config *config,
                       char reason[FWD_REASON_SIZE]);

#endif
