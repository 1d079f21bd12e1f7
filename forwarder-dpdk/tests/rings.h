// SPDX-License-Identifier: EPL-2.0
/* A forwarder whose ports are rings in this process: no NIC, no root, no
 * huge pages. Its workers are polled by the test's thread. */
#ifndef TEST_RINGS_H
#define TEST_RINGS_H

#include <rte_ring.h>

#include "trace.h"
#include "wire.h"

enum { WAN, LAN, N_RINGS };

#define MAX_LCORES 4 /* Queues of each port. */

struct rings {
    struct ly_ctx *models;
    struct rte_ring *in[N_RINGS][MAX_LCORES];
    struct rte_ring *out[N_RINGS][MAX_LCORES];
    char devices[N_RINGS][64];
    uint16_t n_workers;          /* Of the next start; 1 at first. */
    uint32_t n_buffers;          /* Of each of them; 2047 at first. */
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

/* Makes the rings of another forwarder in the same process, after that. */
int rings_init_other(struct rings *rings, const struct rings *first);

/* Starts a forwarder from a document's text; it is stopped first if it runs.
 * Fails the test if the document is refused. */
void rings_start(struct rings *rings, const char *text);

/* The same, but returns fwd_control_create(), or why the text can't be
 * read. */
int rings_try(struct rings *rings, const char *text,
              char reason[FWD_REASON_SIZE]);

/* Gives a running forwarder another document; returns fwd_control_apply(),
 * or why it can't be read. */
int rings_apply(struct rings *rings, const char *text,
                char reason[FWD_REASON_SIZE]);

/* Lets another forwarder take over from the running one, with what a process
 * hands to the next. */
void rings_upgrade(struct rings *rings);

void rings_stop(struct rings *rings);

/* The first worker. */
struct fwd_worker *rings_worker(const struct rings *rings);

/* Lets a packet in at a queue of 'port'. */
void rings_inject(struct rings *rings, int port, int queue,
                  const struct wire *wire);

/* Lets worker 'i' poll once; between polls it reads no rules. */
void rings_poll_one(struct rings *rings, uint16_t i);

/* Lets all workers poll, in random order, until a packet that came in before
 * is out: once each if there is one. */
void rings_poll(struct rings *rings);

/* Lets the control thread hear, ask and answer, and the workers send. */
void rings_tick(struct rings *rings);

/* Takes a packet that was sent; returns whether there was one. */
bool rings_take(struct rings *rings, struct fate *fate);

/* Lets a packet in at a random queue of 'port' and tells what became of it;
 * the control thread got it if that is FWD_DROP_NEIGHBOUR and the drop was
 * not counted. */
struct fate rings_pass(struct rings *rings, int port,
                       const struct wire *wire);

/* Answers what 'trace' asks, while a thread stands for the lcores. */
void rings_trace(struct rings *rings, struct fwd_trace *trace);

#endif
