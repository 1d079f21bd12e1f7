// SPDX-License-Identifier: EPL-2.0
/* Flow affinity and symmetric return when return traffic enters at another
 * edge, and when a part of the instances moves (the paper's section 5.3), with
 * replicas of entries and without; and packets never come back. FWD_SEED
 * repeats a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair.h"
#include "seed.h"

/* A counter of a forwarder. */
#define SUM(who, counter)                                                     \
    pair_sum(&pair, who, offsetof(struct fwd_counters, counter))

static struct pair pair;
static struct pair_flow flows[N_FLOWS];

/* Rules by which what leaves the NATs of F leaves by its exit, and by which
 * what enters at an exit may go to either forwarder. */
static void
start_with_exits(bool has_replicas)
{
    pair_start_both(&pair, 1, has_replicas);
    for (int who = 0; who < N_FORWARDERS; who++) {
        struct pair_rules rules = pair_rules_of(who);

        rules.has_replicas = has_replicas;
        memset(rules.next_weight, 0, sizeof rules.next_weight);
        rules.next_weight[F] = 1;
        pair_apply(&pair, &rules);
    }
    pair_pin_all(&pair, flows);
}

/* Return traffic of all flows enters at the exit of G. Returns how many do
 * not reach the NAT that they left. */
static int
count_not_returned(void)
{
    int n = 0;

    for (int i = 0; i < N_FLOWS; i++) {
        const struct pair_flow *flow = &flows[i];
        struct pair_place place = pair_from_vlan(&pair, G, 41, true,
                                                 &flow->wire, 0x10);

        if (place.is_peer) {
            assert_int_equal(place.peer, 1);
            assert_int_equal(place.vni, 5);
            place = pair_from_peer(&pair, F, 2, 2, true, &flow->wire, 0x10);
        }
        n += place.vlan != 11 + 2 * flow->nat;
    }
    return n;
}

static void
return_traffic_finds_its_way_from_another_edge(void **state)
{
    (void) state;
    start_with_exits(true);
    assert_int_equal(count_not_returned(), 0);
    assert_int_equal(SUM(G, n_strayed), N_FLOWS);
    assert_int_equal(SUM(G, n_flows), 0);
    /* What goes on forward still leaves by the exit of F. */
    for (int i = 0; i < N_FLOWS; i++) {
        assert_int_equal(pair_from_vlan(&pair, F, 11 + 2 * flows[i].nat,
                                        false, &flows[i].wire, 0x10).vlan,
                         40);
    }
}

static void
without_replicas_return_traffic_strays(void **state)
{
    (void) state;
    start_with_exits(false);
    assert_in_range(count_not_returned(), N_FLOWS * 3 / 10,
                    N_FLOWS * 7 / 10);
}

/* The NATs of F move to G, and both forwarders live on. */
static void
move_nats(bool is_told)
{
    struct pair_rules of_f = pair_rules_of(F), of_g = pair_rules_of(G);

    start_with_exits(true);
    memset(of_f.next_weight, 0, sizeof of_f.next_weight);
    of_f.next_weight[F] = 1;
    memcpy(of_g.next_weight, of_f.next_weight, sizeof of_f.next_weight);
    of_f.has_nats[F] = false;
    of_f.has_moved = is_told;
    of_g.has_nats[F] = true;
    pair_apply(&pair, &of_f);
    pair_apply(&pair, &of_g);
}

/* Passes what a NAT of G, with its ingress side on VLAN 'in', sends on through
 * F's exit, and the answer back to forwarder 'before'. */
static void
pass_exit_and_return(const struct wire_flow *wire, int in, uint32_t before)
{
    int out = in + 1;
    struct pair_place place;

    place = pair_from_vlan(&pair, G, out, false, wire, 0x10);
    assert_int_equal(place.peer, 1);
    place = pair_from_peer(&pair, F, 2, 2, false, wire, 0x10);
    assert_int_equal(place.vlan, 40);
    place = pair_from_vlan(&pair, F, 40, true, wire, 0x10);
    assert_int_equal(place.peer, 2);
    place = pair_from_peer(&pair, G, 1, 2, true, wire, 0x10);
    assert_int_equal(place.vlan, out);
    place = pair_from_vlan(&pair, G, in, true, wire, 0x10);
    assert_int_equal(place.peer, before);
}

