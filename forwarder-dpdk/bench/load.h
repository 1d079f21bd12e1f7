// SPDX-License-Identifier: EPL-2.0
/* Load for a forwarder: packets of connections, which are sent to its two
 * ports, and a look at each that comes back. Whatever goes wrong ends the
 * program with a sentence. */
#ifndef BENCH_LOAD_H
#define BENCH_LOAD_H

#include <rte_mempool.h>

#include "stamp.h"

#define BENCH_BURST 32 /* Packets, at most. */

struct bench_load {
    const struct bench_mode *mode;
    struct bench_stamp stamps[BENCH_MAX_KINDS];
    uint32_t n_flows;
    uint16_t n_queues;       /* To receive from, of each port. */
    struct rte_mempool *pool;
    uint64_t random;         /* State of bench_random(). */
    uint8_t *homes;          /* By connection: its first instance + 1, 0:
                              * none; and BENCH_MOVED. */
    int n_turns;             /* Bursts sent; kinds take turns. */

    uint32_t under_way[N_PORTS]; /* Packets, by the port they came in on. */
    uint64_t n_sent;
    uint64_t n_received;
    uint64_t n_strayed;      /* Packets to another instance than the first. */
    uint64_t n_moved;        /* Connections that they belong to. */
};

#define BENCH_MOVED 0x80u /* In 'homes': a packet strayed. */

/* Ends the program. */
void bench_die(const char *reason) __attribute__((noreturn));

/* Takes a burst from each queue of 'port'; returns the number of packets.
 * What is said to all on a link, as ARP, is thrown away. */
uint32_t bench_receive(struct bench_load *load, uint16_t port);

/* Sends a packet of kind 'number' of each of the 'n' connections in
 * 'flows'. */
void bench_send(struct bench_load *load, int number, const uint32_t *flows,
                uint16_t n);

/* The same, of 'n' random connections. */
void bench_send_random(struct bench_load *load, int number, uint16_t n);

/* The kind whose turn it is to be sent. */
static inline int
bench_next_kind(struct bench_load *load)
{
    return load->n_turns++ % load->mode->n_kinds;
}

#endif
