// SPDX-License-Identifier: EPL-2.0
/* A node of the bus beside a hand-written proxy: sessions, loss, credit,
 * late joiners, replay, requests. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../bus/node.h"

#define EPOCH (1ull << 20)
#define RULES "/forwarder/F1/site_A_rules"
#define STATE "/forwarder/F1/site_A_state"
#define DAY_TICKS (24 * 3600 * 4)

/* The proxy's side of the one connection. */
struct proxy {
    struct bus_node *node;
    GQueue sent;        /* Frames of the node that nobody has looked at. */
    bool is_full;       /* Nothing can be sent. */
    uint64_t session;
    uint32_t n_counted; /* Frames that this side sent in the session. */
    char heard[4096];   /* What listeners and askers were told. */
};

static bool
take_frame(const struct bus_frame *frame, void *aux)
{
    struct proxy *proxy = aux;

    if (proxy->is_full) {
        return false;
    }
    if (frame->kind == BUS_HELLO) {
        proxy->session = frame->sequence;
    }
    g_queue_push_tail(&proxy->sent, bus_frame_keep(frame));
    return true;
}

static void __attribute__((format(printf, 2, 3)))
note(struct proxy *proxy, const char *format, ...)
{
    size_t used = strlen(proxy->heard);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(proxy->heard + used, sizeof proxy->heard - used, format,
              arguments);
    va_end(arguments);
}

static void
hear_message(const char *topic, const char *publisher, const char *body,
             size_t size, void *aux)
{
    (void) topic;
    assert_int_equal(strlen(body), size);
    note(aux, "%s:%s ", publisher, body);
}

static void
hear_gap(const char *topic, const char *publisher, uint64_t n_messages,
         const char *reason, void *aux)
{
    (void) topic;
    (void) reason;
    note(aux, "%s:gap%llu ", publisher, (unsigned long long) n_messages);
}

static void
hear_answer(enum bus_outcome outcome, const char *text, size_t size,
            void *aux)
{
    static const char *const outcomes[] = {
        [BUS_REPLIED] = "replied", [BUS_DENIED] = "denied",
        [BUS_TIMED_OUT] = "timed-out",
    };

    (void) size;
    note(aux, "%s:%s ", outcomes[outcome], text);
}

static void
setup_with(struct proxy *proxy, const struct bus_limits *limits)
{
    *proxy = (struct proxy) {0};
    proxy->node = bus_node_create("A/F1", EPOCH, limits, take_frame, proxy);
}

/* Forgets what the node sent. */
static void
forget(struct proxy *proxy)
{
    struct bus_frame *frame;

    while ((frame = g_queue_pop_head(&proxy->sent))) {
        bus_frame_release(frame);
    }
}

static void
teardown(struct proxy *proxy)
{
    bus_node_destroy(proxy->node);
    forget(proxy);
}

/* Gives a frame to the node, as it stands. */
static void
give(struct proxy *proxy, struct bus_frame frame)
{
    struct bus_frame *kept;

    frame.node = frame.node ? frame.node : "";
    frame.topic = frame.topic ? frame.topic : "";
    kept = bus_frame_keep(&frame);
    bus_node_receive(proxy->node, kept);
    bus_frame_release(kept);
    bus_node_deliver(proxy->node);
}

/* Gives a frame of the session. */
static void
give_counted(struct proxy *proxy, struct bus_frame frame)
{
    frame.count = ++proxy->n_counted;
    give(proxy, frame);
}

static void
give_message(struct proxy *proxy, enum bus_kind kind, uint64_t sequence,
             uint64_t mark, const char *body)
{
    give_counted(proxy, (struct bus_frame) {
        .kind = kind, .epoch = 7, .sequence = sequence, .mark = mark,
        .node = "A/board", .topic = RULES, .body = body,
        .body_size = strlen(body),
    });
}

static void
connect(struct proxy *proxy)
{
    bus_node_tick(proxy->node);
    proxy->n_counted = 0;
    give(proxy, (struct bus_frame) {
        .kind = BUS_WELCOME, .node = "A", .sequence = proxy->session,
    });
}

