// SPDX-License-Identifier: EPL-2.0
/* Sessions of a node of the bus, and what it publishes in them: loss,
 * credit, last values, replay. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proxy.h"

#define DAY_TICKS (24 * 3600 * 4)

static void
filters_and_last_values_are_told_in_each_session(void **state)
{
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    assert_int_equal(proxy_subscribe(&proxy, RULES), 0);
    assert_int_equal(proxy_publish(&proxy, STATE, "old"), 0);
    assert_int_equal(proxy_publish(&proxy, STATE, "new"), 0);
    proxy_connect(&proxy);
    proxy_expect(&proxy, BUS_HELLO, "", 1, 0, "");
    proxy_expect(&proxy, BUS_SUBSCRIBE, RULES, 0, 0, "");
    proxy_expect(&proxy, BUS_DATA, STATE, 2, 1, "new");
    assert_int_equal(proxy_subscribe(&proxy, "/"), 0);
    proxy_expect(&proxy, BUS_SUBSCRIBE, "/", 0, 0, "");

    proxy_give(&proxy, (struct bus_frame) {.kind = BUS_AGAIN});
    proxy_expect(&proxy, BUS_HELLO, "", 2, 1, "");
    proxy_connect(&proxy);
    proxy_expect(&proxy, BUS_SUBSCRIBE, RULES, 1, 0, "");
    proxy_expect(&proxy, BUS_SUBSCRIBE, "/", 1, 0, "");
    proxy_expect(&proxy, BUS_DATA, STATE, 2, 1, "new");
    proxy_teardown(&proxy);
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
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;
    char filter[32];

    (void) state;
    limits.window = 4;
    proxy_setup(&proxy, &limits);
    for (int i = 1; i <= 5; i++) {
        snprintf(filter, sizeof filter, "/%d", i);
        assert_int_equal(proxy_subscribe(&proxy, filter), 0);
    }
    proxy_publish(&proxy, STATE, "x");
    proxy_connect(&proxy);
    assert_true(bus_node_link_state(proxy.node).is_up);
    for (int i = 1; i <= 4; i++) {
        expect_filter(&proxy, BUS_SUBSCRIBE, i, 0);
    }
    assert_int_equal(bus_node_link_state(proxy.node).n_waiting, 2);
    assert_int_equal(bus_node_unsubscribe(proxy.node, "/1"), 0);
    proxy_forget(&proxy);
    proxy_give(&proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy.session, .mark = 3,
    });
    expect_filter(&proxy, BUS_SUBSCRIBE, 5, 0);
    expect_filter(&proxy, BUS_UNSUBSCRIBE, 1, 0);
    proxy_expect(&proxy, BUS_DATA, STATE, 1, 1, "x");
    proxy_teardown(&proxy);
}

static void
filter_that_finds_no_room_waits_for_it(void **state)
{
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    proxy_connect(&proxy);
    proxy_forget(&proxy);
    proxy.is_full = true;
    proxy_subscribe(&proxy, "/1");
    assert_true(bus_node_drain(proxy.node));
    assert_true(bus_node_link_state(proxy.node).is_up);
    bus_node_reconnect(proxy.node);
    proxy.is_full = false;
    proxy_connect(&proxy);
    expect_filter(&proxy, BUS_SUBSCRIBE, 1, 0);
    bus_node_reconnect(proxy.node);
    proxy_connect(&proxy);
    expect_filter(&proxy, BUS_SUBSCRIBE, 1, 1);
    proxy_teardown(&proxy);
}

static void
hello_is_repeated_with_another_number(void **state)
{
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    for (int i = 0; i < 5; i++) {
        bus_node_tick(proxy.node);
    }
    proxy_expect(&proxy, BUS_HELLO, "", 1, 0, "");
    proxy_expect(&proxy, BUS_HELLO, "", 2, 0, "");
    assert_null(g_queue_peek_head(&proxy.sent));
    proxy_give(&proxy, (struct bus_frame) {
        .kind = BUS_WELCOME, .node = "A", .sequence = 1,
    });
    assert_false(bus_node_link_state(proxy.node).is_up);
    proxy_give(&proxy, (struct bus_frame) {
        .kind = BUS_WELCOME, .node = "A", .sequence = 2,
    });
    assert_true(bus_node_link_state(proxy.node).is_up);
    proxy_teardown(&proxy);
}

static void
ephemeral_node_says_so_in_each_session(void **state)
{
    struct bus_frame *hello;
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    bus_node_make_ephemeral(proxy.node);
    for (int i = 0; i < 2; i++) {
        proxy_connect(&proxy);
        hello = proxy_next(&proxy, BUS_HELLO);
        assert_int_equal(hello->epoch, EPOCH);
        bus_frame_release(hello);
        bus_node_reconnect(proxy.node);
    }
    proxy_teardown(&proxy);
}

static void
lost_frame_begins_another_session(void **state)
{
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    proxy_subscribe(&proxy, RULES);
    proxy_connect(&proxy);
    proxy_give_message(&proxy, BUS_DATA, 1, 1, "a");
    proxy.n_counted++;
    proxy_give_message(&proxy, BUS_DATA, 3, 1, "c");
    proxy_expect_heard(&proxy, "A/board:a ");
    proxy_forget(&proxy);
    proxy_connect(&proxy);
    proxy_give_message(&proxy, BUS_DATA, 3, 1, "c");
    proxy_expect(&proxy, BUS_REPLAY, RULES, 2, 2, "");
    proxy_give_message(&proxy, BUS_REPLAYED, 2, 1, "b");
    proxy_expect_heard(&proxy, "A/board:b A/board:c ");
    proxy_teardown(&proxy);
}

static void
status_that_counts_others_begins_another_session(void **state)
{
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    proxy_connect(&proxy);
    proxy_give(&proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy.session, .sequence = 1,
    });
    assert_false(bus_node_link_state(proxy.node).is_up);
    assert_int_equal(bus_node_link_state(proxy.node).n_renewals, 1);
    proxy_teardown(&proxy);
}

static void
what_is_dropped_or_missing_is_counted(void **state)
{
    struct bus_link_state seen;
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    proxy_subscribe(&proxy, RULES);
    proxy_connect(&proxy);
    proxy_give_message(&proxy, BUS_DATA, 1, 1, "a");
    proxy_give_message(&proxy, BUS_DATA, 1, 1, "a");
    proxy_give_message(&proxy, BUS_DATA, 3, 1, "c");
    proxy_give_counted(&proxy, (struct bus_frame) {
        .kind = BUS_GAP, .epoch = 7, .sequence = 2, .mark = 2,
        .node = "A/board", .topic = RULES,
    });
    proxy_expect_heard(&proxy, "A/board:a A/board:gap1 A/board:c ");
    bus_node_receive_malformed(proxy.node);
    seen = bus_node_link_state(proxy.node);
    assert_int_equal(seen.n_duplicates, 1);
    assert_int_equal(seen.n_gaps, 1);
    assert_int_equal(seen.n_malformed, 1);
    proxy_teardown(&proxy);
}

static void
silence_of_five_seconds_ends_a_session(void **state)
{
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    proxy_connect(&proxy);
    for (int i = 0; i < 20; i++) {
        bus_node_tick(proxy.node);
    }
    assert_true(bus_node_link_state(proxy.node).is_up);
    bus_node_tick(proxy.node);
    assert_false(bus_node_link_state(proxy.node).is_up);
    proxy_teardown(&proxy);
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
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    proxy_connect(&proxy);
    assert_int_equal(n_told(&proxy, 16, 0), 4);
    assert_int_equal(proxy_publish(&proxy, STATE, "x"), 0);
    assert_int_equal(n_told(&proxy, 3, 1), 3);
    proxy_give(&proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy.session, .mark = 1,
    });
    assert_int_equal(n_told(&proxy, 4, 0), 1);
    proxy_teardown(&proxy);
}

static void
wish_for_a_status_is_any_number_but_zero(void **state)
{
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    proxy_connect(&proxy);
    for (uint32_t wish = 0; wish < 3; wish++) {
        proxy_forget(&proxy);
        proxy_give(&proxy, (struct bus_frame) {
            .kind = BUS_STATUS, .count = wish, .epoch = proxy.session,
        });
        assert_int_equal(proxy.sent.length, wish != 0);
    }
    proxy_teardown(&proxy);
}

static void
window_bounds_what_is_under_way(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;

    (void) state;
    limits.window = 4;
    proxy_setup(&proxy, &limits);
    proxy_connect(&proxy);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(proxy_publish(&proxy, STATE, "x"), 0);
    }
    assert_int_equal(proxy_publish(&proxy, STATE, "x"), EAGAIN);
    proxy_give(&proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy.session, .mark = 1,
    });
    assert_int_equal(proxy_publish(&proxy, STATE, "y"), 0);
    assert_int_equal(proxy_publish(&proxy, STATE, "z"), EAGAIN);
    proxy_teardown(&proxy);
}

/* Publishes bodies of 'size' bytes until the node refuses; returns how many
 * it took. */
