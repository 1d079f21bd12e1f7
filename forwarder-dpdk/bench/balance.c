// SPDX-License-Identifier: EPL-2.0
/* Measures how connections are spread over instances (rows S1-split and
 * S1-remap), on packets: the first one of each connection is sent, and where
 * it leaves is where it was sent to.
 *
 * S1-split: the largest difference between an instance's share of 10,000
 * connections and its share of the weights. S1-remap: in a table that is
 * full, so that packets follow the hash alone, the part of 100,000
 * connections whose instance is another one after one of ten equal instances
 * has left, less a tenth; the largest over which one leaves. Prints one JSON
 * object for each row, without its id. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>

#include "scene.h"

#define SPLIT_CONNECTIONS 10000u
#define REMAP_CONNECTIONS 100000u
#define SMALLEST_TABLE 64 /* Entries. */
#define ROUNDS 10 /* Times that 10,000 connections are split. */

/* Sends the first packet of connections 'first' to 'first' + 'n' - 1 and
 * stores where they go. */
static void
ask(struct scene *scene, uint32_t first, uint32_t n, uint8_t *instances)
{
    for (uint32_t i = 0; i < n; i++) {
        void *packet;

        scene_send(scene, SCENE_WAN, first + i, 0, false);
        fwd_worker_poll(scene_worker(scene), SCENE_START_MS);
        if (rte_ring_dequeue(scene->out[SCENE_LAN], &packet)) {
            scene_die("a packet was dropped");
        }
        instances[i] = (uint8_t) scene_receiver(packet);
        rte_pktmbuf_free(packet);
    }
}

static int
compare(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Prints the largest of the samples as the figure. */
static void
report(double *samples, uint32_t n, const char *parameters)
{
    qsort(samples, n, sizeof *samples, compare);
    printf("{\"value\": %.6f, \"spread\": {\"min\": %.6f, \"median\": %.6f, "
           "\"max\": %.6f, \"runs\": %u}, \"parameters\": {%s}}\n",
           samples[n - 1], samples[0], samples[n / 2], samples[n - 1], n,
           parameters);
}

static void
split(struct scene *scene)
{
    static const uint32_t weights[] = {1, 2, 3, 4};
    uint8_t instances[SPLIT_CONNECTIONS];
    double samples[ROUNDS];

    scene_start(scene, ROUNDS * SPLIT_CONNECTIONS, false, false, weights,
                RTE_DIM(weights));
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t counts[RTE_DIM(weights)] = {0};

        ask(scene, round * SPLIT_CONNECTIONS, SPLIT_CONNECTIONS, instances);
        for (uint32_t i = 0; i < SPLIT_CONNECTIONS; i++) {
            counts[instances[i]]++;
        }
        samples[round] = 0;
        for (uint32_t i = 0; i < RTE_DIM(weights); i++) {
            samples[round] = fmax(samples[round],
                                  fabs(counts[i] / (double) SPLIT_CONNECTIONS
                                       - weights[i] / 10.0));
        }
    }
    report(samples, ROUNDS, "\"connections\": 10000, \"weights\": \"1:2:3:4\","
           " \"runs\": \"other connections\"");
}

static void
remap(struct scene *scene)
{
    static uint8_t before[REMAP_CONNECTIONS], after[REMAP_CONNECTIONS];
    uint32_t weights[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    uint32_t n = RTE_DIM(weights);
    double samples[RTE_DIM(weights)];

    scene_start(scene, SMALLEST_TABLE / 2, false, false, weights, n);
    ask(scene, REMAP_CONNECTIONS, SMALLEST_TABLE, before);
    ask(scene, 0, REMAP_CONNECTIONS, before);
    for (uint32_t gone = 0; gone < n; gone++) {
        uint32_t moved = 0;

        weights[gone] = 0;
        scene_weigh(scene, weights);
        weights[gone] = 1;
        ask(scene, 0, REMAP_CONNECTIONS, after);
        for (uint32_t i = 0; i < REMAP_CONNECTIONS; i++) {
            moved += before[i] != after[i];
        }
        samples[gone] = moved / (double) REMAP_CONNECTIONS - 1.0 / n;
    }
    if (scene_worker(scene)->counters->n_unpinned
        != (n + 1) * REMAP_CONNECTIONS) {
        scene_die("the flow table was not full");
    }
    report(samples, n, "\"connections\": 100000, \"instances\": 10, "
           "\"runs\": \"each instance leaves once\"");
}

int
main(int argc, char *argv[])
{
    int n = rte_eal_init(argc, argv);
    struct scene scene;

    if (n < 0 || argc - n < 2) {
        scene_die("usage: balance DPDK'S-OPTIONS -- split|remap");
    }
    if (!strcmp(argv[n + 1], "split")) {
        split(&scene);
    } else {
        remap(&scene);
    }
    return 0;
}
