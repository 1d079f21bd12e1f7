// SPDX-License-Identifier: EPL-2.0
/* Measures how many of 100,000 flows are misrouted after a forwarder was
 * killed (row S1-takeover), on packets through two forwarders in this process:
 * F pins all flows; 2 ms after the last one it is gone, without a word, and
 * its four instances are mapped to G, which has four of its own. A flow is
 * misrouted if one of its packets, two each way, goes to another instance or
 * forwarder than before. Half of the flows are of IPv6.
 *
 * Runs with 1, 2 and 4 lcores, first with replicas at G and then without,
 * where flows pick again. Prints one JSON object, without the row's id. */
#include <inttypes.h>
#include <stdio.h>

#include "pair.h"

#define FLOWS 100000u
#define CAPACITY 1600000u /* Slots: G has replicas in half of them at most. */
#define RUNS 3
#define PACKETS_PER_MS 64 /* In time that is only counted. */

static struct pair pair;
static struct pair_flow flows[FLOWS];

static void
start(uint16_t n_lcores, bool has_replicas)
{
    for (int who = 0; who < N_FORWARDERS; who++) {
        struct pair_rules rules = pair_rules_of(who);

        rules.has_replicas = has_replicas;
        rules.capacity = CAPACITY;
        pair.rings[who].n_workers = n_lcores;
        pair_start(&pair, &rules);
    }
}

/* Returns how many flows are misrouted. */
static uint32_t
measure(uint16_t n_lcores, bool has_replicas)
{
    struct pair_rules rules = pair_rules_of(G);
    uint32_t n = 0;

    start(n_lcores, has_replicas);
    for (uint32_t i = 0; i < FLOWS; i++) {
        flows[i] = pair_some_flow(i);
        pair_pin(&pair, F, &flows[i]);
        pair_deliver(&pair, G);
    }
    pair_pass_time(&pair, 2, 1);
    pair_deliver(&pair, G);
    rings_stop(&pair.rings[F]);
    rules.has_nats[F] = true;
    rules.is_alone = true;
    pair_apply(&pair, &rules);
    for (uint32_t i = 0; i < FLOWS; i++) {
        n += !pair_is_kept(&pair, G, &flows[i]);
    }
    return n;
}

int
main(void)
{
    static const uint16_t n_lcores[RUNS] = {1, 2, 4};
    uint32_t least = FLOWS, most = 0, sum = 0, stateless;

    if (pair_init(&pair)) {
        fprintf(stderr, "takeover: no DPDK\n");
        return 1;
    }
    pair.n_per_ms = PACKETS_PER_MS;
    for (int i = 0; i < RUNS; i++) {
        uint32_t n = measure(n_lcores[i], true);

        least = RTE_MIN(least, n);
        most = RTE_MAX(most, n);
        sum += n;
    }
    stateless = measure(1, false);
    printf("{\"value\": %" PRIu32 ", \"spread\": {\"min\": %" PRIu32
           ", \"median\": %" PRIu32 ", \"max\": %" PRIu32
           ", \"runs\": %u}, \"parameters\": {\"flows\": %u, \"lcores\": "
           "\"1, 2, 4\", \"instances\": \"4 that move to 4\", "
           "\"ms since the last new flow\": 2}, \"peers\": "
           "{\"misrouted without replicas\": %" PRIu32 "}}\n",
           most, least, sum - least - most, most, RUNS, FLOWS, stateless);
    return 0;
}
