// SPDX-License-Identifier: EPL-2.0
/* The streams that a subscriber follows, within bounds: so many of a
 * publisher, and BUS_PUBLISHERS times as many of all together. A stream that
 * was withdrawn is forgotten after a day. A publisher that has too many loses
 * one that is withdrawn, or else the one that has been without a message for
 * longest: one of an earlier start, since a publisher keeps to the bound.
 *
 * Thread-safety: owned by one thread. */
#ifndef BUS_STREAMS_H
#define BUS_STREAMS_H

#include "tracker.h"
#include "withdrawals.h"

#define BUS_PUBLISHERS 16

struct bus_publisher {
    char *name;
    GHashTable *streams; /* By topic. */
    GQueue by_use;       /* The same, silent for longest first. */
};

struct bus_stream {
    struct bus_publisher *publisher;
    char *topic;
    struct bus_tracker tracker;
    void *owner;      /* Of the table: for the tracker's outlet. */
    bool has_begun;   /* Something was delivered. */
    GList use;        /* In the publisher's queue. */
    struct bus_withdrawal withdrawal;
};

struct bus_streams {
    GHashTable *publishers; /* By name. */
    const struct bus_outlet *outlet; /* Called with the stream. */
    void *owner;
    uint32_t limit;         /* Streams of a publisher. */
    uint64_t n;
    struct bus_withdrawals withdrawals;
};

void bus_streams_init(struct bus_streams *streams, uint32_t limit,
                      const struct bus_outlet *outlet, void *owner);
void bus_streams_destroy(struct bus_streams *streams);

/* The stream of a publisher on a topic, or null. */
struct bus_stream *bus_streams_find(const struct bus_streams *streams,
                                    const char *publisher,
                                    const char *topic);

/* Makes a stream that is not there; returns null if there is no room. */
struct bus_stream *bus_streams_add(struct bus_streams *streams,
                                   const char *publisher,
                                   const char *topic);

/* Notes that the stream has a new message. */
void bus_streams_use(struct bus_stream *stream);

/* Notes whether the stream's last value is withdrawn. */
void bus_streams_note(struct bus_streams *streams, struct bus_stream *stream,
                      bool is_withdrawn);

/* Calls 'action' with each stream; forgets the stream if it returns false. */
void bus_streams_filter(struct bus_streams *streams,
                        bool (*action)(struct bus_stream *, void *),
                        void *aux);

/* Lets a quarter of a second pass, here and for each stream. */
void bus_streams_tick(struct bus_streams *streams);

#endif
