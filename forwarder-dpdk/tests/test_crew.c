// SPDX-License-Identifier: EPL-2.0
/* Several lcores: what belongs together meets on one of them, whichever
 * queues it came in at, while packets wait between them. FWD_SEED repeats a
 * run. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lcores.h"
#include "network.h"
#include "rings.h"
#include "seed.h"

#define N_FLOWS 400
#define N_HOSTS 4      /* That open them. */
#define N_ROUNDS 300   /* Each with the same identifications. */
#define IN_FLIGHT 20   /* Packets of two fragments. */
#define UNKNOWN (-1)

static struct rings rings;

/* Flow number 'i': every second one is of IPv6. */
static struct wire_flow
flow_of(uint32_t i)
{
    return (struct wire_flow) {
        .ipv6 = i % 2, .protocol = 17,
        .source = 0x0a000000 + i % N_HOSTS, .destination = 0x0b000001,
        .source_port = (uint16_t) (1000 + i), .destination_port = 53,
    };
}

static void
start(uint16_t n_workers)
{
    struct network network = network_even();

    network.capacity = 1 << 16;
    rings.n_workers = n_workers;
    network_start(&network, &rings);
}

static const struct fwd_counters *
counters(void)
{
    return rings_worker(&rings)->counters;
}

static uint64_t
sum(const uint64_t *counter)
{
    return fwd_crew_sum(rings.control->crew, counter);
}

static uint64_t
waiting(void)
{
    uint64_t n = 0;

    for (uint16_t from = 0; from < rings.n_workers; from++) {
        for (uint16_t to = 0; to < rings.n_workers; to++) {
            n += from == to
                     ? 0
                     : rte_ring_count(rings.control->crew->rings[from][to]);
        }
    }
    return n;
}

/* Checks that no packet is missing. */
static void
check_sums(void)
{
    uint64_t gone = sum(&counters()->n_sent) + sum(&counters()->n_heard)
                    + waiting();

    for (int i = 0; i < FWD_N_DROPS; i++) {
        gone += sum(&counters()->drops[i]);
    }
    assert_int_equal(sum(&counters()->n_received) + sum(&counters()->n_made),
                     gone);
}

static int
random_queue(void)
{
    return (int) (random() % rings.n_workers);
}

static struct wire
from_a(uint32_t i)
{
    struct wire_flow flow = flow_of(i);
    struct wire ip = {.size = 0};

    wire_ip(&ip, &flow, 0, 20);
    return network_from_peer(0, 1, 0, &ip);
}

static void
both_directions_meet_on_the_lcore_of_their_flow(void **state)
{
    uint64_t used = 0;

    (void) state;
    start(3);
    for (uint32_t i = 0; i < N_FLOWS; i++) {
        struct wire_flow flow = flow_of(i), reverse = wire_reverse(&flow);
        struct wire wire = from_a(i), back = {.size = 0};
        struct fate fate = rings_pass(&rings, WAN, &wire);
        int nat = network_place(fate.port, &fate.wire).vnf;

        wire_ip(&back, &reverse, 0, 20);
        wire = network_from_vnf(NAT, nat, 0, &back);
        fate = rings_pass(&rings, LAN, &wire);
        assert_int_equal(network_place(fate.port, &fate.wire).peer, 0);
    }
    for (uint16_t i = 0; i < 3; i++) {
        const struct fwd_table *table = rings.control->crew->workers[i]->table;

        assert_in_range(table->head->used, N_FLOWS / 3, N_FLOWS);
        used += table->head->used;
    }
    assert_int_equal(used, N_FLOWS / 2 + 2 * (N_FLOWS / 2));
    assert_int_equal(sum(&counters()->n_flows), N_FLOWS);
    check_sums();
}

/* The identification of a fragment at 'offset'. */
static uint32_t
fragment_id(const struct wire *wire, uint16_t offset)
{
    return wire->data[offset] >> 4 == 6
               ? wire_get32(wire, (uint16_t) (offset + 44))
               : wire_get16(wire, (uint16_t) (offset + 4));
}

/* Takes all packets out, and returns their number; those of one packet have
 * gone to one NAT. */
