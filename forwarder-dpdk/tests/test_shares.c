// SPDX-License-Identifier: EPL-2.0
/* Picks at the elements of a chain: each by its own weights, whatever was
 * picked before, and alike in both directions. FWD_SEED repeats a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "pair.h"
#include "seed.h"

#define ENTRY_VLAN 50 /* Of F. */
#define EXIT_VLAN 40  /* Of F. */
#define N_SHARED 4000 /* Connections that are counted. */
#define TOLERANCE 4   /* Per cent; 5 standard deviations. */

static const uint32_t even[] = {50, 50}, uneven[] = {80, 20};

static struct pair pair;

/* Hops of a connection that begins at the entry of F. */
struct way {
    int at_nat; /* F or G. */
    int nat;
    int at_exit; /* F or G. */
};

/* Starts both without flows and replicas; 'previous' has the weights of what
 * is before the VNFs. */
static void
start(const uint32_t previous[N_FORWARDERS])
{
    for (int who = 0; who < N_FORWARDERS; who++) {
        struct pair_rules rules = pair_rules_of(who);

        rules.has_replicas = false;
        rules.capacity = 65536;
        rules.first_weight[F] = rules.first_weight[G] = 50;
        rules.previous_weight[F] = previous[F];
        rules.previous_weight[G] = previous[G];
        rules.next_weight[F] = 80;
        rules.next_weight[G] = 20;
        rules.next_weight[2] = rules.next_weight[3] = 0;
        pair_start(&pair, &rules);
    }
}

/* Lets the first packet of a connection go all the way. */
static struct way
go_forward(const struct wire_flow *flow)
{
    struct pair_place place = pair_from_vlan(&pair, F, ENTRY_VLAN, false,
                                             flow, 2);
    struct way way = {.at_nat = place.is_peer ? (int) place.peer - 1 : F};

    if (place.is_peer) {
        assert_int_equal(place.vni, 2);
        place = pair_from_peer(&pair, way.at_nat, F + 1, 1, false, flow, 2);
    }
    assert_int_equal(place.drop, FWD_DROP_NONE);
    way.nat = (place.vlan - 10) / 2;
    place = pair_from_vlan(&pair, way.at_nat, 11 + 2 * way.nat, false, flow,
                           2);
    assert_int_equal(place.drop, FWD_DROP_NONE);
    way.at_exit = place.is_peer ? (int) place.peer - 1 : way.at_nat;
    return way;
}

static void
shares_of_elements_in_a_row_are_products_of_weights(void **state)
{
    static const int expected[2][2] = {{40, 10}, {40, 10}};
    int n[2][2] = {0};

    (void) state;
    start(even);
    for (uint32_t i = 0; i < N_SHARED; i++) {
        struct pair_flow flow = pair_some_flow(i);
        struct way way = go_forward(&flow.wire);

        n[way.at_nat][way.at_exit]++;
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            assert_in_range(n[i][j] * 100,
                            (expected[i][j] - TOLERANCE) * N_SHARED,
                            (expected[i][j] + TOLERANCE) * N_SHARED);
        }
    }
}

/* As a VNF that rewrites nothing needs it where there are no entries. */
static void
way_back_without_an_entry_meets_the_same_vnf(void **state)
{
    struct pair_flow flows[N_FLOWS];
    struct way ways[N_FLOWS];

    (void) state;
    start(even);
    for (uint32_t i = 0; i < N_FLOWS; i++) {
        flows[i] = pair_some_flow(i);
        ways[i] = go_forward(&flows[i].wire);
    }
    start(even);
    for (int i = 0; i < N_FLOWS; i++) {
        const struct wire_flow *flow = &flows[i].wire;
        struct pair_place place = pair_from_vlan(&pair, F, EXIT_VLAN, true,
                                                 flow, 0x10);

        assert_int_equal(place.is_peer, ways[i].at_nat == G);
        if (place.is_peer) {
            assert_int_equal(place.vni, 5);
            place = pair_from_peer(&pair, G, F + 1, 2, true, flow, 0x10);
        }
        assert_int_equal(place.vlan, 11 + 2 * ways[i].nat);
    }
}

/* The first packet of a connection may come from the exit, too. */
static void
way_back_without_an_entry_is_picked_by_weight(void **state)
{
    int n_at_g = 0;

    (void) state;
    start(uneven);
    for (uint32_t i = 0; i < N_SHARED; i++) {
        struct pair_flow flow = pair_some_flow(i);
        struct pair_place first, later;

        first = pair_from_vlan(&pair, F, EXIT_VLAN, true, &flow.wire, 2);
        later = pair_from_vlan(&pair, F, EXIT_VLAN, true, &flow.wire, 0x10);
        assert_int_equal(first.drop, FWD_DROP_NONE);
        assert_int_equal(later.is_peer, first.is_peer);
        assert_int_equal(later.vlan, first.vlan);
        n_at_g += first.is_peer;
    }
    assert_in_range(n_at_g * 100, (20 - TOLERANCE) * N_SHARED,
                    (20 + TOLERANCE) * N_SHARED);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_elements_in_a_row_are_products_of_weights),
        cmocka_unit_test(way_back_without_an_entry_meets_the_same_vnf),
        cmocka_unit_test(way_back_without_an_entry_is_picked_by_weight),
    };

    seed_random();
    if (pair_init(&pair)) {
        return 1;
    }
    return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
