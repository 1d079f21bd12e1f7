// SPDX-License-Identifier: EPL-2.0
/* The flow table beside a slow one: an array that is searched from its
 * begin. FWD_SEED repeats a run. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "flow.h"
#include "seed.h"

#define N_KEYS 600 /* More than fit. */
#define CAPACITY 512
#define N_STEPS 200000

static const struct fwd_timeouts timeouts = {7440, 240, 300, 60, 30};

/* A slow table: entry i is of key i. */
struct slow {
    bool is_there[N_KEYS];
    uint16_t next[N_KEYS];
    uint32_t seen_s[N_KEYS];
    uint64_t used;
};

static struct fwd_table *
table_of(uint64_t capacity)
{
    struct fwd_table *table;

    assert_int_equal(fwd_table_create(capacity, (uint64_t) random(),
                                      &timeouts, &table), 0);
    return table;
}

/* Key number 'i': every third one is of IPv6. */
static struct fwd_key
key_of(uint32_t i)
{
    struct fwd_key key = {
        .context = fwd_key_place(100, 203, i % 5 + 1)
                   | 17ULL << FWD_KEY_PROTOCOL_SHIFT,
        .address = {i * 7919ULL},
        .ports = i * 31,
    };

    if (i % 3 == 0) {
        key.context |= FWD_KEY_IPV6;
        key.address[0] = 0x20010db8;
        key.address[3] = i;
    }
    return key;
}

static struct fwd_flow *
find(const struct fwd_table *table, uint32_t i)
{
    struct fwd_key key = key_of(i);

    return fwd_table_find(table, &key, fwd_key_hash(&key, table->seed));
}

static void
insert(struct fwd_table *table, struct slow *slow, uint32_t i, uint32_t now_s)
{
    struct fwd_key key = key_of(i);
    uint64_t slots = i % 3 ? 1 : 2;
    uint16_t next = (uint16_t) (100 + random() % 1000);
    struct fwd_flow *flow = fwd_table_insert(
        table, &key, fwd_key_hash(&key, table->seed), next, 7, now_s);

    assert_int_equal(flow != NULL, slow->used + slots <= CAPACITY);
    if (flow) {
        slow->is_there[i] = true;
        slow->next[i] = next;
        slow->seen_s[i] = now_s;
        slow->used += slots;
    }
}

static void
take_out(struct slow *slow, uint32_t i)
{
    slow->is_there[i] = false;
    slow->used -= i % 3 ? 1 : 2;
}

static void
sweep(struct fwd_table *table, struct slow *slow, uint32_t now_s)
{
    fwd_table_sweep(table, table->n_lines, now_s, NULL, NULL);
    for (uint32_t i = 0; i < N_KEYS; i++) {
        if (slow->is_there[i] && now_s - slow->seen_s[i] > timeouts.udp_s) {
            take_out(slow, i);
        }
    }
}

static void
check_all(const struct fwd_table *table, const struct slow *slow)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < N_KEYS; i++) {
        const struct fwd_flow *flow = find(table, i);

        assert_int_equal(flow != NULL, slow->is_there[i]);
        if (flow) {
            assert_int_equal(flow->next, slow->next[i]);
            n++;
        }
    }
    assert_int_equal(table->head->used, slow->used);
    assert_int_equal(table->head->hop_flows[7], n);
}

static void
table_agrees_with_a_slow_one(void **state)
{
    struct fwd_table *table = table_of(CAPACITY);
    struct slow slow = {.used = 0};
    uint32_t now_s = 1000;

    (void) state;
    for (int step = 0; step < N_STEPS; step++) {
        uint32_t i = (uint32_t) random() % N_KEYS;

        now_s += step % 16 == 0;
        if (!find(table, i)) {
            insert(table, &slow, i, now_s);
        } else if (random() % 2) {
            fwd_table_remove(table, find(table, i));
            take_out(&slow, i);
        }
        if (step % 1000 == 0) {
            sweep(table, &slow, now_s);
            check_all(table, &slow);
        }
    }
    sweep(table, &slow, now_s + timeouts.udp_s + 1);
    for (uint64_t i = 0; i < table->n_lines; i++) {
        assert_int_equal(table->lines[i].first.passed, 0);
    }
    fwd_table_destroy(table);
}