static uint32_t
take_fragments(int nats[IN_FLIGHT])
{
    struct fate fate;
    uint32_t n = 0;

    for (; rings_take(&rings, &fate); n++) {
        struct place place = network_place(fate.port, &fate.wire);
        uint32_t id = fragment_id(&fate.wire, place.ip_offset);

        assert_in_range(id, 0, IN_FLIGHT - 1);
        if (nats[id] == UNKNOWN) {
            nats[id] = place.vnf;
        }
        assert_int_equal(nats[id], place.vnf);
    }
    return n;
}

static void
inject_fragment(int queue, const struct wire_flow *flow, bool is_first,
                uint32_t id)
{
    struct wire ip = {.size = 0}, wire;

    wire_fragment(&ip, flow, is_first ? 0 : 64, is_first, (uint16_t) id);
    wire = network_from_peer(0, 1, 0, &ip);
    rings_inject(&rings, WAN, queue, &wire);
}

/* '*state' is the number of lcores. */
static void
fragments_in_flight_follow_their_first_one(void **state)
{
    start(*(const uint16_t *) *state);
    for (uint32_t round = 0; round < N_ROUNDS; round++) {
        int nats[IN_FLIGHT];

        for (uint32_t id = 0; id < IN_FLIGHT; id++) {
            struct wire_flow flow = flow_of((uint32_t) random() % N_FLOWS);
            int queue = random_queue();

            nats[id] = UNKNOWN;
            inject_fragment(queue, &flow, true, id);
            if (random() % 4 == 0) {
                rings_poll_one(&rings, (uint16_t) random_queue());
                check_sums();
            }
            inject_fragment(queue, &flow, false, id);
        }
        rings_poll(&rings);
        assert_int_equal(take_fragments(nats), 2 * IN_FLIGHT);
    }
    assert_int_equal(sum(&counters()->n_sent), N_ROUNDS * 2 * IN_FLIGHT);
    check_sums();
}

static void
later_fragment_without_a_first_one_is_dropped(void **state)
{
    (void) state;
    start(3);
    for (uint16_t id = 0; id < 100; id++) {
        struct wire_flow flow = flow_of(id);
        struct wire ip = {.size = 0}, wire;

        wire_fragment(&ip, &flow, 64, false, id);
        wire = network_from_peer(0, 1, 0, &ip);
        assert_int_equal(rings_pass(&rings, WAN, &wire).drop,
                         FWD_DROP_NO_FIRST_FRAGMENT);
    }
    check_sums();
}

/* Lets 'n' packets in at worker 0 alone, which polls; what it sends is taken
 * away. */
static void
flood(uint32_t n)
{
    struct fate fate;

    for (uint32_t i = 0; i < n; i++) {
        struct wire wire = from_a(i);

        rings_inject(&rings, WAN, 0, &wire);
        rings_poll_one(&rings, 0);
        while (rings_take(&rings, &fate)) {
        }
    }
}

static void
packets_for_an_lcore_that_takes_no_more_are_counted(void **state)
{
    const uint64_t *dropped;
    struct fate fate;

    (void) state;
    start(2);
    dropped = &counters()->drops[FWD_DROP_LCORE_FULL];
    flood(3000);
    assert_int_equal(waiting(), 1023);
    assert_in_range(sum(dropped), 1, 3000 - 1023 - 1);
    check_sums();
    while (waiting()) {
        rings_poll_one(&rings, 1);
        while (rings_take(&rings, &fate)) {
        }
    }
    check_sums();
}

/* What an lcore hands over holds nothing of the rules that it knew. */
static void
packets_between_lcores_obey_the_rules_of_their_arrival(void **state)
{
    struct network network = network_even();
    struct fate fate;
    uint64_t n;

    (void) state;
    start(2);
    flood(100);
    n = waiting();
    assert_in_range(n, 1, 99);
    network.gone[NAT][0] = network.gone[NAT][1] = network.gone[NAT][3] = true;
    assert_int_equal(network_apply(&network, &rings), 0);
    for (; n; n--) {
        rings_poll_one(&rings, 1);
        assert_true(rings_take(&rings, &fate));
        assert_int_equal(network_place(fate.port, &fate.wire).vnf, 2);
    }
    network.gone[NAT][2] = true;
    network.gone[NAT][1] = false;
    flood(100);
    n = waiting();
    assert_int_equal(network_apply(&network, &rings), 0);
    for (; n; n--) {
        rings_poll_one(&rings, 1);
        assert_true(rings_take(&rings, &fate));
        assert_int_equal(network_place(fate.port, &fate.wire).vnf, 1);
    }
    check_sums();
}

