// SPDX-License-Identifier: EPL-2.0
/* Sessions of a node of the bus: what is told in each, and what ends one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "proxy.h"

static void
filters_and_last_values_are_told_in_each_session(void **state)
{
    struct proxy *proxy = *state;

    assert_int_equal(proxy_subscribe(proxy, RULES), 0);
    assert_int_equal(proxy_publish(proxy, STATE, "old"), 0);
    assert_int_equal(proxy_publish(proxy, STATE, "new"), 0);
    proxy_connect(proxy);
    proxy_expect(proxy, BUS_HELLO, "", 1, 0, "");
    proxy_expect(proxy, BUS_SUBSCRIBE, RULES, 0, 0, "");
    proxy_expect(proxy, BUS_DATA, STATE, 2, 1, "new");
    assert_int_equal(proxy_subscribe(proxy, "/"), 0);
    proxy_expect(proxy, BUS_SUBSCRIBE, "/", 0, 0, "");

    proxy_give(proxy, (struct bus_frame) {.kind = BUS_AGAIN});
    proxy_expect(proxy, BUS_HELLO, "", 2, 1, "");
    proxy_connect(proxy);
    proxy_expect(proxy, BUS_SUBSCRIBE, RULES, 1, 0, "");
    proxy_expect(proxy, BUS_SUBSCRIBE, "/", 1, 0, "");
    proxy_expect(proxy, BUS_DATA, STATE, 2, 1, "new");
}

/* Asserts that the next frame of the kind is of the filter '/NUMBER'. */
static void
expect_filter(struct proxy *proxy, enum bus_kind kind, int number,
              uint64_t is_known)
{
    char filter[32];

    snprintf(filter, sizeof filter, "/%d", number);
    proxy_expect(proxy, kind, filter, is_known, 0, "");
}

static void
filters_beyond_the_credit_follow_as_it_comes(void **state)
{
    struct proxy *proxy = *state;
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    char filter[32];

    limits.window = 4;
    proxy_renew(proxy, &limits);
    for (int i = 1; i <= 5; i++) {
        snprintf(filter, sizeof filter, "/%d", i);
        assert_int_equal(proxy_subscribe(proxy, filter), 0);
    }
    proxy_publish(proxy, STATE, "x");
    proxy_connect(proxy);
    assert_true(bus_node_link_state(proxy->node).is_up);
    for (int i = 1; i <= 4; i++) {
        expect_filter(proxy, BUS_SUBSCRIBE, i, 0);
    }
    assert_int_equal(bus_node_link_state(proxy->node).n_waiting, 2);
    assert_int_equal(bus_node_unsubscribe(proxy->node, "/1"), 0);
    proxy_forget(proxy);
    proxy_confirm(proxy, 3);
    expect_filter(proxy, BUS_SUBSCRIBE, 5, 0);
    expect_filter(proxy, BUS_UNSUBSCRIBE, 1, 0);
    proxy_expect(proxy, BUS_DATA, STATE, 1, 1, "x");
}

static void
filter_that_finds_no_room_waits_for_it(void **state)
{
    struct proxy *proxy = *state;

    proxy_forget(proxy);
    proxy->is_full = true;
    proxy_subscribe(proxy, "/1");
    assert_true(bus_node_drain(proxy->node));
    assert_true(bus_node_link_state(proxy->node).is_up);
    bus_node_reconnect(proxy->node);
    proxy->is_full = false;
    proxy_connect(proxy);
    expect_filter(proxy, BUS_SUBSCRIBE, 1, 0);
    bus_node_reconnect(proxy->node);
    proxy_connect(proxy);
    expect_filter(proxy, BUS_SUBSCRIBE, 1, 1);
}

static void
hello_is_repeated_with_another_number(void **state)
{
    struct proxy *proxy = *state;

    for (int i = 0; i < 5; i++) {
        bus_node_tick(proxy->node);
    }
    proxy_expect(proxy, BUS_HELLO, "", 1, 0, "");
    proxy_expect(proxy, BUS_HELLO, "", 2, 0, "");
    assert_null(g_queue_peek_head(&proxy->sent));
    proxy_give(proxy, (struct bus_frame) {
        .kind = BUS_WELCOME, .node = "A", .sequence = 1,
    });
    assert_false(bus_node_link_state(proxy->node).is_up);
    proxy_give(proxy, (struct bus_frame) {
        .kind = BUS_WELCOME, .node = "A", .sequence = 2,
    });
    assert_true(bus_node_link_state(proxy->node).is_up);
}

static void
ephemeral_node_says_so_in_each_session(void **state)
{
    struct bus_frame *hello;
    struct proxy *proxy = *state;

    bus_node_make_ephemeral(proxy->node);
    for (int i = 0; i < 2; i++) {
        proxy_connect(proxy);
        hello = proxy_next(proxy, BUS_HELLO);
        assert_int_equal(hello->epoch, EPOCH);
        bus_frame_release(hello);
        bus_node_reconnect(proxy->node);
    }
}

