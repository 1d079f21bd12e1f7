// SPDX-License-Identifier: EPL-2.0
/* What stays of the rules when a document is refused, and when it is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"

static struct rings rings;

static void
wrong_document_changes_nothing(void **state)
{
    struct network network = network_even();
    char text[NETWORK_TEXT_SIZE], reason[FWD_REASON_SIZE];
    const void *rules;

    (void) state;
    network_start(&network, &rings);
    rules = rings.control->crew->rules;
    network_write(&network, text, sizeof text);
    memcpy(strstr(text, "\"name\": \"nat-1\", \"weight\"") + 9, "nat-9", 5);
    assert_int_not_equal(rings_apply(&rings, text, reason), 0);
    assert_string_equal(reason, "stage 1: there is no instance nat-9");
    network_write(&network, text, sizeof text);
    memcpy(strstr(text, "\"wan\""), "\"man\"", 5);
    assert_int_not_equal(rings_apply(&rings, text, reason), 0);
    assert_ptr_equal(rings.control->crew->rules, rules);
}

/* There are only so many for as long as the forwarder runs. */
static void
refused_document_uses_up_no_numbers(void **state)
{
    struct network network = network_even();
    char text[NETWORK_TEXT_SIZE], reason[FWD_REASON_SIZE], *stage;
    const struct fwd_numbers *numbers;
    struct fwd_numbers before;

    (void) state;
    network.gone[NAT][0] = true;
    network_start(&network, &rings);
    numbers = &rings.control->numbers;
    before = *numbers;
    network.gone[NAT][0] = false;
    network_write(&network, text, sizeof text);
    stage = strstr(text, "\"number\": 3");
    memcpy(stage, "\"number\": 5", 11);
    memcpy(strstr(stage, "exit"), "hell", 4);
    memcpy(strstr(stage, "\"name\": \"C\""), "\"name\": \"X\"", 11);
    assert_int_not_equal(rings_apply(&rings, text, reason), 0);
    assert_string_equal(reason, "stage 5: there is no peer X");
    assert_int_equal(numbers->hops.n, before.hops.n);
    assert_int_equal(numbers->services.n, before.services.n);
    assert_int_equal(numbers->stages.n, before.stages.n);
    assert_int_equal(fwd_names_find(&numbers->hops, "instance/nat-0"), 0);
    assert_int_equal(network_apply(&network, &rings), 0);
    assert_int_equal(fwd_names_find(&numbers->hops, "instance/nat-0"),
                     before.hops.n);
}

static void
other_rules_share_the_sets_that_stay(void **state)
{
    struct network network = network_even();
    struct fwd_stage before, after;
    uint32_t n_sets;

    (void) state;
    network_start(&network, &rings);
    before = *fwd_chain_stage(&rings.control->crew->rules->chains[0], 1);
    n_sets = fwd_sets_count(rings.control->numbers.sets);
    network.weight[NAT][0] = 7;
    assert_int_equal(network_apply(&network, &rings), 0);
    after = *fwd_chain_stage(&rings.control->crew->rules->chains[0], 1);
    assert_ptr_equal(after.previous_hops.slots, before.previous_hops.slots);
    assert_ptr_not_equal(after.instances.slots, before.instances.slots);
    assert_int_equal(fwd_sets_count(rings.control->numbers.sets), n_sets);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_document_changes_nothing),
        cmocka_unit_test(refused_document_uses_up_no_numbers),
        cmocka_unit_test(other_rules_share_the_sets_that_stay),
    };

    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