static void
nothing_stays_between_lcores_that_stop(void **state)
{
    struct fate fate;
    uint32_t n = 0;

    (void) state;
    start(3);
    for (uint32_t id = 0; id < IN_FLIGHT; id++) {
        struct wire_flow flow = flow_of(id);

        inject_fragment(0, &flow, true, id);
        inject_fragment(0, &flow, false, id);
    }
    rings_poll_one(&rings, 0);
    rings_poll_one(&rings, 0);
    assert_int_not_equal(waiting(), 0);
    fwd_crew_drain(rings.control->crew, rings.now_ms);
    assert_int_equal(waiting(), 0);
    while (rings_take(&rings, &fate)) {
        n++;
    }
    assert_int_equal(n, 2 * IN_FLIGHT);
}

/* Whose timer ran slower or faster than this one for a day. */
static void
clock_goes_on_where_that_of_another_process_was(void **state)
{
    const uint64_t day_ms = 86400000, now_ms = fwd_clock_ms();

    (void) state;
    fwd_clock_set(now_ms + day_ms);
    assert_in_range(fwd_clock_ms(), now_ms + day_ms, now_ms + 2 * day_ms);
    fwd_clock_set(now_ms);
    assert_in_range(fwd_clock_ms(), now_ms, now_ms + day_ms - 1);
    fwd_clock_set(1);
    assert_in_range(fwd_clock_ms(), 1, day_ms);
    fwd_clock_catch_up(0);
    assert_in_range(fwd_clock_ms(), 1, day_ms);
    fwd_clock_catch_up(day_ms);
    assert_in_range(fwd_clock_ms(), day_ms, 2 * day_ms);
}

static void
capacity_is_the_sum_of_the_lcores(void **state)
{
    struct network network = network_even();
    uint64_t capacity = 0;

    (void) state;
    network.capacity = 4097;
    rings.n_workers = 3;
    network_start(&network, &rings);
    for (uint16_t i = 0; i < 3; i++) {
        capacity += rings.control->crew->workers[i]->table->head->capacity;
    }
    assert_int_equal(capacity, 4097);
}

static void
port_with_too_few_queues_is_refused(void **state)
{
    struct network network = network_even();
    char text[NETWORK_TEXT_SIZE], reason[FWD_REASON_SIZE];

    (void) state;
    network_write(&network, text, sizeof text);
    rings.n_workers = MAX_LCORES + 1;
    assert_int_equal(rings_try(&rings, text, reason), EUSERS);
    assert_non_null(strstr(reason, "port wan"));
    assert_non_null(strstr(reason, "fewer queues than lcores"));
}

int
main(void)
{
    static uint16_t n_lcores[] = {2, 3, 4};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_directions_meet_on_the_lcore_of_their_flow),
        cmocka_unit_test_prestate(fragments_in_flight_follow_their_first_one,
                                  &n_lcores[0]),
        cmocka_unit_test_prestate(fragments_in_flight_follow_their_first_one,
                                  &n_lcores[1]),
        cmocka_unit_test_prestate(fragments_in_flight_follow_their_first_one,
                                  &n_lcores[2]),
        cmocka_unit_test(later_fragment_without_a_first_one_is_dropped),
        cmocka_unit_test(packets_for_an_lcore_that_takes_no_more_are_counted),
        cmocka_unit_test(
            packets_between_lcores_obey_the_rules_of_their_arrival),
        cmocka_unit_test(nothing_stays_between_lcores_that_stop),
        cmocka_unit_test(clock_goes_on_where_that_of_another_process_was),
        cmocka_unit_test(capacity_is_the_sum_of_the_lcores),
        cmocka_unit_test(port_with_too_few_queues_is_refused),
    };

    seed_random();
    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("crew", tests, NULL, NULL);
}