/* The next frame of a kind that the node sent; those before are forgotten.
 * The caller releases it. */
static struct bus_frame *
next(struct proxy *proxy, enum bus_kind kind)
{
    struct bus_frame *frame;

    while ((frame = g_queue_pop_head(&proxy->sent)) && frame->kind != kind) {
        bus_frame_release(frame);
    }
    if (!frame) {
        fail_msg("the node sent no frame of kind %d", kind);
    }
    return frame;
}

/* Asserts on the next frame of a kind. */
static void
expect(struct proxy *proxy, enum bus_kind kind, const char *topic,
       uint64_t sequence, uint64_t mark, const char *body)
{
    struct bus_frame *frame = next(proxy, kind);

    assert_string_equal(frame->topic, topic);
    assert_int_equal(frame->sequence, sequence);
    assert_int_equal(frame->mark, mark);
    assert_string_equal(frame->body, body);
    bus_frame_release(frame);
}

static int
publish(struct proxy *proxy, const char *topic, const char *body)
{
    return bus_node_publish(proxy->node, topic, body, strlen(body));
}

static int
subscribe(struct proxy *proxy, const char *filter)
{
    const struct bus_listener listener = {
        .message = hear_message, .gap = hear_gap, .aux = proxy,
    };

    return bus_node_subscribe(proxy->node, filter, &listener);
}

static void
expect_heard(struct proxy *proxy, const char *heard)
{
    bus_node_deliver(proxy->node);
    assert_string_equal(proxy->heard, heard);
    proxy->heard[0] = '\0';
}

static void
filters_and_last_values_are_told_in_each_session(void **state)
{
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    assert_int_equal(subscribe(&proxy, RULES), 0);
    assert_int_equal(publish(&proxy, STATE, "old"), 0);
    assert_int_equal(publish(&proxy, STATE, "new"), 0);
    connect(&proxy);
    expect(&proxy, BUS_HELLO, "", 1, 0, "");
    expect(&proxy, BUS_SUBSCRIBE, RULES, 0, 0, "");
    expect(&proxy, BUS_DATA, STATE, 2, 1, "new");
    assert_int_equal(subscribe(&proxy, "/"), 0);
    expect(&proxy, BUS_SUBSCRIBE, "/", 0, 0, "");

    give(&proxy, (struct bus_frame) {.kind = BUS_AGAIN});
    expect(&proxy, BUS_HELLO, "", 2, 1, "");
    connect(&proxy);
    expect(&proxy, BUS_SUBSCRIBE, RULES, 1, 0, "");
    expect(&proxy, BUS_SUBSCRIBE, "/", 1, 0, "");
    expect(&proxy, BUS_DATA, STATE, 2, 1, "new");
    teardown(&proxy);
}

static void
hello_is_repeated_with_another_number(void **state)
{
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    for (int i = 0; i < 5; i++) {
        bus_node_tick(proxy.node);
    }
    expect(&proxy, BUS_HELLO, "", 1, 0, "");
    expect(&proxy, BUS_HELLO, "", 2, 0, "");
    assert_null(g_queue_peek_head(&proxy.sent));
    give(&proxy, (struct bus_frame) {
        .kind = BUS_WELCOME, .node = "A", .sequence = 1,
    });
    assert_false(bus_node_link_state(proxy.node).is_up);
    give(&proxy, (struct bus_frame) {
        .kind = BUS_WELCOME, .node = "A", .sequence = 2,
    });
    assert_true(bus_node_link_state(proxy.node).is_up);
    teardown(&proxy);
}

