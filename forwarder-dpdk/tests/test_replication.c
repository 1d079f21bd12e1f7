// SPDX-License-Identifier: EPL-2.0
/* What two forwarders tell each other of their entries: when, byte by byte,
 * and what becomes of it if datagrams are lost. FWD_SEED repeats a run. */
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

/* While time stands still a forwarder sweeps nothing, and each of its workers
 * tells one entry at most. */
static void
pin_in_no_time(struct pair_flow *flow)
{
    pair.n_per_ms = UINT32_MAX;
    pair_pin(&pair, F, flow);
    pair.n_per_ms = 1;
}

static void
forwarder_that_stops_tells_what_waits_to_be_told(void **state)
{
    (void) state;
    for (int n_lcores = 1; n_lcores <= MAX_LCORES; n_lcores++) {
        pair_start_both(&pair, (uint16_t) n_lcores, true);
        for (uint32_t i = 0; i < MAX_LCORES; i++) {
            flows[i] = pair_some_flow(i);
            pin_in_no_time(&flows[i]);
        }
        assert_in_range(SUM(F, n_replicas_sent), 1, n_lcores);
        fwd_crew_drain(pair.rings[F].control->crew, pair.rings[F].now_ms);
        assert_int_equal(SUM(F, n_replicas_sent), 2 * MAX_LCORES);
        pair_pass_time(&pair, 1, 1);
        pair_deliver(&pair, G);
        pair_take_over(&pair);
        for (uint32_t i = 0; i < MAX_LCORES; i++) {
            assert_true(pair_is_kept(&pair, G, &flows[i]));
        }
        assert_int_equal(SUM(G, n_recalled), 2 * MAX_LCORES);
    }
}

/* F and A, which keeps replicas as well, told G of a flow. */
static void
latest_word_counts_if_peers_differ(void **state)
{
    static const char *const peers[] = {"peer/F", "peer/A"};
    static const char *const nats[] = {"instance/nat-0", "instance/nat-1"};
    static const uint32_t addresses[] = {0xc0000201, 0xc000020a};
    struct pair_rules rules = pair_rules_of(G);
    char reason[FWD_REASON_SIZE];

    (void) state;
    pair_start_both(&pair, 1, true);
    rules.has_nats[F] = true;
    assert_int_equal(pair_apply_changed(&pair, &rules, "\"replica\": false",
                                   "\"replica\": true", reason), 0);
    for (int latest = 0; latest < 2; latest++) {
        struct pair_flow flow = pair_some_flow((uint32_t) latest);
        struct pair_place place;

        for (int i = 0; i < 2; i++) {
            struct wire_record record = {
                .idle_s = i == latest ? 5 : 50, .chain = CHAIN,
                .egress = EGRESS, .stage = 1, .flow = flow.wire,
                .next = wire_identity(nats[i]),
                .previous = wire_identity("peer/A"),
            };
            struct wire wire = {.size = 0};

            wire_replicas(&wire, addresses[i], 0xc0000202,
                          wire_identity(peers[i]), &record, 1);
            assert_int_equal(rings_pass(&pair.rings[G], WAN, &wire).drop,
                             FWD_DROP_NEIGHBOUR); /* Heard. */
        }
        place = pair_from_peer(&pair, G, 10, 1, false, &flow.wire, 0x10);
        assert_int_equal(place.vlan, 10 + 2 * latest);
    }
}

static void
lost_datagrams_are_healed_in_a_sweep(void **state)
{
    (void) state;
    pair_start_both(&pair, 2, true);
    for (uint32_t i = 0; i < N_FLOWS; i++) {
        flows[i] = pair_some_flow(i);
        pair_pin(&pair, F, &flows[i]);
        pair.replicas[G].n = 0;
    }
    pair_pass_time(&pair, SWEEP_MS, STEP_MS);
    pair_deliver(&pair, G);
    pair_take_over(&pair);
    assert_int_equal(pair_count_moved(&pair, flows), 0);
}

static void
repeated_datagrams_change_nothing(void **state)
{
    uint64_t n;

    (void) state;
    pair_start_both(&pair, 1, true);
    pair_pin_all(&pair, flows);
    n = pair_n_replicas(&pair, G);
    for (int i = 0; i < 3; i++) {
        struct pair_mail *mail = &pair.replicas[G];

        pair_pass_time(&pair, SWEEP_MS, STEP_MS);
        assert_in_range(mail->n, 1, MAX_MAIL / 2);
        memcpy(mail->wire + mail->n, mail->wire,
               (size_t) mail->n * sizeof *mail->wire);
        mail->n *= 2;
        pair_deliver(&pair, G);
        assert_int_equal(pair_n_replicas(&pair, G), n);
    }
    pair_take_over(&pair);
    assert_int_equal(pair_count_moved(&pair, flows), 0);
}