static void
flows_of_an_instance_that_moves_follow_it(void **state)
{
    (void) state;
    move_nats(false);
    for (int i = 0; i < N_FLOWS; i++) {
        const struct wire_flow *wire = &flows[i].wire;
        int in = 10 + 2 * flows[i].nat;
        uint32_t before = 10 + (uint32_t) flows[i].before;
        struct pair_place place;

        place = pair_from_peer(&pair, G, before, 1, false, wire, 0x10);
        assert_int_equal(place.vlan, in);
        pass_exit_and_return(wire, in, before);
    }
}

/* The forwarders before F go on to send to it. */
static void
flows_follow_by_way_of_where_they_were_pinned(void **state)
{
    (void) state;
    move_nats(true);
    for (int i = 0; i < N_FLOWS; i++) {
        const struct wire_flow *wire = &flows[i].wire;
        int in = 10 + 2 * flows[i].nat;
        uint32_t before = 10 + (uint32_t) flows[i].before;
        struct pair_place place;

        place = pair_from_peer(&pair, F, before, 1, false, wire, 0x10);
        assert_int_equal(place.peer, 2);
        assert_int_equal(place.vni, 2);
        pair_deliver(&pair, G);
        place = pair_from_peer(&pair, G, 1, 1, false, wire, 0x10);
        assert_int_equal(place.vlan, in);
        pass_exit_and_return(wire, in, before);
    }
    assert_int_equal(SUM(F, n_repinned), 0);
}

/* Sends the first packet of a connection through a NAT of G to the exit of F,
 * if its weight leads there; returns the VLAN that it leaves the NAT at, or
 * 0. */
static int
pin_to_f(const struct wire_flow *flow)
{
    int out = pair_from_peer(&pair, G, 10, 1, false, flow, 2).vlan + 1;

    if (pair_from_vlan(&pair, G, out, false, flow, 2).peer != 1) {
        return 0;
    }
    assert_int_equal(pair_from_peer(&pair, F, 2, 2, false, flow, 2).vlan, 40);
    return out;
}

/* G forgets all. What F tells leads forward to F again; but return traffic at
 * the exit of G, for which F would say "G", does not go to F. */
static void
forwarder_that_starts_again_learns_where_flows_went(void **state)
{
    struct pair_rules rules = pair_rules_of(G);
    int out[N_FLOWS], n_to_f = 0;

    (void) state;
    start_with_exits(true);
    rules.next_weight[F] = 1;
    pair_apply(&pair, &rules);
    for (uint32_t i = 0; i < N_FLOWS; i++) {
        flows[i] = pair_some_flow(N_FLOWS + i);
        out[i] = pin_to_f(&flows[i].wire);
        n_to_f += out[i] != 0;
    }
    assert_in_range(n_to_f, N_FLOWS / 5, N_FLOWS / 2); /* A third. */
    pair_start(&pair, &rules);
    pair_pass_time(&pair, SWEEP_MS, STEP_MS);
    pair_deliver(&pair, G);
    for (int i = 0; i < N_FLOWS; i++) {
        const struct wire_flow *flow = &flows[i].wire;

        if (out[i] && i % 2) {
            assert_int_equal(
                pair_from_vlan(&pair, G, out[i], false, flow, 0x10).peer, 1);
        } else if (out[i]) {
            assert_int_equal(
                pair_from_vlan(&pair, G, 41, true, flow, 0x10).drop, 0);
        }
    }
    assert_int_equal(SUM(G, n_strayed), 0);
}

/* Random rules, which may contradict each other. */
static struct pair_rules
some_rules(int who)
{
    struct pair_rules rules = pair_rules_of(who);

    for (int i = 0; i < 4; i++) {
        rules.next_weight[i] = (uint32_t) (random() % 2);
    }
    rules.previous_weight[F] = (uint32_t) (random() % 2);
    rules.previous_weight[G] = (uint32_t) (random() % 2);
    rules.has_nats[F] = random() % 2;
    rules.has_nats[G] = random() % 2;
    rules.has_exit[F] = random() % 2;
    rules.has_exit[G] = random() % 2;
    return rules;
}