static void
lost_frame_begins_another_session(void **state)
{
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    subscribe(&proxy, RULES);
    connect(&proxy);
    give_message(&proxy, BUS_DATA, 1, 1, "a");
    proxy.n_counted++;
    give_message(&proxy, BUS_DATA, 3, 1, "c");
    expect_heard(&proxy, "A/board:a ");
    forget(&proxy);
    connect(&proxy);
    give_message(&proxy, BUS_DATA, 3, 1, "c");
    expect(&proxy, BUS_REPLAY, RULES, 2, 2, "");
    give_message(&proxy, BUS_REPLAYED, 2, 1, "b");
    expect_heard(&proxy, "A/board:b A/board:c ");
    teardown(&proxy);
}

static void
status_that_counts_others_begins_another_session(void **state)
{
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    connect(&proxy);
    give(&proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy.session, .sequence = 1,
    });
    assert_false(bus_node_link_state(proxy.node).is_up);
    assert_int_equal(bus_node_link_state(proxy.node).n_renewals, 1);
    teardown(&proxy);
}

static void
silence_of_five_seconds_ends_a_session(void **state)
{
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    connect(&proxy);
    for (int i = 0; i < 20; i++) {
        bus_node_tick(proxy.node);
    }
    assert_true(bus_node_link_state(proxy.node).is_up);
    bus_node_tick(proxy.node);
    assert_false(bus_node_link_state(proxy.node).is_up);
    teardown(&proxy);
}

static void
window_bounds_what_is_under_way(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;

    (void) state;
    limits.window = 4;
    setup_with(&proxy, &limits);
    connect(&proxy);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(publish(&proxy, STATE, "x"), 0);
    }
    assert_int_equal(publish(&proxy, STATE, "x"), EAGAIN);
    give(&proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy.session, .mark = 1,
    });
    assert_int_equal(publish(&proxy, STATE, "y"), 0);
    assert_int_equal(publish(&proxy, STATE, "z"), EAGAIN);
    teardown(&proxy);
}

static void
what_found_no_room_follows_as_last_value(void **state)
{
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    connect(&proxy);
    forget(&proxy);
    proxy.is_full = true;
    assert_int_equal(publish(&proxy, STATE, "a"), 0);
    assert_int_equal(publish(&proxy, STATE, "b"), 0);
    assert_true(bus_node_drain(proxy.node));
    proxy.is_full = false;
    assert_false(bus_node_drain(proxy.node));
    expect(&proxy, BUS_DATA, STATE, 2, 1, "b");
    assert_null(g_queue_peek_head(&proxy.sent));
    teardown(&proxy);
}

static void
replay_gives_what_is_kept_and_tells_what_is_gone(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;

    (void) state;
    limits.retained_messages = 2;
    setup_with(&proxy, &limits);
    connect(&proxy);
    for (const char *body = "abcd"; *body; body++) {
        bus_node_publish(proxy.node, STATE, body, 1);
    }
    forget(&proxy);
    give_counted(&proxy, (struct bus_frame) {
        .kind = BUS_REPLAY, .epoch = EPOCH, .sequence = 2, .mark = 4,
        .node = "A/F1", .topic = STATE,
    });
    expect(&proxy, BUS_GAP, STATE, 2, 2, "");
    expect(&proxy, BUS_REPLAYED, STATE, 3, 1, "c");
    expect(&proxy, BUS_REPLAYED, STATE, 4, 1, "d");
    give_counted(&proxy, (struct bus_frame) {
        .kind = BUS_REPLAY, .epoch = EPOCH - 1, .sequence = 1, .mark = 9,
        .node = "A/F1", .topic = STATE,
    });
    expect(&proxy, BUS_GAP, STATE, 1, 9, "");
    teardown(&proxy);
}

static void
withdrawn_topic_is_another_stream_after_a_day(void **state)
{
    struct proxy proxy;
    struct bus_frame *frame;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    publish(&proxy, STATE, "a");
    publish(&proxy, STATE, "");
    for (int i = 0; i < DAY_TICKS; i++) {
        bus_node_tick(proxy.node);
        forget(&proxy);
    }
    connect(&proxy);
    publish(&proxy, STATE, "b");
    frame = next(&proxy, BUS_DATA);
    assert_int_equal(frame->epoch, EPOCH + 1);
    assert_int_equal(frame->sequence, 1);
    bus_frame_release(frame);
    teardown(&proxy);
}