static int
n_taken(struct proxy *proxy, int size)
{
    char *body = g_strnfill(size, 'x');
    int n = 0;

    while (proxy_publish(proxy, STATE, body) == 0) {
        n++;
    }
    g_free(body);
    return n;
}

static void
no_more_is_taken_than_is_kept(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;

    (void) state;
    limits.window = 4;
    limits.retained_messages = 10;
    limits.retained_bytes = 1000;
    proxy_setup(&proxy, &limits);
    proxy_connect(&proxy);
    assert_int_equal(n_taken(&proxy, 1), 4);
    bus_node_reconnect(proxy.node);
    assert_int_equal(n_taken(&proxy, 1), 6);
    proxy_connect(&proxy);
    proxy_give(&proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy.session, .mark = 1,
    });
    assert_int_equal(n_taken(&proxy, 400), 2);
    assert_int_equal(proxy_publish(&proxy, STATE, "x"), 0);
    bus_node_reconnect(proxy.node);
    assert_int_equal(n_taken(&proxy, 200), 0);
    proxy_teardown(&proxy);
}

static void
what_found_no_room_follows_as_last_value(void **state)
{
    struct proxy proxy;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    proxy_connect(&proxy);
    proxy_forget(&proxy);
    proxy.is_full = true;
    assert_int_equal(proxy_publish(&proxy, STATE, "a"), 0);
    assert_int_equal(proxy_publish(&proxy, STATE, "b"), 0);
    assert_true(bus_node_drain(proxy.node));
    proxy.is_full = false;
    assert_false(bus_node_drain(proxy.node));
    proxy_expect(&proxy, BUS_DATA, STATE, 2, 1, "b");
    assert_null(g_queue_peek_head(&proxy.sent));
    proxy_teardown(&proxy);
}

