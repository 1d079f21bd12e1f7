// SPDX-License-Identifier: EPL-2.0
/* Hot upgrade: a process goes on where another one was, with its flow table,
 * and the rules that are in force there. handover.h has what they say.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_UPGRADE_H
#define FWD_UPGRADE_H

#include "control.h"
#include "handover.h"

/* What became of a request to take over. */
enum fwd_outcome {
    FWD_GIVEN, /* The new process forwards; this one has to end. */
    FWD_KEPT,  /* This one goes on; there is a reason. */
    FWD_LOST,  /* Neither can; there is a reason. */
};

/* Hands 'control', whose lcores forward, to who connects to 'listener'; its
 * rules must not change by what is done while 'waiting'. The connection,
 * stored in '*fdp' if it is given, says that this process is there as long as
 * it is open. */
enum fwd_outcome fwd_upgrade_give(int listener, struct fwd_control *control,
                                  const struct ly_ctx *models,
                                  const struct fwd_waiting *waiting,
                                  int *fdp, char reason[FWD_REASON_SIZE]);

/* Goes on where the process at 'path' was, with 'config' for all that is read
 * when a forwarder starts. The rest as fwd_control_create(). If it succeeds
 * the other process has stopped, and its connection is in '*fdp'. */
int fwd_upgrade_take(const char *path, const struct ly_ctx *models,
                     const struct fwd_config *config, uint16_t n_workers,
                     uint32_t n_buffers, int *fdp,
                     struct fwd_control **controlp,
                     char reason[FWD_REASON_SIZE]);

/* The two halves of that which need no other process: */

/* Fills 'estate' with what 'control' has at 'now_ms'. Returns 0 or a positive
 * errno; the caller closes the estate in either case. */
int fwd_upgrade_leave(const struct fwd_control *control, uint64_t now_ms,
                      struct fwd_estate *estate);

/* Goes on with 'estate' as far as it is possible while its owner forwards:
 * ports that are not sharable stay closed. The rest as fwd_upgrade_take(). */
int fwd_upgrade_inherit(struct fwd_estate *estate,
                        const struct ly_ctx *models,
                        const struct fwd_config *config, uint16_t n_workers,
                        uint32_t n_buffers, uint64_t now_ms,
                        struct fwd_control **controlp,
                        char reason[FWD_REASON_SIZE]);

#endif
