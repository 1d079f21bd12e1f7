// SPDX-License-Identifier: EPL-2.0
/* A real process that others take over from (children.h), in the network of
 * network.h, and what comes in there.
 *
 * What can't be done fails the test. */
#ifndef TEST_HEIRS_H
#define TEST_HEIRS_H

#include "children.h"

#define N_FLOWS 200 /* Before the upgrade. */
#define N_NEW 50    /* After it. */
#define N_TOLD 20   /* That peer A tells of. */
#define FIRST_TOLD (N_FLOWS + N_NEW)
#define OLD_NAT 2   /* That the old flows are pinned to. */
#define TOLD_NAT 3  /* That peer A says those are pinned to; no weight. */
#define NEW_NAT 1   /* That is not there at first. */
#define LCORES "0@0,1@0,2@0"

enum { WAN, LAN };

/* What comes in. */
struct heir_input {
    uint32_t first;  /* Flow from peer A. */
    uint32_t n;      /* Flows. */
    bool has_return; /* Those of the old ones from their NAT on their way
                      * back. */
    bool is_told;    /* Peer A tells of N_TOLD flows from FIRST_TOLD on. */
};

extern pid_t heir_old; /* The process that forwards. */

void heir_write_inputs(struct heir_input input);

/* Writes a configuration in which one NAT gets all new flows, and a new one is
 * only there if it is that; 'from' in it becomes 'to'. Hops get other numbers
 * than they would have if all were there at once. */
void heir_write_config(const char *name, int nat, const char *from,
                       const char *to);

/* Starts the process that others take over from, which has pinned N_FLOWS
 * flows to OLD_NAT. */
int heir_start_old(void **state);

/* Ends it, and removes all files. */
int heir_stop_old(void **state);

#endif
