// SPDX-License-Identifier: EPL-2.0
#include "node.h"

#include <errno.h>

#include "names.h"
#include "streams.h"
#include "unconfirmed.h"

#define BACKLOG 4096 /* Answers to REPLAYs that wait; more are asked again. */

struct bus_node {
    char *name;
    struct bus_limits limits;
    struct bus_link link;
    struct bus_log log;
    struct bus_streams streams;
    struct bus_subscriptions subscriptions;
    struct bus_requests requests;
    struct bus_unconfirmed unconfirmed;
    GQueue backlog; /* Frames that answer REPLAYs. */
    uint64_t n_duplicates, n_gaps, n_malformed, n_refused; /* For operators. */
};

static const struct bus_outlet outlet;

struct bus_node *
bus_node_create(const char *name, uint64_t epoch,
                const struct bus_limits *limits,
                bool (*send)(const struct bus_frame *, void *), void *aux)
{
    struct bus_node *node = g_new0(struct bus_node, 1);

    node->name = g_strdup(name);
    node->limits = *limits;
    bus_link_init(&node->link, node->name, limits->window, send, aux);
    bus_log_init(&node->log, node->name, epoch, &node->limits);
    bus_streams_init(&node->streams, limits->streams, &outlet, node);
    bus_subscriptions_init(&node->subscriptions);
    bus_requests_init(&node->requests, node->name, epoch, &node->link);
    return node;
}

void
bus_node_make_ephemeral(struct bus_node *node)
{
    node->link.epoch = node->log.epoch;
}

void
bus_node_destroy(struct bus_node *node)
{
    if (node) {
        node->link.is_up = false; /* Who is told below can't ask again. */
        bus_requests_destroy(&node->requests);
        bus_subscriptions_destroy(&node->subscriptions);
        bus_streams_destroy(&node->streams);
        bus_log_destroy(&node->log);
        g_queue_clear_full(&node->backlog, bus_frame_release);
        g_free(node->name);
        g_free(node);
    }
}

static void
deliver(struct bus_frame *frame, void *aux)
{
    struct bus_stream *stream = aux;
    struct bus_node *node = stream->owner;
    bool is_withdrawal = frame->body_size == 0;

    bus_streams_note(&node->streams, stream, is_withdrawal);
    if (stream->has_begun || !is_withdrawal) {
        bus_subscriptions_tell_all(&node->subscriptions, frame);
    }
    stream->has_begun = true;
}

static void
tell_gap(uint64_t n_messages, const char *reason, void *aux)
{
    struct bus_stream *stream = aux;
    struct bus_node *node = stream->owner;

    node->n_gaps++;
    bus_subscriptions_tell_gap(&node->subscriptions, stream->publisher->name,
                               stream->topic, n_messages, reason);
}

static void
ask_for(uint64_t epoch, uint64_t first, uint64_t last, void *aux)
{
    struct bus_stream *stream = aux;
    struct bus_node *node = stream->owner;

    bus_link_offer(&node->link, (struct bus_frame) {
        .kind = BUS_REPLAY,
        .epoch = epoch,
        .sequence = first,
        .mark = last,
        .node = stream->publisher->name,
        .topic = stream->topic,
    });
}

static void
count_duplicate(void *aux)
{
    struct bus_stream *stream = aux;
    struct bus_node *node = stream->owner;

    node->n_duplicates++;
}

static const struct bus_outlet outlet = {
    .deliver = deliver,
    .gap = tell_gap,
    .ask = ask_for,
    .duplicate = count_duplicate,
};

/* Takes a DATA, REPLAYED or GAP. */
static void
follow(struct bus_node *node, struct bus_frame *frame)
{
    struct bus_stream *stream = bus_streams_find(&node->streams, frame->node,
                                                 frame->topic);

    if (frame->kind == BUS_DATA
        && !bus_subscriptions_want(&node->subscriptions, frame->topic)) {
        return;
    }
    if (!stream && frame->kind == BUS_DATA) {
        stream = bus_streams_add(&node->streams, frame->node, frame->topic);
        if (!stream) {
            node->n_gaps++;
            bus_subscriptions_tell_gap(&node->subscriptions, frame->node,
                                       frame->topic, 1,
                                       "more streams than can be followed");
        }
    }
    if (stream) {
        bus_streams_use(stream);
        bus_tracker_accept(&stream->tracker, frame);
    }
}

