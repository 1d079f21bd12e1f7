// SPDX-License-Identifier: EPL-2.0
#include "streams.h"

static void
destroy_stream(void *pointer)
{
    struct bus_stream *stream = pointer;

    bus_tracker_destroy(&stream->tracker);
    g_free(stream->topic);
    g_free(stream);
}

static void
destroy_publisher(void *pointer)
{
    struct bus_publisher *publisher = pointer;

    g_hash_table_destroy(publisher->streams);
    g_free(publisher->name);
    g_free(publisher);
}

void
bus_streams_init(struct bus_streams *streams, uint32_t limit,
                 const struct bus_outlet *outlet, void *owner)
{
    *streams = (struct bus_streams) {
        .publishers = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                            destroy_publisher),
        .outlet = outlet,
        .owner = owner,
        .limit = limit,
    };
}

void
bus_streams_destroy(struct bus_streams *streams)
{
    g_hash_table_destroy(streams->publishers);
}

struct bus_stream *
bus_streams_find(const struct bus_streams *streams, const char *name,
                 const char *topic)
{
    const struct bus_publisher *publisher =
        g_hash_table_lookup(streams->publishers, name);

    return publisher ? g_hash_table_lookup(publisher->streams, topic) : NULL;
}

static void
forget(struct bus_streams *streams, struct bus_stream *stream)
{
    struct bus_publisher *publisher = stream->publisher;

    bus_streams_note(streams, stream, false);
    g_queue_unlink(&publisher->by_use, &stream->use);
    g_hash_table_remove(publisher->streams, stream->topic);
    streams->n--;
    if (!publisher->by_use.length) {
        g_hash_table_remove(streams->publishers, publisher->name);
    }
}

/* The stream that a publisher with too many loses. */
static struct bus_stream *
least_needed(const struct bus_publisher *publisher)
{
    for (const GList *each = publisher->by_use.head; each;
         each = each->next) {
        struct bus_stream *stream = each->data;

        if (stream->withdrawal.is_noted) {
            return stream;
        }
    }
    return publisher->by_use.head->data;
}

/* Makes room for one more stream of a publisher, who may be unknown. */
static bool
make_room(struct bus_streams *streams, const char *name)
{
    const struct bus_publisher *publisher =
        g_hash_table_lookup(streams->publishers, name);
    uint64_t limit = (uint64_t) BUS_PUBLISHERS * streams->limit;
    struct bus_stream *oldest;

    if (publisher && publisher->by_use.length >= streams->limit) {
        forget(streams, least_needed(publisher));
    }
    if (streams->n >= limit) {
        oldest = bus_withdrawals_oldest(&streams->withdrawals);
        if (oldest) {
            forget(streams, oldest);
        }
    }
    return streams->n < limit;
}

static struct bus_publisher *
find_or_add_publisher(struct bus_streams *streams, const char *name)
{
    struct bus_publisher *publisher = g_hash_table_lookup(streams->publishers,
                                                          name);

    if (!publisher) {
        publisher = g_new0(struct bus_publisher, 1);
        publisher->name = g_strdup(name);
        publisher->streams = g_hash_table_new_full(g_str_hash, g_str_equal,
                                                   NULL, destroy_stream);
        g_hash_table_insert(streams->publishers, publisher->name, publisher);
    }
    return publisher;
}

struct bus_stream *
bus_streams_add(struct bus_streams *streams, const char *publisher,
                const char *topic)
{
    struct bus_stream *stream;

    if (!make_room(streams, publisher)) {
        return NULL;
    }
    stream = g_new0(struct bus_stream, 1);
    stream->publisher = find_or_add_publisher(streams, publisher);
    stream->topic = g_strdup(topic);
    stream->owner = streams->owner;
    stream->use.data = stream;
    bus_tracker_init(&stream->tracker, streams->outlet, stream);
    g_hash_table_insert(stream->publisher->streams, stream->topic, stream);
    g_queue_push_tail_link(&stream->publisher->by_use, &stream->use);
    streams->n++;
    return stream;
}

void
bus_streams_use(struct bus_stream *stream)
{
    g_queue_unlink(&stream->publisher->by_use, &stream->use);
    g_queue_push_tail_link(&stream->publisher->by_use, &stream->use);
}

void
bus_streams_note(struct bus_streams *streams, struct bus_stream *stream,
                 bool is_withdrawn)
{
    bus_withdrawals_note(&streams->withdrawals, &stream->withdrawal, stream,
                         is_withdrawn);
}

void
bus_streams_filter(struct bus_streams *streams,
                   bool (*action)(struct bus_stream *, void *), void *aux)
{
    GList *publishers = g_hash_table_get_values(streams->publishers);

    for (GList *each = publishers; each; each = each->next) {
        GList *next = ((struct bus_publisher *) each->data)->by_use.head;

        while (next) {
            struct bus_stream *stream = next->data;

            next = next->next;
            if (!action(stream, aux)) {
                forget(streams, stream);
            }
        }
    }
    g_list_free(publishers);
}

static bool
tick(struct bus_stream *stream, void *aux)
{
    (void) aux;
    bus_tracker_tick(&stream->tracker);
    return true;
}

void
bus_streams_tick(struct bus_streams *streams)
{
    struct bus_stream *stream;

    bus_streams_filter(streams, tick, NULL);
    bus_withdrawals_tick(&streams->withdrawals);
    while ((stream = bus_withdrawals_over(&streams->withdrawals))) {
        forget(streams, stream);
    }
}
