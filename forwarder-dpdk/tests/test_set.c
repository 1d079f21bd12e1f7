// SPDX-License-Identifier: EPL-2.0
/* Weighted sets: shares, and what moves when members come and go. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "key.h"
#include "names.h"
#include "sets.h"

#define N_MEMBERS 5
#define N_KEYS 10000

static void
name_members(const uint32_t weights[N_MEMBERS],
             struct fwd_member members[N_MEMBERS])
{
    for (uint16_t i = 0; i < N_MEMBERS; i++) {
        char name[8];

        snprintf(name, sizeof name, "vnf-%d", i);
        members[i] = (struct fwd_member) {fwd_name_hash(name), weights[i],
                                          (uint16_t) (i + 1)};
    }
}

static struct fwd_set
set_of(const uint32_t weights[N_MEMBERS])
{
    struct fwd_member members[N_MEMBERS];
    struct fwd_set set;

    name_members(weights, members);
    assert_int_equal(fwd_set_init(&set, members, N_MEMBERS), 0);
    return set;
}

static uint64_t
hash_of(uint64_t key)
{
    return fwd_mix(key + 1, 0x9e3779b97f4a7c15ULL);
}

static void
shares_follow_the_weights(void **state)
{
    const uint32_t weights[N_MEMBERS] = {1, 2, 3, 0, 4};
    struct fwd_set set = set_of(weights);
    int picked[N_MEMBERS + 1] = {0};

    (void) state;
    for (uint64_t key = 0; key < N_KEYS; key++) {
        picked[fwd_set_pick(&set, hash_of(key))]++;
    }
    for (int i = 0; i < N_MEMBERS; i++) {
        double share = (double) picked[i + 1] / N_KEYS;

        assert_true(fabs(share - weights[i] / 10.0) <= 0.02);
    }
    assert_int_equal(picked[4], 0);
    fwd_set_destroy(&set);
}

static void
only_the_keys_of_a_member_that_leaves_move(void **state)
{
    const uint32_t weights[N_MEMBERS] = {1, 2, 3, 3, 1};
    const uint32_t without[N_MEMBERS] = {1, 2, 0, 3, 1};
    struct fwd_set all = set_of(weights), fewer = set_of(without);

    (void) state;
    for (uint64_t key = 0; key < N_KEYS; key++) {
        uint16_t then = fwd_set_pick(&all, hash_of(key));
        uint16_t now = fwd_set_pick(&fewer, hash_of(key));

        assert_int_not_equal(now, 3);
        assert_true(then == 3 || now == then);
    }
    fwd_set_destroy(&all);
    fwd_set_destroy(&fewer);
}

static void
set_without_weights_has_no_hop(void **state)
{
    const uint32_t weights[N_MEMBERS] = {0};
    const uint32_t one[N_MEMBERS] = {0, 0, 5, 0, 0};
    struct fwd_set none = set_of(weights), single = set_of(one);

    (void) state;
    assert_int_equal(fwd_set_pick(&none, 1), 0);
    assert_int_equal(fwd_set_pick(&single, UINT64_MAX), 3);
}

static struct fwd_set
take(struct fwd_sets *sets, const uint32_t weights[N_MEMBERS])
{
    struct fwd_member members[N_MEMBERS];
    struct fwd_set set;

    name_members(weights, members);
    assert_int_equal(fwd_sets_take(sets, members, N_MEMBERS, &set), 0);
    return set;
}

static void
equal_sets_are_one_until_the_last_is_dropped(void **state)
{
    const uint32_t weights[N_MEMBERS] = {1, 2, 3, 0, 4};
    const uint32_t others[N_MEMBERS] = {1, 2, 3, 0, 5};
    struct fwd_set alone = set_of(weights);
    struct fwd_sets *sets = fwd_sets_create();
    struct fwd_set first = take(sets, weights), second = take(sets, weights);
    struct fwd_set other = take(sets, others);

    (void) state;
    assert_ptr_equal(first.slots, second.slots);
    assert_ptr_not_equal(first.slots, other.slots);
    assert_int_equal(fwd_sets_count(sets), 2);
    fwd_sets_drop(sets, &first);
    assert_int_equal(fwd_sets_count(sets), 2);
    assert_memory_equal(second.slots, alone.slots,
                        FWD_SET_SLOTS * sizeof *alone.slots);
    fwd_sets_drop(sets, &second);
    fwd_sets_drop(sets, &other);
    assert_int_equal(fwd_sets_count(sets), 0);
    fwd_sets_destroy(sets);
    fwd_set_destroy(&alone);
}

static void
sets_without_slots_are_not_kept(void **state)
{
    const uint32_t one[N_MEMBERS] = {0, 0, 5, 0, 0};
    struct fwd_sets *sets = fwd_sets_create();
    struct fwd_set single = take(sets, one);

    (void) state;
    assert_int_equal(fwd_set_pick(&single, 7), 3);
    assert_int_equal(fwd_sets_count(sets), 0);
    fwd_sets_drop(sets, &single);
    fwd_sets_destroy(sets);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_follow_the_weights),
        cmocka_unit_test(only_the_keys_of_a_member_that_leaves_move),
        cmocka_unit_test(set_without_weights_has_no_hop),
        cmocka_unit_test(equal_sets_are_one_until_the_last_is_dropped),
        cmocka_unit_test(sets_without_slots_are_not_kept),
    };

    return cmocka_run_group_tests_name("set", tests, NULL, NULL);
}
