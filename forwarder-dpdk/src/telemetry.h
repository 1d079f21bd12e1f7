// SPDX-License-Identifier: EPL-2.0
/* Counters and traces for DPDK's telemetry socket (dpdk-telemetry.py):
 *
 *   /sluice/packets                received, sent, handed to other lcores,
 *                                  flows; ARP and ND heard, and made here
 *                                  with ICMP errors; replicas (replication.h)
 *   /sluice/drops                  packets by reason
 *   /sluice/ports                  names of ports
 *   /sluice/port,<name>            what its device lost (ports.h)
 *   /sluice/table                  size and use of the flow table
 *   /sluice/stages                 names of stages: chain/egress/number
 *   /sluice/stage,<name>           its packets and bytes by direction, drops
 *                                  of port_full among them; and what was
 *                                  dropped by reason, other than port_full
 *                                  and lcore_full
 *   /sluice/hops                   names of hops: peer/x, instance/x
 *   /sluice/hop,<name>             its flows; packets and bytes sent to it,
 *                                  likewise
 *   /sluice/neighbours             who was asked for a MAC address: "port VLAN
 *                                  address MAC-address"; or "unknown"
 *   /sluice/bus                    the node of the bus and its messages;
 *                                  empty without one
 *   /sluice/trace,<port>,<frame>   what would become of a packet (explain.h),
 *                                  and the bytes that would leave; changes
 *                                  nothing. The frame in hexadecimal; and
 *                                  ",<size>" if that is only its beginning
 *
 * Thread-safety: DPDK asks in a thread of its own; start and stop are for the
 * control thread. */
#ifndef FWD_TELEMETRY_H
#define FWD_TELEMETRY_H

#include <rte_telemetry.h>

#include "control.h"

/* Registers the commands, once in a process, and tells of 'control' from now
 * on. Returns 0 or a positive errno. */
int fwd_telemetry_start(struct fwd_control *control);

/* Tells nothing from now on. To be called before the control is destroyed;
 * an answer that has begun is waited for. */
void fwd_telemetry_stop(void);

/* Answers a command; called by DPDK. Returns 0, -ENOENT if there is nothing
 * to tell of, or -EINVAL if 'parameters' names nothing. */
int fwd_telemetry_answer(const char *command, const char *parameters,
                         struct rte_tel_data *data);

#endif
