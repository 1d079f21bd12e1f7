// SPDX-License-Identifier: EPL-2.0
/* Numbers for names, beside a list of them. FWD_SEED repeats a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "names.h"
#include "seed.h"

#define MOST 60     /* Numbers; so nearly half of the buckets are taken. */
#define N_NAMES 200 /* That ask for them. */
#define STEPS 20000

/* Checks all names against 'known': numbers, or 0. */
static void
assert_known(const struct fwd_names *names, const uint32_t known[N_NAMES])
{
    for (int i = 0; i < N_NAMES; i++) {
        char name[16];

        snprintf(name, sizeof name, "name-%d", i);
        assert_int_equal(fwd_names_find(names, name), known[i]);
    }
}

static void
numbers_that_are_taken_back_are_given_again(void **state)
{
    uint32_t known[N_NAMES] = {0}, n = 1;
    struct fwd_names names;

    (void) state;
    assert_int_equal(fwd_names_init(&names, MOST), 0);
    for (int step = 0; step < STEPS; step++) {
        int i = (int) (random() % N_NAMES);
        char name[16];

        if (random() % 50 == 0) {
            n = 1 + (uint32_t) (random() % n);
            fwd_names_take_back(&names, n);
            for (int j = 0; j < N_NAMES; j++) {
                known[j] = known[j] < n ? known[j] : 0;
            }
            assert_known(&names, known);
        }
        if (!known[i] && n <= MOST) {
            known[i] = n++;
        }
        snprintf(name, sizeof name, "name-%d", i);
        assert_int_equal(fwd_names_number(&names, name), known[i]);
    }
    fwd_names_destroy(&names);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_are_taken_back_are_given_again),
    };

    seed_random();
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
