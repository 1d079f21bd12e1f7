// SPDX-License-Identifier: EPL-2.0
#include "proxy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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

void
proxy_note(struct proxy *proxy, const char *format, ...)
{
    size_t used = strlen(proxy->heard);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(proxy->heard + used, sizeof proxy->heard - used, format,
              arguments);
    va_end(arguments);
}

void
proxy_hear_message(const char *topic, const char *publisher, const char *body,
             size_t size, void *aux)
{
    (void) topic;
    assert_int_equal(strlen(body), size);
    proxy_note(aux, "%s:%s ", publisher, body);
}

void
proxy_hear_gap(const char *topic, const char *publisher, uint64_t n_messages,
         const char *reason, void *aux)
{
    (void) topic;
    (void) reason;
    proxy_note(aux, "%s:gap%llu ", publisher, (unsigned long long) n_messages);
}

void
proxy_hear_answer(enum bus_outcome outcome, const char *text, size_t size,
            void *aux)
{
    static const char *const outcomes[] = {
        [BUS_REPLIED] = "replied", [BUS_DENIED] = "denied",
        [BUS_TIMED_OUT] = "timed-out",
    };

    (void) size;
    proxy_note(aux, "%s:%s ", outcomes[outcome], text);
}

void
proxy_setup_as(struct proxy *proxy, const char *name, uint64_t epoch,
               const struct bus_limits *limits)
{
    *proxy = (struct proxy) {0};
    proxy->node = bus_node_create(name, epoch, limits, take_frame, proxy);
}

void
proxy_setup(struct proxy *proxy, const struct bus_limits *limits)
{
    proxy_setup_as(proxy, "A/F1", EPOCH, limits);
}

/* Forgets what the node sent. */
void
proxy_forget(struct proxy *proxy)
{
    struct bus_frame *frame;

    while ((frame = g_queue_pop_head(&proxy->sent))) {
        bus_frame_release(frame);
    }
}

void
proxy_teardown(struct proxy *proxy)
{
    bus_node_destroy(proxy->node);
    proxy->node = NULL;
    proxy_forget(proxy);
}

void
proxy_renew(struct proxy *proxy, const struct bus_limits *limits)
{
    proxy_teardown(proxy);
    proxy_setup(proxy, limits);
}

int
proxy_start(void **state)
{
    static struct proxy proxy;

    proxy_setup(&proxy, &BUS_LIMITS_DEFAULT);
    *state = &proxy;
    return 0;
}

int
proxy_start_session(void **state)
{
    proxy_start(state);
    proxy_connect(*state);
    return 0;
}

int
proxy_stop(void **state)
{
    proxy_teardown(*state);
    return 0;
}

/* Gives a frame to the node, as it stands. */
void
proxy_give(struct proxy *proxy, struct bus_frame frame)
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
void
proxy_give_counted(struct proxy *proxy, struct bus_frame frame)
{
    frame.count = ++proxy->n_counted;
    proxy_give(proxy, frame);
}

void
proxy_give_message(struct proxy *proxy, enum bus_kind kind, uint64_t sequence,
             uint64_t mark, const char *body)
{
    proxy_give_counted(proxy, (struct bus_frame) {
        .kind = kind, .epoch = 7, .sequence = sequence, .mark = mark,
        .node = "A/board", .topic = RULES, .body = body,
        .body_size = strlen(body),
    });
}

void
proxy_connect(struct proxy *proxy)
{
    bus_node_tick(proxy->node);
    proxy->n_counted = 0;
    proxy_give(proxy, (struct bus_frame) {
        .kind = BUS_WELCOME, .node = "A", .sequence = proxy->session,
    });
}

void
proxy_confirm(struct proxy *proxy, uint64_t n)
{
    proxy_give(proxy, (struct bus_frame) {
        .kind = BUS_STATUS, .epoch = proxy->session,
        .sequence = proxy->n_counted, .mark = n,
    });
}

/* The next frame of a kind that the node sent; those before are forgotten.
 * The caller releases it. */
struct bus_frame *
proxy_next(struct proxy *proxy, enum bus_kind kind)
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
void
proxy_expect(struct proxy *proxy, enum bus_kind kind, const char *topic,
       uint64_t sequence, uint64_t mark, const char *body)
{
    struct bus_frame *frame = proxy_next(proxy, kind);

    assert_string_equal(frame->topic, topic);
    assert_int_equal(frame->sequence, sequence);
    assert_int_equal(frame->mark, mark);
    assert_string_equal(frame->body, body);
    bus_frame_release(frame);
}

int
proxy_publish(struct proxy *proxy, const char *topic, const char *body)
{
    return bus_node_publish(proxy->node, topic, body, strlen(body));
}

int
proxy_subscribe(struct proxy *proxy, const char *filter)
{
    const struct bus_listener listener = {
        .message = proxy_hear_message, .gap = proxy_hear_gap, .aux = proxy,
    };

    return bus_node_subscribe(proxy->node, filter, &listener);
}

void
proxy_expect_heard(struct proxy *proxy, const char *heard)
{
    bus_node_deliver(proxy->node);
    assert_string_equal(proxy->heard, heard);
    proxy->heard[0] = '\0';
}
