// SPDX-License-Identifier: EPL-2.0
/* What a node of the bus hears: messages in order, last values, gaps,
 * requests and answers. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proxy.h"

static void
later_subscription_hears_the_last_value(void **state)
{
    struct proxy *proxy = *state;

    assert_int_equal(proxy_subscribe(proxy, "no filter"), EINVAL);
    assert_int_equal(proxy_subscribe(proxy, RULES), 0);
    assert_int_equal(proxy_subscribe(proxy, RULES), EEXIST);
    proxy_connect(proxy);
    proxy_give_message(proxy, BUS_DATA, 4, 4, "a");
    proxy_expect_heard(proxy, "A/board:a ");
    proxy_subscribe(proxy, "/forwarder/");
    proxy_expect_heard(proxy, "A/board:a ");
    proxy_give_message(proxy, BUS_DATA, 5, 1, "");
    proxy_expect_heard(proxy, "A/board: A/board: ");
    proxy_subscribe(proxy, "/");
    proxy_expect_heard(proxy, "");
    proxy_forget(proxy);
    assert_int_equal(bus_node_unsubscribe(proxy->node, RULES), 0);
    proxy_expect(proxy, BUS_UNSUBSCRIBE, RULES, 0, 0, "");
    assert_int_equal(bus_node_unsubscribe(proxy->node, RULES), ENOENT);
    proxy_give_message(proxy, BUS_DATA, 6, 1, "b");
    proxy_expect_heard(proxy, "A/board:b A/board:b ");
}

static void
withdrawn_value_is_not_told_to_late_joiners(void **state)
{
    struct proxy *proxy = *state;

    proxy_subscribe(proxy, RULES);
    proxy_connect(proxy);
    proxy_give_message(proxy, BUS_DATA, 4, 4, "");
    proxy_expect_heard(proxy, "");
    proxy_give_message(proxy, BUS_DATA, 5, 1, "a");
    proxy_expect_heard(proxy, "A/board:a ");
}

static void
value_of_a_publisher_that_is_gone_is_withdrawn(void **state)
{
    struct proxy *proxy = *state;

    proxy_subscribe(proxy, RULES);
    proxy_connect(proxy);
    proxy_give_message(proxy, BUS_DATA, 4, 4, "a");
    proxy_give_message(proxy, BUS_DATA, 4, 1, "");
    proxy_expect_heard(proxy, "A/board:a A/board: ");
    proxy_subscribe(proxy, "/");
    proxy_expect_heard(proxy, "");
    proxy_give_message(proxy, BUS_DATA, 4, 1, "a");
    proxy_expect_heard(proxy, "A/board:a A/board:a ");
    assert_int_equal(bus_node_link_state(proxy->node).n_duplicates, 0);
}

static void
stream_that_cant_be_followed_is_told_of(void **state)
{
    struct proxy *proxy = *state;
    struct bus_limits limits = BUS_LIMITS_DEFAULT;

    limits.streams = 1;
    proxy_renew(proxy, &limits);
    proxy_subscribe(proxy, "/");
    proxy_connect(proxy);
    for (int i = 0; i <= 16; i++) {
        char publisher[16];

        snprintf(publisher, sizeof publisher, "A/%d", i);
        proxy_give_counted(proxy, (struct bus_frame) {
            .kind = BUS_DATA, .epoch = 1, .sequence = 1, .mark = 1,
            .node = publisher, .topic = "/t", .body = "x", .body_size = 1,
        });
    }
    assert_non_null(strstr(proxy->heard, "A/15:x A/16:gap1 "));
}

static void
listen_no_more(const char *topic, const char *publisher, const char *body,
               size_t size, void *aux)
{
    struct proxy *proxy = aux;

    proxy_hear_message(topic, publisher, body, size, proxy);
    assert_int_equal(proxy_publish(proxy, STATE, "heard"), 0);
    assert_int_equal(bus_node_unsubscribe(proxy->node, RULES), 0);
    assert_int_equal(proxy_subscribe(proxy, "/forwarder/"), 0);
}

static void
listeners_may_change_what_they_listen_to(void **state)
{
    struct proxy *proxy = *state;

    bus_node_subscribe(proxy->node, RULES, &(struct bus_listener) {
                           .message = listen_no_more, .gap = proxy_hear_gap,
                           .aux = proxy,
                       });
    proxy_connect(proxy);
    proxy_give_message(proxy, BUS_DATA, 1, 1, "a");
    proxy_expect(proxy, BUS_DATA, STATE, 1, 1, "heard");
    proxy_expect(proxy, BUS_SUBSCRIBE, "/forwarder/", 0, 0, "");
    proxy_give_message(proxy, BUS_DATA, 2, 2, "b");
    proxy_expect_heard(proxy, "A/board:a A/board:b ");
}

/* What is said to a request to B/other, and what its node hears of it. */
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

