// SPDX-License-Identifier: EPL-2.0
#include "subscriptions.h"

#include <string.h>

#include "names.h"

/* Something to tell: a message, or a gap of 'sequence' messages. */
struct news {
    struct bus_subscription *subscription;
    struct bus_frame *frame;
    const char *reason; /* Of a gap. */
};

static void
clear(void *pointer)
{
    g_free(((struct bus_subscription *) pointer)->filter);
}

static void
release(void *subscription)
{
    g_rc_box_release_full(subscription, clear);
}

static void
free_news(void *pointer)
{
    struct news *news = pointer;

    release(news->subscription);
    bus_frame_release(news->frame);
    g_free(news);
}

void
bus_subscriptions_init(struct bus_subscriptions *subscriptions)
{
    *subscriptions = (struct bus_subscriptions) {
        .all = g_ptr_array_new_with_free_func(release),
    };
}

void
bus_subscriptions_destroy(struct bus_subscriptions *subscriptions)
{
    g_queue_clear_full(&subscriptions->changes, release);
    g_queue_clear_full(&subscriptions->news, free_news);
    g_ptr_array_unref(subscriptions->all);
}

struct bus_subscription *
bus_subscriptions_find(const struct bus_subscriptions *subscriptions,
                       const char *filter)
{
    for (guint i = 0; i < subscriptions->all->len; i++) {
        struct bus_subscription *each = subscriptions->all->pdata[i];

        if (!strcmp(each->filter, filter)) {
            return each;
        }
    }
    return NULL;
}

struct bus_subscription *
bus_subscriptions_add(struct bus_subscriptions *subscriptions,
                      const char *filter,
                      const struct bus_listener *listener)
{
    struct bus_subscription *subscription =
        g_rc_box_new0(struct bus_subscription);

    subscription->filter = g_strdup(filter);
    subscription->listener = *listener;
    g_ptr_array_add(subscriptions->all, subscription);
    return subscription;
}

void
bus_subscriptions_remove(struct bus_subscriptions *subscriptions,
                         struct bus_subscription *subscription)
{
    subscription->is_over = true;
    g_ptr_array_remove(subscriptions->all, subscription);
}

void
bus_subscriptions_change(struct bus_subscriptions *subscriptions,
                         struct bus_subscription *subscription)
{
    if (!subscription->is_changed) {
        subscription->is_changed = true;
        g_queue_push_tail(&subscriptions->changes,
                          g_rc_box_acquire(subscription));
    }
}

static void
pop_change(struct bus_subscriptions *subscriptions)
{
    struct bus_subscription *first =
        g_queue_pop_head(&subscriptions->changes);

    first->is_changed = false;
    release(first);
}

void
bus_subscriptions_begin(struct bus_subscriptions *subscriptions)
{
    while (subscriptions->changes.length) {
        pop_change(subscriptions);
    }
    for (int is_new = 0; is_new < 2; is_new++) {
        for (guint i = 0; i < subscriptions->all->len; i++) {
            struct bus_subscription *each = subscriptions->all->pdata[i];

            if (each->is_installed != is_new) {
                bus_subscriptions_change(subscriptions, each);
            }
        }
    }
}

static bool
install(struct bus_subscription *subscription, struct bus_link *link)
{
    bool is_over = subscription->is_over;
    bool is_gone = bus_link_offer(link, (struct bus_frame) {
        .kind = is_over ? BUS_UNSUBSCRIBE : BUS_SUBSCRIBE,
        .sequence = !is_over && subscription->is_installed,
        .node = "",
        .topic = subscription->filter,
    });

    subscription->is_installed |= is_gone;
    return is_gone;
}

bool
bus_subscriptions_install(struct bus_subscriptions *subscriptions,
                          struct bus_link *link)
{
    struct bus_subscription *first;

    while ((first = g_queue_peek_head(&subscriptions->changes))
           && install(first, link)) {
        pop_change(subscriptions);
    }
    return !first;
}

bool
bus_subscriptions_want(const struct bus_subscriptions *subscriptions,
                       const char *topic)
{
    for (guint i = 0; i < subscriptions->all->len; i++) {
        const struct bus_subscription *each = subscriptions->all->pdata[i];

        if (bus_filter_matches(each->filter, topic)) {
            return true;
        }
    }
    return false;
}

static void
queue(struct bus_subscriptions *subscriptions,
      struct bus_subscription *subscription, struct bus_frame *frame,
      const char *reason)
{
    struct news *news = g_new(struct news, 1);

    *news = (struct news) {
        .subscription = g_rc_box_acquire(subscription),
        .frame = bus_frame_hold(frame),
        .reason = reason,
    };
    g_queue_push_tail(&subscriptions->news, news);
}

static void
queue_all(struct bus_subscriptions *subscriptions, struct bus_frame *frame,
          const char *reason)
{
    for (guint i = 0; i < subscriptions->all->len; i++) {
        struct bus_subscription *each = subscriptions->all->pdata[i];

        if (bus_filter_matches(each->filter, frame->topic)) {
            queue(subscriptions, each, frame, reason);
        }
    }
}

void
bus_subscriptions_tell(struct bus_subscriptions *subscriptions,
                       struct bus_subscription *subscription,
                       struct bus_frame *message)
{
    queue(subscriptions, subscription, message, NULL);
}

void
bus_subscriptions_tell_all(struct bus_subscriptions *subscriptions,
                           struct bus_frame *message)
{
    queue_all(subscriptions, message, NULL);
}

void
bus_subscriptions_tell_gap(struct bus_subscriptions *subscriptions,
                           const char *publisher, const char *topic,
                           uint64_t n_messages, const char *reason)
{
    struct bus_frame *gap = bus_frame_keep(&(struct bus_frame) {
        .kind = BUS_GAP,
        .sequence = n_messages,
        .node = publisher,
        .topic = topic,
    });

    queue_all(subscriptions, gap, reason);
    bus_frame_release(gap);
}

static void
tell(const struct bus_listener *listener, const struct bus_frame *frame,
     const char *reason)
{
    if (frame->kind == BUS_GAP) {
        listener->gap(frame->topic, frame->node, frame->sequence, reason,
                      listener->aux);
    } else {
        listener->message(frame->topic, frame->node, frame->body,
                          frame->body_size, listener->aux);
    }
}

bool
bus_subscriptions_deliver(struct bus_subscriptions *subscriptions)
{
    struct news *news = g_queue_pop_head(&subscriptions->news);

    if (!news) {
        return false;
    }
    if (!news->subscription->is_over) {
        tell(&news->subscription->listener, news->frame, news->reason);
    }
    free_news(news);
    return true;
}