static void
refused_publications_leave_nothing(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;
    char *large = g_strnfill(BUS_BODY_SIZE + 1, 'x');

    (void) state;
    limits.streams = 1;
    setup_with(&proxy, &limits);
    assert_int_equal(publish(&proxy, "no topic", "x"), EINVAL);
    assert_int_equal(publish(&proxy, "/c1/site_B_rules", "x"), EINVAL);
    assert_int_equal(publish(&proxy, "/c1/site_AA_rules", "x"), EINVAL);
    assert_int_equal(publish(&proxy, STATE, large), EMSGSIZE);
    assert_int_equal(publish(&proxy, STATE, "x"), 0);
    assert_int_equal(publish(&proxy, "/another", "x"), ENOSPC);
    connect(&proxy);
    expect(&proxy, BUS_DATA, STATE, 1, 1, "x");
    assert_null(g_queue_peek_head(&proxy.sent));
    g_free(large);
    teardown(&proxy);
}

static void
later_subscription_hears_the_last_value(void **state)
{
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    assert_int_equal(subscribe(&proxy, "no filter"), EINVAL);
    assert_int_equal(subscribe(&proxy, RULES), 0);
    assert_int_equal(subscribe(&proxy, RULES), EEXIST);
    connect(&proxy);
    give_message(&proxy, BUS_DATA, 4, 4, "a");
    expect_heard(&proxy, "A/board:a ");
    subscribe(&proxy, "/forwarder/");
    expect_heard(&proxy, "A/board:a ");
    give_message(&proxy, BUS_DATA, 5, 1, "");
    expect_heard(&proxy, "A/board: A/board: ");
    subscribe(&proxy, "/");
    expect_heard(&proxy, "");
    forget(&proxy);
    assert_int_equal(bus_node_unsubscribe(proxy.node, RULES), 0);
    expect(&proxy, BUS_UNSUBSCRIBE, RULES, 0, 0, "");
    assert_int_equal(bus_node_unsubscribe(proxy.node, RULES), ENOENT);
    give_message(&proxy, BUS_DATA, 6, 1, "b");
    expect_heard(&proxy, "A/board:b A/board:b ");
    teardown(&proxy);
}

static void
withdrawn_value_is_not_told_to_late_joiners(void **state)
{
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    subscribe(&proxy, RULES);
    connect(&proxy);
    give_message(&proxy, BUS_DATA, 4, 4, "");
    expect_heard(&proxy, "");
    give_message(&proxy, BUS_DATA, 5, 1, "a");
    expect_heard(&proxy, "A/board:a ");
    teardown(&proxy);
}

static void
stream_that_cant_be_followed_is_told_of(void **state)
{
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy;

    (void) state;
    limits.streams = 1;
    setup_with(&proxy, &limits);
    subscribe(&proxy, "/");
    connect(&proxy);
    for (int i = 0; i <= 16; i++) {
        char publisher[16];

        snprintf(publisher, sizeof publisher, "A/%d", i);
        give_counted(&proxy, (struct bus_frame) {
            .kind = BUS_DATA, .epoch = 1, .sequence = 1, .mark = 1,
            .node = publisher, .topic = "/t", .body = "x", .body_size = 1,
        });
    }
    assert_non_null(strstr(proxy.heard, "A/15:x A/16:gap1 "));
    teardown(&proxy);
}

