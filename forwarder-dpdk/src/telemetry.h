// SPDX-License-Identifier: EPL-2.0
/* Counters for DPDK's telemetry socket (dpdk-telemetry.py):
 *
 *   /sluice/packets                received, sent, flows
 *   /sluice/drops                  packets by reason
 *   /sluice/table                  size and use of the flow table
 *   /sluice/stages                 names of stages: chain/egress/number
 *   /sluice/stage,<name>           its packets and bytes by direction
 *   /sluice/hops                   names of hops: peer/x, instance/x
 *   /sluice/hop,<name>             its flows; packets and bytes sent to it
 */
#ifndef FWD_TELEMETRY_H
#define FWD_TELEMETRY_H

#include "control.h"

/* Registers the commands; 'control' must outlive the process's telemetry.
 * Returns 0 or a positive errno. */
int fwd_telemetry_start(const struct fwd_control *control);

#endif
