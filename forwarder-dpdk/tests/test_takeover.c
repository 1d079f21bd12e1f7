// SPDX-License-Identifier: EPL-2.0
/* Flow affinity and symmetric return when a forwarder dies and its instances
 * are mapped to another one (the paper's section 5.3), with replicas of
 * entries and without. FWD_SEED repeats a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pair.h"
#include "seed.h"

/* A counter of a forwarder. */
#define SUM(who, counter)                                                     \
    pair_sum(&pair, who, offsetof(struct fwd_counters, counter))

static struct pair pair;
static struct pair_flow flows[N_FLOWS];

static void
flows_keep_their_hops_after_a_takeover(void **state)
{
    (void) state;
    for (int n_lcores = 1; n_lcores <= MAX_LCORES; n_lcores++) {
        pair_start_both(&pair, (uint16_t) n_lcores, true);
        pair_pin_all(&pair, flows);
        pair_take_over(&pair);
        assert_int_equal(pair_count_moved(&pair, flows), 0);
        assert_int_equal(SUM(G, n_recalled), 2 * N_FLOWS);
        assert_int_equal(pair_n_replicas(&pair, G), 0);
        assert_int_equal(pair_count_moved(&pair, flows), 0);
    }
}

/* G had four NATs and has eight then, so half of them pick another one: the
 * share that stateless forwarders move. */
static void
without_replicas_a_share_moves(void **state)
{
    (void) state;
    pair_start_both(&pair, 1, false);
    pair_pin_all(&pair, flows);
    assert_int_equal(pair_n_replicas(&pair, G), 0);
    pair_take_over(&pair);
    assert_in_range(pair_count_moved(&pair, flows), N_FLOWS * 4 / 10,
                    N_FLOWS * 9 / 10);
}

static void
first_packet_after_a_takeover_may_go_either_way(void **state)
{
    (void) state;
    pair_start_both(&pair, 1, true);
    pair_pin_all(&pair, flows);
    pair_take_over(&pair);
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
    assert_int_equal(pair_count_moved(&pair, flows), 0);
}

/* What G keeps, and what F is about to tell, when they are upgraded. */
static void
replicas_outlive_upgrades_of_both(void **state)
{
    (void) state;
    for (int n_lcores = 1; n_lcores <= MAX_LCORES; n_lcores++) {
        uint64_t n;

        pair_start_both(&pair, (uint16_t) n_lcores, true);
        pair_pin_all(&pair, flows);
        n = pair_n_replicas(&pair, G);
        rings_upgrade(&pair.rings[G]);
        assert_int_equal(pair_n_replicas(&pair, G), n);
        rings_upgrade(&pair.rings[F]);
        pair_pass_time(&pair, SWEEP_MS, STEP_MS);
        pair_deliver(&pair, G);
        assert_int_equal(pair_n_replicas(&pair, G), n);
        pair_take_over(&pair);
        rings_upgrade(&pair.rings[G]);
        assert_int_equal(pair_count_moved(&pair, flows), 0);
        assert_int_equal(SUM(G, n_recalled), 2 * N_FLOWS);
    }
}

static void
own_entry_is_not_overruled(void **state)
{
    struct pair_flow here[N_FLOWS];

    (void) state;
    pair_start_both(&pair, 1, true);
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
    assert_int_equal(SUM(G, n_recalled), 0);
}

static void
trace_tells_that_a_flow_is_recalled(void **state)
{
    static struct fwd_trace trace;

    (void) state;
    pair_start_both(&pair, 2, true);
    pair_pin_all(&pair, flows);
    pair_take_over(&pair);
    for (int i = 0; i < 20; i++) {
        int vlan = 11 + 2 * flows[i].nat;
        struct wire wire = pair_wire_from_vlan(vlan, false, &flows[i].wire,
                                               0x10);

        memset(&trace, 0, sizeof trace);
        trace.port = LAN;
        trace.size = wire.size;
        memcpy(trace.frame, wire.data, wire.size);
        rings_trace(&pair.rings[G], &trace);
        assert_int_equal(trace.drop, FWD_DROP_NONE);
        assert_true(trace.is_recalled);
        assert_true(trace.job.from == trace.flow.prev);
    }
    assert_int_equal(pair_count_moved(&pair, flows), 0);
}

/* Checks why F's document is refused with 'to' in the place of 'from'. */
static void
assert_refused(const struct pair_rules *rules, const char *from,
               const char *to, const char *expected)
{
    char reason[FWD_REASON_SIZE];

    assert_int_not_equal(pair_apply_changed(&pair, rules, from, to, reason),
                         0);
    assert_string_equal(reason, expected);
}

static void
document_that_can_not_be_is_refused(void **state)
{
    struct pair_rules rules = pair_rules_of(F);
    char peers[2048] = "", *at = peers;

    (void) state;
    pair_start_both(&pair, 1, true);
    for (int i = 0; i < FWD_MAX_REPLICA_PEERS; i++) {
        at += sprintf(at, "{\"name\": \"P%d\", \"address\": "
                      "\"198.51.100.%d\", \"replica\": true},", i, i + 1);
    }
    strcpy(at, "{\"name\": \"A\"");
    assert_refused(&rules, "{\"name\": \"A\"", peers,
                   "more than 8 peers keep replicas");
    rules.has_moved = true;
    assert_refused(&rules, "nat-3", "nat-3",
                   "stage 1: instance nat-0 has moved to a peer");
}

static void
replicas_need_room_on_the_underlay(void **state)
{
    struct pair_rules rules = pair_rules_of(F);
    char text[PAIR_TEXT_SIZE], changed[2 * PAIR_TEXT_SIZE];
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;
    const char *at;

    (void) state;
    pair_write(&rules, text);
    at = strstr(text, "\"%0\"");
    for (int mtu = 111; mtu <= 112; mtu++) {
        snprintf(changed, sizeof changed, "%.*s\"d\", \"mtu\": %d%s",
                 (int) (at - text), text, mtu, at + 4);
        assert_int_equal(fwd_config_parse(pair.rings[F].models, changed,
                                          &config, reason), 0);
        assert_int_equal(fwd_control_check(&config, reason) == 0, mtu == 112);
        fwd_config_destroy(&config);
        if (mtu == 111) {
            assert_string_equal(reason, "replicas need an underlay whose mtu "
                                "is 112 or more");
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flows_keep_their_hops_after_a_takeover),
        cmocka_unit_test(without_replicas_a_share_moves),
        cmocka_unit_test(first_packet_after_a_takeover_may_go_either_way),
        cmocka_unit_test(replicas_outlive_upgrades_of_both),
        cmocka_unit_test(own_entry_is_not_overruled),
        cmocka_unit_test(trace_tells_that_a_flow_is_recalled),
        cmocka_unit_test(document_that_can_not_be_is_refused),
        cmocka_unit_test(replicas_need_room_on_the_underlay),
    };

    seed_random();
    if (pair_init(&pair)) {
        return 1;
    }
    return cmocka_run_group_tests_name("takeover", tests, NULL, NULL);
}