/* Asks B/other and gives answer 'i'. */
static void
ask_and_answer(struct proxy *proxy, size_t i)
{
    assert_int_equal(bus_node_request(proxy->node, "B/other", "q", 1,
                                      proxy_hear_answer, proxy), 0);
    proxy_expect(proxy, BUS_REQUEST, "B/other", i + 1, 0, "q");
    proxy_give_counted(proxy, (struct bus_frame) {
        .kind = answers[i].kind, .epoch = answers[i].epoch,
        .sequence = i + 1, .node = answers[i].node, .topic = "A/F1",
        .body = "text", .body_size = 4,
    });
    proxy_expect_heard(proxy, answers[i].heard);
}

static void
requests_end_with_what_their_node_or_a_proxy_says(void **state)
{
    struct proxy *proxy = *state;

    assert_int_equal(bus_node_request(proxy->node, "B/other", "q", 1,
                                      proxy_hear_answer, proxy), EAGAIN);
    proxy_connect(proxy);
    assert_int_equal(bus_node_request(proxy->node, "B", "q", 1,
                                      proxy_hear_answer, proxy), EINVAL);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        ask_and_answer(proxy, i);
    }
    for (int i = 0; i < 40; i++) {
        bus_node_tick(proxy->node);
    }
    proxy_expect_heard(proxy, "timed-out: timed-out: timed-out: ");
    proxy_connect(proxy);
    bus_node_request(proxy->node, "B/other", "q", 1, proxy_hear_answer, proxy);
    proxy_teardown(proxy);
    assert_string_equal(proxy->heard, "timed-out: ");
}

static void
ask_again(enum bus_outcome outcome, const char *text, size_t size, void *aux)
{
    struct proxy *proxy = aux;

    proxy_hear_answer(outcome, text, size, proxy);
    proxy_note(proxy, "%s ", bus_node_request(proxy->node, "B/other", "q", 1,
                                        proxy_hear_answer, proxy) == EAGAIN
                       ? "refused" : "taken");
}

static void
nothing_is_asked_of_a_node_that_goes(void **state)
{
    struct proxy *proxy = *state;

    assert_int_equal(bus_node_request(proxy->node, "B/other", "q", 1,
                                      ask_again, proxy), 0);
    proxy_teardown(proxy);
    assert_string_equal(proxy->heard, "timed-out: refused ");
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
    struct proxy *proxy = *state;

    for (uint64_t i = 0; i < 3; i++) {
        proxy_give_counted(proxy, (struct bus_frame) {
            .kind = BUS_REQUEST, .epoch = 9, .sequence = i,
            .node = askers[i % 2], .topic = "A/F1", .body = "text",
            .body_size = 4,
        });
        bus_node_handle(proxy->node, echo_or_refuse, NULL);
    }
    proxy_expect(proxy, BUS_REFUSED, "B/asker", 0, 0,
                 "this node answers no requests");
    proxy_expect(proxy, BUS_REFUSED, "B/stranger", 1, 0,
                 "not for B/stranger");
    proxy_expect(proxy, BUS_REPLY, "B/asker", 2, 0, "text");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_NODE(later_subscription_hears_the_last_value),
        WITH_NODE(withdrawn_value_is_not_told_to_late_joiners),
        WITH_NODE(value_of_a_publisher_that_is_gone_is_withdrawn),
        WITH_NODE(stream_that_cant_be_followed_is_told_of),
        WITH_NODE(listeners_may_change_what_they_listen_to),
        WITH_NODE(requests_end_with_what_their_node_or_a_proxy_says),
        WITH_SESSION(nothing_is_asked_of_a_node_that_goes),
        WITH_SESSION(requests_of_others_are_answered),
    };

    return cmocka_run_group_tests_name("bus-listener", tests, NULL, NULL);
}
