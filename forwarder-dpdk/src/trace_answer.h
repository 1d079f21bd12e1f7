// SPDX-License-Identifier: EPL-2.0
/* Traces for DPDK's telemetry socket: the steps of explain.h by name, and the
 * bytes that would leave.
 *
 * Thread-safety: as fwd_trace_run(). */
#ifndef FWD_TRACE_ANSWER_H
#define FWD_TRACE_ANSWER_H

#include <rte_telemetry.h>

#include "control.h"

/* Traces the packet that 'parameters' tell of (trace.h). Returns 0, or a
 * negative errno. DPDK tells no reason of an error, so a refusal is an
 * answer, too. */
int fwd_trace_answer(const struct fwd_control *control,
                     const char *parameters, struct rte_tel_data *data);

#endif
