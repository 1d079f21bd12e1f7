// SPDX-License-Identifier: EPL-2.0
/* What a publisher keeps: the last value of each topic, and the newest
 * messages over all topics up to a number and a size. It numbers what it
 * takes. A topic that was withdrawn is forgotten after a day; used again, it
 * is another stream, of a higher epoch.
 *
 * Thread-safety: owned by one thread. */
#ifndef BUS_LOG_H
#define BUS_LOG_H

#include "frame.h"
#include "withdrawals.h"

struct bus_limits {
    uint32_t window;            /* Frames under way unconfirmed, >= 4. */
    uint32_t retained_messages; /* Over all topics. */
    uint64_t retained_bytes;    /* Of their bodies. */
    uint32_t queue;             /* Frames in the socket, > 'window'. */
    uint32_t streams;           /* Topics of a publisher. */
};

/* What is used unless somebody says otherwise. */
#define BUS_LIMITS_DEFAULT                                                    \
    ((struct bus_limits) {                                                    \
        .window = 4096,                                                       \
        .retained_messages = 65536,                                           \
        .retained_bytes = 64u << 20,                                          \
        .queue = 4 * 4096,                                                    \
        .streams = 65536,                                                     \
    })

/* A topic that has a last value. */
struct bus_topic {
    char *name;
    struct bus_frame *last;
    GQueue kept; /* Newest messages without a hole; oldest first. */
    struct bus_withdrawal withdrawal;
    GList stale;   /* In the log's queue while the proxy may lack 'last'. */
    bool is_stale;
};

struct bus_log {
    const char *publisher;
    const struct bus_limits *limits;
    uint64_t epoch;
    uint64_t bytes;     /* Of the bodies that are kept. */
    GHashTable *topics; /* By name. */
    GQueue order;       /* Topic of each message that is kept. */
    GQueue stale;       /* Topics whose last value the proxy may lack. */
    struct bus_withdrawals withdrawals;
};

/* Makes an empty log of a publisher whose earlier starts used lower epochs;
 * 'publisher' and 'limits' have to live as long. */
void bus_log_init(struct bus_log *log, const char *publisher, uint64_t epoch,
                  const struct bus_limits *limits);
void bus_log_destroy(struct bus_log *log);

/* Takes the next message of a topic; older ones, of any topic, may have to
 * go. Returns the topic, whose 'last' it is, or null if the topic is new and
 * there is no room for another one. */
struct bus_topic *bus_log_append(struct bus_log *log, const char *topic,
                                 const char *body, size_t size);

/* Notes whether the proxy may lack the last value of 'topic'. */
void bus_log_mark_stale(struct bus_log *log, struct bus_topic *topic,
                        bool is_stale);
void bus_log_mark_all_stale(struct bus_log *log);

/* The topic that is stale for longest, or null. */
struct bus_topic *bus_log_stale(const struct bus_log *log);

/* Gives what answers a REPLAY to 'reply', in order: at most one GAP, then
 * messages. The frames are good during the call. */
void bus_log_replay(const struct bus_log *log,
                    const struct bus_frame *wanted,
                    void (*reply)(const struct bus_frame *, void *),
                    void *aux);

/* Lets a quarter of a second pass. */
void bus_log_tick(struct bus_log *log);

#endif
