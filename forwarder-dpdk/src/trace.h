// SPDX-License-Identifier: EPL-2.0
/* What the forwarder would do with a packet, found out without doing it.
 *
 *   frame --> copy --> classify --> look up --> decide --> rewrite
 *                                      |          |
 *                    the flow's worker, between   with counters and a table
 *                    two polls (lookup.h)         aside, which hold nothing
 *                                                 but a copy of the entry
 *                                                 and of replicas of it
 *
 * It is the packet path itself that runs, so a trace can't tell another
 * story; and what it writes to is thrown away, so a trace changes nothing.
 * Left out are a new flow that finds no free slot within FWD_MAX_PASSED lines,
 * a port out or a worker that takes no more packets just then, and that only
 * so many senders are told of packets that are too big.
 *
 * Thread-safety: for one thread at a time, which holds 'rules_lock' of the
 * control. */
#ifndef FWD_TRACE_H
#define FWD_TRACE_H

#include "control.h"
#include "lookup.h"

#define FWD_TRACE_SIZE (9600 + 18) /* Bytes of the largest frame. */

struct fwd_trace {
    /* What is asked. */
    uint8_t port;  /* Index of the port that the frame comes in at. */
    uint16_t size; /* Bytes of the frame. */
    uint8_t frame[FWD_TRACE_SIZE];

    /* What is answered. */
    enum fwd_drop drop; /* FWD_DROP_NONE: it, or an answer, would be sent. */
    struct fwd_job job; /* What was read of it, up to a drop. */
    bool is_classified; /* All of 'job' and 'lookup' are there. */
    uint16_t owner;     /* Number of the worker that its flow belongs to. */
    struct fwd_lookup lookup; /* Its entry there as it is. */
    bool is_decided;          /* It got a hop; what follows is there. */
    struct fwd_flow flow;     /* Its entry as it would be; context 0: none. */
    bool is_repinned;         /* The hop that it was pinned to is gone. */
    bool is_unpinned;         /* It would be sent without an entry. */
    bool is_recalled;         /* It would be pinned as a peer told. */
    bool is_stray;            /* It would follow that unpinned. */
    uint16_t hop;
    bool is_answered;         /* It is too big, and its sender told so. */
    uint8_t out;              /* Index of the port out, if it is sent. */
    struct rte_mbuf packet;   /* The copy, as it or the answer is sent. */
    uint8_t room[RTE_PKTMBUF_HEADROOM + FWD_TRACE_SIZE]; /* Its bytes. */
};

/* Reads what is asked from "PORT,FRAME[,SIZE]": the port's name, the frame in
 * hexadecimal, and how many bytes it has if only its beginning is given; the
 * others are zero. Returns 0, or EINVAL with the reason in 'reason'. */
int fwd_trace_read(const struct fwd_control *control, const char *text,
                   struct fwd_trace *trace, char reason[FWD_REASON_SIZE]);

/* Answers what is asked. Returns 0, or a positive errno with the reason in
 * 'reason'. */
int fwd_trace_run(const struct fwd_control *control, struct fwd_trace *trace,
                  char reason[FWD_REASON_SIZE]);

#endif