/* Sends what answers a REPLAY, now or when there is room. */
static void
reply(const struct bus_frame *frame, void *aux)
{
    struct bus_node *node = aux;

    if (node->subscriptions.changes.length || node->backlog.length
        || !bus_link_offer(&node->link, *frame)) {
        if (node->link.is_up && node->backlog.length < BACKLOG) {
            g_queue_push_tail(&node->backlog, bus_frame_keep(frame));
        } else {
            node->link.n_deferred++;
        }
    }
}

/* Tells the proxy, now or when there is room, that a subscription came or
 * goes. */
static void
change(struct bus_node *node, struct bus_subscription *subscription)
{
    if (node->link.is_up) {
        bus_subscriptions_change(&node->subscriptions, subscription);
        bus_subscriptions_install(&node->subscriptions, &node->link);
    }
}

static bool
ask_again(struct bus_stream *stream, void *aux)
{
    (void) aux;
    bus_tracker_ask_again(&stream->tracker);
    return true;
}

/* Tells the proxy all that it should know. */
static void
begin(struct bus_node *node)
{
    bus_unconfirmed_begin(&node->unconfirmed);
    g_queue_clear_full(&node->backlog, bus_frame_release);
    bus_log_mark_all_stale(&node->log);
    bus_subscriptions_begin(&node->subscriptions);
    bus_streams_filter(&node->streams, ask_again, NULL);
}

static void
handle(struct bus_node *node, struct bus_frame *frame)
{
    switch (frame->kind) {
    case BUS_DATA:
    case BUS_REPLAYED:
    case BUS_GAP:
        follow(node, frame);
        break;
    case BUS_REPLAY:
        bus_log_replay(&node->log, frame, reply, node);
        break;
    case BUS_REQUEST:
    case BUS_REPLY:
    case BUS_REFUSED:
        bus_requests_take(&node->requests, frame);
        break;
    default:
        break;
    }
}

void
bus_node_receive(struct bus_node *node, struct bus_frame *frame)
{
    switch (bus_link_receive(&node->link, frame)) {
    case BUS_EVENT_BEGUN:
        begin(node);
        break;
    case BUS_EVENT_FRAME:
        handle(node, frame);
        break;
    case BUS_EVENT_NONE:
        break;
    }
    bus_node_drain(node);
}

void
bus_node_receive_malformed(struct bus_node *node)
{
    node->n_malformed++;
}

bool
bus_node_drain(struct bus_node *node)
{
    struct bus_link *link = &node->link;
    bool is_installed = bus_subscriptions_install(&node->subscriptions, link);
    bool is_full = false;
    struct bus_topic *topic;

    while (is_installed && node->backlog.length
           && bus_link_offer(link, *(struct bus_frame *)
                                       g_queue_peek_head(&node->backlog))) {
        bus_frame_release(g_queue_pop_head(&node->backlog));
    }
    while (is_installed && !node->backlog.length && !is_full
           && bus_link_has_credit(link)
           && (topic = bus_log_stale(&node->log))) {
        is_full = !bus_link_offer(link, *topic->last);
        bus_log_mark_stale(&node->log, topic, is_full);
    }
    bus_unconfirmed_look(&node->unconfirmed, link, &node->log);
    return bus_link_has_credit(link)
           && (!is_installed || node->backlog.length || is_full);
}

void
bus_node_deliver(struct bus_node *node)
{
    while (bus_subscriptions_deliver(&node->subscriptions)
           || bus_requests_deliver(&node->requests)) {
    }
}

void
bus_node_tick(struct bus_node *node)
{
    bus_link_tick(&node->link);
    bus_streams_tick(&node->streams);
    bus_log_tick(&node->log);
    bus_requests_tick(&node->requests);
}

