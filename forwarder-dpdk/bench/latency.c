// SPDX-License-Identifier: EPL-2.0
/* Measures the latency that a forwarder adds (rows S1-latency and
 * S1-latency-full): one lcore sends packets of known connections, takes them
 * back and compares the time stamps that they bear; the other one forwards,
 * or runs a null loop, which hands packets from ring to ring. Full load: as
 * many packets are under way as a ring holds, so that they queue and none is
 * dropped. Half load: half as many packets a second, evenly spaced. Prints
 * one JSON object for each load: 99th percentile over the forwarder less the
 * null loop's under the same load, in microseconds. */
#include <stdalign.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <rte_mbuf_dyn.h>

#include "scene.h"

#define CONNECTIONS 524288u
#define WINDOW (SCENE_RING_SIZE - 1u) /* Packets under way. */
#define PACKETS 4000000u /* For a sample. */
#define SAMPLES 5
#define LONGEST_S 60     /* That a sample may take. */
#define BUCKETS 1000000  /* Of 10 ns each. */
#define BUCKET_NS 10

static const uint32_t weights[] = {1, 1, 1, 1};

static atomic_bool is_stopping;

struct bench {
    struct scene scene;
    int stamp; /* Offset of the time stamp in a packet buffer. */
    uint32_t counts[BUCKETS];
    uint32_t n_full; /* Attempts to send with a full window. */
};

/* What one run saw. */
struct outcome {
    double p99_us;
    double mpps;
    double full; /* Part of the attempts with a full window. */
};

static int
run_forwarder(void *scene_)
{
    struct scene *scene = scene_;
    uint64_t hz = rte_get_tsc_hz(), begin = rte_rdtsc();

    while (!atomic_load_explicit(&is_stopping, memory_order_relaxed)) {
        fwd_worker_poll(scene_worker(scene),
                        SCENE_START_MS + (rte_rdtsc() - begin) * 1000 / hz);
    }
    return 0;
}

static int
run_null(void *scene_)
{
    struct scene *scene = scene_;

    while (!atomic_load_explicit(&is_stopping, memory_order_relaxed)) {
        for (int port = 0; port < SCENE_PORTS; port++) {
            void *packets[FWD_BURST];
            uint32_t n = rte_ring_dequeue_burst(scene->in[port], packets,
                                                FWD_BURST, NULL);

            rte_ring_enqueue_bulk(scene->out[port], packets, n, NULL);
        }
    }
    return 0;
}

static uint64_t *
stamp_of(const struct bench *bench, struct rte_mbuf *packet)
{
    return RTE_MBUF_DYNFIELD(packet, bench->stamp, uint64_t *);
}

/* Takes back what has left. Returns the number of packets. */
static uint32_t
collect(struct bench *bench)
{
    uint32_t total = 0;

    for (int port = 0; port < SCENE_PORTS; port++) {
        struct rte_mbuf *packets[FWD_BURST];
        uint32_t n = rte_ring_dequeue_burst(bench->scene.out[port],
                                            (void **) packets, FWD_BURST,
                                            NULL);
        uint64_t now = rte_rdtsc();

        for (uint32_t i = 0; i < n; i++) {
            uint64_t ns = (now - *stamp_of(bench, packets[i])) * 1000000000
                          / rte_get_tsc_hz() / BUCKET_NS;

            bench->counts[RTE_MIN(ns, BUCKETS - 1u)]++;
        }
        rte_pktmbuf_free_bulk(packets, n);
        total += n;
    }
    return total;
}

/* Sends packet 'i', unless the window is full. */
static bool
send_next(struct bench *bench, uint32_t i, uint32_t n_under_way)
{
    struct scene *scene = &bench->scene;
    int port = i & 1 ? SCENE_LAN : SCENE_WAN;
    uint32_t connection;
    struct rte_mbuf *packet;

    if (n_under_way == WINDOW) {
        bench->n_full++;
        return false;
    }
    packet = rte_pktmbuf_alloc(scene->control->pool);
    if (!packet) {
        scene_die("no packet buffers left");
    }
    connection = scene_random(scene, CONNECTIONS);
    scene_write(scene, packet, port, connection,
                scene_instance(scene, connection), i & 2);
    *stamp_of(bench, packet) = rte_rdtsc();
    rte_ring_enqueue(scene->in[port], packet);
    return true;
}

