// SPDX-License-Identifier: EPL-2.0
/* Measures throughput (rows S1-1k, S1-512k, S1-3m, S1-30m) and how fast
 * connections begin (row S1-new).
 *
 * Throughput: the four kinds of packets of scene.h take turns, each of a
 * random connection, all of which are in the table. New connections: the
 * first packet of one goes to an instance that is picked, and from there to
 * peer B; either makes an entry. The table, with room for 6 million
 * connections, is empty at first and has 4.9 million at the end.
 *
 * With replicas a peer is told of each entry when it is made, and again in
 * each sweep: what that takes is timed too.
 *
 * A window is a number of packets that wait in the ring ports' receive
 * rings; what is timed is fwd_worker_poll() until they all are in the send
 * rings. Writing the packets, which is not timed, leaves them in the cache,
 * as a NIC that writes to the cache does. A sample is the median of many
 * windows, so an interrupted window does not count. Prints one JSON object,
 * from which bench/forwarder makes a measurement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>

#include "scene.h"

#define WINDOW 2048  /* Packets; in a window of new connections, of these. */
#define WINDOWS 400  /* For a sample. */
#define SAMPLES 5
#define ROOM_FOR_NEW 6000000 /* Connections. */

static const uint32_t weights[] = {1, 1, 1, 1};

struct bench {
    struct scene scene;
    uint32_t n_connections; /* In the table, or begun so far. */
    uint64_t cycles;        /* Timed so far; the clock follows them. */
};

/* Whether all packets have left, and with them what a peer is told. */
static bool
is_complete(const struct scene *scene, uint32_t n_wan, uint32_t n_lan)
{
    uint32_t n = rte_ring_count(scene->out[SCENE_WAN]);

    return rte_ring_count(scene->out[SCENE_LAN]) == n_lan
           && (scene->is_replicated
                   ? n >= n_wan && !scene_worker(scene)->counters->n_replicas_unsent
                   : n == n_wan);
}

/* Returns the TSC cycles in which the packets that wait, 'n_wan' to peers and
 * 'n_lan' to instances, are forwarded. */
static uint64_t
time_forwarding(struct bench *bench, uint32_t n_wan, uint32_t n_lan)
{
    uint64_t now_ms = SCENE_START_MS
                      + bench->cycles / (rte_get_tsc_hz() / 1000);
    uint64_t begin = rte_rdtsc_precise(), cycles;
    uint32_t left = n_wan + n_lan;

    while (left) {
        left -= fwd_worker_poll(scene_worker(&bench->scene), now_ms);
    }
    cycles = rte_rdtsc_precise() - begin;
    bench->cycles += cycles;
    if (!is_complete(&bench->scene, n_wan, n_lan)) {
        scene_die("packets were dropped");
    }
    return cycles;
}

/* A window of packets of random connections. */
static uint64_t
time_known(struct bench *bench)
{
    struct scene *scene = &bench->scene;
    uint64_t cycles;

    for (int i = 0; i < WINDOW; i++) {
        uint32_t connection = scene_random(scene, bench->n_connections);

        scene_send(scene, i & 1 ? SCENE_LAN : SCENE_WAN, connection,
                   scene_instance(scene, connection), i & 2);
    }
    cycles = time_forwarding(bench, WINDOW / 2, WINDOW / 2);
    scene_drain(scene, SCENE_WAN);
    scene_drain(scene, SCENE_LAN);
    return cycles;
}

/* A window of connections that begin. */
static uint64_t
time_new(struct bench *bench)
{
    struct scene *scene = &bench->scene;
    uint32_t first = bench->n_connections;
    uint64_t cycles;

    for (uint32_t i = 0; i < WINDOW; i++) {
        scene_send(scene, SCENE_WAN, first + i, 0, false);
    }
    cycles = time_forwarding(bench, 0, WINDOW);
    for (uint32_t i = 0; i < WINDOW; i++) {
        void *packet;

        rte_ring_dequeue(scene->out[SCENE_LAN], &packet);
        scene_send(scene, SCENE_LAN, first + i, scene_receiver(packet),
                   false);
        rte_pktmbuf_free(packet);
    }
    scene_drain(scene, SCENE_WAN);
    cycles += time_forwarding(bench, WINDOW, 0);
    scene_drain(scene, SCENE_WAN);
    bench->n_connections += WINDOW;
    return cycles;
}

static int
compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Returns millions of packets, or of new connections, a second. */
static double
sample(struct bench *bench, uint64_t (*time_window)(struct bench *))
{
    uint64_t cycles[WINDOWS];

    for (int i = 0; i < WINDOWS; i++) {
        cycles[i] = time_window(bench);
    }
    qsort(cycles, WINDOWS, sizeof *cycles, compare);
    return WINDOW * (double) rte_get_tsc_hz() / (double) cycles[WINDOWS / 2]
           / 1e6;
}

static void
report(const struct bench *bench, bool is_new, const double samples[SAMPLES])
{
    const struct fwd_head *head = scene_worker(&bench->scene)->table->head;

    printf("{\"samples\": [");
    for (int i = 0; i < SAMPLES; i++) {
        printf("%s%.3f", i ? ", " : "", samples[i]);
    }
    printf("], \"parameters\": {\"connections\": %u, \"entries\": %u, "
           "\"room, entries of IPv4\": %lu, "
           "\"ip\": %d, \"inner frame bytes\": 64, \"burst\": %d, "
           "\"window\": %d, \"windows per sample\": %d, "
           "\"instances\": %u, \"cores\": 1, \"TSC MHz\": %.0f, "
           "\"huge pages\": %s, "
           "\"timed\": \"ring receive, parse, flow table, counters, "
           "rewrite, ring send\", \"packets\": \"VXLAN in or out, %s a VNF "
           "that keeps labels\", \"seed\": 1}}\n",
           bench->n_connections, 2 * bench->n_connections, head->capacity,
           bench->scene.ipv6 ? 6 : 4, FWD_BURST, WINDOW, WINDOWS,
           bench->scene.n_instances, (double) rte_get_tsc_hz() / 1e6,
           head->huge ? "true" : "false",
           is_new ? "the first one of a connection before and behind"
                  : "a quarter each of both directions and sides of");
}

int
main(int argc, char *argv[])
{
    int n = rte_eal_init(argc, argv);
    struct bench bench = {0};
    double samples[SAMPLES];
    bool is_new;

    if (n < 0 || argc - n < 3) {
        scene_die("usage: throughput DPDK'S-OPTIONS -- CONNECTIONS|new 4|6 "
                  "[replicas]");
    }
    is_new = !strcmp(argv[n + 1], "new");
    if (!is_new) {
        bench.n_connections = (uint32_t) strtoul(argv[n + 1], NULL, 10);
    }
    scene_start(&bench.scene, is_new ? ROOM_FOR_NEW : bench.n_connections,
                argv[n + 2][0] == '6', argc - n > 3, weights,
                RTE_DIM(weights));
    scene_connect(&bench.scene, bench.n_connections);
    sample(&bench, is_new ? time_new : time_known);
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = sample(&bench, is_new ? time_new : time_known);
    }
    report(&bench, is_new, samples);
    return 0;
}
