// SPDX-License-Identifier: EPL-2.0
/* What the benchmarks measure on: one forwarder with ring ports between two
 * peers and some instances of a VNF that keeps the labels, and the packets
 * of its connections. A connection has an entry before the VNF and one
 * behind it, and four kinds of packets:
 *
 *   peer A -> VNF    (VXLAN in, forward)     VNF -> peer B  (VXLAN out)
 *   peer B -> VNF    (VXLAN in, return)      VNF -> peer A  (VXLAN out)
 *
 * The chain is not stateful: when the table is full, packets follow the hash.
 * Whatever goes wrong ends the program with a sentence. */
#ifndef BENCH_SCENE_H
#define BENCH_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_mbuf.h>
#include <rte_ring.h>

#include "control.h"

#define SCENE_RING_SIZE 4096    /* Packets, a power of two. */
#define SCENE_START_MS 1000000  /* The forwarder's clock at its start. */
#define SCENE_MAX_INSTANCES 16

/* Where packets enter and leave. */
enum { SCENE_WAN, SCENE_LAN, SCENE_PORTS };

struct scene {
    bool ipv6;
    bool is_replicated; /* Peer B keeps replicas of the entries. */
    uint32_t n_instances;
    uint64_t random; /* State of xorshift64. */
    struct rte_ring *in[SCENE_PORTS];
    struct rte_ring *out[SCENE_PORTS];
    struct fwd_control *control;
    struct ly_ctx *models;
};

/* The only one. */
static inline struct fwd_worker *
scene_worker(const struct scene *scene)
{
    return scene->control->crew->workers[0];
}

/* Ends the program. */
void scene_die(const char *reason) __attribute__((noreturn));

/* Starts a forwarder whose table has room for 'n_connections', with
 * instances of these weights; if 'is_replicated', peer B is told of entries. */
void scene_start(struct scene *scene, uint32_t n_connections, bool ipv6,
                 bool is_replicated, const uint32_t *weights,
                 uint32_t n_instances);

/* Gives the instances other weights. Pins outlive it. */
void scene_weigh(struct scene *scene, const uint32_t *weights);

/* Pins both entries of connections 0 to 'n' - 1. */
void scene_connect(struct scene *scene, uint32_t n);

/* The instance that scene_connect() pins a connection to. */
uint32_t scene_instance(const struct scene *scene, uint32_t connection);

/* A random number below 'n'. */
uint32_t scene_random(struct scene *scene, uint32_t n);

/* Writes a packet of a connection into an empty buffer, as a peer sends it
 * to port SCENE_WAN or 'instance' of the VNF to port SCENE_LAN. */
void scene_write(const struct scene *scene, struct rte_mbuf *packet, int port,
                 uint32_t connection, uint32_t instance, bool is_return);

/* Puts such a packet into the ring of 'port'. */
void scene_send(struct scene *scene, int port, uint32_t connection,
                uint32_t instance, bool is_return);

/* The instance that a packet which left at port SCENE_LAN goes to. */
uint32_t scene_receiver(const struct rte_mbuf *packet);

/* Frees what has left at 'port'. Returns how many packets that were. */
uint32_t scene_drain(struct scene *scene, int port);

#endif