static void
memory_of_a_table_is_enough_to_go_on(void **state)
{
    struct fwd_table *table = table_of(CAPACITY), *other;
    struct slow slow = {.used = 0};

    (void) state;
    for (uint32_t i = 0; i < N_KEYS / 2; i++) {
        insert(table, &slow, i, 1000);
    }
    assert_int_equal(fwd_table_open(dup(table->fd), &timeouts, &other), 0);
    fwd_table_destroy(table);
    check_all(other, &slow);
    fwd_table_remove(other, find(other, 1));
    take_out(&slow, 1);
    check_all(other, &slow);
    fwd_table_destroy(other);
}

static void
memory_of_something_else_is_no_table(void **state)
{
    struct fwd_table *table = table_of(CAPACITY), *other;
    int empty = memfd_create("empty", 0);

    (void) state;
    assert_int_equal(fwd_table_open(empty, &timeouts, &other), EPROTO);
    close(empty);
    table->head->n_lines <<= 16;
    assert_int_equal(fwd_table_open(table->fd, &timeouts, &other), EPROTO);
    table->head->n_lines = table->n_lines;
    table->head->format++;
    assert_int_equal(fwd_table_open(table->fd, &timeouts, &other), EPROTO);
    fwd_table_destroy(table);
}

static void
timeout_follows_protocol_and_tcp_state(void **state)
{
    const uint64_t tcp = 6ULL << FWD_KEY_PROTOCOL_SHIFT;
    const uint8_t both = FWD_SEEN_FORWARD | FWD_SEEN_RETURN;
    const uint8_t fins = FWD_FIN_FORWARD | FWD_FIN_RETURN;
    const struct {
        uint64_t context;
        uint8_t state;
        uint32_t timeout_s;
    } cases[] = {
        {tcp, FWD_SEEN_FORWARD, 240},
        {tcp, both, 7440},
        {tcp, both | FWD_FIN_FORWARD, 7440},
        {tcp, both | fins, 240},
        {tcp, both | FWD_RESET, 240},
        {17ULL << FWD_KEY_PROTOCOL_SHIFT, both, 300},
        {1ULL << FWD_KEY_PROTOCOL_SHIFT, both, 60},
        {tcp | FWD_KEY_FRAGMENT, both, 30},
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fwd_flow flow = {.context = cases[i].context,
                                .state = cases[i].state};

        assert_int_equal(fwd_flow_timeout_s(&flow, &timeouts),
                         cases[i].timeout_s);
    }
}

static void
fields_of_a_key_do_not_overlap(void **state)
{
    uint64_t parts[] = {
        fwd_key_place(0xfffff, 0, 0), fwd_key_place(0, 0xfffff, 0),
        fwd_key_place(0, 0, 63), 0xffULL << FWD_KEY_PROTOCOL_SHIFT,
        FWD_KEY_IPV6, FWD_KEY_FRAGMENT, FWD_KEY_RETURN,
    };
    uint64_t seen = 0;

    (void) state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        assert_int_equal(seen & parts[i] & ~FWD_KEY_USED, 0);
        seen |= parts[i];
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_agrees_with_a_slow_one),
        cmocka_unit_test(memory_of_a_table_is_enough_to_go_on),
        cmocka_unit_test(memory_of_something_else_is_no_table),
        cmocka_unit_test(timeout_follows_protocol_and_tcp_state),
        cmocka_unit_test(fields_of_a_key_do_not_overlap),
    };

    seed_random();
    return cmocka_run_group_tests_name("flow", tests, NULL, NULL);
}
