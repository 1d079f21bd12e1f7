// SPDX-License-Identifier: EPL-2.0
#include "log.h"

static void
destroy_topic(void *pointer)
{
    struct bus_topic *topic = pointer;

    g_queue_clear_full(&topic->kept, bus_frame_release);
    bus_frame_release(topic->last);
    g_free(topic->name);
    g_free(topic);
}

void
bus_log_init(struct bus_log *log, const char *publisher, uint64_t epoch,
             const struct bus_limits *limits)
{
    *log = (struct bus_log) {
        .publisher = publisher,
        .limits = limits,
        .epoch = epoch,
        .topics = g_hash_table_new_full(g_str_hash, g_str_equal, NULL,
                                        destroy_topic),
    };
}

void
bus_log_destroy(struct bus_log *log)
{
    g_queue_clear(&log->order);
    g_hash_table_destroy(log->topics);
}

static struct bus_topic *
find_or_add(struct bus_log *log, const char *name)
{
    struct bus_topic *topic = g_hash_table_lookup(log->topics, name);

    if (!topic && g_hash_table_size(log->topics) < log->limits->streams) {
        topic = g_new0(struct bus_topic, 1);
        topic->name = g_strdup(name);
        topic->stale.data = topic;
        g_hash_table_insert(log->topics, topic->name, topic);
    }
    return topic;
}

static void
drop_oldest(struct bus_log *log)
{
    struct bus_topic *topic = g_queue_pop_head(&log->order);
    struct bus_frame *frame = g_queue_pop_head(&topic->kept);

    log->bytes -= frame->body_size;
    bus_frame_release(frame);
}

struct bus_topic *
bus_log_append(struct bus_log *log, const char *name, const char *body,
               size_t size)
{
    struct bus_topic *topic = find_or_add(log, name);
    struct bus_frame *frame;

    if (!topic) {
        return NULL;
    }
    frame = bus_frame_keep(&(struct bus_frame) {
        .kind = BUS_DATA,
        .epoch = topic->last ? topic->last->epoch : log->epoch,
        .sequence = topic->last ? topic->last->sequence + 1 : 1,
        .mark = 1,
        .node = log->publisher,
        .topic = name,
        .body = body,
        .body_size = size,
    });
    bus_frame_release(topic->last);
    topic->last = frame;
    g_queue_push_tail(&topic->kept, bus_frame_hold(frame));
    g_queue_push_tail(&log->order, topic);
    log->bytes += size;
    while (log->order.length > log->limits->retained_messages
           || log->bytes > log->limits->retained_bytes) {
        drop_oldest(log);
    }
    bus_withdrawals_note(&log->withdrawals, &topic->withdrawal, topic,
                         size == 0);
    return topic;
}

void
bus_log_mark_stale(struct bus_log *log, struct bus_topic *topic,
                   bool is_stale)
{
    if (is_stale && !topic->is_stale) {
        g_queue_push_tail_link(&log->stale, &topic->stale);
    } else if (!is_stale && topic->is_stale) {
        g_queue_unlink(&log->stale, &topic->stale);
    }
    topic->is_stale = is_stale;
}

void
bus_log_mark_all_stale(struct bus_log *log)
{
    GHashTableIter each;
    void *topic;

    g_hash_table_iter_init(&each, log->topics);
    while (g_hash_table_iter_next(&each, NULL, &topic)) {
        bus_log_mark_stale(log, topic, true);
    }
}

struct bus_topic *
bus_log_stale(const struct bus_log *log)
{
    return log->stale.head ? log->stale.head->data : NULL;
}

/* Gives one kept message to 'reply', if it is wanted. */
static void
replay_one(const struct bus_frame *kept, const struct bus_frame *wanted,
           void (*reply)(const struct bus_frame *, void *), void *aux)
{
    if (kept->sequence >= wanted->sequence
        && kept->sequence <= wanted->mark) {
        struct bus_frame answer = *kept;

        answer.kind = BUS_REPLAYED;
        reply(&answer, aux);
    }
}

void
bus_log_replay(const struct bus_log *log, const struct bus_frame *wanted,
               void (*reply)(const struct bus_frame *, void *), void *aux)
{
    const struct bus_topic *topic = g_hash_table_lookup(log->topics,
                                                        wanted->topic);
    const struct bus_frame *oldest;

    if (topic && topic->last->epoch != wanted->epoch) {
        topic = NULL;
    }
    oldest = !topic ? NULL
             : topic->kept.head ? topic->kept.head->data : topic->last;
    if (!oldest || wanted->sequence < oldest->sequence) {
        struct bus_frame gap = *wanted;

        gap.kind = BUS_GAP;
        gap.node = log->publisher;
        gap.body_size = 0;
        gap.mark = oldest ? MIN(wanted->mark, oldest->sequence - 1)
                          : wanted->mark;
        reply(&gap, aux);
    }
    if (topic && !topic->kept.head) {
        replay_one(topic->last, wanted, reply, aux);
    } else if (topic) {
        for (const GList *each = topic->kept.head; each; each = each->next) {
            replay_one(each->data, wanted, reply, aux);
        }
    }
}

static void
forget(struct bus_log *log, struct bus_topic *topic)
{
    for (const GList *each = topic->kept.head; each; each = each->next) {
        log->bytes -= ((const struct bus_frame *) each->data)->body_size;
    }
    g_queue_remove_all(&log->order, topic);
    bus_withdrawals_note(&log->withdrawals, &topic->withdrawal, topic, false);
    bus_log_mark_stale(log, topic, false);
    g_hash_table_remove(log->topics, topic->name);
}

void
bus_log_tick(struct bus_log *log)
{
    uint32_t n_before = g_hash_table_size(log->topics);
    struct bus_topic *topic;

    bus_withdrawals_tick(&log->withdrawals);
    while ((topic = bus_withdrawals_over(&log->withdrawals))) {
        forget(log, topic);
    }
    if (g_hash_table_size(log->topics) < n_before) {
        log->epoch++;
    }
}