/* Something happens to a forwarder. */
static void
disturb(int who)
{
    struct pair_rules rules = some_rules(who);

    switch (random() % 8) {
    case 0:
        pair_start(&pair, &rules); /* All is forgotten. */
        break;
    case 1:
        pair_apply(&pair, &rules);
        break;
    case 2:
        pair.replicas[who].n = 0; /* Lost. */
        break;
    case 3:
        pair_pass_time(&pair, SWEEP_MS, STEP_MS);
        break;
    default:
        pair_deliver(&pair, who);
    }
}

/* A packet comes from anywhere; follows it from one forwarder to the other.
 * Returns how often it went over. */
static int
follow(int who, const struct wire_flow *flow)
{
    bool is_return = random() % 2;
    uint8_t flags = random() % 8 ? 0x10 : (uint8_t) (random() % 32);
    struct pair_place place = random() % 4
        ? pair_from_vlan(&pair, who, random() % 8
                             ? 10 + (int) (random() % (4 * N_NATS))
                             : 40 + (int) (random() % 2),
                         is_return, flow, flags)
        : pair_from_peer(&pair, who, 10 + (uint32_t) (random() % 4),
                         1 + (uint32_t) (random() % 2), is_return, flow,
                         flags);
    int n;

    for (n = 0; !place.drop && place.is_peer && place.peer <= 2; n++) {
        assert_int_equal(place.peer, !who + 1);
        assert_int_equal(n, 0); /* It does not come back. */
        place = pair_from_peer(&pair, !who, (uint32_t) who + 1,
                               place.vni / 2, place.vni % 2, flow, flags);
        who = !who;
    }
    return n;
}

static void
packets_never_come_back_to_a_forwarder(void **state)
{
    int n_over = 0;

    (void) state;
    pair_start_both(&pair, 2, true);
    for (uint32_t i = 0; i < N_FLOWS; i++) {
        flows[i] = pair_some_flow(i);
    }
    for (int i = 0; i < 40000; i++) {
        if (random() % 16 == 0) {
            disturb((int) (random() % 2));
        }
        n_over += follow((int) (random() % 2), &flows[random() % 40].wire);
    }
    assert_in_range(n_over, 1000, 40000);
}

/* What a trace says of return traffic at the exit of G is what happens. */
static void
trace_tells_what_strays(void **state)
{
    static struct fwd_trace trace;
    struct pair_place place;

    (void) state;
    start_with_exits(true);
    for (int i = 0; i < 20; i++) {
        struct wire wire = pair_wire_from_vlan(41, true, &flows[i].wire,
                                               0x10);

        memset(&trace, 0, sizeof trace);
        trace.port = LAN;
        trace.size = wire.size;
        memcpy(trace.frame, wire.data, wire.size);
        rings_trace(&pair.rings[G], &trace);
        assert_int_equal(trace.drop, FWD_DROP_NONE);
        assert_true(trace.is_stray);
        place = pair_from_vlan(&pair, G, 41, true, &flows[i].wire, 0x10);
        assert_true(place.is_peer);
        assert_string_equal(
            pair.rings[G].control->numbers.hops.names[trace.hop], "peer/F");
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(return_traffic_finds_its_way_from_another_edge),
        cmocka_unit_test(without_replicas_return_traffic_strays),
        cmocka_unit_test(flows_of_an_instance_that_moves_follow_it),
        cmocka_unit_test(flows_follow_by_way_of_where_they_were_pinned),
        cmocka_unit_test(forwarder_that_starts_again_learns_where_flows_went),
        cmocka_unit_test(trace_tells_what_strays),
        cmocka_unit_test(packets_never_come_back_to_a_forwarder),
    };

    seed_random();
    if (pair_init(&pair)) {
        return 1;
    }
    return cmocka_run_group_tests_name("stray", tests, NULL, NULL);
}