static void
lost_frame_begins_another_session(void **state)
{
    struct proxy *proxy = *state;

    proxy_subscribe(proxy, RULES);
    proxy_connect(proxy);
    proxy_give_message(proxy, BUS_DATA, 1, 1, "a");
    proxy->n_counted++;
    proxy_give_message(proxy, BUS_DATA, 3, 1, "c");
    proxy_expect_heard(proxy, "A/board:a ");
    proxy_forget(proxy);
    proxy_connect(proxy);
    proxy_give_message(proxy, BUS_DATA, 3, 1, "c");
    proxy_expect(proxy, BUS_REPLAY, RULES, 2, 2, "");
    proxy_give_message(proxy, BUS_REPLAYED, 2, 1, "b");
    proxy_expect_heard(proxy, "A/board:b A/board:c ");
}

static void
status_that_counts_others_begins_another_session(void **state)
{
    struct proxy *proxy = *state;

    proxy_give(proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy->session, .sequence = 1,
    });
    assert_false(bus_node_link_state(proxy->node).is_up);
    assert_int_equal(bus_node_link_state(proxy->node).n_renewals, 1);
}

static void
what_is_dropped_or_missing_is_counted(void **state)
{
    struct proxy *proxy = *state;
    struct bus_link_state seen;

    proxy_subscribe(proxy, RULES);
    proxy_connect(proxy);
    proxy_give_message(proxy, BUS_DATA, 1, 1, "a");
    proxy_give_message(proxy, BUS_DATA, 1, 1, "a");
    proxy_give_message(proxy, BUS_DATA, 3, 1, "c");
    proxy_give_counted(proxy, (struct bus_frame) {
        .kind = BUS_GAP, .epoch = 7, .sequence = 2, .mark = 2,
        .node = "A/board", .topic = RULES,
    });
    proxy_expect_heard(proxy, "A/board:a A/board:gap1 A/board:c ");
    bus_node_receive_malformed(proxy->node);
    seen = bus_node_link_state(proxy->node);
    assert_int_equal(seen.n_duplicates, 1);
    assert_int_equal(seen.n_gaps, 1);
    assert_int_equal(seen.n_malformed, 1);
}

static void
silence_of_five_seconds_ends_a_session(void **state)
{
    struct proxy *proxy = *state;

    for (int i = 0; i < 20; i++) {
        bus_node_tick(proxy->node);
    }
    assert_true(bus_node_link_state(proxy->node).is_up);
    bus_node_tick(proxy->node);
    assert_false(bus_node_link_state(proxy->node).is_up);
}

/* Returns how many STATUS frames the node sends in so many ticks; all of
 * them have the wish 'wish'. */
static unsigned int
n_told(struct proxy *proxy, int n_ticks, uint32_t wish)
{
    struct bus_frame *frame;
    unsigned int n = 0;

    proxy_forget(proxy);
    for (int i = 0; i < n_ticks; i++) {
        bus_node_tick(proxy->node);
    }
    while ((frame = g_queue_pop_head(&proxy->sent))) {
        assert_int_equal(frame->kind, BUS_STATUS);
        assert_int_equal(frame->count, wish);
        bus_frame_release(frame);
        n++;
    }
    return n;
}

static void
counts_are_told_each_second_or_until_they_are_confirmed(void **state)
{
    struct proxy *proxy = *state;

    assert_int_equal(n_told(proxy, 16, 0), 4);
    assert_int_equal(proxy_publish(proxy, STATE, "x"), 0);
    assert_int_equal(n_told(proxy, 3, 1), 3);
    proxy_confirm(proxy, 1);
    assert_int_equal(n_told(proxy, 4, 0), 1);
}

static void
wish_for_a_status_is_any_number_but_zero(void **state)
{
    struct proxy *proxy = *state;

    for (uint32_t wish = 0; wish < 3; wish++) {
        proxy_forget(proxy);
        proxy_give(proxy, (struct bus_frame) {
            .kind = BUS_STATUS, .count = wish, .epoch = proxy->session,
        });
        assert_int_equal(proxy->sent.length, wish != 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_NODE(filters_and_last_values_are_told_in_each_session),
        WITH_NODE(filters_beyond_the_credit_follow_as_it_comes),
        WITH_SESSION(filter_that_finds_no_room_waits_for_it),
        WITH_NODE(hello_is_repeated_with_another_number),
        WITH_NODE(ephemeral_node_says_so_in_each_session),
        WITH_NODE(lost_frame_begins_another_session),
        WITH_SESSION(status_that_counts_others_begins_another_session),
        WITH_NODE(what_is_dropped_or_missing_is_counted),
        WITH_SESSION(silence_of_five_seconds_ends_a_session),
        WITH_SESSION(
            counts_are_told_each_second_or_until_they_are_confirmed),
        WITH_SESSION(wish_for_a_status_is_any_number_but_zero),
    };

    return cmocka_run_group_tests_name("bus-session", tests, NULL, NULL);
}
