// SPDX-License-Identifier: EPL-2.0
/* What a node of the bus publishes: credit, last values, replay. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "proxy.h"

#define DAY_TICKS (24 * 3600 * 4)

static void
window_bounds_what_is_under_way(void **state)
{
    struct proxy *proxy = *state;
    struct bus_limits limits = BUS_LIMITS_DEFAULT;

    limits.window = 4;
    proxy_renew(proxy, &limits);
    proxy_connect(proxy);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(proxy_publish(proxy, STATE, "x"), 0);
    }
    assert_int_equal(proxy_publish(proxy, STATE, "x"), EAGAIN);
    proxy_confirm(proxy, 1);
    assert_int_equal(proxy_publish(proxy, STATE, "y"), 0);
    assert_int_equal(proxy_publish(proxy, STATE, "z"), EAGAIN);
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
    struct proxy *proxy = *state;
    struct bus_limits limits = BUS_LIMITS_DEFAULT;

    limits.window = 4;
    limits.retained_messages = 10;
    limits.retained_bytes = 1000;
    proxy_renew(proxy, &limits);
    proxy_connect(proxy);
    assert_int_equal(n_taken(proxy, 1), 4);
    bus_node_reconnect(proxy->node);
    assert_int_equal(n_taken(proxy, 1), 6);
    proxy_connect(proxy);
    proxy_confirm(proxy, 1);
    assert_int_equal(n_taken(proxy, 400), 2);
    assert_int_equal(proxy_publish(proxy, STATE, "x"), 0);
    bus_node_reconnect(proxy->node);
    assert_int_equal(n_taken(proxy, 200), 0);
}

static void
what_found_no_room_follows_as_last_value(void **state)
{
    struct proxy *proxy = *state;

    proxy_forget(proxy);
    proxy->is_full = true;
    assert_int_equal(proxy_publish(proxy, STATE, "a"), 0);
    assert_int_equal(proxy_publish(proxy, STATE, "b"), 0);
    assert_true(bus_node_drain(proxy->node));
    proxy->is_full = false;
    assert_false(bus_node_drain(proxy->node));
    proxy_expect(proxy, BUS_DATA, STATE, 2, 1, "b");
    assert_null(g_queue_peek_head(&proxy->sent));
}

/* Asks for messages of the node again. */
static void
ask_for(struct proxy *proxy, uint64_t epoch, uint64_t first, uint64_t last)
{
    proxy_give_counted(proxy, (struct bus_frame) {
        .kind = BUS_REPLAY, .epoch = epoch, .sequence = first, .mark = last,
        .node = "A/F1", .topic = STATE,
    });
}

static void
replay_gives_what_is_kept_and_tells_what_is_gone(void **state)
{
    struct proxy *proxy = *state;
    struct bus_limits limits = BUS_LIMITS_DEFAULT;

    limits.retained_messages = 2;
    proxy_renew(proxy, &limits);
    proxy_connect(proxy);
    for (uint64_t i = 0; i < 4; i++) {
        bus_node_publish(proxy->node, STATE, "abcd" + i, 1);
        proxy_confirm(proxy, i + 1);
    }
    proxy_forget(proxy);
    ask_for(proxy, EPOCH, 2, 4);
    proxy_expect(proxy, BUS_GAP, STATE, 2, 2, "");
    proxy_expect(proxy, BUS_REPLAYED, STATE, 3, 1, "c");
    proxy_expect(proxy, BUS_REPLAYED, STATE, 4, 1, "d");
    ask_for(proxy, EPOCH - 1, 1, 9);
    proxy_expect(proxy, BUS_GAP, STATE, 1, 9, "");
}

static void
withdrawn_topic_is_another_stream_after_a_day(void **state)
{
    struct proxy *proxy = *state;
    struct bus_frame *frame;

    proxy_publish(proxy, STATE, "a");
    proxy_publish(proxy, STATE, "");
    for (int i = 0; i < DAY_TICKS; i++) {
        bus_node_tick(proxy->node);
        proxy_forget(proxy);
    }
    proxy_connect(proxy);
    proxy_publish(proxy, STATE, "b");
    frame = proxy_next(proxy, BUS_DATA);
    assert_int_equal(frame->epoch, EPOCH + 1);
    assert_int_equal(frame->sequence, 1);
    bus_frame_release(frame);
}

static void
refused_publications_leave_nothing(void **state)
{
    struct proxy *proxy = *state;
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    char *large = g_strnfill(BUS_BODY_SIZE + 1, 'x');

    limits.streams = 1;
    proxy_renew(proxy, &limits);
    assert_int_equal(proxy_publish(proxy, "no topic", "x"), EINVAL);
    assert_int_equal(proxy_publish(proxy, "/c1/site_B_rules", "x"), EINVAL);
    assert_int_equal(proxy_publish(proxy, "/c1/site_AA_rules", "x"), EINVAL);
    assert_int_equal(proxy_publish(proxy, STATE, large), EMSGSIZE);
    assert_int_equal(proxy_publish(proxy, STATE, "x"), 0);
    assert_int_equal(proxy_publish(proxy, "/another", "x"), ENOSPC);
    assert_int_equal(bus_node_link_state(proxy->node).n_refused, 2);
    proxy_connect(proxy);
    proxy_expect(proxy, BUS_DATA, STATE, 1, 1, "x");
    assert_null(g_queue_peek_head(&proxy->sent));
    g_free(large);
}

static void
answers_beyond_the_credit_follow_as_it_comes(void **state)
{
    struct proxy *proxy = *state;
    struct bus_limits limits = BUS_LIMITS_DEFAULT;

    limits.window = 4;
    proxy_renew(proxy, &limits);
    for (const char *body = "abcdef"; *body; body++) {
        bus_node_publish(proxy->node, STATE, body, 1);
    }
    proxy_connect(proxy);
    proxy_confirm(proxy, 1);
    proxy_forget(proxy);
    ask_for(proxy, EPOCH, 1, 5);
    for (uint64_t i = 1; i <= 4; i++) {
        proxy_expect(proxy, BUS_REPLAYED, STATE, i, 1,
                     (const char [2]) {"abcd"[i - 1]});
    }
    assert_int_equal(bus_node_link_state(proxy->node).n_waiting, 1);
    proxy_confirm(proxy, 3);
    proxy_expect(proxy, BUS_REPLAYED, STATE, 5, 1, "e");
    assert_int_equal(bus_node_link_state(proxy->node).n_waiting, 0);
}

static void
credit_is_halved_after_a_loss(void **state)
{
    struct proxy *proxy = *state;
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    int n = 0;

    limits.window = 16;
    proxy_renew(proxy, &limits);
    proxy_connect(proxy);
    while (proxy_publish(proxy, STATE, "x") == 0) {
        n++;
    }
    assert_int_equal(n, 16);
    bus_node_reconnect(proxy->node);
    proxy_connect(proxy);
    for (n = 1; proxy_publish(proxy, STATE, "x") == 0; n++) {
    }
    assert_int_equal(n, 8);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_NODE(window_bounds_what_is_under_way),
        WITH_NODE(no_more_is_taken_than_is_kept),
        WITH_SESSION(what_found_no_room_follows_as_last_value),
        WITH_NODE(replay_gives_what_is_kept_and_tells_what_is_gone),
        WITH_NODE(withdrawn_topic_is_another_stream_after_a_day),
        WITH_NODE(refused_publications_leave_nothing),
        WITH_NODE(answers_beyond_the_credit_follow_as_it_comes),
        WITH_NODE(credit_is_halved_after_a_loss),
    };

    return cmocka_run_group_tests_name("bus-streams", tests, NULL, NULL);
}
