// SPDX-License-Identifier: EPL-2.0
/* What the forwarder says on the bus: a last value for each topic, published
 * when it changes and withdrawn when it is posted no more.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_NOTICES_H
#define FWD_NOTICES_H

#include "../bus/node.h"

struct fwd_notices;

/* 'node' has to live as long. */
struct fwd_notices *fwd_notices_create(struct bus_node *node);
void fwd_notices_destroy(struct fwd_notices *notices); /* May be null. */

/* Says 'text' on 'topic' from now on. */
void fwd_notices_post(struct fwd_notices *notices, const char *topic,
                      const char *text);

/* Between these two all is posted; what is not is withdrawn. */
void fwd_notices_begin(struct fwd_notices *notices);
void fwd_notices_end(struct fwd_notices *notices);

/* Publishes what changed, as far as the bus takes it: to be called again. */
void fwd_notices_publish(struct fwd_notices *notices);

#endif