static double
p99_us(const struct bench *bench)
{
    uint64_t left = PACKETS / 100;
    int i = BUCKETS;

    while (left && i) {
        i--;
        left -= RTE_MIN(left, bench->counts[i]);
    }
    return i * (BUCKET_NS / 1000.0);
}

/* Sends PACKETS packets, 'gap' TSC cycles apart or as many as fit, through
 * 'loop' on the other lcore. */
static struct outcome
run(struct bench *bench, lcore_function_t *loop, double gap)
{
    uint32_t lcore = rte_get_next_lcore(-1, 1, 0);
    uint32_t n_sent = 0, n_back = 0;
    uint64_t begin, n_attempts = 0;
    struct outcome outcome;

    memset(bench->counts, 0, sizeof bench->counts);
    bench->n_full = 0;
    atomic_store(&is_stopping, false);
    rte_eal_remote_launch(loop, &bench->scene, lcore);
    begin = rte_rdtsc();
    while (n_back < PACKETS) {
        for (int i = 0; i < FWD_BURST && n_sent < PACKETS
                        && rte_rdtsc() - begin >= n_sent * gap; i++) {
            n_attempts++;
            n_sent += send_next(bench, n_sent, n_sent - n_back);
        }
        n_back += collect(bench);
        if (rte_rdtsc() - begin > LONGEST_S * rte_get_tsc_hz()) {
            scene_die("packets were dropped");
        }
    }
    outcome = (struct outcome) {
        .p99_us = p99_us(bench),
        .mpps = PACKETS * (double) rte_get_tsc_hz()
                / (double) (rte_rdtsc() - begin) / 1e6,
        .full = bench->n_full / (double) n_attempts,
    };
    atomic_store(&is_stopping, true);
    rte_eal_wait_lcore(lcore);
    return outcome;
}

static void
report(const char *id, const struct outcome forwarder[SAMPLES],
       const struct outcome null[SAMPLES])
{
    printf("{\"id\": \"%s\", \"samples\": [", id);
    for (int i = 0; i < SAMPLES; i++) {
        printf("%s%.2f", i ? ", " : "",
               forwarder[i].p99_us - null[i].p99_us);
    }
    printf("], \"parameters\": {\"connections\": %u, "
           "\"packets\": %u, \"inner frame bytes\": 64, \"burst\": %d, "
           "\"most packets under way\": %u, \"Mpps\": %.2f, "
           "\"attempts to send that found as many\": %.3f, "
           "\"p99 us\": %.2f}, \"peers\": {\"null loop, p99 us\": %.2f, "
           "\"null loop, Mpps\": %.2f}}\n",
           CONNECTIONS, PACKETS, FWD_BURST, WINDOW,
           forwarder[0].mpps, forwarder[0].full, forwarder[0].p99_us,
           null[0].p99_us, null[0].mpps);
}

int
main(int argc, char *argv[])
{
    static const struct rte_mbuf_dynfield field = {
        .name = "sluice-bench-stamp",
        .size = sizeof(uint64_t),
        .align = alignof(uint64_t),
    };
    static struct bench bench;
    struct outcome forwarder[2][SAMPLES], null[2][SAMPLES];

    if (rte_eal_init(argc, argv) < 0 || rte_lcore_count() != 2) {
        scene_die("usage: latency DPDK'S-OPTIONS, with -l 0,1");
    }
    bench.stamp = rte_mbuf_dynfield_register(&field);
    scene_start(&bench.scene, CONNECTIONS, false, false, weights,
                RTE_DIM(weights));
    scene_connect(&bench.scene, CONNECTIONS);
    for (int i = 0; i < SAMPLES; i++) {
        double gap;

        forwarder[1][i] = run(&bench, run_forwarder, 0);
        null[1][i] = run(&bench, run_null, 0);
        gap = 2 * (double) rte_get_tsc_hz() / (forwarder[1][i].mpps * 1e6);
        forwarder[0][i] = run(&bench, run_forwarder, gap);
        null[0][i] = run(&bench, run_null, gap);
    }
    report("S1-latency", forwarder[0], null[0]);
    report("S1-latency-full", forwarder[1], null[1]);
    return 0;
}