static void
replay_gives_what_is_kept_and_tells_what_is_gone(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;

    (void) state;
    limits.retained_messages = 2;
    proxy_setup(&proxy, &limits);
    proxy_connect(&proxy);
    for (uint64_t i = 0; i < 4; i++) {
        bus_node_publish(proxy.node, STATE, "abcd" + i, 1);
        proxy_give(&proxy, (struct bus_frame) {
            .kind = BUS_STATUS, .epoch = proxy.session, .mark = i + 1,
        });
    }
    proxy_forget(&proxy);
    proxy_give_counted(&proxy, (struct bus_frame) {
        .kind = BUS_REPLAY, .epoch = EPOCH, .sequence = 2, .mark = 4,
        .node = "A/F1", .topic = STATE,
    });
    proxy_expect(&proxy, BUS_GAP, STATE, 2, 2, "");
    proxy_expect(&proxy, BUS_REPLAYED, STATE, 3, 1, "c");
    proxy_expect(&proxy, BUS_REPLAYED, STATE, 4, 1, "d");
    proxy_give_counted(&proxy, (struct bus_frame) {
        .kind = BUS_REPLAY, .epoch = EPOCH - 1, .sequence = 1, .mark = 9,
        .node = "A/F1", .topic = STATE,
    });
    proxy_expect(&proxy, BUS_GAP, STATE, 1, 9, "");
    proxy_teardown(&proxy);
}

static void
withdrawn_topic_is_another_stream_after_a_day(void **state)
{
    struct proxy proxy;
    struct bus_frame *frame;

    (void) state;
    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    proxy_publish(&proxy, STATE, "a");
    proxy_publish(&proxy, STATE, "");
    for (int i = 0; i < DAY_TICKS; i++) {
        bus_node_tick(proxy.node);
        proxy_forget(&proxy);
    }
    proxy_connect(&proxy);
    proxy_publish(&proxy, STATE, "b");
    frame = proxy_next(&proxy, BUS_DATA);
    assert_int_equal(frame->epoch, EPOCH + 1);
    assert_int_equal(frame->sequence, 1);
    bus_frame_release(frame);
    proxy_teardown(&proxy);
}

