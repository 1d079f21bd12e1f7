// SPDX-License-Identifier: EPL-2.0
/* Flow affinity and symmetric return when instances are mapped to another
 * forwarder, and when return traffic enters at another one (the paper's
 * section 5.3), with replicas of entries and without. FWD_SEED repeats a
 * run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pair.h"
#include "seed.h"

#define N_FLOWS 400
#define SWEEP_MS 1100 /* More than a sweep-interval. */
#define STEP_MS 20

static struct pair pair;
static struct pair_flow flows[N_FLOWS];

static const struct fwd_counters *
counters_of(int who)
{
    return pair.rings[who].control->crew->workers[0]->counters;
}

static uint64_t
sum(int who, const uint64_t *counter)
{
    return fwd_crew_sum(pair.rings[who].control->crew, counter);
}

/* Slots that replicas take. */
static uint64_t
n_replicas(int who)
{
    const struct fwd_crew *crew = pair.rings[who].control->crew;
    uint64_t n = 0;

    for (uint16_t i = 0; i < crew->n_workers; i++) {
        n += crew->workers[i]->table->head->n_replicas;
    }
    return n;
}

/* Starts both with so many lcores; with replicas or without. */
static void
start(int n_lcores, bool has_replicas)
{
    for (int who = 0; who < N_FORWARDERS; who++) {
        struct pair_rules rules = pair_rules_of(who);

        rules.has_replicas = has_replicas;
        pair.rings[who].n_workers = (uint16_t) n_lcores;
        pair.replicas[who].n = 0;
        pair_start(&pair, &rules);
    }
}

/* Pins all flows at F. */
static void
pin_all(void)
{
    for (uint32_t i = 0; i < N_FLOWS; i++) {
        flows[i] = pair_some_flow(i);
        pair_pin(&pair, F, &flows[i]);
        pair_deliver(&pair, G);
    }
    pair_pass_time(&pair, 2, 1);
    pair_deliver(&pair, G);
}

/* F dies, and its instances are mapped to G. */
static void
take_over(void)
{
    struct pair_rules rules = pair_rules_of(G);

    rings_stop(&pair.rings[F]);
    rules.has_nats[F] = true;
    rules.is_alone = true;
    pair_apply(&pair, &rules);
}

static int
count_moved(void)
{
    int n_moved = 0;

    for (int i = 0; i < N_FLOWS; i++) {
        n_moved += !pair_is_kept(&pair, G, &flows[i]);
    }
    return n_moved;
}

static void
flows_keep_their_hops_after_a_takeover(void **state)
{
    (void) state;
    for (int n_lcores = 1; n_lcores <= MAX_LCORES; n_lcores++) {
        start(n_lcores, true);
        pin_all();
        take_over();
        assert_int_equal(count_moved(), 0);
        assert_int_equal(sum(G, &counters_of(G)->n_recalled), 2 * N_FLOWS);
        assert_int_equal(n_replicas(G), 0);
        assert_int_equal(count_moved(), 0);
    }
}

/* G had four NATs and has eight then, so half of them pick another one: the
 * share that stateless forwarders move. */
static void
without_replicas_a_share_moves(void **state)
{
    (void) state;
    start(1, false);
    pin_all();
    assert_int_equal(n_replicas(G), 0);
    take_over();
    assert_in_range(count_moved(), N_FLOWS * 4 / 10, N_FLOWS * 9 / 10);
}

static void
first_packet_after_a_takeover_may_go_either_way(void **state)
{
    (void) state;
    start(1, true);
    pin_all();
    take_over();
    for (int i = 0; i < N_FLOWS; i++) {
        const struct pair_flow *flow = &flows[i];
        struct pair_place place = pair_from_peer(
            &pair, G, 12 + (uint32_t) flow->behind, 2, true, &flow->wire,
            0x10);

        assert_int_equal(place.vlan, 11 + 2 * flow->nat);
        place = pair_from_vlan(&pair, G, 10 + 2 * flow->nat, true,
                               &flow->wire, 0x10);
        assert_int_equal(place.peer, 10 + flow->before);
    }
    assert_int_equal(count_moved(), 0);
}

static void
lost_datagrams_are_healed_in_a_sweep(void **state)
{
    (void) state;
    start(2, true);
    for (uint32_t i = 0; i < N_FLOWS; i++) {
        flows[i] = pair_some_flow(i);
        pair_pin(&pair, F, &flows[i]);
        pair.replicas[G].n = 0;
    }
    pair_pass_time(&pair, SWEEP_MS, STEP_MS);
    pair_deliver(&pair, G);
    take_over();
    assert_int_equal(count_moved(), 0);
}

static void
repeated_datagrams_change_nothing(void **state)
{
    uint64_t n;

    (void) state;
    start(1, true);
    pin_all();
    n = n_replicas(G);
    for (int i = 0; i < 3; i++) {
        struct pair_mail *mail = &pair.replicas[G];

        pair_pass_time(&pair, SWEEP_MS, STEP_MS);
        assert_in_range(mail->n, 1, MAX_MAIL / 2);
        memcpy(mail->wire + mail->n, mail->wire,
               (size_t) mail->n * sizeof *mail->wire);
        mail->n *= 2;
        pair_deliver(&pair, G);
        assert_int_equal(n_replicas(G), n);
    }
    take_over();
    assert_int_equal(count_moved(), 0);
}