static void
requests_end_with_what_their_node_or_a_proxy_says(void **state)
{
    static const struct {
        enum bus_kind kind;
        const char *node;
        uint64_t epoch;
        const char *heard;
    } answers[] = {
        {BUS_REPLY, "B/other", EPOCH, "replied:text "},
        {BUS_REFUSED, "B/other", EPOCH, "denied:text "},
        {BUS_REFUSED, "B", EPOCH, "denied:text "},
        {BUS_REFUSED, "A", EPOCH, "denied:text "},
        {BUS_REFUSED, "C", EPOCH, ""},
        {BUS_REPLY, "B/third", EPOCH, ""},
        {BUS_REPLY, "B/other", EPOCH + 1, ""},
    };
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    assert_int_equal(bus_node_request(proxy.node, "B/other", "q", 1,
                                      hear_answer, &proxy), EAGAIN);
    connect(&proxy);
    assert_int_equal(bus_node_request(proxy.node, "B", "q", 1, hear_answer,
                                      &proxy), EINVAL);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        assert_int_equal(bus_node_request(proxy.node, "B/other", "q", 1,
                                          hear_answer, &proxy), 0);
        expect(&proxy, BUS_REQUEST, "B/other", i + 1, 0, "q");
        give_counted(&proxy, (struct bus_frame) {
            .kind = answers[i].kind, .epoch = answers[i].epoch,
            .sequence = i + 1, .node = answers[i].node, .topic = "A/F1",
            .body = "text", .body_size = 4,
        });
        expect_heard(&proxy, answers[i].heard);
    }
    for (int i = 0; i < 40; i++) {
        bus_node_tick(proxy.node);
    }
    expect_heard(&proxy, "timed-out: timed-out: timed-out: ");
    connect(&proxy);
    bus_node_request(proxy.node, "B/other", "q", 1, hear_answer, &proxy);
    teardown(&proxy);
    assert_string_equal(proxy.heard, "timed-out: ");
}

static char *
echo_or_refuse(const char *asker, const char *body, size_t size,
               char reason[BUS_REASON_SIZE], void *aux)
{
    (void) aux;
    if (!strcmp(asker, "B/asker")) {
        return strndup(body, size);
    }
    snprintf(reason, BUS_REASON_SIZE, "not for %s", asker);
    return NULL;
}

static void
requests_of_others_are_answered(void **state)
{
    static const char *const askers[] = {"B/asker", "B/stranger"};
    struct proxy proxy;

    (void) state;
    setup_with(&proxy, &BUS_LIMITS_DEFAULT);
    connect(&proxy);
    for (uint64_t i = 0; i < 3; i++) {
        give_counted(&proxy, (struct bus_frame) {
            .kind = BUS_REQUEST, .epoch = 9, .sequence = i,
            .node = askers[i % 2], .topic = "A/F1", .body = "text",
            .body_size = 4,
        });
        bus_node_handle(proxy.node, echo_or_refuse, NULL);
    }
    expect(&proxy, BUS_REFUSED, "B/asker", 0, 0,
           "this node answers no requests");
    expect(&proxy, BUS_REFUSED, "B/stranger", 1, 0, "not for B/stranger");
    expect(&proxy, BUS_REPLY, "B/asker", 2, 0, "text");
    teardown(&proxy);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_and_last_values_are_told_in_each_session),
        cmocka_unit_test(hello_is_repeated_with_another_number),
        cmocka_unit_test(lost_frame_begins_another_session),
        cmocka_unit_test(status_that_counts_others_begins_another_session),
        cmocka_unit_test(silence_of_five_seconds_ends_a_session),
        cmocka_unit_test(window_bounds_what_is_under_way),
        cmocka_unit_test(what_found_no_room_follows_as_last_value),
        cmocka_unit_test(replay_gives_what_is_kept_and_tells_what_is_gone),
        cmocka_unit_test(withdrawn_topic_is_another_stream_after_a_day),
        cmocka_unit_test(refused_publications_leave_nothing),
        cmocka_unit_test(later_subscription_hears_the_last_value),
        cmocka_unit_test(withdrawn_value_is_not_told_to_late_joiners),
        cmocka_unit_test(stream_that_cant_be_followed_is_told_of),
        cmocka_unit_test(requests_end_with_what_their_node_or_a_proxy_says),
        cmocka_unit_test(requests_of_others_are_answered),
    };

    return cmocka_run_group_tests_name("bus-node", tests, NULL, NULL);
}