static void
late_peer_knows_all_after_a_sweep(void **state)
{
    struct pair_rules rules = pair_rules_of(G);

    (void) state;
    pair_start_both(&pair, 1, true);
    rings_stop(&pair.rings[G]);
    pair_pin_all(&pair, flows);
    pair_start(&pair, &rules);
    assert_int_equal(pair_n_replicas(&pair, G), 0);
    pair_pass_time(&pair, SWEEP_MS, STEP_MS);
    pair_deliver(&pair, G);
    pair_take_over(&pair);
    assert_int_equal(pair_count_moved(&pair, flows), 0);
}

static void
entry_that_ages_is_gone_at_the_peer(void **state)
{
    (void) state;
    pair_start_both(&pair, 1, true);
    pair_pin_all(&pair, flows);
    assert_int_not_equal(pair_n_replicas(&pair, G), 0);
    for (int s = 0; s < 320; s++) { /* UDP and opening TCP: 300 s. */
        pair_pass_time(&pair, 1000, 500);
        pair_deliver(&pair, G);
    }
    assert_int_equal(pair_n_replicas(&pair, G), 0);
}

/* A frame in VLAN 0, which is none, with a priority. */
static struct wire
with_priority(const struct wire *wire)
{
    static const uint8_t tag[] = {0x81, 0x00, 0xe0, 0x00};
    struct wire tagged = *wire;

    memcpy(tagged.data + 12, tag, sizeof tag);
    memcpy(tagged.data + 16, wire->data + 12, wire->size - 12u);
    tagged.size = (uint16_t) (wire->size + sizeof tag);
    return tagged;
}

static void
only_peers_that_keep_replicas_are_heard(void **state)
{
    struct pair_rules rules = pair_rules_of(G);
    struct wire sound, wire;
    struct fate fate;

    (void) state;
    pair_start_both(&pair, 1, true);
    pair_pin_all(&pair, flows);
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
    wire = with_priority(&sound);
    fate = rings_pass(&pair.rings[G], WAN, &wire);
    assert_int_equal(fate.drop, FWD_DROP_NEIGHBOUR);
    rules.has_replicas = false;
    pair_apply(&pair, &rules);
    fate = rings_pass(&pair.rings[G], WAN, &sound);
    assert_int_equal(fate.drop, FWD_DROP_NOT_TUNNEL);
}

/* Byte by byte, as docs/wire/forwarder.md says. */
static void
datagram_is_as_documented(void **state)
{
    const struct pair_mail *mail = &pair.replicas[G];
    struct wire_record record = {
        .chain = CHAIN, .egress = EGRESS, .stage = 1,
        .previous = wire_identity("peer/A"),
    };
    struct pair_flow flow = pair_some_flow(1);
    struct wire expected = {.size = 0};
    char name[] = "instance/nat-0";

    (void) state;
    for (int ipv6 = 0; ipv6 < 2; ipv6++) {
        pair_start_both(&pair, 1, true);
        flow.wire.ipv6 = ipv6;
        flow.before = 0;
        pin_in_no_time(&flow);
        name[sizeof name - 2] = (char) ('0' + flow.nat);
        record.next = wire_identity(name);
        record.flow = flow.wire;
        expected.size = 0;
        wire_replicas(&expected, 0xc0000201, 0xc0000202,
                      wire_identity("peer/F"), &record, 1);
        assert_int_equal(mail->n, 1);
        assert_int_equal(mail->wire[0].size, expected.size);
        assert_memory_equal(mail->wire[0].data + 12, expected.data + 12,
                            (size_t) expected.size - 12);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forwarder_that_stops_tells_what_waits_to_be_told),
        cmocka_unit_test(latest_word_counts_if_peers_differ),
        cmocka_unit_test(lost_datagrams_are_healed_in_a_sweep),
        cmocka_unit_test(repeated_datagrams_change_nothing),
        cmocka_unit_test(late_peer_knows_all_after_a_sweep),
        cmocka_unit_test(entry_that_ages_is_gone_at_the_peer),
        cmocka_unit_test(only_peers_that_keep_replicas_are_heard),
        cmocka_unit_test(datagram_is_as_documented),
    };

    seed_random();
    if (pair_init(&pair)) {
        return 1;
    }
    return cmocka_run_group_tests_name("replication", tests, NULL, NULL);
}