static void
late_peer_knows_all_after_a_sweep(void **state)
{
    struct pair_rules rules = pair_rules_of(G);

    (void) state;
    start(1, true);
    rings_stop(&pair.rings[G]);
    pin_all();
    pair_start(&pair, &rules);
    assert_int_equal(n_replicas(G), 0);
    pair_pass_time(&pair, SWEEP_MS, STEP_MS);
    pair_deliver(&pair, G);
    take_over();
    assert_int_equal(count_moved(), 0);
}

static void
entry_that_ages_is_gone_at_the_peer(void **state)
{
    (void) state;
    start(1, true);
    pin_all();
    assert_int_not_equal(n_replicas(G), 0);
    for (int s = 0; s < 320; s++) { /* UDP and opening TCP: 300 s. */
        pair_pass_time(&pair, 1000, 500);
        pair_deliver(&pair, G);
    }
    assert_int_equal(n_replicas(G), 0);
}

/* Rules by which what leaves the NATs of F leaves by its exit, and by which
 * what enters at an exit may go to either forwarder. */
static void
start_with_exits(bool has_replicas)
{
    start(1, has_replicas);
    for (int who = 0; who < N_FORWARDERS; who++) {
        struct pair_rules rules = pair_rules_of(who);

        rules.has_replicas = has_replicas;
        memset(rules.next_weight, 0, sizeof rules.next_weight);
        rules.next_weight[F] = 1;
        pair_apply(&pair, &rules);
    }
    pin_all();
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
    assert_int_equal(sum(G, &counters_of(G)->n_strayed), N_FLOWS);
    assert_int_equal(sum(G, &counters_of(G)->n_flows), 0);
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

static void
own_entry_is_not_overruled(void **state)
{
    struct pair_flow here[N_FLOWS];

    (void) state;
    start(1, true);
    for (uint32_t i = 0; i < N_FLOWS; i++) {
        flows[i] = pair_some_flow(i);
        here[i] = flows[i];
        pair_pin(&pair, G, &here[i]);
        pair_pin(&pair, F, &flows[i]);
        pair_deliver(&pair, G);
        pair_deliver(&pair, F);
    }
    for (int i = 0; i < N_FLOWS; i++) {
        assert_true(pair_is_kept(&pair, G, &here[i]));
        assert_true(pair_is_kept(&pair, F, &flows[i]));
    }
    assert_int_equal(sum(G, &counters_of(G)->n_recalled), 0);
}

static void
only_peers_that_keep_replicas_are_heard(void **state)
{
    struct pair_rules rules = pair_rules_of(G);
    struct wire sound, wire;
    struct fate fate;

    (void) state;
    start(1, true);
    pin_all();
    pair_pass_time(&pair, SWEEP_MS, STEP_MS);
    sound = wire = pair.replicas[G].wire[0];
    wire.data[29] = 10; /* From A, which keeps none. */
    fate = rings_pass(&pair.rings[G], WAN, &wire);
    assert_int_equal(fate.drop, FWD_DROP_NOT_TUNNEL);
    wire = sound;
    wire.data[60] ^= 1;
    fate = rings_pass(&pair.rings[G], WAN, &wire);
    assert_int_equal(fate.drop, FWD_DROP_REPLICA);
    fate = rings_pass(&pair.rings[G], WAN, &sound);
    assert_int_equal(fate.drop, FWD_DROP_NEIGHBOUR); /* Heard. */
    rules.has_replicas = false;
    pair_apply(&pair, &rules);
    fate = rings_pass(&pair.rings[G], WAN, &sound);
    assert_int_equal(fate.drop, FWD_DROP_NOT_TUNNEL);
}

/* A part of the instances moves, and both forwarders live on. */
static void
flows_of_an_instance_that_moves_follow_it(void **state)
{
    struct pair_rules of_f = pair_rules_of(F), of_g = pair_rules_of(G);

    (void) state;
    start_with_exits(true);
    memset(of_f.next_weight, 0, sizeof of_f.next_weight);
    of_f.next_weight[F] = 1;
    memcpy(of_g.next_weight, of_f.next_weight, sizeof of_f.next_weight);
    of_f.has_nats[F] = false;
    of_g.has_nats[F] = true;
    pair_apply(&pair, &of_f);
    pair_apply(&pair, &of_g);
    for (int i = 0; i < N_FLOWS; i++) {
        const struct wire_flow *wire = &flows[i].wire;
        int in = 10 + 2 * flows[i].nat, out = in + 1;
        uint32_t before = 10 + (uint32_t) flows[i].before;
        struct pair_place place;

        place = pair_from_peer(&pair, G, before, 1, false, wire, 0x10);
        assert_int_equal(place.vlan, in);
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
    start(2, true);
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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_keep_their_hops_after_a_takeover),
        cmocka_unit_test(without_replicas_a_share_moves),
        cmocka_unit_test(first_packet_after_a_takeover_may_go_either_way),
        cmocka_unit_test(lost_datagrams_are_healed_in_a_sweep),
        cmocka_unit_test(repeated_datagrams_change_nothing),
        cmocka_unit_test(late_peer_knows_all_after_a_sweep),
        cmocka_unit_test(entry_that_ages_is_gone_at_the_peer),
        cmocka_unit_test(return_traffic_finds_its_way_from_another_edge),
        cmocka_unit_test(without_replicas_return_traffic_strays),
        cmocka_unit_test(own_entry_is_not_overruled),
        cmocka_unit_test(flows_of_an_instance_that_moves_follow_it),
        cmocka_unit_test(packets_never_come_back_to_a_forwarder),
        cmocka_unit_test(only_peers_that_keep_replicas_are_heard),
    };

    seed_random();
    if (pair_init(&pair)) {
        return 1;
    }
    return cmocka_run_group_tests_name("takeover", tests, NULL, NULL);
}