void
bus_node_reconnect(struct bus_node *node)
{
    bus_link_renew(&node->link);
}

int
bus_node_publish(struct bus_node *node, const char *name, const char *body,
                 size_t size)
{
    struct bus_link *link = &node->link;
    struct bus_topic *topic;

    if (!bus_is_topic(name) || !bus_topic_is_of(name, node->name)) {
        return EINVAL;
    }
    if (size > BUS_BODY_SIZE) {
        node->n_refused++;
        return EMSGSIZE;
    }
    if ((link->is_up && !bus_link_has_credit(link))
        || !bus_unconfirmed_has_room(&node->unconfirmed, &node->limits,
                                     size)) {
        return EAGAIN;
    }
    topic = bus_log_append(&node->log, name, body, size);
    if (!topic) {
        node->n_refused++;
        return ENOSPC;
    }
    bus_unconfirmed_add(&node->unconfirmed, size);
    if (!node->subscriptions.changes.length
        && bus_link_offer(link, *topic->last)) {
        bus_log_mark_stale(&node->log, topic, false);
    } else if (link->is_up) {
        link->n_deferred++;
        bus_log_mark_stale(&node->log, topic, true);
    }
    return 0;
}

/* Tells a subscription that is about to be installed of a last value. */
static bool
tell_last_value(struct bus_stream *stream, void *aux)
{
    struct bus_subscription *subscription = aux;
    struct bus_node *node = stream->owner;
    struct bus_frame *last = stream->tracker.last;

    if (last && last->body_size
        && bus_filter_matches(subscription->filter, stream->topic)) {
        bus_subscriptions_tell(&node->subscriptions, subscription, last);
    }
    return true;
}

int
bus_node_subscribe(struct bus_node *node, const char *filter,
                   const struct bus_listener *listener)
{
    struct bus_subscription *subscription;

    if (!bus_is_filter(filter)) {
        return EINVAL;
    }
    if (bus_subscriptions_find(&node->subscriptions, filter)) {
        return EEXIST;
    }
    subscription = bus_subscriptions_add(&node->subscriptions, filter,
                                         listener);
    bus_streams_filter(&node->streams, tell_last_value, subscription);
    change(node, subscription);
    return 0;
}

static bool
is_stream_wanted(struct bus_stream *stream, void *subscriptions)
{
    return bus_subscriptions_want(subscriptions, stream->topic);
}

int
bus_node_unsubscribe(struct bus_node *node, const char *filter)
{
    struct bus_subscription *subscription =
        bus_subscriptions_find(&node->subscriptions, filter);

    if (!subscription) {
        return ENOENT;
    }
    subscription->is_over = true;
    change(node, subscription);
    bus_subscriptions_remove(&node->subscriptions, subscription);
    bus_streams_filter(&node->streams, is_stream_wanted,
                       &node->subscriptions);
    return 0;
}

int
bus_node_request(struct bus_node *node, const char *other, const char *body,
                 size_t size, bus_answered *answered, void *aux)
{
    return bus_requests_ask(&node->requests, other, body, size, answered,
                            aux);
}

void
bus_node_handle(struct bus_node *node, bus_handler *handler, void *aux)
{
    node->requests.handler = handler;
    node->requests.handler_aux = aux;
}

struct bus_link_state
bus_node_link_state(const struct bus_node *node)
{
    return (struct bus_link_state) {
        .is_up = node->link.is_up,
        .n_messages = node->link.n_messages,
        .n_unconfirmed = node->link.sent - node->link.confirmed,
        .n_waiting = node->subscriptions.changes.length
                     + node->backlog.length + node->log.stale.length,
        .n_deferred = node->link.n_deferred,
        .n_renewals = node->link.n_renewals,
        .n_duplicates = node->n_duplicates,
        .n_gaps = node->n_gaps,
        .n_malformed = node->n_malformed,
        .n_refused = node->n_refused,
    };
}