static void
refused_publications_leave_nothing(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;
    char *large = g_strnfill(BUS_BODY_SIZE + 1, 'x');

    (void) state;
    limits.streams = 1;
    proxy_setup(&proxy, &limits);
    assert_int_equal(proxy_publish(&proxy, "no topic", "x"), EINVAL);
    assert_int_equal(proxy_publish(&proxy, "/c1/site_B_rules", "x"), EINVAL);
    assert_int_equal(proxy_publish(&proxy, "/c1/site_AA_rules", "x"), EINVAL);
    assert_int_equal(proxy_publish(&proxy, STATE, large), EMSGSIZE);
    assert_int_equal(proxy_publish(&proxy, STATE, "x"), 0);
    assert_int_equal(proxy_publish(&proxy, "/another", "x"), ENOSPC);
    proxy_connect(&proxy);
    proxy_expect(&proxy, BUS_DATA, STATE, 1, 1, "x");
    assert_null(g_queue_peek_head(&proxy.sent));
    g_free(large);
    proxy_teardown(&proxy);
}

static void
answers_beyond_the_credit_follow_as_it_comes(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;

    (void) state;
    limits.window = 4;
    proxy_setup(&proxy, &limits);
    for (const char *body = "abcdef"; *body; body++) {
        bus_node_publish(proxy.node, STATE, body, 1);
    }
    proxy_connect(&proxy);
    proxy_give(&proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy.session, .mark = 1,
    });
    proxy_forget(&proxy);
    proxy_give_counted(&proxy, (struct bus_frame) {
        .kind = BUS_REPLAY, .epoch = EPOCH, .sequence = 1, .mark = 5,
        .node = "A/F1", .topic = STATE,
    });
    for (uint64_t i = 1; i <= 4; i++) {
        proxy_expect(&proxy, BUS_REPLAYED, STATE, i, 1,
               (const char [2]) {"abcd"[i - 1]});
    }
    assert_int_equal(bus_node_link_state(proxy.node).n_waiting, 1);
    proxy_give(&proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy.session, .sequence = 1, .mark = 3,
    });
    proxy_expect(&proxy, BUS_REPLAYED, STATE, 5, 1, "e");
    assert_int_equal(bus_node_link_state(proxy.node).n_waiting, 0);
    proxy_teardown(&proxy);
}

static void
credit_is_halved_after_a_loss(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;
    int n = 0;

    (void) state;
    limits.window = 16;
    proxy_setup(&proxy, &limits);
    proxy_connect(&proxy);
    while (proxy_publish(&proxy, STATE, "x") == 0) {
        n++;
    }
    assert_int_equal(n, 16);
    bus_node_reconnect(proxy.node);
    proxy_connect(&proxy);
    for (n = 1; proxy_publish(&proxy, STATE, "x") == 0; n++) {
    }
    assert_int_equal(n, 8);
    proxy_teardown(&proxy);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_and_last_values_are_told_in_each_session),
        cmocka_unit_test(filters_beyond_the_credit_follow_as_it_comes),
        cmocka_unit_test(filter_that_finds_no_room_waits_for_it),
        cmocka_unit_test(hello_is_repeated_with_another_number),
        cmocka_unit_test(ephemeral_node_says_so_in_each_session),
        cmocka_unit_test(lost_frame_begins_another_session),
        cmocka_unit_test(status_that_counts_others_begins_another_session),
        cmocka_unit_test(what_is_dropped_or_missing_is_counted),
        cmocka_unit_test(silence_of_five_seconds_ends_a_session),
        cmocka_unit_test(
            counts_are_told_each_second_or_until_they_are_confirmed),
        cmocka_unit_test(wish_for_a_status_is_any_number_but_zero),
        cmocka_unit_test(window_bounds_what_is_under_way),
        cmocka_unit_test(no_more_is_taken_than_is_kept),
        cmocka_unit_test(what_found_no_room_follows_as_last_value),
        cmocka_unit_test(replay_gives_what_is_kept_and_tells_what_is_gone),
        cmocka_unit_test(withdrawn_topic_is_another_stream_after_a_day),
        cmocka_unit_test(refused_publications_leave_nothing),
        cmocka_unit_test(answers_beyond_the_credit_follow_as_it_comes),
        cmocka_unit_test(credit_is_halved_after_a_loss),
    };

    return cmocka_run_group_tests_name("bus-session", tests, NULL, NULL);
}
