// SPDX-License-Identifier: EPL-2.0
/* Filters, who listens, and what is to be told to whom: to the proxy of
 * filters that come and go, and to listeners of what arrives. The latter is
 * queued, so that they may do what they like when they are told.
 *
 * Thread-safety: owned by one thread. */
#ifndef BUS_SUBSCRIPTIONS_H
#define BUS_SUBSCRIPTIONS_H

#include <glib.h>

#include "link.h"

/* What is said to a subscriber. Texts are good during the call. */
struct bus_listener {
    /* A message arrived, with a zero behind its body; an empty body withdraws
     * what the publisher said before. */
    void (*message)(const char *topic, const char *publisher,
                    const char *body, size_t size, void *aux);

    /* So many messages of a stream are gone; 0: nobody knows how many. */
    void (*gap)(const char *topic, const char *publisher,
                uint64_t n_messages, const char *reason, void *aux);

    void *aux;
};

struct bus_subscription {
    char *filter;
    struct bus_listener listener;
    bool is_installed; /* At the proxy, in this session or an earlier one. */
    bool is_changed;   /* In the queue of changes. */
    bool is_over;      /* What is queued for it is told to nobody. */
};

struct bus_subscriptions {
    GPtrArray *all;
    GQueue changes; /* Subscriptions that the proxy has to be told of. */
    GQueue news; /* To be told, oldest first. */
};

void bus_subscriptions_init(struct bus_subscriptions *subscriptions);
void bus_subscriptions_destroy(struct bus_subscriptions *subscriptions);

/* The subscription with 'filter', or null. */
struct bus_subscription *
bus_subscriptions_find(const struct bus_subscriptions *subscriptions,
                       const char *filter);

/* Adds one that is not there, and returns it. */
struct bus_subscription *
bus_subscriptions_add(struct bus_subscriptions *subscriptions,
                      const char *filter,
                      const struct bus_listener *listener);

void bus_subscriptions_remove(struct bus_subscriptions *subscriptions,
                              struct bus_subscription *subscription);

/* Notes that the proxy has to be told that the subscription is there or, if
 * it is over by then, that it is not. */
void bus_subscriptions_change(struct bus_subscriptions *subscriptions,
                              struct bus_subscription *subscription);

/* Notes that the proxy of a new session has to be told of all, those of
 * earlier sessions first. */
void bus_subscriptions_begin(struct bus_subscriptions *subscriptions);

/* Tells the proxy, as far as credit and room go, in the order of the changes;
 * returns whether it was told of all. */
bool bus_subscriptions_install(struct bus_subscriptions *subscriptions,
                               struct bus_link *link);

/* Whether somebody wants messages on 'topic'. */
bool bus_subscriptions_want(const struct bus_subscriptions *subscriptions,
                            const char *topic);

/* Queues a message for one subscription. */
void bus_subscriptions_tell(struct bus_subscriptions *subscriptions,
                            struct bus_subscription *subscription,
                            struct bus_frame *message);

/* Queues a message for all who want it. */
void bus_subscriptions_tell_all(struct bus_subscriptions *subscriptions,
                                struct bus_frame *message);

/* Queues for all who want 'topic' that messages are gone. 'reason' is a
 * constant. */
void bus_subscriptions_tell_gap(struct bus_subscriptions *subscriptions,
                                const char *publisher, const char *topic,
                                uint64_t n_messages, const char *reason);

/* Calls one listener with what was queued first; returns false if nothing
 * is. */
bool bus_subscriptions_deliver(struct bus_subscriptions *subscriptions);

#endif
