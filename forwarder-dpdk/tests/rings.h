// SPDX-License-Identifier: EPL-2.0
/* A forwarder whose ports are rings in this process: no NIC, no root, no
 * huge pages. */
#ifndef TEST_RINGS_H
#define TEST_RINGS_H

#include <rte_ring.h>

#include "control.h"
#include "wire.h"

enum { WAN, LAN, N_RINGS };

struct rings {
    struct ly_ctx *models;
    struct rte_ring *in[N_RINGS];
    struct rte_ring *out[N_RINGS];
    char devices[N_RINGS][64];
    struct fwd_control *control; /* Null: not started. */
    uint64_t now_ms;             /* The forwarder's clock. */
};

/* What became of a packet. */
struct fate {
    enum fwd_drop drop; /* FWD_DROP_NONE: it was sent. */
    int port;           /* WAN or LAN. */
    struct wire wire;
};

/* Starts DPDK and makes the rings, once in a process. Returns 0 on success. */
int rings_init(struct rings *rings);

/* Starts a forwarder from a document's text; it is stopped first if it runs.
 * Fails the test if the document is refused. */
void rings_start(struct rings *rings, const char *text);

/* Gives a running forwarder another document; returns fwd_control_apply(),
 * or why it can't be read. */
int rings_apply(struct rings *rings, const char *text,
                char reason[FWD_REASON_SIZE]);

void rings_stop(struct rings *rings);

/* Lets the worker poll once; between polls it reads no rules. */
void rings_poll(struct rings *rings);

/* Lets a packet in at 'port' and tells what became of it. */
struct fate rings_pass(struct rings *rings, int port,
                       const struct wire *wire);

#endif
